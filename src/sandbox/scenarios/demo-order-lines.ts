/** Transfers that the company booked wrongly, or that it booked and the platform does not have. */
import { orderEntries, payeeEntries, payerEntries } from './demo-order-books.ts';
import { accountOf, finds, plantAll, sceneAt } from './demo-scene.ts';
import type { Scene, TransferPlant } from './demo-scene.ts';
import type { DemoDraft } from './demo-draft.ts';

export function plantOrderLines(draft: DemoDraft): void {
  plantAll(sceneAt(draft, 'payer'), [ONE_SIDED, neverSent, ...WRONG, ...MISPLACED]);
}

const ONE_SIDED: TransferPlant = {
  note: 'a transfer that the payer booked and the payee did not',
  transfer: { at: '09:31:12', payee: 'lines', amountFen: 138_800n },
  books: payerEntries,
  finds: [{ class: 'platform_only', on: 'lines', differenceFen: 138_800n }],
};

function neverSent(scene: Scene): void {
  const { draft, account, lastDay } = scene;
  const day = lastDay.replaceAll('-', '');
  const reference = `PO${day}X0001N01`;
  draft.ledger.push({
    accountNo: account.accountNo,
    kind: 'transfer_out',
    amountFen: -96_000n,
    reference,
    outBatchNo: `PB${day}X0001`,
    counterparty: accountOf(draft, 'lines').seed.name,
    bookedAt: `${lastDay} 10:02:00`,
    status: 'posted',
    memo: '分账付款',
  });
  const note = 'the company booked a transfer that was never sent';
  finds(scene, { class: 'ledger_only', reference, differenceFen: 96_000n, note });
}

const WRONG: readonly TransferPlant[] = [
  {
    note: 'digits swapped by the payer: a transfer of 3,456.00 was booked as 3,546.00',
    transfer: { at: '10:40:00', payee: 'lines', amountFen: 345_600n },
    books: (order, at) => [
      ...payerEntries({ ...order, amountFen: 354_600n }, at),
      ...payeeEntries(order, at),
    ],
    finds: [{ class: 'amount', differenceFen: 9_000n }],
  },
  {
    note: 'the fee of 45.00 beside a transfer was not booked by the payer',
    transfer: { at: '11:15:30', payee: 'lines', amountFen: 1_500_000n, feeFen: 4_500n, feeType: 'ACCOUNT' },
    books: (order, at) => [...payerEntries({ ...order, feeFen: 0n }, at), ...payeeEntries(order, at)],
    finds: [{ class: 'fee', differenceFen: -4_500n }],
  },
  {
    note: 'a transfer that the payee booked twice',
    transfer: { at: '11:48:00', payee: 'lines', amountFen: 72_000n },
    books: (order, at, { draft }) => [...orderEntries(draft, order), ...payeeEntries(order, at)],
    bookedAfterSeconds: 3_600,
    finds: [{ class: 'duplicate', on: 'lines', differenceFen: -72_000n }],
  },
  {
    note: 'booked when it was sent, and failed a minute later',
    transfer: {
      at: '13:05:00',
      payee: 'lines',
      amountFen: 205_000n,
      state: 'FAIL',
      note: '收款账户状态异常',
    },
    books: payerEntries,
    bookedAfterSeconds: 20,
    finds: [{ class: 'state', differenceFen: 205_000n }],
  },
];

const MISPLACED: readonly TransferPlant[] = [
  {
    note: 'a transfer that was booked as received by another account of the company',
    transfer: { at: '14:22:10', payee: 'lines', amountFen: 410_000n },
    books: (order, at, { draft }) => [
      ...payerEntries(order, at),
      ...payeeEntries(order, at, accountOf(draft, 'facts')),
    ],
    finds: [
      { class: 'account', on: 'lines', differenceFen: 410_000n },
      { class: 'account', on: 'facts', differenceFen: -410_000n, follows: 'account' },
    ],
  },
  {
    // The transfer itself was booked when it was made.
    note: 'a refund that nobody booked',
    transfer: { at: '16:10:00 -4', payee: 'lines', amountFen: 260_000n },
    books: (order, _, { draft }) => orderEntries(draft, order),
    refunded: { at: '15:10:00 -1', waitsMs: 0 },
    finds: [
      { class: 'platform_only', differenceFen: 260_000n, early: true },
      {
        class: 'platform_only',
        on: 'lines',
        differenceFen: -260_000n,
        early: true,
        follows: 'platform_only',
      },
    ],
  },
];
