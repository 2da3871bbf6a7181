/** An entry that names an order with another counterparty than the books state is no silent pair. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night } from '../helpers/night.ts';

let night: Night;

/** P pays Q 100.00 by T1; the account list also has R, which has taken the place of OLD. */
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-10 08:00:00' });
  const opening = { fen: 100_000n, at: '2026-03-10 00:00:00' };
  await night.accounts(
    { no: 'P', opening },
    { no: 'Q', opening },
    { no: 'R', opening },
    { no: 'OLD', opening, replacedBy: 'Q' },
  );
  const batch = { outBatchNo: 'B1', submittedAt: '2026-03-10 09:00:00' };
  night.sandbox.seedTransfers([
    { ...batch, payerAcctNo: 'P', orders: [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n }] },
  ]);
  await night.orders({ kind: 'transfer', ...batch, outOrderNo: 'T1', payer: 'P', payee: 'Q', fen: 10_000n });
});
afterEach(() => night.close());

const of = { reference: 'T1', at: '2026-03-10 09:05:00' } as const;
const paid = (counterparty: string) =>
  ({ ...of, id: 'E1', account: 'P', kind: 'transfer_out', fen: -10_000n, counterparty }) as const;
const received = (counterparty: string) =>
  ({ ...of, id: 'E2', account: 'Q', kind: 'transfer_in', fen: 10_000n, counterparty }) as const;

async function tell(day: number) {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  const { result } = await night.night(`2026-03-${day}`);
  const found = await night.db
    .selectFrom('finding')
    .selectAll()
    .where('run_id', '=', result.run.id)
    .orderBy('account_no')
    .orderBy('reference')
    .execute();
  return [
    result.run.verdict,
    ...found.map(
      (one) =>
        `${one.class} ${one.severity} ${one.account_no} ${one.reference} ${one.difference_fen}: ${one.note}`,
    ),
  ];
}

test.each([
  ['the order’s other account', 'Q', 'P'],
  ['nobody', '', ''],
  ['names that are no account’s', 'Example Ltd', 'Somebody'],
  ['an account that the other one has replaced', 'OLD', 'P'],
  ['their own account', 'P', 'Q'],
])('books that name %s contradict nothing', async (_whom, payee, payer) => {
  await night.entries([paid(payee), received(payer)]);
  expect(await tell(10)).toEqual(['reconciled']);
});

test('books that name another account of the list than the order has are told, on each side by itself', async () => {
  await night.entries([paid('R'), received('R')]);
  const told = [
    'reconciled',
    'account attention P T1 0: the books name R, the order has Q',
    'account attention Q T1 0: the books name R, the order has P',
  ];
  expect(await tell(10)).toEqual(told);
  expect(await tell(11), 'as long as it is so').toEqual(told);
  await night.entries([paid('Q')]);
  expect(await tell(12)).toEqual(['reconciled', told[2]]);
  const ended = await night.db
    .selectFrom('break')
    .select(['account_no', 'cleared_cause', 'cleared_by'])
    .where('status', '=', 'closed')
    .execute();
  expect(ended).toEqual([{ account_no: 'P', cleared_cause: 'reading', cleared_by: 'T1' }]);
});

test('of two orders that the books mixed up each is told', async () => {
  const batch = { outBatchNo: 'B2', submittedAt: '2026-03-10 10:00:00' };
  night.sandbox.seedTransfers([
    { ...batch, payerAcctNo: 'P', orders: [{ outOrderNo: 'T2', payeeAcctNo: 'R', amountFen: 10_000n }] },
  ]);
  await night.orders({ kind: 'transfer', ...batch, outOrderNo: 'T2', payer: 'P', payee: 'R', fen: 10_000n });
  await night.entries([
    paid('R'),
    received('P'),
    { ...paid('Q'), id: 'E3', reference: 'T2' },
    { ...received('P'), id: 'E4', account: 'R', reference: 'T2' },
  ]);
  expect(await tell(10)).toEqual([
    'reconciled',
    'account attention P T1 0: the books name R, the order has Q',
    'account attention P T2 0: the books name Q, the order has R',
  ]);
});
