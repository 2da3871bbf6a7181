/** `recon schedule` as a whole: it fires, answers for its health, and stops without losing anything (H2). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keepSchedule } from '../../../jobs/daemon/schedule.ts';
import type { Duties } from '../../../jobs/daemon/schedule.ts';
import type { RangeOutcome } from '../../../jobs/night/night.ts';
import { WrongInput } from '../../../src/core/errors.ts';
import { ended, lineWith, startCli } from '../../helpers/cli.ts';
import { Night } from '../../helpers/night.ts';
import type { Process } from '../../helpers/night.ts';

let night: Night;
let job: Process;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-06 03:00:00' });
  job = await night.process();
});
afterEach(async () => {
  await job.close();
  await night.close();
});

const OUTCOME = {
  isNew: true,
  result: { run: { id: 'R', verdict: 'reconciled', version: 1 } },
} as unknown as RangeOutcome;

/** The job with a schedule of its own and a port of its own. */
function scheduled(settings: Partial<Process['settings']>): Process {
  return { ...job, settings: { ...job.settings, healthPort: 0, ...settings } };
}

/** Resolves once the log has such a line. */
async function logged(event: string): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const line = job.log.lines.find((known) => known.event === event);
    if (line !== undefined) return line;
    await job.clock.sleep(5);
  }
}

test('nights and snapshots fire at their times, failures are counted, and the stop waits for what is at work', async () => {
  const done: string[] = [];
  const stopping = new AbortController();
  const duties: Duties = {
    runNight: async (_context, day) => {
      done.push(`night ${day}`);
      while (!done.includes('snapshot')) await job.clock.sleep(5);
      stopping.abort(new Error('stopped by SIGTERM'));
      await job.clock.sleep(20);
      done.push('night ended');
      return OUTCOME;
    },
    takeSnapshots: () => {
      done.push('snapshot');
      return Promise.reject(new WrongInput('there are no accounts yet'));
    },
  };
  const each = '* * * * * *';
  const context = { ...scheduled({ snapshotCron: each, nightlyCron: each }), signal: stopping.signal };
  await keepSchedule(context, duties);
  expect(done).toContain('snapshot');
  expect(done.filter((line) => line !== 'snapshot')).toEqual(['night 2026-03-05', 'night ended']);
  const events = job.log.lines.map(({ event }) => event);
  expect(events).toContain('snapshot.failed');
  expect(events.at(-1)).toBe('schedule.stopped');
});

test('health and metrics are answered while it runs, and the port is free afterwards', async () => {
  const stopping = new AbortController();
  const duties: Duties = { runNight: () => Promise.resolve(OUTCOME), takeSnapshots: () => Promise.resolve() };
  const never = '0 0 29 2 *';
  const running = keepSchedule(
    { ...scheduled({ snapshotCron: never, nightlyCron: never }), signal: stopping.signal },
    duties,
  );
  const { port } = await logged('status.listening');
  const url = `http://127.0.0.1:${String(port)}`;
  await expect((await fetch(`${url}/healthz`)).json()).resolves.toEqual({
    ok: true,
    lastNight: null,
    lastVerdict: null,
    database: 'reachable',
  });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('recon_night_failures_total 0');
  stopping.abort(new Error('stopped by SIGTERM'));
  await running;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
});

describe('H2: the process', () => {
  test('SIGTERM while a call is on its way: the process ends with 0, and the night stays unfinished', async () => {
    await night.accounts({ no: 'A1', opening: { fen: 100n, at: '2026-03-04 00:00:00' } });
    night.sandbox.addFault({ kind: 'delay', ms: 1_500, path: 'query/deposit', times: null });
    const env = {
      ...night.environment(),
      NIGHTLY_CRON: '* * * * * *',
      HEALTH_PORT: '0',
      ...(night.database.url !== undefined && { DATABASE_URL: night.database.url }),
    };
    await listAccountsIn(env);
    const child = startCli(['schedule'], { env });
    const said = ended(child);
    await lineWith(child, 'run.opened');
    child.kill('SIGTERM');
    const { status, stderr } = await said;
    expect(status).toBe(0);
    const events = stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toContain('process.stopping');
    expect(events).toContain('night.stopped');
    expect(events.at(-1)).toBe('schedule.stopped');
  });
});

/** The embedded database of the child is another one than the test's. */
async function listAccountsIn(env: Readonly<Record<string, string>>): Promise<void> {
  if (env['DATABASE_URL'] !== undefined) return;
  const file = `${night.home}/import-1.csv`;
  const { status } = await ended(startCli(['accounts', 'import', file], { env }));
  expect(status).toBe(0);
}
