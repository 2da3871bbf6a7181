/** Health and metrics are read from tables and show counts, days and verdicts only. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { healthRoutes } from '../../../jobs/daemon/health.ts';
import { metricsRoutes } from '../../../jobs/daemon/metrics.ts';
import { openStatusServer } from '../../../jobs/daemon/status-server.ts';
import type { StatusServer } from '../../../jobs/daemon/status-server.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { recordingLog } from '../../helpers/log.ts';
import { aClosedBreak, aRun, aRunAccount, aSnapshot, at } from '../../helpers/company/run-rows.ts';

let database: TestDatabase;
let server: StatusServer;
let isClosed: boolean;
const log = recordingLog();

beforeEach(async () => {
  database = await testDatabase();
  isClosed = false;
  const context = { db: database.db, realClock: systemClock(), log };
  server = await openStatusServer({ listen: { host: '127.0.0.1', port: 0, named: 'a test' }, log }, [
    healthRoutes(context),
    metricsRoutes(context, () => ({ nights: 2, snapshots: 1 })),
    (other) => other.post('/push', async () => ({ taken: true })),
  ]);
});
afterEach(async () => {
  await server.close();
  if (!isClosed) await database.close();
});

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
