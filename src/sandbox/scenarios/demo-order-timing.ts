/** Orders that are under way when the second night looks, or that both sides have on different sides of the cut. */
import { addDays } from '../../core/time.ts';
import { orderEntries, payeeEntries, payerEntries } from './demo-order-books.ts';
import { sendBatch } from './demo-orders.ts';
import { accountOf, finds, plantAll, sceneAt } from './demo-scene.ts';
import type { Scene, TransferPlant, WithdrawalPlant } from './demo-scene.ts';
import type { DemoDraft } from './demo-draft.ts';

export function plantOrderTiming(draft: DemoDraft): void {
  plantAll(sceneAt(draft, 'transit'), [...UNDER_WAY, unknown, late, WAITING_REFUND]);
  plantAll(sceneAt(draft, 'timing'), [WAITING_WITHDRAWAL]);
}

const UNDER_WAY: readonly TransferPlant[] = [
  {
    note: 'still PROCESSING: 2,753.00 with its fee are frozen, and nobody has booked it yet',
    transfer: {
      at: '16:20:00',
      payee: 'lines',
      amountFen: 275_000n,
      feeFen: 300n,
      feeType: 'ACCOUNT',
      state: 'PROCESSING',
    },
    finds: [{ class: 'in_flight' }],
  },
  {
    note: 'booked when it was sent, still PROCESSING on the platform',
    transfer: { at: '17:02:00', payee: 'lines', amountFen: 189_000n, state: 'PROCESSING' },
    books: payerEntries,
    bookedAfterSeconds: 15,
    finds: [{ class: 'pending', differenceFen: 189_000n }],
  },
];

/** The request never got there, and the company does not know that. */
function unknown(scene: Scene): void {
  const { draft, account, lastDay } = scene;
  const day = lastDay.replaceAll('-', '');
  const outOrderNo = `PO${day}X0002N01`;
  draft.registry.push({
    kind: 'transfer',
    outBatchNo: `PB${day}X0002`,
    outOrderNo,
    batchNo: '',
    orderNo: '',
    payerAccountNo: account.accountNo,
    payeeAccountNo: accountOf(draft, 'lines').accountNo,
    amountFen: 64_000n,
    submittedAt: `${lastDay} 17:40:00`,
    outcome: 'unknown',
  });
  const note = 'registered before it was sent, no answer came, and the platform does not know it';
  finds(scene, { class: 'unknown_not_found', reference: outOrderNo, note });
}

/** Nothing crosses midnight by itself: the batch is sent alone. */
function late(scene: Scene): void {
  const { draft, account: payer, lastDay } = scene;
  const orders = [{ payee: accountOf(draft, 'timing'), amountFen: 93_000n, seconds: 45 }];
  const [order] = sendBatch(draft, { payer, at: `${lastDay} 23:57:00`, orders });
  if (!order) throw new Error('Bug: a batch has the orders it was given');
  draft.ledger.push(...payerEntries(order, `${lastDay} 23:58:30`));
  draft.ledger.push(...payeeEntries(order, `${addDays(lastDay, 1)} 00:03:00`));
  const note = 'a transfer of 23:57, booked by the payee after midnight';
  finds(scene, { class: 'late', on: 'timing', reference: order.outOrderNo, differenceFen: 93_000n, note });
}

/** Longer than any demo looks. */
const TEN_DAYS_MS = 10 * 86_400_000;

const WAITING_REFUND: TransferPlant = {
  note: 'a refund that waits for its confirmation, frozen on the account that gives it back',
  transfer: { at: '10:30:00 -3', payee: 'timing', amountFen: 118_000n },
  books: (sent, _, { draft }) => orderEntries(draft, sent),
  refunded: { at: '17:20:00', waitsMs: TEN_DAYS_MS },
  finds: [{ class: 'in_flight', on: 'timing' }],
};

const WAITING_WITHDRAWAL: WithdrawalPlant = {
  note: 'a withdrawal on its way to the bank, frozen',
  withdrawal: { at: '18:05:00', amountFen: 480_000n, state: 'PROCESSING', seconds: 0 },
  finds: [{ class: 'in_flight' }],
};
