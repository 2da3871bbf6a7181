/** A night whose units are done by workers says what the same night says alone, whatever becomes of its workers. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { TestContext } from 'vitest';
import { faultOf } from '../../helpers/child.ts';
import { onPostgres } from '../../helpers/database.ts';
import { differencesOf, dumpOf } from '../../helpers/dump.ts';
import type { Dump } from '../../helpers/dump.ts';
import { asAlone, expectAsAlone } from './as-alone.ts';
import { CompanyWithWorkers } from './company-with-workers.ts';

/** Companies of their own, side by side: most of what these tests take is waiting until somebody is missed. */
async function open(
  { onTestFinished }: TestContext,
  options?: Parameters<typeof CompanyWithWorkers.open>[0],
): Promise<CompanyWithWorkers> {
  const company = await CompanyWithWorkers.open(options);
  onTestFinished(() => company.close());
  return company;
}

/** But for breaks, of which stays told what happened to them meanwhile. */
async function expectAsAloneInTheEnd(company: CompanyWithWorkers): Promise<void> {
  const { dump: expected } = await asAlone();
  const found = await dumpOf(company.night.db);
  expect(differencesOf({ expected: withoutBreaks(expected), found: withoutBreaks(found) })).toEqual([]);
}

function withoutBreaks(dump: Dump): Dump {
  return Object.fromEntries(Object.entries(dump).filter(([table]) => !table.startsWith('break')));
}

