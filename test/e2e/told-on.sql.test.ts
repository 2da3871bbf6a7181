/** What is wrong with an order is told on an account of the company, whoever of its parties is one; else by the run. */
import { afterEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../helpers/night.ts';
import { putRight } from '../helpers/company/put-right.ts';
import { Trade } from '../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

const AT = '2026-03-02 00:00:00';
const SENT = '2026-03-02 09:00:00';

test('a contradiction, an untrue fee and an order that is not found are told, whoever of them is listed', async () => {
  night = await Night.open({ now: '2026-03-02 08:00:00' });
  const trade = new Trade(night);
  night.sandbox.seedAccounts([
    { accountNo: 'X', balanceFen: 100_000n },
    { accountNo: 'Y', balanceFen: 0n },
  ]);
  await night.accounts(
    { no: 'P', opening: { fen: 0n, at: AT } },
    { no: 'Q', opening: { fen: 0n, at: AT } },
    { no: 'R', opening: { fen: 0n, at: AT } },
  );
  const batch = (outBatchNo: string, payeeAcctNo: string, realAmount?: number) => ({
    outBatchNo,
    payerAcctNo: 'X',
    submittedAt: SENT,
    orders: [
      {
        outOrderNo: `T-${outBatchNo}`,
        payeeAcctNo,
        amountFen: 10_000n,
        ...(realAmount !== undefined && { feeFen: 30n, listed: { set: { realAmount } } }),
      },
    ],
  });
  night.sandbox.seedTransfers([
    batch('B1', 'Q'),
    batch('B2', 'Q'),
    batch('B3', 'Y'),
    batch('B4', 'Q', 9_000),
  ]);
  const registered = (no: string, payer: string, payee: string, fen = 10_000n) =>
    ({
      kind: 'transfer',
      outBatchNo: no,
      outOrderNo: `T-${no}`,
      payer,
      payee,
      fen,
      submittedAt: SENT,
    }) as const;
  trade.registers(
    registered('B1', 'P', 'Q'),
    registered('B2', 'X', 'R'),
    registered('B3', 'X', 'Y', 5_000n),
    registered('B4', 'X', 'Q'),
    registered('B5', 'X', 'Q', 700n),
  );
  trade.books(
    ...['B1 10000', 'B2 10000', 'B4 9970'].map((of) => {
      const [no = '', fen = ''] = of.split(' ');
      return `Q transfer_in T-${no} ${fen} 2026-03-02 09:05`;
    }),
  );
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first).toSorted()).toEqual([
    'batch_children  B3 0',
    'batch_children P B1 0',
    'batch_children R B2 0',
    'fee_invariant Q T-B4 0',
    'unknown_not_found Q T-B5 0',
  ]);
  const ids = ({ result: { breaks } }: typeof first): string[] => breaks.map(({ id }) => id).toSorted();
  expect(ids(await trade.night('2026-03-03'))).toEqual(ids(first));
});

