/** What only a real database can get wrong about settlements: races, commits that fail, and which database it is. */
import { sql } from 'kysely';
import pg from 'pg';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openEmbedded } from '../../src/store/database/database-embedded.ts';
import { openPostgres } from '../../src/store/database/database-postgres.ts';
import type { OpenDatabase } from '../../src/store/database/open-database.ts';
import { migrateToLatest } from '../../src/store/database/migrate.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { databaseIdentity, serverStart } from '../../src/settlements/settle-guard.ts';
import { onPostgres, serverUrl, databaseToSpoil } from '../helpers/database.ts';
import { untilWaiting } from '../helpers/until-waiting.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { quietLog } from '../helpers/log.ts';
import { FRESH, STAMP, anAttempt, databaseWorld, failedIn } from '../helpers/settlements/settle-worlds.ts';

let database: TestDatabase;
const world = databaseWorld(() => database.db);
beforeAll(async () => {
  database = await databaseToSpoil();
});
afterAll(() => database.close());
beforeEach(async () => {
  await world.reset();
  await failedIn(world, ...Array.from({ length: 50 }, (_, no) => `T${no + 1}`));
});

async function states(db: Db = database.db): Promise<string[]> {
  const rows = await db.selectFrom('settle_attempt').select(['req_id', 'state']).orderBy('req_id').execute();
  return rows.map((row) => `${row.req_id} ${row.state}`);
}

/** At the commit of every change of an attempt to SENT, after its statements went well. */
async function atCommit(statement: string): Promise<void> {
  await sql
    .raw(
      `create or replace function at_commit() returns trigger language plpgsql as $$
       begin if new.state = 'SENT' then ${statement} end if; return null; end $$`,
    )
    .execute(database.db);
  await sql`create constraint trigger at_commit after update on settle_attempt deferrable initially deferred
    for each row execute function at_commit()`.execute(database.db);
}

const noTrigger = () => sql`drop trigger if exists at_commit on settle_attempt`.execute(database.db);

test('H6: a COMMIT that fails is thrown, and nothing of it is kept', async () => {
  const book = world.open(await world.takeLease('one'));
  await book.plan(anAttempt(), FRESH);
  await atCommit(`raise exception 'refused at the commit' using errcode = '23514';`);
  await expect(book.markSent('req-T1-1', STAMP, FRESH)).rejects.toThrow('refused at the commit');
  await noTrigger();
  expect(await states()).toEqual(['req-T1-1 PLANNED']);
  expect((await book.guard()).sequence).toBe(1n);
  expect(await book.markSent('req-T1-1', STAMP, FRESH)).toBe(2n);
});

test('which database it is does not change while it is used', async () => {
  const identity = await databaseIdentity(database.db);
  expect(await databaseIdentity(database.db)).toBe(identity);
  expect(identity).toMatch(/^\d+\/[0-9A-F]{8}\/\d+\/\d+$/);
});

