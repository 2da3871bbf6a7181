/** Transfers that the company booked wrongly, or that it booked and the platform does not have. */
import type { Fen } from '../../core/fen.ts';
import { addDays } from '../../core/time.ts';
import type { DemoAccount } from './demo-accounts.ts';
import { bookOrder, payeeEntries, payerEntries } from './demo-order-books.ts';
import { later, refund, sendBatch } from './demo-orders.ts';
import type { BatchPlan, OrderPlan, SentOrder } from './demo-orders.ts';
import { ordinaryOrder } from './demo-order-month.ts';
import { finds, sceneAt } from './demo-scene.ts';
import type { Scene } from './demo-scene.ts';
import type { DemoDraft } from './demo.ts';

/** The scene is the payer's. */
interface Parties extends Scene {
  payee: DemoAccount;
}

export function plantOrderLines(draft: DemoDraft): void {
  const parties: Parties = { ...sceneAt(draft, 'payer'), payee: sceneAt(draft, 'lines').account };
  plantMissing(parties);
  plantWrong(parties);
  plantOnAnotherAccount(parties);
  plantRefund(parties);
}

/**
 * Sends the order in a batch with another one, which goes and is booked as it should.
 * @returns the order; what the books say of it is left to the caller
 */
export function sendPlanted(
  scene: Scene,
  of: { at: string; payee: DemoAccount; amountFen: Fen } & Partial<OrderPlan>,
  batch: Partial<BatchPlan> = {},
): SentOrder {
  const { draft, account } = scene;
  const { at, ...order } = of;
  const companion = ordinaryOrder(draft, { state: 'SUCCESS' });
  const [planted, other] = sendBatch(draft, {
    payer: account,
    at,
    orders: [{ seconds: 45, ...order }, companion],
    ...batch,
  });
  if (!planted || !other) throw new Error('Bug: a batch has the orders it was given');
  bookOrder(draft, other);
  return planted;
}

/** Some minutes after it was sent. */
export function bookingTime(draft: DemoDraft, { sentAt }: { sentAt: string }): string {
  return later(draft, sentAt, 7 * 60);
}

function plantMissing(parties: Parties): void {
  const { draft, lastDay, payee } = parties;
  const { account: payer } = parties;
  const unbooked = sendPlanted(parties, { at: `${lastDay} 09:31:12`, payee, amountFen: 138_800n });
  draft.ledger.push(...payerEntries(unbooked, bookingTime(draft, unbooked)));
  finds(parties, {
    class: 'platform_only',
    accountNo: payee.accountNo,
    reference: unbooked.outOrderNo,
    differenceFen: 138_800n,
    note: 'a transfer that the payer booked and the payee did not',
  });

  const unknown = `PO${lastDay.replaceAll('-', '')}X0001N01`;
  draft.ledger.push({
    accountNo: payer.accountNo,
    kind: 'transfer_out',
    amountFen: -96_000n,
    reference: unknown,
    outBatchNo: `PB${lastDay.replaceAll('-', '')}X0001`,
    counterparty: payee.seed.name,
    bookedAt: `${lastDay} 10:02:00`,
    status: 'posted',
    memo: '分账付款',
  });
  finds(parties, {
    class: 'ledger_only',
    reference: unknown,
    differenceFen: 96_000n,
    note: 'the company booked a transfer that was never sent',
  });
}

function plantWrong(parties: Parties): void {
  const { draft, lastDay, payee } = parties;
  const swapped = sendPlanted(parties, { at: `${lastDay} 10:40:00`, payee, amountFen: 345_600n });
  const at = bookingTime(draft, swapped);
  draft.ledger.push(...payerEntries({ ...swapped, amountFen: 354_600n }, at), ...payeeEntries(swapped, at));
  finds(parties, {
    class: 'amount',
    reference: swapped.outOrderNo,
    differenceFen: 9_000n,
    note: 'digits swapped by the payer: a transfer of 3,456.00 was booked as 3,546.00',
  });

  const beside = { feeFen: 4_500n, feeType: 'ACCOUNT' } as const;
  const bare = sendPlanted(parties, { at: `${lastDay} 11:15:30`, payee, amountFen: 1_500_000n, ...beside });
  const bareAt = bookingTime(draft, bare);
  draft.ledger.push(...payerEntries({ ...bare, feeFen: 0n }, bareAt), ...payeeEntries(bare, bareAt));
  finds(parties, {
    class: 'fee',
    reference: bare.outOrderNo,
    differenceFen: -4_500n,
    note: 'the fee of 45.00 beside a transfer was not booked by the payer',
  });

  const doubled = sendPlanted(parties, { at: `${lastDay} 11:48:00`, payee, amountFen: 72_000n });
  bookOrder(draft, doubled);
  draft.ledger.push(...payeeEntries(doubled, later(draft, doubled.sentAt, 3_600)));
  finds(parties, {
    class: 'duplicate',
    accountNo: payee.accountNo,
    reference: doubled.outOrderNo,
    differenceFen: -72_000n,
    note: 'a transfer that the payee booked twice',
  });

  const failing = { state: 'FAIL', note: '收款账户状态异常' } as const;
  const failed = sendPlanted(parties, { at: `${lastDay} 13:05:00`, payee, amountFen: 205_000n, ...failing });
  draft.ledger.push(...payerEntries(failed, later(draft, failed.sentAt, 20)));
  finds(parties, {
    class: 'state',
    reference: failed.outOrderNo,
    differenceFen: 205_000n,
    note: 'booked when it was sent, and failed a minute later',
  });
}

function plantOnAnotherAccount(parties: Parties): void {
  const { draft, lastDay, payee } = parties;
  const { accountNo } = sceneAt(draft, 'facts').account;
  const misplaced = sendPlanted(parties, { at: `${lastDay} 14:22:10`, payee, amountFen: 410_000n });
  const at = bookingTime(draft, misplaced);
  draft.ledger.push(...payerEntries(misplaced, at));
  draft.ledger.push(...payeeEntries(misplaced, at, sceneAt(draft, 'facts').account));
  const common = { class: 'account', reference: misplaced.outOrderNo };
  const note = 'a transfer that was booked as received by another account of the company';
  finds(parties, { ...common, accountNo: payee.accountNo, differenceFen: 410_000n, note });
  finds(parties, { ...common, accountNo, differenceFen: -410_000n, note, follows: 'account' });
}

/** The transfer itself was booked when it was made. */
function plantRefund(parties: Parties): void {
  const { draft, dayBefore, lastDay, payee } = parties;
  const day = addDays(lastDay, -4);
  const refunded = sendPlanted(parties, { at: `${day} 16:10:00`, payee, amountFen: 260_000n });
  bookOrder(draft, refunded);
  refund(refunded, `${dayBefore} 15:10:00`);
  const common = { class: 'platform_only', reference: refunded.outOrderNo, foundBy: dayBefore };
  const note = 'a refund that nobody booked';
  finds(parties, { ...common, differenceFen: 260_000n, note });
  finds(parties, {
    ...common,
    accountNo: payee.accountNo,
    differenceFen: -260_000n,
    note,
    follows: 'platform_only',
  });
}
