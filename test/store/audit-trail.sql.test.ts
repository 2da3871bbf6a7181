/** The audit trail of breaks: no event of it is removed, altered or put elsewhere unseen, and it never forks. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  appendEvents,
  gatherEvents,
  gatherPeriodEvent,
  openTrail,
} from '../../src/store/runs/audit-trail.ts';
import type { TrailHead } from '../../src/store/runs/audit-trail.ts';
import { digestOfEvent } from '../../src/store/runs/trail-digest.ts';
import { verifyTrail } from '../../src/store/runs/verify-trail.ts';
import { runScript } from '../../src/store/database/driver-commands.ts';
import { databaseToSpoil, onPostgres } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

const AT = '2026-03-02T02:00:00.123Z';
const MIGRATION = path.join(import.meta.dirname, '..', '..', 'migrations', '0067_audit_trail.sql');

let database: TestDatabase;
beforeEach(async () => {
  database = await databaseToSpoil();
});
afterEach(() => database.close());

async function breaks(count: number): Promise<void> {
  await sql`
    insert into break (break_id, account_no, item_key, occurrence, class, severity, reference, difference_fen, first_day,
      first_run, last_day, last_run)
    select 'B' || n, 'A1', 'line:deposit:D' || n, 1, 'platform_only', 'break', 'D' || n, 1, '2026-03-01', 'r', '2026-03-01', 'r'
    from generate_series(1, ${count}::integer) n`.execute(database.db);
}

/** The same event of every break. */
function said(event: string, actor = 'recon'): Promise<TrailHead> {
  return database.db.transaction().execute(async (trx) => {
    const head = await openTrail(trx);
    await gatherEvents(
      trx,
      sql`select break_id, ${event}::text, jsonb_build_object('b', 'Grüße 核销 \"\\n', 'a', 1000000000000000), null::jsonb
        from break order by break_id`,
    );
    return appendEvents(trx, { runId: null, actor, at: AT }, head);
  });
}

async function faults(papers: Parameters<typeof verifyTrail>[1] = []): Promise<string[]> {
  return (await verifyTrail(database.db, papers)).faults.map(({ fault }) => fault);
}

test('every event is digested with the one before it, by a recipe that anybody can follow', async () => {
  await breaks(2);
  await said('opened');
  const head = await said('closed', '李娜');
  const rows = await database.db.selectFrom('break_event').selectAll().orderBy('trail_no').execute();
  expect(rows.map((row) => [row.trail_no, row.break_id, row.event_no, row.event])).toEqual([
    [1n, 'B1', 1, 'opened'],
    [2n, 'B2', 1, 'opened'],
    [3n, 'B1', 2, 'closed'],
    [4n, 'B2', 2, 'closed'],
  ]);
  const text =
    `{"actor":"recon","at":"${AT}","before":"${rows[0]?.digest}","breakId":"B2",` +
    `"details":{"a":1000000000000000,"b":"Grüße 核销 \\"\\\\n"},"event":"opened","eventNo":1,"no":2,"runId":null,"work":null}`;
  const { rows: sums } = await sql<{ sum: string }>`
    select encode(sha256(convert_to(${text}::text, 'UTF8')), 'hex') as sum`.execute(database.db);
  expect(rows[1]?.digest).toBe(sums[0]?.sum);
  expect(head).toEqual({ no: 4n, digest: rows[3]?.digest });
  expect(await verifyTrail(database.db)).toEqual({
    events: 4n,
    head: `4:${head.digest}`,
    heads: 1,
    faults: [],
  });
});

test('an event of a period stands in the same trail, numbered by itself, and is named when it is altered', async () => {
  await breaks(1);
  await said('opened');
  for (const event of ['signed_off', 'withdrawn']) {
    await database.db.transaction().execute(async (trx) => {
      const head = await openTrail(trx);
      await gatherPeriodEvent(trx, { period: '2026-03', event, details: { digest: 'ab' } });
      await appendEvents(trx, { runId: null, actor: '李娜', at: AT }, head);
    });
  }
  await said('closed');
  const { db } = database;
  const rows = await db.selectFrom('break_event').selectAll().orderBy('trail_no').execute();
  expect(rows.map((row) => [row.break_id ?? row.period, row.event_no, row.event])).toEqual([
    ['B1', 1, 'opened'],
    ['2026-03', 1, 'signed_off'],
    ['2026-03', 2, 'withdrawn'],
    ['B1', 2, 'closed'],
  ]);
  const text =
    `{"actor":"李娜","at":"${AT}","before":"${rows[0]?.digest}","breakId":null,"details":{"digest":"ab"},` +
    `"event":"signed_off","eventNo":1,"no":2,"period":"2026-03","runId":null,"work":null}`;
  const { rows: sums } = await sql<{ sum: string }>`
    select encode(sha256(convert_to(${text}::text, 'UTF8')), 'hex') as sum`.execute(db);
  expect(rows[1]?.digest).toBe(sums[0]?.sum);
  expect(await faults()).toEqual([]);
  await db.updateTable('break_event').set({ period: '2026-04' }).where('trail_no', '=', 2n).execute();
  expect(await faults()).toEqual([
    `event 2 (signed_off of 2026-04 by 李娜 at ${AT}) is not as it was written`,
  ]);
});

