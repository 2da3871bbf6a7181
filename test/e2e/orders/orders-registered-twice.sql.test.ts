/**
 * What a program registers of an order once more and otherwise is a break until a file puts it right, whatever the
 * platform knows of the order (docs/registering-orders.md).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { at, findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { registerOnceMore } from '../../helpers/company/order-registering.ts';
import { putRight } from '../../helpers/company/put-right.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;

beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 0n, A: 0n }));
});
afterEach(() => night.close());

const SENT = '2026-03-02 09:00:00';
const T1 = {
  kind: 'transfer',
  outBatchNo: 'B1',
  outOrderNo: 'T1',
  payer: 'P',
  payee: 'Q',
  fen: 100n,
  submittedAt: SENT,
} as const;
const W1 = { kind: 'withdrawal', outOrderNo: 'W1', payer: 'P', fen: 100n, submittedAt: SENT } as const;
const TWICE = {
  kind: 'transfer',
  out_batch_no: 'B1',
  out_order_no: 'T1',
  payer_account_no: 'P',
  payee_account_no: 'Q',
  amount_fen: 100n,
} as const;

function isPaid(): void {
  const orders = [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 100n }];
  night.sandbox.seedTransfers([{ outBatchNo: 'B1', payerAcctNo: 'P', submittedAt: SENT, orders }]);
  trade.books('P transfer_out T1 -100 2026-03-02 09:05', 'Q transfer_in T1 100 2026-03-02 09:05');
}

const verdictsOf = ({ result }: Awaited<ReturnType<Trade['night']>>) =>
  result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`);
/** What was written beside each break that is open. */
async function notes(): Promise<string[]> {
  const rows = await night.db
    .selectFrom('finding')
    .innerJoin('run', 'run.run_id', 'finding.run_id')
    .select('note')
    .where('superseded_by', 'is', null)
    .where('severity', '=', 'break')
    .execute();
  return rows.map(({ note }) => note).toSorted();
}

test('in another batch, which the platform does not know: every night, until a file states the right one', async () => {
  isPaid();
  trade.registers(T1);
  await trade.until('2026-03-02 10:00:00');
  await registerOnceMore(night.db, { ...TWICE, out_batch_no: 'B2' });
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['batch_children P B2 0']);
  expect(await notes()).toEqual(['order T1: batch B1 and B2 were both registered']);
  const second = await trade.night('2026-03-03');
  expect(second.result.breaks.map(({ id }) => id)).toEqual(first.result.breaks.map(({ id }) => id));
  await trade.until('2026-03-04 10:00:00');
  await putRight(night, { ...T1, fen: 100n });
  const third = await trade.night('2026-03-04');
  expect([findingsOf(third), verdictsOf(third)]).toEqual([
    [],
    ['A reconciled', 'P reconciled', 'Q reconciled'],
  ]);
  expect(third.result.closed.map(({ cause }) => cause)).toEqual(['reading']);
});

test('in another batch that the platform knows without it: that batch alone is told', async () => {
  isPaid();
  const orders = [{ outOrderNo: 'T2', payeeAcctNo: 'Q', amountFen: 5n }];
  night.sandbox.seedTransfers([{ outBatchNo: 'B2', payerAcctNo: 'P', submittedAt: SENT, orders }]);
  trade.books('P transfer_out T2 -5 2026-03-02 09:05', 'Q transfer_in T2 5 2026-03-02 09:05');
  trade.registers(T1, { ...T1, outBatchNo: 'B2', outOrderNo: 'T2', fen: 5n });
  await trade.until('2026-03-02 10:00:00');
  await registerOnceMore(night.db, { ...TWICE, out_batch_no: 'B2' });
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['batch_children P B2 0']);
  expect(await notes()).toEqual(['order T1 was registered with it and is not listed']);
});

test('with other amounts and parties, of orders that the platform does not know', async () => {
  trade.registers(T1, W1);
  await trade.until('2026-03-02 10:00:00');
  await registerOnceMore(
    night.db,
    { ...TWICE, payee_account_no: 'A', amount_fen: 200n },
    { kind: 'withdrawal', out_order_no: 'W1', payer_account_no: 'Q', amount_fen: 300n },
  );
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual([
    'account P W1 0',
    'amount P W1 0',
    'batch_children P B1 0',
    'unknown_not_found P T1 0',
    'unknown_not_found P W1 0',
  ]);
  expect(await notes()).toEqual([
    'order T1: amount 100 and 200 fen were both registered; order T1: payee Q and A were both registered',
    'order W1: amount 100 and 300 fen were both registered',
    'order W1: payer P and Q were both registered',
  ]);
  // The platform shows them as they were registered first: each break is the one it was.
  isPaid();
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'P', amountFen: 100n, submittedAt: SENT }]);
  trade.books('P withdrawal W1 -100 2026-03-02 09:05');
  const idsOf = ({ result: { breaks } }: typeof first): string[] =>
    breaks
      .filter(({ class: told }) => told !== 'state')
      .map(({ id }) => id)
      .toSorted();
  const second = await trade.night('2026-03-03');
  expect(idsOf(second)).toEqual(idsOf(first));
});

const idsTold = ({ result: { breaks } }: Awaited<ReturnType<Trade['night']>>): string[] =>
  breaks
    .filter(({ class: told }) => ['account', 'amount', 'batch_children'].includes(told))
    .map(({ id }) => id)
    .toSorted();