test('what is wrong goes on under its id on the account that is listed by now', async () => {
  night = await Night.open({ now: '2026-03-02 08:00:00' });
  const trade = new Trade(night);
  night.sandbox.seedAccounts([
    { accountNo: 'X', balanceFen: 100_000n },
    { accountNo: 'Y', balanceFen: 0n },
  ]);
  const listed = ['P', 'Q'].map((no) => ({ no, opening: { fen: 0n, at: AT } }));
  await night.accounts(...listed);
  const batch = (outBatchNo: string, payeeAcctNo: string, realAmount = 10_000) => ({
    outBatchNo,
    payerAcctNo: 'X',
    submittedAt: SENT,
    orders: [
      { outOrderNo: `T-${outBatchNo}`, payeeAcctNo, amountFen: 10_000n, listed: { set: { realAmount } } },
    ],
  });
  night.sandbox.seedTransfers([batch('B2', 'Q'), batch('B3', 'Y'), batch('B4', 'Q', 9_000)]);
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'X', amountFen: 500n, submittedAt: SENT }]);
  const registered = (no: string, payer: string, payee: string, fen = 10_000n) =>
    ({
      kind: 'transfer',
      outBatchNo: no,
      outOrderNo: `T-${no}`,
      payer,
      payee,
      fen,
      submittedAt: SENT,
    }) as const;
  trade.registers(
    registered('B2', 'P', 'Q'),
    registered('B3', 'X', 'Y', 5_000n),
    registered('B4', 'X', 'Q'),
    registered('B5', 'X', 'Q', 700n),
    registered('B6', 'Y', 'X', 600n),
    { kind: 'withdrawal', outOrderNo: 'W1', payer: 'X', fen: 700n, submittedAt: SENT },
  );
  trade.books(
    'Q transfer_in T-B2 10000 2026-03-02 09:05',
    'Q transfer_in T-B4 10000 2026-03-02 09:05',
    'X transfer_out T-B2 -10000 2026-03-03 09:05',
    'X transfer_out T-B3 -10000 2026-03-03 09:05',
    'X transfer_out T-B4 -10000 2026-03-03 09:05',
    'X withdrawal W1 -500 2026-03-03 09:05',
  );
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first).toSorted()).toEqual([
    'amount  W1 0',
    'batch_children  B3 0',
    'batch_children P B2 0',
    'fee_invariant Q T-B4 0',
    'unknown_not_found  T-B6 0',
    'unknown_not_found Q T-B5 0',
  ]);
  await night.listAccounts(...listed, { no: 'X', opening: { fen: 100_000n, at: AT } });
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second).toSorted()).toEqual([
    'amount X W1 0',
    'batch_children X B2 0',
    'batch_children X B3 0',
    'fee_invariant X T-B4 0',
    'unknown_not_found X T-B5 0',
    'unknown_not_found X T-B6 0',
  ]);
  const ids = ({ result: { breaks } }: typeof first): string[] => breaks.map(({ id }) => id).toSorted();
  expect(ids(second)).toEqual(ids(first));
  const closed = night.db
    .selectFrom('break')
    .select(['reference', 'cleared_cause'])
    .where('status', '=', 'closed');
  expect(await closed.execute()).toEqual([]);
});

test('an account that is listed by now ends nothing in a night before, which it has no part in', async () => {
  night = await Night.open({ now: '2026-03-02 08:00:00' });
  const trade = new Trade(night);
  night.sandbox.seedAccounts([{ accountNo: 'X', balanceFen: 100_000n }]);
  const listed = [{ no: 'Q', opening: { fen: 0n, at: AT } }];
  await night.accounts(...listed);
  const order = {
    outOrderNo: 'T1',
    payeeAcctNo: 'Q',
    amountFen: 10_000n,
    listed: { set: { realAmount: 9_000 } },
  };
  night.sandbox.seedTransfers([{ outBatchNo: 'B1', payerAcctNo: 'X', submittedAt: SENT, orders: [order] }]);
  const registered = {
    kind: 'transfer',
    outBatchNo: 'B1',
    outOrderNo: 'T1',
    payer: 'X',
    payee: 'Q',
  } as const;
  trade.registers(
    { ...registered, fen: 10_000n, submittedAt: SENT },
    { ...registered, outBatchNo: 'B5', outOrderNo: 'T5', fen: 700n, submittedAt: SENT },
  );
  trade.books(
    'Q transfer_in T1 10000 2026-03-02 09:05',
    'Q withdrawal W1 -500 2026-03-03 08:05',
    'X transfer_out T1 -10000 2026-03-03 09:05',
  );
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first).toSorted().toReversed()).toEqual([
    'unknown_not_found Q T5 0',
    'fee_invariant Q T1 0',
  ]);
  await night.listAccounts(...listed, { no: 'X', opening: { fen: 100_000n, at: AT } });
  // It was sent on the day before, so that the night of that day is proven again.
  const submittedAt = '2026-03-02 23:59:00';
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'Q', amountFen: 500n, submittedAt }]);
  trade.registers({ kind: 'withdrawal', outOrderNo: 'W1', payer: 'Q', fen: 500n, submittedAt });
  const second = await trade.night('2026-03-03');
  expect(second.result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
  const again = night.db.selectFrom('run').select('verdict').where('run_id', '=', 'nightly-2026-03-02-v2');
  expect(await again.execute()).toEqual([{ verdict: 'unverified' }]);
  expect(findingsOf(second).toSorted().toReversed()).toEqual([
    'unknown_not_found X T5 0',
    'fee_invariant X T1 0',
  ]);
  const ids = ({ result: { breaks } }: typeof first): string[] => breaks.map(({ id }) => id);
  expect(ids(second)).toEqual(ids(first));
  const closed = night.db.selectFrom('break').select('reference').where('status', '=', 'closed');
  expect(await closed.execute()).toEqual([{ reference: 'W1' }]);
});

