/** A night that dies while it restates others and is begun again: what it had restated counts no further than it knew. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reconcileRange } from '../../jobs/night/night.ts';
import { Night, findingsOf } from '../helpers/night.ts';

const LISTED_FROM = '2026-03-12 12:00:00';

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  const opening = { fen: 100_000n, at: '2026-03-10 00:00:00' };
  await night.accounts({ no: 'A1', opening }, { no: 'A2', opening });
  // Both are in the balance from the beginning, and listed late.
  const late = { depositTime: '2026-03-10 09:00:00', visibleFrom: LISTED_FROM };
  night.deposits(
    { payeeAcctNo: 'A1', orderNo: 'L1', amountFen: 500n, ...late },
    { payeeAcctNo: 'A2', orderNo: 'L2', amountFen: 700n, ...late },
  );
  await night.night('2026-03-10');
  night.moveTo('2026-03-12 02:00:00');
  await night.night('2026-03-11');
  night.moveTo('2026-03-13 02:00:00');
});
afterEach(() => night.close());

/** What stands: `2026-03-10 v2 A1 moved 500, unexplained 0`. */
async function standing(): Promise<string[]> {
  const rows = await night.db
    .selectFrom('run_account as a')
    .innerJoin('run as r', 'r.run_id', 'a.run_id')
    .select(['r.to_day', 'r.version', 'a.account_no', 'a.movements_fen', 'a.unexplained_fen'])
    .where('r.superseded_by', 'is', null)
    .orderBy('r.to_day')
    .orderBy('a.account_no')
    .execute();
  return rows.map(
    (row) =>
      `${row.to_day} v${row.version} ${row.account_no} moved ${row.movements_fen}, unexplained ${row.unexplained_fen ?? '-'}`,
  );
}

/** The night of the 12th dies once it has restated that many nights. */
async function dieAfter(restated: number): Promise<void> {
  const one = await night.process();
  const heard = { ...one.log };
  const log = {
    ...heard,
    info: (line: Parameters<typeof heard.info>[0]): void => {
      heard.info(line);
      if (line.event === 'run.restated' && --restated === 0) void one.close();
    },
    with: () => log,
  };
  const request = { job: 'nightly', fromDay: '2026-03-12', toDay: '2026-03-12', accounts: [] } as const;
  await expect(reconcileRange({ ...one, log }, request)).rejects.toThrow('the process has ended');
}

const AFTER = [
  '2026-03-10 A1 moved 500, unexplained 0',
  '2026-03-10 A2 moved 700, unexplained 0',
  '2026-03-11 A1 moved 0, unexplained 0',
  '2026-03-11 A2 moved 0, unexplained 0',
  '2026-03-12 A1 moved 0, unexplained 0',
  '2026-03-12 A2 moved 0, unexplained 0',
];
const figures = async (): Promise<string[]> => (await standing()).map((line) => line.replace(/ v\d+/, ''));

test('a night that nothing interrupts restates the day of late records', async () => {
  const { result } = await night.night('2026-03-12');
  expect(result.restated).toEqual([
    { day: '2026-03-10', version: 2 },
    { day: '2026-03-11', version: 2 },
  ]);
  expect(await figures()).toEqual(AFTER);
});

test('a resumed night that finds more late records restates again what it had restated', async () => {
  night.sandbox.addFault({ kind: 'drop_before', path: 'query/deposit', about: 'A2', times: null });
  await dieAfter(1);
  expect(await standing()).toContain('2026-03-10 v2 A1 moved 500, unexplained 0');
  night.sandbox.liftFaults();
  const resumed = await night.night('2026-03-12');
  expect(resumed.result.restated).toContainEqual({ day: '2026-03-10', version: 3 });
  expect(await figures()).toEqual(AFTER);
  night.moveTo('2026-03-14 02:00:00');
  const after = await night.night('2026-03-13');
  expect(findingsOf(after).filter((finding) => finding.startsWith('unexplained'))).toEqual([]);
});

test('a resumed night that knows no more does not restate them again, and names them all', async () => {
  await dieAfter(1);
  const resumed = await night.night('2026-03-12');
  expect(resumed.result.restated).toEqual([
    { day: '2026-03-10', version: 2 },
    { day: '2026-03-11', version: 2 },
  ]);
  expect(await figures()).toEqual(AFTER);
});

test('a night that resumes with other rules restates by them what it had restated by others', async () => {
  const fee = { amountFen: 130n, feeFen: 30n, feeType: 'ACCOUNT' } as const;
  const depositTime = '2026-03-10 10:00:00';
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'L3', ...fee, depositTime, visibleFrom: LISTED_FROM });
  await dieAfter(1);
  expect(await figures()).toContainEqual(expect.stringContaining('2026-03-10 A1 moved 600,'));
  await night.profile({ fees: { bearer: { deposit: 'external' } } });
  const resumed = await night.night('2026-03-12');
  expect(resumed.result.restated).toContainEqual({ day: '2026-03-10', version: 3 });
  expect(await figures()).toContainEqual(expect.stringContaining('2026-03-10 A1 moved 630,'));
});
