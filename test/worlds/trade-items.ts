/**
 * Business as it truly is, with the books an honest accountant keeps of it (docs/reconciliation.md 3.3), in the ways
 * in which accountants differ: fees apart or within, booked when sent or when done, pending first or at once.
 */
import type { BookLine } from '../helpers/company/company-files.ts';
import { emptyItem } from './item.ts';
import type { Item } from './item.ts';

export interface BookStyle {
  fees: 'apart' | 'within';
  /** When orders are booked. */
  when: 'done' | 'sent' | 'pending first';
}

export interface Charge {
  fen: bigint;
  feeFen: bigint;
  feeType: 'ORDER' | 'ACCOUNT';
}

export interface DepositFacts extends Charge {
  no: string;
  account: string;
  at: string;
  bookedAt: string;
  /** What the books name it by; empty: by who paid. */
  reference: string;
}

/** Books of one record: amount and fee apart, or as one. */
function booked(
  line: Omit<BookLine, 'fen'>,
  part: { fen: bigint; feeFen: bigint },
  fees: BookStyle['fees'],
): BookLine[] {
  if (part.feeFen === 0n || fees === 'within') return [{ ...line, fen: part.fen - part.feeFen }];
  return [
    { ...line, fen: part.fen },
    { ...line, id: `${line.id}-fee`, kind: 'fee', fen: -part.feeFen },
  ];
}

export function depositItem(facts: DepositFacts, style: BookStyle): Item {
  const { no, account, at, fen, feeFen, feeType } = facts;
  const item = emptyItem(`deposit ${no}`);
  const payerName = `payer of ${no}`;
  item.deposits.push({
    payeeAcctNo: account,
    orderNo: no,
    amountFen: fen,
    feeFen,
    feeType,
    depositTime: at,
    payerName,
  });
  item.truth.push({ account, at, fen: fen - feeFen });
  const line = { id: `e-${no}`, account, kind: 'deposit', at: facts.bookedAt, reference: facts.reference };
  // A fee can be told apart only by the number it shares with its deposit.
  const fees = facts.reference === '' ? 'within' : style.fees;
  item.entries.push(...booked({ ...line, counterparty: payerName }, { fen, feeFen }, fees));
  return item;
}

/** An order has its course; it may fail. */
export interface Course {
  sentAt: string;
  doneAt: string;
  bookedAt: string;
  fails: boolean;
}

/** Books of an order: when it is done, when it is sent, or as pending until it is done. */
function bookedOrder(
  line: Omit<BookLine, 'fen' | 'at'>,
  part: { fen: bigint; feeFen: bigint },
  of: { course: Course; style: BookStyle },
): BookLine[] {
  const { course, style } = of;
  const whenDone = booked({ ...line, at: course.bookedAt }, part, style.fees);
  if (course.fails || style.when === 'done') return course.fails ? [] : whenDone;
  const whenSent = booked({ ...line, at: course.sentAt }, part, style.fees);
  if (style.when === 'sent') return whenSent;
  return [...whenSent.map((entry) => ({ ...entry, status: 'pending' as const })), ...whenDone];
}

export interface WithdrawalFacts extends Charge, Course {
  no: string;
  account: string;
}

export function withdrawalItem(facts: WithdrawalFacts, style: BookStyle): Item {
  const { no, account, fen, feeFen, feeType, sentAt, doneAt, fails } = facts;
  const item = emptyItem(`withdrawal ${no}`);
  const state = fails ? 'FAIL' : 'SUCCESS';
  item.withdrawals.push({
    outOrderNo: no,
    acctNo: account,
    amountFen: fen,
    feeFen,
    feeType,
    submittedAt: sentAt,
    finalAt: doneAt,
    state,
  });
  item.orders.push({ kind: 'withdrawal', outOrderNo: no, payer: account, fen, submittedAt: sentAt });
  const besideFen = feeType === 'ACCOUNT' ? feeFen : 0n;
  if (!fails) item.truth.push({ account, at: doneAt, fen: -fen - besideFen, notBefore: sentAt });
  const line = { id: `e-${no}`, account, kind: 'withdrawal', reference: no };
  item.entries.push(...bookedOrder(line, { fen: -fen, feeFen: besideFen }, { course: facts, style }));
  return item;
}