test('a payer that was put right before is no reason for what is told on another account, because that is listed', async () => {
  night = await Night.open({ now: '2026-03-02 08:00:00' });
  const trade = new Trade(night);
  night.sandbox.seedAccounts([{ accountNo: 'X', balanceFen: 100_000n }]);
  const listed = [{ no: 'Q', opening: { fen: 0n, at: AT } }];
  await night.accounts(...listed);
  const T5 = {
    kind: 'transfer',
    outBatchNo: 'B5',
    outOrderNo: 'T5',
    payer: 'X',
    payee: 'Q',
    fen: 700n,
    submittedAt: SENT,
  } as const;
  trade.registers({ ...T5, payer: 'Y' });
  await trade.until('2026-03-02 10:00:00');
  await putRight(night, T5);
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['unknown_not_found Q T5 0']);
  await night.listAccounts(...listed, { no: 'X', opening: { fen: 100_000n, at: AT } });
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual(['unknown_not_found X T5 0']);
  const opened = await night.db.selectFrom('break').select(['account_no', 'status']).execute();
  expect(opened).toEqual([{ account_no: 'X', status: 'open' }]);
});

test('an order that is never shown goes on under its id on its payer, who is listed by now, and in a night before', async () => {
  night = await Night.open({
    now: '2026-03-02 08:00:00',
    profile: { recheck: { batchDays: 1, batchSchedule: [1], withdrawDays: 1 } },
  });
  const trade = new Trade(night);
  night.sandbox.seedAccounts([{ accountNo: 'X', balanceFen: 100_000n }]);
  const listed = [{ no: 'Q', opening: { fen: 0n, at: AT } }];
  await night.accounts(...listed);
  night.deposits({
    orderNo: 'D1',
    payeeAcctNo: 'Q',
    amountFen: 1_000n,
    depositTime: '2026-03-02 08:30:00',
  });
  trade.registers({
    kind: 'transfer',
    outBatchNo: 'B1',
    outOrderNo: 'T1',
    payer: 'X',
    payee: 'Q',
    fen: 700n,
    submittedAt: SENT,
  });
  trade.books('Q deposit D1 1000 2026-03-02 08:30', 'Q withdrawal W1 -500 2026-03-03 08:05');
  night.sandbox.addFault({
    kind: 'unmapped_code',
    path: 'division/query',
    times: null,
    msg: '参数错误',
  });
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['state  B1 0']);
  await night.listAccounts(...listed, { no: 'X', opening: { fen: 100_000n, at: AT } });
  const submittedAt = '2026-03-02 23:59:00';
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'Q', amountFen: 500n, submittedAt }]);
  trade.registers({ kind: 'withdrawal', outOrderNo: 'W1', payer: 'Q', fen: 500n, submittedAt });
  const second = await trade.night('2026-03-03');
  expect(second.result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
  const again = night.db.selectFrom('run').select('verdict').where('run_id', '=', 'nightly-2026-03-02-v2');
  expect(await again.execute()).toEqual([{ verdict: 'breaks' }]);
  expect(findingsOf(second)).toEqual(['state X B1 0']);
  expect(second.result.breaks[0]?.id).toBe(first.result.breaks[0]?.id);
});
