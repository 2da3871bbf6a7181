/** Orders that are under way when the second night looks, or that both sides have on different sides of the cut. */
import { addDays } from '../../core/time.ts';
import { orderEntries, payeeEntries, payerEntries } from './demo-order-books.ts';
import { later, refund, sendBatch } from './demo-orders.ts';
import { finds, plantTransfer, plantWithdrawal, sceneAt } from './demo-scene.ts';
import type { Scene } from './demo-scene.ts';
import type { DemoDraft } from './demo-draft.ts';

/** Longer than any demo looks. */
const TEN_DAYS_MS = 10 * 86_400_000;

export function plantOrderTiming(draft: DemoDraft): void {
  const scene = sceneAt(draft, 'transit');
  plantUnderWay(scene);
  plantUnknown(scene);
  const receiver = sceneAt(draft, 'timing');
  plantLate(scene, receiver);
  plantWaitingRefund(scene, receiver);
  plantWithdrawal(receiver, {
    note: 'a withdrawal on its way to the bank, frozen',
    withdrawal: {
      at: `${receiver.lastDay} 18:05:00`,
      amountFen: 480_000n,
      state: 'PROCESSING',
      seconds: 0,
    },
    finds: { class: 'in_flight' },
  });
}

function plantUnderWay(scene: Scene): void {
  const { draft, lastDay } = scene;
  const { account: payee } = sceneAt(draft, 'lines');
  const state = 'PROCESSING';
  const fee = { feeFen: 300n, feeType: 'ACCOUNT' } as const;
  plantTransfer(scene, {
    note: 'still PROCESSING: 2,753.00 with its fee are frozen, and nobody has booked it yet',
    transfer: { at: `${lastDay} 16:20:00`, payee, amountFen: 275_000n, ...fee, state },
    finds: { class: 'in_flight' },
  });
  plantTransfer(scene, {
    note: 'booked when it was sent, still PROCESSING on the platform',
    transfer: { at: `${lastDay} 17:02:00`, payee, amountFen: 189_000n, state },
    books: (order) => payerEntries(order, later(draft, order.sentAt, 15)),
    finds: { class: 'pending', differenceFen: 189_000n },
  });
}

/** The request never got there, and the company does not know that. */
function plantUnknown(scene: Scene): void {
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
    payeeAccountNo: sceneAt(draft, 'lines').account.accountNo,
    amountFen: 64_000n,
    submittedAt: `${lastDay} 17:40:00`,
    outcome: 'unknown',
  });
  const note = 'registered before it was sent, no answer came, and the platform does not know it';
  finds(scene, { class: 'unknown_not_found', reference: outOrderNo, note });
}

/** Nothing crosses midnight by itself: the batch is sent alone. */
function plantLate(scene: Scene, receiver: Scene): void {
  const { draft, account: payer, lastDay } = scene;
  const { account: payee } = receiver;
  const orders = [{ payee, amountFen: 93_000n, seconds: 45 }];
  const [order] = sendBatch(draft, { payer, at: `${lastDay} 23:57:00`, orders });
  if (!order) throw new Error('Bug: a batch has the orders it was given');
  draft.ledger.push(...payerEntries(order, `${lastDay} 23:58:30`));
  draft.ledger.push(...payeeEntries(order, `${addDays(lastDay, 1)} 00:03:00`));
  const note = 'a transfer of 23:57, booked by the payee after midnight';
  finds(receiver, { class: 'late', reference: order.outOrderNo, differenceFen: 93_000n, note });
}

function plantWaitingRefund(scene: Scene, receiver: Scene): void {
  const { draft, lastDay } = scene;
  const { account: payee } = receiver;
  const order = plantTransfer(scene, {
    note: 'a refund that waits for its confirmation, frozen on the account that gives it back',
    transfer: { at: `${addDays(lastDay, -3)} 10:30:00`, payee, amountFen: 118_000n },
    books: (sent) => orderEntries(draft, sent),
    finds: { class: 'in_flight', accountNo: payee.accountNo },
  });
  refund(order, `${lastDay} 17:20:00`, TEN_DAYS_MS);
}