export interface TransferFacts extends Charge, Course {
  no: string;
  payer: string;
  payee: string;
  /** Whether the payee is an account of the company, whose side is booked too. */
  isPayeeOurs: boolean;
  /** Seconds after which what arrived goes on to the bank; undefined: it stays. */
  settlesAfter: number | undefined;
  settledAt: string;
  settledBookedAt: string;
}

export function transferItem(facts: TransferFacts, style: BookStyle): Item {
  const { no, payer, payee, fen, feeFen, feeType, sentAt, doneAt, fails, settlesAfter } = facts;
  const item = emptyItem(`transfer ${no}`);
  const settle = settlesAfter === undefined ? null : { delayMs: settlesAfter * 1_000 };
  const order = { outOrderNo: no, payeeAcctNo: payee, amountFen: fen, feeFen, feeType, finalAt: doneAt };
  const outBatchNo = `B-${no}`;
  item.transfers.push({
    outBatchNo,
    payerAcctNo: payer,
    submittedAt: sentAt,
    orders: [{ ...order, state: fails ? 'FAIL' : 'SUCCESS', settle }],
  });
  const registered = { outBatchNo, outOrderNo: no, payer, payee, fen, submittedAt: sentAt };
  item.orders.push({ kind: 'transfer', ...registered });
  const [besideFen, withinFen] = feeType === 'ACCOUNT' ? [feeFen, 0n] : [0n, feeFen];
  const arrivesFen = fen - withinFen;
  if (!fails) item.truth.push({ account: payer, at: doneAt, fen: -fen - besideFen, notBefore: sentAt });
  const given = { course: facts, style };
  const out = { id: `o-${no}`, account: payer, kind: 'transfer_out', reference: no, outBatchNo };
  item.entries.push(...bookedOrder(out, { fen: -fen, feeFen: besideFen }, given));
  if (!facts.isPayeeOurs) return item;
  if (!fails) item.truth.push({ account: payee, at: doneAt, fen: arrivesFen, notBefore: sentAt });
  const into = { id: `i-${no}`, account: payee, kind: 'transfer_in', reference: no, outBatchNo };
  item.entries.push(...bookedOrder(into, { fen, feeFen: withinFen }, given));
  if (fails || settlesAfter === undefined) return item;
  item.truth.push({ account: payee, at: facts.settledAt, fen: -arrivesFen, notBefore: sentAt });
  item.entries.push({
    id: `s-${no}`,
    account: payee,
    kind: 'settlement',
    reference: no,
    outBatchNo,
    fen: -arrivesFen,
    at: facts.settledBookedAt,
  });
  return item;
}

/** Gives a part of a transfer back. */
export function refunded(
  item: Item,
  facts: TransferFacts,
  refund: { fen: bigint; at: string; bookedAt: string },
): Item {
  const { fen, at, bookedAt } = refund;
  const [batch] = item.transfers;
  if (batch === undefined) throw new Error('only a transfer can be refunded');
  const reference = { reference: facts.no, outBatchNo: `B-${facts.no}`, at: bookedAt };
  const sides = [
    { account: facts.payer, kind: 'refund_in', fen },
    ...(facts.isPayeeOurs ? [{ account: facts.payee, kind: 'refund_out', fen: -fen }] : []),
  ];
  return {
    ...item,
    name: `${item.name} with a refund`,
    transfers: [{ ...batch, refunds: [{ outOrderNo: facts.no, amountFen: fen, at }] }],
    truth: [
      ...item.truth,
      ...sides.map((side) => ({ account: side.account, at, fen: side.fen, notBefore: at })),
    ],
    entries: [
      ...item.entries,
      ...sides.map((side) => ({ id: `${side.kind}-${facts.no}`, ...side, ...reference })),
    ],
  };
}