test.skipIf(onPostgres)(
  'an embedded database is the same when it is opened again',
  { timeout: 60_000 },
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-settle-'));
    try {
      const seen: unknown[] = [];
      for (const attemptNo of [1, 2]) {
        const opened = await openEmbedded(path.join(folder, 'database'));
        await migrateToLatest(opened.db);
        const own = databaseWorld(() => opened.db);
        if (attemptNo === 1) await failedIn(own, 'T1');
        const book = own.open(await own.takeLease('one'));
        await book.plan(anAttempt({ attemptNo }), FRESH);
        seen.push(await book.guard());
        await opened.close();
      }
      const same = { sequence: 1n, holdUntil: undefined, isReplaced: false };
      expect(seen).toEqual([same, same]);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

describe.runIf(onPostgres)('on a server', { timeout: 60_000 }, () => {
  let other: OpenDatabase;
  const otherWorld = databaseWorld(() => other.db);
  beforeAll(async () => {
    other = await openPostgres({ url: database.url ?? '' }, quietLog);
  });
  afterAll(() => other.close());

  test('STL-09, M3: two connections plan one order fifty times: each time exactly one has it', async () => {
    const lease = await world.takeLease('one');
    const books = [world.open(lease), otherWorld.open(lease)];
    for (let round = 1; round <= 50; round++) {
      const racing = books.map((book, no) =>
        book.plan(anAttempt({ outOrderNo: `T${round}`, reqId: `${round}-${no}` }), FRESH),
      );
      expect((await Promise.all(racing)).toSorted()).toEqual(['planned', 'taken']);
    }
    expect(await states()).toHaveLength(50);
  });

  test('H8: the index has the last word on an attempt that was inserted past the guard', async () => {
    const book = world.open(await world.takeLease('one'));
    await book.plan(anAttempt({ outOrderNo: 'T2' }), FRESH);
    const stranger = await other.db.startTransaction().execute();
    await sql`insert into settle_attempt (account_no, out_order_no, attempt_no, req_id, order_no,
        payee_account_no, amount_fen, remark, state, run_id, fence, planned_at, runner)
      select account_no, 'T1', 9, 'stranger', order_no, payee_account_no, amount_fen, remark, state, run_id, fence,
        planned_at, runner from settle_attempt`.execute(stranger);
    const planning = book.plan(anAttempt(), FRESH);
    await untilWaiting(other.db, 1);
    await stranger.commit().execute();
    expect(await planning).toBe('taken');
    expect((await book.guard()).sequence).toBe(1n);
  });

  test('M4: the lease goes to another only after what is being written under it', async () => {
    const book = world.open(await world.takeLease('one'));
    await book.plan(anAttempt(), FRESH);
    const blocking = await other.db.startTransaction().execute();
    await blocking.selectFrom('settle_guard').select('sequence').forUpdate().execute();
    const order: string[] = [];
    const sending = book.markSent('req-T1-1', STAMP, FRESH).then(() => order.push('sent'));
    await untilWaiting(other.db, 1);
    const taking = otherWorld.takeLease('two').then((lease) => {
      order.push('taken');
      return lease;
    });
    await untilWaiting(other.db, 2);
    await blocking.commit().execute();
    await sending;
    const late = otherWorld.open(await taking);
    expect(order).toEqual(['sent', 'taken']);
    expect((await late.listOpen()).map(({ state }) => state)).toEqual(['SENT']);
    await expect(book.close('req-T1-1', { outcome: 'FAIL', at: STAMP.sentAt, note: '' })).rejects.toThrow(
      'lost its lock settle',
    );
  });

  test('H6: a session that ends in COMMIT: what is confirmed in the end is stored, once', async () => {
    const book = world.open(await world.takeLease('one'));
    await book.plan(anAttempt(), FRESH);
    await sql`create sequence if not exists commits`.execute(database.db);
    await atCommit(`if nextval('commits') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;`);
    expect(await book.markSent('req-T1-1', STAMP, FRESH)).toBe(2n);
    expect(await states(other.db)).toEqual(['req-T1-1 SENT']);
    expect(await world.events()).toEqual(['1 T1/1 PLANNED run-1', '2 T1/1 SENT run-1']);
    await noTrigger();
  });
});

describe.runIf(onPostgres)('which database it is', { timeout: 60_000 }, () => {
  const nameOf = (url: string): string => new URL(url).pathname.slice(1);

  async function onServer(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  test('H18: a copy is another database, and the one it was copied from is not', async () => {
    const origin = await databaseToSpoil();
    const url = origin.url ?? '';
    const copyUrl = `${url}_copy`;
    const own = databaseWorld(() => origin.db);
    await failedIn(own, 'T1');
    await own.open(await own.takeLease('one')).plan(anAttempt(), FRESH);
    await origin.db.destroy();
    await onServer(`create database ${nameOf(copyUrl)} template ${nameOf(url)}`);
    const seen: unknown[] = [];
    for (const address of [copyUrl, url]) {
      const opened = await openPostgres({ url: address }, quietLog);
      const again = databaseWorld(() => opened.db);
      seen.push(await again.open(await again.takeLease('one')).guard());
      await opened.close();
    }
    await onServer(`drop database ${nameOf(copyUrl)}`);
    await origin.close();
    expect(seen).toEqual([
      { sequence: 1n, holdUntil: undefined, isReplaced: true },
      { sequence: 1n, holdUntil: undefined, isReplaced: false },
    ]);
  });

  test('a role that may not ask for the server knows what was made anew in it, and when it was started', async () => {
    const refused = await databaseToSpoil();
    await sql`revoke execute on function pg_control_system() from public`.execute(refused.db);
    const role = `${nameOf(refused.url ?? '')}_plain`;
    await onServer(`create role ${role}`);
    await onServer(`alter database ${nameOf(refused.url ?? '')} set role = ${role}`);
    const plain = await openPostgres({ url: refused.url ?? '' }, quietLog);
    const [identity, start] = [await databaseIdentity(plain.db), await serverStart(plain.db)];
    await plain.close();
    await refused.close();
    await onServer(`drop role ${role}`);
    expect(identity).toMatch(/^\/\d+\/\d+$/);
    // Another server answers after a failover: with it nobody is sure of the mark any more (docs/reliability.md 2.3 c).
    expect(start).toMatch(/^\d+\.\d+\/\d+\/\d+$/);
  });
});
