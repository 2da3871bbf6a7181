/** Transfers that the company booked wrongly, or that it booked and the platform does not have. */
import { addDays } from '../../core/time.ts';
import type { DemoAccount } from './demo-accounts.ts';
import { orderEntries, payeeEntries, payerEntries } from './demo-order-books.ts';
import { later, refund } from './demo-orders.ts';
import { finds, plantTransfer, sceneAt } from './demo-scene.ts';
import type { Scene } from './demo-scene.ts';
import type { DemoDraft } from './demo-draft.ts';

/** The scene is the payer's. */
interface Parties extends Scene {
  payee: DemoAccount;
}

export function plantOrderLines(draft: DemoDraft): void {
  const parties: Parties = { ...sceneAt(draft, 'payer'), payee: sceneAt(draft, 'lines').account };
  plantMissing(parties);
  plantWrong(parties);
  plantTooEarlyOrTwice(parties);
  plantOnAnotherAccount(parties);
  plantRefund(parties);
}

function plantMissing(parties: Parties): void {
  const { draft, account, lastDay, payee } = parties;
  plantTransfer(parties, {
    note: 'a transfer that the payer booked and the payee did not',
    transfer: { at: `${lastDay} 09:31:12`, payee, amountFen: 138_800n },
    books: payerEntries,
    finds: { class: 'platform_only', accountNo: payee.accountNo, differenceFen: 138_800n },
  });
  const day = lastDay.replaceAll('-', '');
  const reference = `PO${day}X0001N01`;
  draft.ledger.push({
    accountNo: account.accountNo,
    kind: 'transfer_out',
    amountFen: -96_000n,
    reference,
    outBatchNo: `PB${day}X0001`,
    counterparty: payee.seed.name,
    bookedAt: `${lastDay} 10:02:00`,
    status: 'posted',
    memo: '分账付款',
  });
  const note = 'the company booked a transfer that was never sent';
  finds(parties, { class: 'ledger_only', reference, differenceFen: 96_000n, note });
}

function plantWrong(parties: Parties): void {
  const { lastDay, payee } = parties;
  plantTransfer(parties, {
    note: 'digits swapped by the payer: a transfer of 3,456.00 was booked as 3,546.00',
    transfer: { at: `${lastDay} 10:40:00`, payee, amountFen: 345_600n },
    books: (order, at) => [
      ...payerEntries({ ...order, amountFen: 354_600n }, at),
      ...payeeEntries(order, at),
    ],
    finds: { class: 'amount', differenceFen: 9_000n },
  });
  plantTransfer(parties, {
    note: 'the fee of 45.00 beside a transfer was not booked by the payer',
    transfer: {
      at: `${lastDay} 11:15:30`,
      payee,
      amountFen: 1_500_000n,
      feeFen: 4_500n,
      feeType: 'ACCOUNT',
    },
    books: (order, at) => [...payerEntries({ ...order, feeFen: 0n }, at), ...payeeEntries(order, at)],
    finds: { class: 'fee', differenceFen: -4_500n },
  });
}

function plantTooEarlyOrTwice(parties: Parties): void {
  const { draft, lastDay, payee } = parties;
  plantTransfer(parties, {
    note: 'a transfer that the payee booked twice',
    transfer: { at: `${lastDay} 11:48:00`, payee, amountFen: 72_000n },
    books: (order) => [
      ...orderEntries(draft, order),
      ...payeeEntries(order, later(draft, order.sentAt, 3_600)),
    ],
    finds: { class: 'duplicate', accountNo: payee.accountNo, differenceFen: -72_000n },
  });
  const failing = { state: 'FAIL', note: '收款账户状态异常' } as const;
  plantTransfer(parties, {
    note: 'booked when it was sent, and failed a minute later',
    transfer: { at: `${lastDay} 13:05:00`, payee, amountFen: 205_000n, ...failing },
    books: (order) => payerEntries(order, later(draft, order.sentAt, 20)),
    finds: { class: 'state', differenceFen: 205_000n },
  });
}

function plantOnAnotherAccount(parties: Parties): void {
  const { draft, lastDay, payee } = parties;
  const { account: other } = sceneAt(draft, 'facts');
  const note = 'a transfer that was booked as received by another account of the company';
  const { outOrderNo: reference } = plantTransfer(parties, {
    note,
    transfer: { at: `${lastDay} 14:22:10`, payee, amountFen: 410_000n },
    books: (order, at) => [...payerEntries(order, at), ...payeeEntries(order, at, other)],
    finds: { class: 'account', accountNo: payee.accountNo, differenceFen: 410_000n },
  });
  const found = { accountNo: other.accountNo, differenceFen: -410_000n, follows: 'account' };
  finds(parties, { class: 'account', reference, note, ...found });
}

/** The transfer itself was booked when it was made. */
function plantRefund(parties: Parties): void {
  const { draft, dayBefore, lastDay, payee } = parties;
  const note = 'a refund that nobody booked';
  const refunded = plantTransfer(parties, {
    note,
    transfer: { at: `${addDays(lastDay, -4)} 16:10:00`, payee, amountFen: 260_000n },
    books: (order) => orderEntries(draft, order),
    finds: { class: 'platform_only', differenceFen: 260_000n, foundBy: dayBefore },
  });
  refund(refunded, `${dayBefore} 15:10:00`);
  finds(parties, {
    note,
    class: 'platform_only',
    accountNo: payee.accountNo,
    reference: refunded.outOrderNo,
    differenceFen: -260_000n,
    foundBy: dayBefore,
    follows: 'platform_only',
  });
}
