/** Pushes in their table: one row a body, whose batch is found by either number, and which go again (EVT-08, I10). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countListed, listPushes, wakeRegisteredPushes } from '../../src/store/pushes/push-stock.ts';
import { takePush } from '../../src/store/pushes/push-take.ts';
import type { ReceivedPush } from '../../src/store/pushes/push-take.ts';
import {
  findHintedBatch,
  listWaitingPushes,
  savePushUnregistered,
  savePushesDone,
  savePushesTried,
} from '../../src/store/pushes/push-work.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { emptyTables } from '../helpers/dump.ts';
import { batchAnswer, batchUnit, enrolled, lines, listed, save } from '../helpers/company/order-answers.ts';
import { register } from '../helpers/company/order-registering.ts';
import { at } from '../helpers/service-time.ts';
import { aPush } from './a-push.ts';
import { fc, runs } from '../helpers/properties.ts';

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

describe('EVT-08: one row a body', () => {
  test('the same body again counts, keeps when it was first seen and waits for nothing more', async () => {
    const push = aPush('one');
    expect(await take(push)).toEqual({ isNew: true });
    await savePushesDone(database.db, { hashes: [push.sha256], state: 'asked', note: '', at: NOW });
    expect(await take(push, at('2026-03-02 10:00:00'))).toEqual({ isNew: false });
    expect(await listPushes(database.db, { onlyUnregistered: false, limit: 10 })).toEqual([
      {
        sha256: push.sha256,
        kind: 'transfer',
        ownNo: 'B1',
        platformNo: '',
        accountNo: '',
        statedState: 'SUCCESS',
        signed: true,
        timesSeen: 2,
        firstSeenAt: NOW,
        lastSeenAt: at('2026-03-02 10:00:00'),
        state: 'asked',
        processedAt: NOW,
        note: '',
      },
    ]);
  });

  test('the body is kept byte by byte', async () => {
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    await take(aPush('bytes', { body, kind: 'unknown', ownNo: '' }));
    const row = await database.db.selectFrom('push').select(['body', 'bytes']).executeTakeFirstOrThrow();
    expect(Buffer.from(row.body).equals(Buffer.from(body))).toBe(true);
    expect(row.bytes).toBe(256);
  });

  test('property: any order and any repetition makes the same hints', async () => {
    const texts = ['a', 'b', 'c', 'd'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 12 }),
        async (coming) => {
          await emptyTables(database.db, 'all');
          await Promise.all(coming.map((text) => take(aPush(text, { ownNo: text }))));
          const expected = texts
            .filter((text) => coming.includes(text))
            .map((text) => `${text} ${coming.filter((other) => other === text).length} waiting `);
          expect(await states()).toEqual(expected);
        },
      ),
      { numRuns: runs(10) },
    );
  });
});

test('the latest are listed, and all are counted', async () => {
  for (const ownNo of ['B1', 'B2', 'B3'])
    await take(aPush(ownNo, { ownNo }), at(`2026-03-02 09:0${ownNo.slice(1)}:00`));
  const [first] = await waiting();
  if (first) await savePushUnregistered(database.db, first, NOW);
  const latest = await listPushes(database.db, { onlyUnregistered: false, limit: 2 });
  expect(latest.map(({ ownNo }) => ownNo)).toEqual(['B3', 'B2']);
  expect(await countListed(database.db, { onlyUnregistered: false })).toBe(3);
  expect(await countListed(database.db, { onlyUnregistered: true })).toBe(1);
});

describe('the batch a push is about', () => {
  const find = (ownNo: string, platformNo: string) => findHintedBatch(database.db, { ownNo, platformNo });

  test('is found by our number or the platform’s, as far as registry or answers tell them', async () => {
    await enrolled(database.db, [
      { kind: 'batch', numberKind: 'out', number: 'B1' },
      { kind: 'batch', numberKind: 'platform', number: 'N2' },
      { kind: 'batch', numberKind: 'out', number: 'B3', origin: 'ledger' },
      { kind: 'withdrawal', numberKind: 'out', number: 'W1' },
    ]);
    await register(
      database.db,
      { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'B1-1', batch_no: 'N1' },
      { kind: 'transfer', out_batch_no: 'B2', out_order_no: 'B2-1', batch_no: 'N2' },
    );
    const unit = { kind: 'batch', numberKind: 'out', number: 'B1', origin: 'registry' };
    expect(await find('B1', '')).toEqual(unit);
    expect(await find('B1', 'N2')).toEqual(unit);
    expect(await find('', 'N1')).toEqual(unit);
    expect(await find('', 'N2')).toMatchObject({ numberKind: 'platform', number: 'N2' });
    expect(await find('B2', '')).toMatchObject({ numberKind: 'platform', number: 'N2' });
    expect(await find('B3', '')).toMatchObject({ number: 'B3', origin: 'ledger' });
    for (const [own, platform] of [
      ['', ''],
      ['W1', 'W1'],
      ['N1', 'B1'],
      ['B9', 'N9'],
    ] as const) {
      expect(await find(own, platform), `${own} ${platform}`).toBeUndefined();
    }
  });

  test('is found by the platform’s number of an earlier answer', async () => {
    await enrolled(database.db, [{ kind: 'batch', numberKind: 'out', number: 'B1' }]);
    await save(database.db, [batchAnswer(0, [listed('PROCESSING')])]);
    expect(await find('', 'N-B1')).toMatchObject({ numberKind: 'out', number: 'B1' });
  });
});

describe('what becomes of a push', () => {
  test('the first about numbers that nobody registered is told from the later ones', async () => {
    await take(aPush('one'));
    await take(aPush('two'), at('2026-03-02 09:01:00'));
    const [one, two] = await waiting();
    expect(one && (await savePushUnregistered(database.db, one, NOW))).toBe(true);
    expect(two && (await savePushUnregistered(database.db, two, NOW))).toBe(false);
    expect(await waiting()).toEqual([]);
    const note = 'no batch of that number is registered';
    expect(await states()).toEqual([`B1 1 unregistered ${note}`, `B1 1 unregistered ${note}`]);
  });

  test('those whose batch was registered since wait again, and no others', async () => {
    for (const ownNo of ['B1', 'B2', 'B3']) await take(aPush(ownNo, { ownNo }));
    await take(aPush('N4', { ownNo: '', platformNo: 'N4' }));
    for (const push of await waiting()) await savePushUnregistered(database.db, push, NOW);
    expect(await wakeRegisteredPushes(database.db)).toBe(0);
    await register(database.db, { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'B1-1' });
    await enrolled(database.db, [
      { kind: 'batch', numberKind: 'out', number: 'B2' },
      { kind: 'batch', numberKind: 'platform', number: 'N4' },
    ]);
    expect(await wakeRegisteredPushes(database.db)).toBe(3);
    expect((await waiting()).map(({ ownNo, platformNo }) => ownNo + platformNo).toSorted()).toEqual([
      'B1',
      'B2',
      'N4',
    ]);
  });

  test('those that name only the platform’s number wait again once registry or an answer tells whose it is', async () => {
    for (const platformNo of ['N1', 'N2', 'N-B3', 'N9']) {
      await take(aPush(platformNo, { ownNo: '', platformNo }));
    }
    await take(aPush('B4', { ownNo: 'B4' }));
    for (const push of await waiting()) await savePushUnregistered(database.db, push, NOW);
    await register(
      database.db,
      { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'B1-1', batch_no: 'N1' },
      { kind: 'transfer', out_batch_no: 'B2', out_order_no: 'B2-1', batch_no: 'N2' },
      { kind: 'transfer', out_batch_no: 'B4', out_order_no: 'B4-1', batch_no: 'N4' },
    );
    await database.db
      .updateTable('order_registry')
      .set({ enrolled: true })
      .where('batch_no', '<>', 'N2')
      .execute();
    await enrolled(database.db, [
      { kind: 'batch', numberKind: 'out', number: 'B1' },
      { kind: 'batch', numberKind: 'out', number: 'B3' },
      { kind: 'batch', numberKind: 'platform', number: 'N4' },
    ]);
    await save(database.db, [
      batchAnswer(0, [listed('PROCESSING')], { unit: batchUnit('B3'), outBatchNo: 'B3', batchNo: 'N-B3' }),
    ]);
    expect(await wakeRegisteredPushes(database.db)).toBe(4);
    expect((await waiting()).map(({ ownNo, platformNo }) => ownNo + platformNo).toSorted()).toEqual([
      'B4',
      'N-B3',
      'N1',
      'N2',
    ]);
  });

  test('what brought no answer waits behind the others, and not for ever', async () => {
    const unit = { kind: 'batch' as const, numberKind: 'out' as const, number: 'B1' };
    await enrolled(database.db, [unit, { ...unit, number: 'B2' }]);
    await take(aPush('one', { ownNo: 'B1' }));
    await take(aPush('two', { ownNo: 'B2' }), at('2026-03-02 09:01:00'));
    const [push] = await waiting();
    const tried = { unit, pushes: push ? [push] : [], note: 'no answer', triesMax: 2, at: NOW };
    await savePushesTried(database.db, tried);
    expect((await waiting()).map(({ ownNo }) => ownNo)).toEqual(['B2', 'B1']);
    await savePushesTried(database.db, tried);
    expect((await waiting()).map(({ ownNo }) => ownNo)).toEqual(['B2']);
    expect(await states()).toEqual(['B1 1 left no answer', 'B2 1 waiting ']);
  });

  test('all that wait about a batch without an answer stand back together, and none about another batch', async () => {
    const unit = { kind: 'batch' as const, numberKind: 'out' as const, number: 'B1' };
    await enrolled(database.db, [unit, { ...unit, number: 'B2' }]);
    for (const no of ['1', '2', '3']) await take(aPush(no, { ownNo: 'B1', platformNo: 'N2' }));
    await take(aPush('4', { ownNo: 'B2', platformNo: 'N2' }), at('2026-03-02 09:01:00'));
    const [push] = await waiting();
    const tried = { unit, pushes: push ? [push] : [], note: 'no answer', triesMax: 5, at: NOW };
    await savePushesTried(database.db, tried);
    expect((await waiting()).map(({ ownNo }) => ownNo)).toEqual(['B2', 'B1', 'B1', 'B1']);
    expect((await states()).map((line) => line.slice(-9))).toEqual([
      'no answer',
      'no answer',
      'no answer',
      ' waiting ',
    ]);
  });
});
