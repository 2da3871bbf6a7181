/** Health and metrics are read from tables and show counts, days and verdicts only. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { healthRoutes } from '../../../jobs/daemon/health.ts';
import { metricsRoutes } from '../../../jobs/daemon/metrics.ts';
import { openStatusServer } from '../../../jobs/daemon/status-server.ts';
import type { StatusServer } from '../../../jobs/daemon/status-server.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { savePublished } from '../../../src/store/runs/published-runs.ts';
import { readSettings } from '../../../src/core/config/config.ts';
import { saveBeat } from '../../../src/store/units/workers.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { recordingLog } from '../../helpers/log.ts';
import { aClosedBreak, aRun, aRunAccount, aSnapshot, at } from '../../helpers/company/run-rows.ts';

let database: TestDatabase;
let server: StatusServer;
let isClosed: boolean;
let stopping: AbortController;
const log = recordingLog();
const settings = readSettings({ env: {}, needs: { platform: false } });

beforeEach(async () => {
  database = await testDatabase();
  isClosed = false;
  stopping = new AbortController();
  server = await serverOf(settings);
});
afterEach(async () => {
  await server.close();
  if (!isClosed) await database.close();
});

async function serverOf(inForce: typeof settings): Promise<StatusServer> {
  const { signal } = stopping;
  const context = { db: database.db, realClock: systemClock(), log, settings: inForce, signal };
  return openStatusServer({ listen: { host: '127.0.0.1', port: 0, named: 'a test' }, log }, [
    healthRoutes(context),
    metricsRoutes(context, () => ({ nights: 2, snapshots: 1 })),
    (other) => other.post('/push', async () => ({ taken: true })),
  ]);
}

const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${server.port}${path}`);

async function aNight(): Promise<void> {
  const run_id = await aRun(database.db, {
    verdict: 'breaks',
    started_at: at('2026-03-02 02:00:00'),
    finished_at: at('2026-03-02 02:00:42'),
  });
  await aRunAccount(database.db, { run_id, account_no: '6222021234567890123', verdict: 'breaks' });
  await aRunAccount(database.db, { run_id, account_no: '100002', verdict: 'reconciled' });
  await aRunAccount(database.db, { run_id, account_no: '100003', verdict: 'reconciled' });
  const closed = { closed_day: '2026-03-01', closed_run: run_id, cleared_by: 'E1' };
  for (const break_id of ['B1', 'B2', 'B3', 'B4']) {
    await aClosedBreak(database.db, { ...closed, account_no: '100002', break_id });
  }
  const closing = { closed_day: null, closed_run: null, cleared_by: null, cleared_cause: null };
  const open = { status: 'open', ...closing } as const;
  const asBreak = { ...open, class: 'amount', severity: 'break' } as const;
  await database.db.updateTable('break').set(asBreak).where('break_id', 'in', ['B1', 'B2']).execute();
  await database.db.updateTable('break').set(open).where('break_id', '=', 'B3').execute();
  await aSnapshot(database.db, {
    run_id: 'snapshot-20260302000000',
    account_no: '100002',
    purpose: 'snapshot',
    taken_at: at('2026-03-02 00:00:00'),
  });
}

test('a night ends when it is published, not when it is proven', async () => {
  await aNight();
  await savePublished(database.db, 'nightly-2026-03-01-v1', at('2026-03-02 02:10:00'));
  const text = await (await get('/metrics')).text();
  expect(text).toContain('recon_last_night_duration_seconds 600');
});

test('a database without a night is healthy and says so', async () => {
  const response = await get('/healthz');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    ok: true,
    lastNight: null,
    lastVerdict: null,
    database: 'reachable',
  });
});

test('it is ready while its database answers, and no more once it was told to stop', async () => {
  expect((await get('/readyz')).status).toBe(200);
  stopping.abort(new Error('SIGTERM'));
  const ready = await get('/readyz');
  expect([ready.status, await ready.json()]).toEqual([503, { ok: false, reason: 'stopping' }]);
  expect((await get('/livez')).status).toBe(200);
});

test('the verdict of the last night is said, and breaks make nothing unhealthy', async () => {
  await aNight();
  const response = await get('/healthz');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    ok: true,
    lastNight: '2026-03-01',
    lastVerdict: 'breaks',
    database: 'reachable',
  });
});

test('where workers do the units of nights, metrics tell how far these are and who works', async () => {
  const planned = { run_id: 'R1', begun: 1, kind: 'deposits', items: 200, work: '{}' };
  const times = { planned_at: at('2026-03-02 02:00:00'), begun_at: at('2026-03-02 02:00:10') };
  const units = [
    { chunk_no: 0, state: 'done', tries: 1, ended_at: at('2026-03-02 02:00:30') },
    { chunk_no: 1, state: 'done', tries: 3, ended_at: at('2026-03-02 02:00:50') },
    { chunk_no: 2, state: 'given_up', tries: 5 },
  ] as const;
  for (const unit of units) {
    const id = `00000000-0000-0000-0000-00000000000${unit.chunk_no}`;
    await database.db
      .insertInto('work_unit')
      .values({ ...planned, ...times, ...unit, unit_id: id, job_id: id })
      .execute();
  }
  await saveBeat(database.db, {
    workerId: 'W1',
    host: 'a',
    pid: 1,
    kinds: ['deposits'],
    fencesLost: 2,
    rateWaitMs: 1_500,
  });
  await server.close();
  server = await serverOf({ ...settings, workers: true });
  const lines = (await (await get('/metrics')).text()).split('\n');
  expect(lines.filter((line) => /^recon_(?:unit|worker|fence|rate|oldest)/.test(line))).toEqual([
    'recon_workers_alive 1',
    'recon_fence_lost_total 2',
    'recon_rate_wait_seconds 1.5',
    'recon_units{kind="deposits",state="done"} 2',
    'recon_units{kind="deposits",state="given_up"} 1',
    'recon_unit_seconds{kind="deposits"} 30',
    'recon_unit_redelivered_total 6',
    'recon_unit_dead_total 1',
    'recon_oldest_unit_seconds 0',
  ]);
});

test('metrics tell time, duration and verdict of the last night, breaks by class and accounts by verdict', async () => {
  await aNight();
  const response = await get('/metrics');
  expect(response.headers.get('content-type')).toContain('text/plain');
  const text = await response.text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines).toEqual([
    'recon_database_up 1',
    'recon_night_failures_total 2',
    'recon_snapshot_failures_total 1',
    'recon_open_breaks{class="amount",severity="break"} 2',
    'recon_timing_items{class="late"} 1',
    'recon_last_snapshot_timestamp_seconds 1772380800',
    'recon_last_night_timestamp_seconds 1772388042',
    'recon_last_night_duration_seconds 42',
    'recon_last_night_verdict{verdict="reconciled"} 0',
    'recon_last_night_verdict{verdict="reconciled_with_timing"} 0',
    'recon_last_night_verdict{verdict="breaks"} 1',
    'recon_last_night_verdict{verdict="unverified"} 0',
    'recon_last_night_verdict{verdict="incomplete"} 0',
    'recon_accounts{verdict="breaks"} 1',
    'recon_accounts{verdict="reconciled"} 2',
  ]);
  expect(text, 'no account is named').not.toContain('100002');
  expect(text).not.toContain('6222021234567890123');
});

test('without its database it answers 503, and the metrics say which part is down', async () => {
  expect((await get('/healthz')).status).toBe(200);
  await database.close();
  isClosed = true;
  const health = await get('/healthz');
  expect(health.status).toBe(503);
  expect(await health.json()).toEqual({
    ok: false,
    lastNight: null,
    lastVerdict: null,
    database: 'unreachable',
  });
  expect((await get('/livez')).status, 'to kill it would help nobody').toBe(200);
  const ready = await get('/readyz');
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { ok: false, reason: 'the database does not answer' },
  ]);
  const metrics = await (await get('/metrics')).text();
  expect(metrics).toContain('recon_database_up 0\n');
  expect(metrics).not.toContain('recon_last_night_verdict');
});

test('I10: other routes can be added, unknown ones are 404, large bodies are refused without detail', async () => {
  const push = (body: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}/push`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  expect((await push('{}')).status).toBe(200);
  expect((await get('/nothing')).status).toBe(404);
  const large = await push(JSON.stringify({ text: 'x'.repeat(70_000) }));
  expect([large.status, await large.json()]).toEqual([413, { error: 'refused' }]);
});
