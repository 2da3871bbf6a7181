/** An account that has left comes back for its orders and for its opening (docs/reconciliation.md 3.12). */
import { afterEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../../helpers/night.ts';
import { Trade } from '../../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

const AT = '2026-03-02 00:00:00';

test('accounts come back for a fault, a late registration, a batch refused for good and another opening', async () => {
  night = await Night.open({
    now: '2026-03-02 08:00:00',
    profile: { errors: { classes: [] }, recheck: { batchDays: 2, batchSchedule: [1], withdrawDays: 1 } },
  });
  const trade = new Trade(night);
  const list = (activeTo?: string) =>
    ['FAULT', 'LATE', 'OPENING', 'POISON', 'QUIET'].map((no) => ({
      no,
      opening: { fen: no === 'FAULT' ? 10_000n : 0n, at: AT },
      ...(activeTo !== undefined && { activeTo }),
    }));
  const payee = { no: 'Q', opening: { fen: 0n, at: AT } };
  await night.accounts(...list(), payee);
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'FAULT',
    submittedAt: '2026-03-02 09:00:00',
    orders: [
      {
        outOrderNo: 'T1',
        payeeAcctNo: 'Q',
        amountFen: 10_000n,
        changes: [{ at: '2026-03-04 01:00:00', set: { state: 'FAIL' } }],
      },
    ],
  });
  trade.books('FAULT transfer_out T1 -10000 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05');
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
  await night.listAccounts(...list('2026-03-03'), payee);
  const third = await trade.night('2026-03-03');
  expect(third.result.accounts.map(({ accountNo }) => accountNo)).toEqual(['Q']);

  const submittedAt = '2026-03-04 09:00:00';
  trade.registers(
    { kind: 'withdrawal', outOrderNo: 'W1', payer: 'LATE', fen: 5_000n, submittedAt },
    {
      kind: 'transfer',
      outBatchNo: 'B9',
      outOrderNo: 'T9',
      payer: 'POISON',
      payee: 'Q',
      fen: 100n,
      submittedAt,
    },
  );
  await trade.night('2026-03-04');
  const [fault, late, opening, poison, quiet] = list('2026-03-03');
  if (!fault || !late || !opening || !poison || !quiet) throw new Error('the test has five accounts');
  const restated = { ...opening, opening: { fen: 700n, at: AT } };
  await night.listAccounts(fault, late, restated, poison, quiet, payee);
  await trade.night('2026-03-05');
  await trade.night('2026-03-06');
  const last = await trade.night('2026-03-07');
  expect(findingsOf(last).toSorted()).toEqual([
    'period_changed OPENING OPENING -700',
    'state LATE W1 0',
    'state POISON B9 0',
    'state_regression FAULT T1 0',
  ]);
  expect(last.result.accounts.map(({ accountNo }) => accountNo)).not.toContain('QUIET');
});

test.each(['W1', 'W9'])(
  'an account comes back for a withdrawal that is registered late, as %s, and that a snapshot asked for',
  async (outOrderNo) => {
    const recheck = { batchDays: 1, batchSchedule: [1], withdrawDays: 1 };
    night = await Night.open({ now: '2026-03-02 08:00:00', profile: { recheck } });
    const trade = new Trade(night);
    const left = { no: 'P', opening: { fen: 90_000n, at: AT } };
    const others = { no: 'Q', opening: { fen: 0n, at: AT } };
    await night.accounts(left, others);
    const submittedAt = '2026-03-02 12:00:00';
    const paid = { outOrderNo: 'W1', orderNo: 'N1', acctNo: 'P', amountFen: 90_000n, submittedAt };
    night.sandbox.seedWithdrawals([paid]);
    trade.books('P withdrawal W1 -90000 2026-03-02 12:05');
    expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
    await night.listAccounts({ ...left, activeTo: '2026-03-03' }, others);
    for (const day of ['2026-03-03', '2026-03-04']) {
      const { result } = await trade.night(day);
      expect(result.accounts.map(({ accountNo }) => accountNo)).toEqual(['Q']);
    }
    await trade.until('2026-03-05 12:00:00');
    await night.orders({
      kind: 'withdrawal',
      outOrderNo,
      orderNo: 'N1',
      payer: 'P',
      fen: 100n,
      submittedAt: '',
    });
    await trade.snapshot('2026-03-06');
    expect(findingsOf(await trade.night('2026-03-05'))).toEqual(['amount P W1 0']);
  },
);

test('an account comes back for a withdrawal that is registered of it and left one that is not listed', async () => {
  night = await Night.open({ now: '2026-03-02 08:00:00' });
  const trade = new Trade(night);
  const left = { no: 'P', opening: { fen: 0n, at: AT } };
  const others = { no: 'Q', opening: { fen: 0n, at: AT } };
  await night.accounts(left, others);
  const submittedAt = '2026-03-02 12:00:00';
  night.sandbox.seedAccounts([{ accountNo: 'X', balanceFen: 100_000n }]);
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'X', amountFen: 90_000n, submittedAt }]);
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
  await night.listAccounts({ ...left, activeTo: '2026-03-03' }, others);
  const { result } = await trade.night('2026-03-03');
  expect(result.accounts.map(({ accountNo }) => accountNo)).toEqual(['Q']);
  await trade.until('2026-03-04 12:00:00');
  await night.orders({ kind: 'withdrawal', outOrderNo: 'W1', payer: 'P', fen: 90_000n, submittedAt });
  await trade.snapshot('2026-03-05');
  expect(findingsOf(await trade.night('2026-03-04'))).toEqual(['account P W1 0']);
});
