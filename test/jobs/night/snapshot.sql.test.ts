/** The midnight snapshot: every active account once, by one process at a time, stored under its own name. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeSnapshots } from '../../../jobs/commands/snapshot.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { releaseLease, takeLease } from '../../../src/store/database/leases.ts';
import { Night, at } from '../../helpers/night.ts';
import type { Process } from '../../helpers/night.ts';

let night: Night;
let job: Process;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-06 00:00:05' });
  job = await night.process();
});
afterEach(async () => {
  await job.close();
  await night.close();
});

const stored = () =>
  night.db
    .selectFrom('balance_snapshot')
    .select(['account_no', 'run_id', 'purpose', 'balance_fen', 'state', 'tries'])
    .orderBy('account_no')
    .execute();

test('accounts are read and stored; those that are not active yet are left out, one that has ended is not', async () => {
  await night.accounts({ no: 'A1', heldFen: 100n }, { no: 'A2', heldFen: 200n }, { no: 'A3', heldFen: 300n });
  const change = (accountNo: string, span: { active_from?: string; active_to?: string }) =>
    night.db.updateTable('account').set(span).where('account_no', '=', accountNo).execute();
  await change('A2', { active_to: at('2026-03-06 00:00:00') });
  await change('A3', { active_from: at('2026-03-07 00:00:00') });
  const { bracketed } = await takeSnapshots(job);
  expect(bracketed.map(({ accountNo }) => accountNo)).toEqual(['A1', 'A2']);
  const taken = {
    run_id: expect.stringMatching(/^snapshot-20260306000\d{3}$/) as string,
    purpose: 'snapshot',
    state: 'stable',
    tries: 1,
  };
  expect(await stored()).toEqual([
    { ...taken, account_no: 'A1', balance_fen: 100n },
    { ...taken, account_no: 'A2', balance_fen: 200n },
  ]);
});

test('a balance that moves at every reading is stored as moving, one the platform does not know is said', async () => {
  await night.accounts({ no: 'A1', heldFen: 100n, drift: { fen: 1n, queries: 1_000 } });
  await night.listAccounts({ no: 'A1' }, { no: 'A9' });
  const { bracketed } = await takeSnapshots(job);
  expect(bracketed.map(({ accountNo, snapshot }) => [accountNo, snapshot?.state])).toEqual([
    ['A1', 'moving'],
    ['A9', undefined],
  ]);
  expect(bracketed[1]?.reason).toContain('the platform refused: ');
});

test('M3: while another process takes snapshots this one does not, and afterwards it may', async () => {
  await night.accounts({ no: 'A1', heldFen: 100n });
  const realClock = systemClock();
  const lease = await takeLease(night.db, { name: 'snapshot', holder: 'another', realClock });
  await expect(takeSnapshots(job)).rejects.toThrow('another run holds the lock snapshot');
  expect(await stored()).toEqual([]);
  await releaseLease(night.db, lease, realClock);
  await takeSnapshots(job);
  await takeSnapshots(job);
  expect(new Set((await stored()).map(({ balance_fen: fen }) => fen))).toEqual(new Set([100n]));
});

test('without accounts there is nothing to take, and that is said', async () => {
  await expect(takeSnapshots(job)).rejects.toThrow('there are no accounts yet');
});