test('an event that is altered, removed or put elsewhere is named, and no other', async () => {
  await breaks(6);
  await said('opened');
  const { db } = database;
  await db.updateTable('break_event').set({ actor: 'Li Na' }).where('trail_no', '=', 2n).execute();
  expect(await faults()).toEqual([`event 2 (opened of B2 by Li Na at ${AT}) is not as it was written`]);
  await db.updateTable('break_event').set({ actor: 'recon' }).where('trail_no', '=', 2n).execute();
  expect(await faults()).toEqual([]);
  await db.updateTable('break_event').set({ trail_no: 0n }).where('trail_no', '=', 4n).execute();
  await db.updateTable('break_event').set({ trail_no: 4n }).where('trail_no', '=', 5n).execute();
  await db.updateTable('break_event').set({ trail_no: 5n }).where('trail_no', '=', 0n).execute();
  expect(await faults()).toEqual([
    `event 4 (opened of B5 by recon at ${AT}) is not as it was written`,
    `event 5 (opened of B4 by recon at ${AT}) is not as it was written`,
  ]);
  await db.deleteFrom('break_event').where('trail_no', '=', 4n).execute();
  await db.deleteFrom('break_event').where('trail_no', '=', 5n).execute();
  expect(await faults()).toEqual(['events 4 to 5 are missing']);
  await db.deleteFrom('break_event').where('trail_no', '=', 6n).execute();
  expect(await faults()).toEqual(['events 4 to 6 are missing']);
});

test('a trail that was written anew from an event on does not have the head that a paper kept', async () => {
  await breaks(3);
  const paper = { ...(await said('opened')), keptBy: '--trail' };
  const { db } = database;
  const rows = await db.selectFrom('break_event').selectAll().orderBy('trail_no').execute();
  let before = rows[0]?.digest ?? '';
  for (const row of rows.slice(1)) {
    const { trail_no: no, break_id: breakId, event_no: eventNo, run_id: runId, event, at, details } = row;
    const digest = digestOfEvent({
      no,
      before,
      breakId,
      eventNo,
      runId,
      event,
      actor: 'x',
      at,
      details,
      work: null,
    });
    await db
      .updateTable('break_event')
      .set({ actor: 'x', before_digest: before, digest })
      .where('trail_no', '=', no)
      .execute();
    before = digest;
  }
  await db.updateTable('audit_trail').set({ digest: before }).execute();
  expect(await faults()).toEqual([]);
  expect(await faults([paper])).toEqual([
    `event 3 has the digest ${before}; --trail kept ${paper.digest}: the trail up to it was written anew`,
  ]);
  expect(await faults([{ ...paper, digest: before.slice(0, 16) }])).toEqual([]);
  await db.deleteFrom('break_event').where('trail_no', '=', 3n).execute();
  await db
    .updateTable('audit_trail')
    .set({ last_no: 2n, digest: rows[1]?.digest ?? '' })
    .execute();
  expect((await faults([paper])).at(-1)).toBe('event 3 is missing');
});

/** An event of B1 as somebody who knows the recipe puts it into the table. */
async function smuggled(no: bigint, before: string): Promise<void> {
  const event = { event: 'written_off', actor: 'x', at: AT, details: {}, work: { status: 'written_off' } };
  const digest = digestOfEvent({ ...event, no, before, breakId: 'B1', eventNo: 9, runId: null });
  await sql`
    insert into break_event (break_id, event_no, event, actor, at, details, work, trail_no, before_digest, digest)
    values ('B1', 9, ${event.event}, ${event.actor}, ${AT}, '{}', '{"status": "written_off"}', ${no}, ${before}, ${digest})`.execute(
    database.db,
  );
}

test('an event that is put behind the last one is named', async () => {
  await breaks(2);
  const { digest } = await said('opened');
  await smuggled(3n, digest);
  expect(await faults()).toEqual(['event 3 stands behind the last event that the table audit_trail has']);
  await database.db.deleteFrom('audit_trail').execute();
  expect(await faults()).toEqual([
    'events 1 to 3 stand behind the last event that the table audit_trail has',
  ]);
});

test('an event that is put before the first one is named', async () => {
  await breaks(2);
  await said('opened');
  await smuggled(0n, '');
  expect(await faults()).toEqual([`event 0 (written_off of B1 by x at ${AT}) stands before the first event`]);
});

test.runIf(onPostgres)('writers that come at once stand one behind the other', async () => {
  await breaks(50);
  await Promise.all(['a', 'b', 'c', 'd'].map((event) => said(event)));
  expect(await verifyTrail(database.db)).toMatchObject({ events: 200n, faults: [] });
});

test('events that were there before the trail are chained in the order in which they happened', async () => {
  await breaks(2);
  await said('opened');
  await said('closed');
  await runScript(
    database.db,
    `alter table break_event drop column trail_no, drop column before_digest, drop column digest, drop column work;
     alter table run drop column trail_no, drop column trail_digest; drop table audit_trail;`,
  );
  await runScript(database.db, await readFile(MIGRATION, 'utf8'));
  expect(await verifyTrail(database.db)).toMatchObject({ events: 4n, faults: [] });
  expect((await said('again')).no).toBe(6n);
  expect(await faults()).toEqual([]);
});

test('fifty thousand events are written as one set, and read again', async () => {
  await breaks(50_000);
  const began = performance.now();
  await said('opened');
  const written = performance.now();
  expect(await verifyTrail(database.db)).toMatchObject({ events: 50_000n, faults: [] });
  // Far above what it takes: one event at a time takes minutes.
  expect([written - began < 20_000, performance.now() - written < 20_000]).toEqual([true, true]);
});
