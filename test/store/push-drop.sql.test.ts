/** How much is kept of the pushes: for how long, how many bytes, and what goes first (I10, S19). */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dropPushes, measurePushes, vacuumPushes } from '../../src/store/pushes/push-stock.ts';
import { takePush } from '../../src/store/pushes/push-take.ts';
import type { ReceivedPush } from '../../src/store/pushes/push-take.ts';
import { listWaitingPushes, savePushUnregistered, savePushesDone } from '../../src/store/pushes/push-work.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import { lines } from '../helpers/company/order-answers.ts';
import { at } from '../helpers/service-time.ts';
import { aPush } from './a-push.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => emptyTables(database.db, 'all'));
afterAll(() => database.close());

const NOW = at('2026-03-02 09:00:00');

const take = (push: ReceivedPush, when = NOW) => takePush(database.db, push, when);
const states = (): Promise<string[]> => lines(database.db, 'push', ['own_no', 'times_seen', 'state', 'note']);
const waiting = (transfers = true) => listWaitingPushes(database.db, { transfers, limit: 100 });

describe('what is dropped', () => {
  const fill = (no: string, over: Partial<ReceivedPush>, minute: string) =>
    take(aPush(no, { ownNo: no, ...over }), at(`2026-03-02 09:${minute}:00`));
  const keep = async () => {
    const hashes = [...(await waiting()), ...(await waiting(false))].map(({ sha256 }) => sha256);
    await savePushesDone(database.db, { hashes, state: 'kept', note: '', at: NOW });
  };
  const left = async () => (await states()).map((line) => line.slice(0, 2));
  const wide = { processedBefore: NOW, unsignedBytesMax: 1_048_576n, signedBytesMax: 1_048_576n };

  test('is what was processed before, and of signed and unsigned each the oldest beyond so many bytes; what waits stays', async () => {
    await fill('S0', { signed: true }, '00');
    await fill('S1', { signed: true }, '01');
    await fill('U2', { signed: false }, '02');
    await fill('U3', { signed: false }, '03');
    await fill('U4', { signed: false }, '04');
    await keep();
    await fill('W5', { signed: false }, '00');
    await fill('W6', { signed: true }, '00');
    expect(await measurePushes(database.db)).toEqual({ waiting: 2, bytes: 7_168n, unsignedBytes: 4_096n });
    expect(await dropPushes(database.db, { ...wide, unsignedBytesMax: 3_072n, signedBytesMax: 2_048n })).toBe(
      0,
    );
    expect(await dropPushes(database.db, { ...wide, unsignedBytesMax: 2_048n })).toBe(1);
    expect(await left()).toEqual(['S0', 'S1', 'U3', 'U4', 'W5', 'W6']);
    expect(await dropPushes(database.db, { ...wide, signedBytesMax: 1_024n })).toBe(1);
    expect(await left()).toEqual(['S1', 'U3', 'U4', 'W5', 'W6']);
    expect(await dropPushes(database.db, { ...wide, processedBefore: at('2026-03-02 09:00:01') })).toBe(3);
    expect(await left()).toEqual(['W5', 'W6']);
  });

  test('by size is first what nobody understands or registered, and last an opening or change', async () => {
    await fill('C1', { kind: 'change' }, '01');
    await fill('O2', { kind: 'opening' }, '02');
    await fill('T3', {}, '03');
    await keep();
    await fill('N4', {}, '04');
    for (const push of await waiting()) await savePushUnregistered(database.db, push, NOW);
    await fill('X5', { kind: 'unknown' }, '05');
    await keep();
    const lasting: string[][] = [];
    for (let rows = 4n; rows >= 1n; rows--) {
      await dropPushes(database.db, { ...wide, signedBytesMax: rows * 1_024n });
      lasting.push(await left());
    }
    expect(lasting).toEqual([['C1', 'O2', 'T3', 'X5'], ['C1', 'O2', 'T3'], ['C1', 'O2'], ['O2']]);
  });

  test('leaves its place to what comes after', async () => {
    const flood = async (name: string) => {
      for (let no = 0; no < 40; no++) await take(aPush(`${name}${no}`, { body: randomBytes(16_384) }));
      await keep();
    };
    const size = async () => {
      const { rows } = await sql<{
        n: number;
      }>`select pg_total_relation_size('push')::integer as n`.execute(database.db);
      return rows[0]?.n ?? 0;
    };
    await flood('one');
    const full = await size();
    for (const name of ['two', 'three']) {
      expect(await dropPushes(database.db, { ...wide, signedBytesMax: 0n })).toBe(40);
      await vacuumPushes(database.db);
      await flood(name);
    }
    expect(await size()).toBeLessThan(full * 1.5);
  });
});
