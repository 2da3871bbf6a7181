/** One account that cannot be read costs the others nothing (docs/reconciliation.md 3.8), over the real platform. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dueDays } from '../../jobs/daemon/due-nights.ts';
import type { NightOutcome } from '../helpers/findings.ts';
import { Night } from '../helpers/night.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-10 00:00:00' } });
});
afterEach(() => night.close());

const ofA1 = ({ result }: NightOutcome) => ({
  verdict: result.accounts.find(({ accountNo }) => accountNo === 'A1')?.verdict,
  found: result.breaks
    .filter(({ accountNo, severity }) => accountNo === 'A1' && severity === 'break')
    .filter((found) => found.class !== 'empty_suspect')
    .map((found) => `${found.id} ${found.class} ${found.differenceFen} since ${found.firstSeen}`)
    .toSorted(),
  closed: result.closed,
});

test('an account the platform does not know renews no break of the others, and their errors never net', async () => {
  await night.listAccounts({ no: 'LOST', opening: { fen: 0n, at: '2026-03-10 00:00:00' } });
  const moved = (fen: bigint, at: string): void =>
    night.sandbox.seedMovements([{ kind: 'adjustment', accountNo: 'A1', amountFen: fen, at }]);
  moved(1_000n, '2026-03-10 12:00:00');
  const first = await night.night('2026-03-10');
  expect(first.result.run.verdict).toBe('incomplete');
  const [plus = ''] = ofA1(first).found;
  expect(plus).toMatch(/unexplained 1000 since 2026-03-10$/);

  night.moveTo('2026-03-12 02:00:00');
  moved(-1_000n, '2026-03-11 12:00:00');
  const second = await night.night('2026-03-11');
  expect(ofA1(second)).toMatchObject({ verdict: 'breaks', closed: [] });
  const minus = ofA1(second).found.find((found) => found !== plus) ?? '';
  expect(minus).toMatch(/unexplained -1000 since 2026-03-11$/);
  expect(ofA1(second).found).toEqual([minus, plus].toSorted());

  night.moveTo('2026-03-13 02:00:00');
  const third = await night.night('2026-03-12');
  expect(ofA1(third)).toEqual({ verdict: 'breaks', closed: [], found: [minus, plus].toSorted() });

  const due = await dueDays(night.db, { through: '2026-03-12', isFiring: false });
  expect(due.days, 'each is tried again, but not for ever').toEqual([
    '2026-03-10',
    '2026-03-11',
    '2026-03-12',
  ]);
  for (const day of [...due.days, ...due.days]) await night.night(day);
  expect(await dueDays(night.db, { through: '2026-03-12', isFiring: false })).toEqual({
    days: [],
    skipped: undefined,
  });
  expect(
    await night.db.selectFrom('break').select('break_id').where('class', '=', 'unexplained').execute(),
  ).toHaveLength(2);
});

test('a late record restates its day for the accounts that were proven in an incomplete night', async () => {
  await night.listAccounts({ no: 'LOST', opening: { fen: 0n, at: '2026-03-10 00:00:00' } });
  night.deposits({
    payeeAcctNo: 'A1',
    orderNo: 'LATE',
    amountFen: 500n,
    depositTime: '2026-03-10 09:00:00',
    visibleFrom: '2026-03-11 12:00:00',
  });
  await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'LATE' }]);
  await night.night('2026-03-10');
  night.moveTo('2026-03-12 02:00:00');
  const second = await night.night('2026-03-11');
  expect(ofA1(second)).toMatchObject({ verdict: 'reconciled', found: [] });
  const open = await night.db
    .selectFrom('break')
    .selectAll()
    .where('account_no', '=', 'A1')
    .where('status', '=', 'open')
    .execute();
  expect(open).toEqual([]);
  const standing = await night.db
    .selectFrom('run_account')
    .select(['run_id', 'account_no', 'verdict'])
    .where('run_id', '=', 'nightly-2026-03-10-v1')
    .orderBy('account_no')
    .execute();
  expect(standing.map((row) => `${row.account_no} ${row.verdict}`)).toEqual([
    'A1 reconciled',
    'LOST incomplete',
  ]);
});

test('a restated version is computed and labelled with one set of rules', async () => {
  night.deposits({
    payeeAcctNo: 'A1',
    orderNo: 'LATE',
    amountFen: 500n,
    depositTime: '2026-03-10 09:00:00',
    visibleFrom: '2026-03-11 12:00:00',
  });
  await night.night('2026-03-10');
  await night.profile({ agingDays: 9 });
  night.moveTo('2026-03-12 02:00:00');
  expect((await night.night('2026-03-11')).result.restated).toEqual([{ day: '2026-03-10', version: 2 }]);
  const runs = await night.db
    .selectFrom('run')
    .select(['run_id', 'profile_digest', 'assumptions'])
    .orderBy('run_id')
    .execute();
  const [v1, v2, next] = runs;
  expect(runs.map(({ run_id: runId }) => runId)).toEqual([
    'nightly-2026-03-10-v1',
    'nightly-2026-03-10-v2',
    'nightly-2026-03-11-v1',
  ]);
  expect(v2?.profile_digest).toBe(next?.profile_digest);
  expect(v2?.assumptions).toEqual(next?.assumptions);
  expect(v2?.profile_digest).not.toBe(v1?.profile_digest);
  expect(v2?.assumptions).not.toEqual(v1?.assumptions);
});

test.each(['01:00:00', '02:30:00'])(
  'a deposit of %s that is known days later restates the day before whose closing was rolled back over it',
  async (time) => {
    night.deposits({
      payeeAcctNo: 'A1',
      orderNo: 'LATE',
      amountFen: 500n,
      depositTime: `2026-03-11 ${time}`,
      visibleFrom: '2026-03-13 12:00:00',
    });
    await night.entries([
      { id: 'E1', account: 'A1', fen: 500n, at: `2026-03-11 ${time}`, reference: 'LATE' },
    ]);
    night.moveTo('2026-03-11 03:00:00');
    expect(ofA1(await night.night('2026-03-10')).found).toHaveLength(1);
    night.moveTo('2026-03-12 03:00:00');
    await night.night('2026-03-11');
    night.moveTo('2026-03-13 03:00:00');
    await night.night('2026-03-12');
    night.moveTo('2026-03-14 03:00:00');
    const last = await night.night('2026-03-13');
    expect(last.result.restated.map(({ day }) => day)).toEqual(['2026-03-10', '2026-03-11', '2026-03-12']);
    expect(ofA1(last)).toMatchObject({ verdict: 'reconciled', found: [] });
    expect(
      await night.db.selectFrom('break').select('break_id').where('status', '=', 'open').execute(),
    ).toEqual([]);
  },
);