describe.runIf(onPostgres)('on PostgreSQL', { timeout: 480_000, concurrent: true }, () => {
  test('two workers read what the night reads alone', async (context) => {
    const company = await open(context);
    company.startWorker();
    company.startWorker();
    expect(faultOf(await company.backfill('--workers'))).toBe('');
    const { db } = company.night;
    const units = await db.selectFrom('work_unit').select(['kind', 'state', 'tries']).execute();
    for (const [kind, more] of [
      ['deposits', 16],
      ['orders', 16],
      ['balances', 3],
    ] as const) {
      expect(units.filter((unit) => unit.kind === kind).length, kind).toBeGreaterThan(more);
    }
    expect(units.every(({ state, tries }) => state === 'done' && tries === 1)).toBe(true);
    await expectAsAlone(company);
  });

  test('what no worker does the night does itself', async (context) => {
    const company = await open(context);
    company.startWorker({}, '--kinds', 'deposits');
    await company.untilAlive();
    const { stderr, ...ended } = await company.backfill('--workers');
    expect(faultOf({ stderr, ...ended })).toBe('');
    expect(stderr).toContain('no worker is there for orders (recon worker): the night does them itself');
    expect(stderr).not.toContain('no worker is there for deposits');
    expect(await company.triesMost('orders')).toBe(1);
    await expectAsAlone(company);
  });

  test('H1: killed in a unit, a worker is missed, and another one does the unit again', async (context) => {
    const company = await open(context);
    company.slowDown();
    const first = company.startWorker();
    await company.untilAlive();
    const night = company.backfill('--workers');
    await company.untilBegun(1);
    await pause(300);
    first.process.kill('SIGKILL');
    company.startWorker();
    expect(faultOf(await night)).toBe('');
    expect(await company.triesMost()).toBe(2);
    await expectAsAlone(company);
  });

  test('H1, M4: killed or standing still while it asks for orders, a worker stores nothing that another one asks for by then', async (context) => {
    const company = await open(context);
    company.slowDown('account/queryWithdraw');
    const first = company.startWorker({}, '--concurrency', '1');
    const still = company.startWorker({}, '--concurrency', '1');
    await company.untilAlive();
    const night = company.backfill('--workers');
    await company.untilBegun(1, 'orders');
    await pause(1_000);
    first.process.kill('SIGKILL');
    still.process.kill('SIGSTOP');
    company.startWorker();
    await company.untilBegun(2, 'orders');
    still.process.kill('SIGCONT');
    expect(faultOf(await night)).toBe('');
    await expectAsAlone(company);
    const { rows } = await sql`select from order_due where claim_until is not null`.execute(company.night.db);
    expect(rows, 'what a dead worker had claimed is free').toEqual([]);
    still.process.kill('SIGTERM');
    const { status, stderr } = await still.ended;
    expect({ status, lost: stderr.includes('unit.lost') }).toEqual({ status: 0, lost: true });
  });

  test('an order that nobody can store is given up after five tries; all others of its unit are asked for', async (context) => {
    const company = await open(context);
    company.startWorker();
    company.startWorker();
    await company.refuseToStoreOrder('A07W03');
    const { status, stdout } = await company.backfill('--workers', '--json');
    // That of its orders, and that of its account's balance, which cannot be placed without them.
    const units = await company.unitsGivenUp();
    expect({ status, tries: units.map(({ tries }) => tries) }).toEqual({ status: 1, tries: [5, 5] });
    expect(stdout).toMatch(/\(1: unit [-0-9a-f]+ was given up: A07W03 cannot be stored\)/);
    const { db } = company.night;
    const failed = await db.selectFrom('order_due').select('number').where('failure', '<>', '').execute();
    expect(failed).toEqual([{ number: 'A07W03' }]);
    const verdicts = await company.verdicts();
    const incomplete = [...verdicts].filter(([, verdict]) => verdict === 'incomplete');
    expect(incomplete.map(([accountNo]) => accountNo)).toEqual(['A07']);
  });

  test('M4: a worker that stood still stores nothing of the unit that another one has by then', async (context) => {
    const company = await open(context);
    company.slowDown();
    const still = company.startWorker();
    await company.untilAlive();
    const night = company.backfill('--workers');
    await company.untilBegun(1);
    await pause(300);
    still.process.kill('SIGSTOP');
    company.startWorker();
    await company.untilBegun(2);
    still.process.kill('SIGCONT');
    expect(faultOf(await night)).toBe('');
    await expectAsAlone(company);
    still.process.kill('SIGTERM');
    const { status, stderr } = await still.ended;
    expect({ status, lost: stderr.includes('unit.lost') }).toEqual({ status: 0, lost: true });
  });

  test('H5: all connections cut, and cut again, cost time and nothing else', async (context) => {
    const company = await open(context);
    company.slowDown();
    company.startWorker();
    await company.untilAlive();
    const night = company.backfill('--workers');
    await company.untilBegun(1);
    await pause(300);
    await company.cutConnections();
    await pause(1_500);
    await company.cutConnections();
    expect(faultOf(await night)).toBe('');
    await expectAsAlone(company);
  });

  test('H2: a worker that is stopped hands its unit back, which is no try of the unit', async (context) => {
    const company = await open(context);
    company.slowDown();
    const first = company.startWorker();
    await company.untilAlive();
    const night = company.backfill('--workers');
    await company.untilBegun(1);
    await pause(300);
    first.process.kill('SIGTERM');
    const { status, stderr } = await first.ended;
    expect({ status, back: stderr.includes('unit.handed_back') }).toEqual({ status: 0, back: true });
    company.startWorker();
    expect(faultOf(await night)).toBe('');
    await expectAsAlone(company);
  });

  test('a worker with another profile than the night reads nothing for it, and ends', async (context) => {
    const company = await open(context);
    const stranger = await company.startStranger();
    await company.untilAlive();
    const night = company.backfill('--workers');
    await company.untilFailed();
    company.startWorker();
    expect(faultOf(await night)).toBe('');
    await expectAsAlone(company);
    const { status, stderr } = await stranger.ended;
    expect({ status, says: stderr.includes('this worker has another profile than the night') }).toEqual({
      status: 1,
      says: true,
    });
  });

  test('a unit that nobody can do is given up after five tries, and named; handed out again it makes the run whole', async (context) => {
    const company = await open(context);
    company.startWorker();
    company.startWorker();
    await company.refuseToStore('A00');
    const { status, stdout } = await company.backfill('--workers', '--json');
    const [unit, ...others] = await company.unitsGivenUp();
    expect({ status, others, tries: unit?.tries }).toEqual({ status: 1, others: [], tries: 5 });
    expect(stdout).toContain(`unit ${unit?.unit_id} was given up: A00 cannot be stored`);
    const verdicts = await company.verdicts();
    expect(verdicts.get('A00')).toBe('incomplete');
    expect(verdicts.get('A34')).not.toBe('incomplete');

    await company.storeAgain();
    expect(faultOf(await company.run('worker', 'redrive'))).toBe('');
    expect(faultOf(await company.backfillLater('--workers'))).toBe('');
    await expectAsAloneInTheEnd(company);
  });

  test('M3: of two nights at once one works and the other says so; what is left of one that was killed is done anew', async (context) => {
    const company = await open(context);
    company.slowDown();
    company.startWorker();
    await company.untilAlive();
    const first = company.startBackfill('--workers');
    await company.untilBegun(1);
    expect(await company.backfill('--workers')).toMatchObject({ status: 4 });
    expect(await company.run('worker', 'redrive')).toMatchObject({ status: 4 });
    first.process.kill('SIGKILL');
    await first.ended;
    expect(faultOf(await company.backfill('--workers'))).toBe('');
    await expectAsAlone(company);
  });

  test('N18: workers and the night together ask no more often than the platform allows', async (context) => {
    const perSecond = 60;
    const company = await open(context, {
      profile: { http: { rate: { perSecond, concurrency: 4 } } },
    });
    const sent = path.join(company.night.home, 'sent');
    Object.assign(company.night.settings, {
      NODE_OPTIONS: `--import=${SENT_MOMENTS}`,
      SENT_MOMENTS_TO: sent,
    });
    company.startWorker();
    company.startWorker();
    const paused = company.startWorker();
    await company.untilAlive();
    const night = company.backfill('--workers');
    await company.untilBegun(1);
    await pause(1_000);
    paused.process.kill('SIGSTOP');
    await pause(500);
    paused.process.kill('SIGCONT');
    expect(faultOf(await night)).toBe('');
    const sentMs = (await readFile(sent, 'utf8')).trim().split('\n').map(Number);
    expect(sentMs.length).toBe(company.night.sandbox.requests().length);
    expect(sentMs.length).toBeGreaterThan(500);
    expect(mostInASecond(sentMs)).toBeLessThanOrEqual(perSecond);
  });
});

const SENT_MOMENTS = path.join(import.meta.dirname, 'sent-moments.ts');

/** A second that begins with any of them. */
function mostInASecond(instantsMs: readonly number[]): number {
  const within = (from: number) => instantsMs.filter((ms) => ms >= from && ms < from + 1_000).length;
  return Math.max(...instantsMs.map(within));
}