test('it keeps its id when its payer is listed by now, and in a night before, which that has no part in', async () => {
  night.sandbox.seedAccounts([{ accountNo: 'X', balanceFen: 100_000n }]);
  trade.registers({ ...T1, payer: 'X' });
  await trade.until('2026-03-02 10:00:00');
  await registerOnceMore(night.db, { ...TWICE, payer_account_no: 'X', amount_fen: 200n });
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['batch_children Q B1 0', 'unknown_not_found Q T1 0']);
  const AT = '2026-03-02 00:00:00';
  await night.listAccounts(
    { no: 'P', opening: { fen: 100_000n, at: AT } },
    { no: 'Q', opening: { fen: 0n, at: AT } },
    { no: 'A', opening: { fen: 0n, at: AT } },
    { no: 'X', opening: { fen: 100_000n, at: AT } },
  );
  const submittedAt = '2026-03-02 23:59:00';
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'P', amountFen: 5n, submittedAt }]);
  trade.registers({ ...W1, fen: 5n, submittedAt });
  trade.books('P withdrawal W1 -5 2026-03-03 08:05');
  const second = await trade.night('2026-03-03');
  expect(second.result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
  expect(findingsOf(second)).toEqual(['batch_children X B1 0', 'unknown_not_found X T1 0']);
  expect(idsTold(second)).toEqual(idsTold(first));
});

test('it keeps its id when the platform shows its payer, which is not listed', async () => {
  night.sandbox.seedAccounts([{ accountNo: 'X', balanceFen: 100_000n }]);
  trade.registers({ ...T1, payer: 'X' });
  await trade.until('2026-03-02 10:00:00');
  await registerOnceMore(night.db, { ...TWICE, payer_account_no: 'X', amount_fen: 200n });
  const first = await trade.night('2026-03-02');
  const orders = [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 100n }];
  night.sandbox.seedTransfers([{ outBatchNo: 'B1', payerAcctNo: 'X', submittedAt: SENT, orders }]);
  trade.books('Q transfer_in T1 100 2026-03-02 09:05');
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual(['batch_children Q B1 0']);
  expect(idsTold(second)).toEqual(idsTold(first));
});

test('it keeps its id when the platform shows it of the payer that was registered last', async () => {
  trade.registers({ ...T1, payer: 'A' }, { ...W1, payer: 'A' });
  await trade.until('2026-03-02 10:00:00');
  await registerOnceMore(night.db, TWICE, {
    kind: 'withdrawal',
    out_order_no: 'W1',
    payer_account_no: 'P',
    amount_fen: 100n,
  });
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first).slice(0, 2)).toEqual(['account A W1 0', 'batch_children A B1 0']);
  const orders = [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 100n }];
  night.sandbox.seedTransfers([{ outBatchNo: 'B1', payerAcctNo: 'P', submittedAt: SENT, orders }]);
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'P', amountFen: 100n, submittedAt: SENT }]);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual(expect.arrayContaining(['account P W1 0', 'batch_children P B1 0']));
  expect(idsTold(second)).toEqual(idsTold(first));
});

test('saying more of an order, or the same once more, is no contradiction', async () => {
  isPaid();
  trade.registers(T1);
  await trade.until('2026-03-02 10:00:00');
  await registerOnceMore(night.db, { ...TWICE, batch_no: '901' }, { ...TWICE, payee_account_no: '' });
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
});

test.each(['transfer', 'withdrawal'] as const)(
  'a %s of an account that has left brings it back the same night',
  async (kind) => {
    const order = { ...(kind === 'transfer' ? T1 : W1), payer: 'A' };
    night.sandbox.seedDeposits([
      { orderNo: 'D1', payeeAcctNo: 'A', amountFen: 100n, depositTime: '2026-03-02 08:30:00' },
    ]);
    trade.books('A deposit D1 100 2026-03-02 08:30');
    if (kind === 'transfer') {
      const orders = [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 100n }];
      night.sandbox.seedTransfers([{ outBatchNo: 'B1', payerAcctNo: 'A', submittedAt: SENT, orders }]);
      trade.books('A transfer_out T1 -100 2026-03-02 09:05', 'Q transfer_in T1 100 2026-03-02 09:05');
    } else {
      night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'A', amountFen: 100n, submittedAt: SENT }]);
      trade.books('A withdrawal W1 -100 2026-03-02 09:05');
    }
    trade.registers(order);
    expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
    await night.db
      .updateTable('account')
      .set({ active_to: at('2026-03-02 12:00:00') })
      .where('account_no', '=', 'A')
      .execute();
    expect(verdictsOf(await trade.night('2026-03-03'))).toEqual(['P reconciled', 'Q reconciled']);
    await registerOnceMore(
      night.db,
      kind === 'transfer'
        ? { ...TWICE, payer_account_no: 'A', out_batch_no: 'B2' }
        : { kind, out_order_no: 'W1', payer_account_no: 'A', amount_fen: 200n },
    );
    const told = await trade.night('2026-03-04');
    expect(findingsOf(told)).toEqual([kind === 'transfer' ? 'batch_children A B2 0' : 'amount A W1 0']);
    expect(verdictsOf(told)[0]).toBe('A breaks');
    await putRight(night, order);
    expect(verdictsOf(await trade.night('2026-03-05'))[0]).toBe('A reconciled');
  },
);
