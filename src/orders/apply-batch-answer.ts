/**
 * What an answer about a transfer batch means for its orders: each goes through the state machine; those the
 * answer lists no more are kept and said (P4), those that cannot be told apart are kept open under a stand-in.
 */
import { unitText } from '../store/orders/order-claims.ts';
import { accountsOf, allNamesOf, judgeLabel, nameOf } from './apply-batch-label.ts';
import type { BatchAnswer, BatchJudging } from './apply-batch-label.ts';
import { observeTransfer } from './order-changes.ts';
import { asLeft, shownWord, vanished } from './order-changes-faults.ts';
import { unclear } from './order-changes-shown.ts';
import { batchSeen } from './order-due-next.ts';
import type { UnitSeen } from './order-due-next.ts';
import type {
  Known,
  LookTime,
  ObservedTransfer,
  TransferObservation,
  TransferRow,
} from './order-observations.ts';
import type { ListedOrder, LookMoments, OrderSave } from './orders-answers.ts';
import type { PendingWrites } from './pending-writes.ts';
import { keyText, notFoundAt } from './read-known-orders.ts';
import type { OrderKey } from './read-known-orders.ts';
import { namesOf, platformNumber } from './other-looks.ts';
import type { KnownOrders } from './known-orders.ts';

export interface Judged {
  accountNo: string;
  seen: UnitSeen;
  listed: readonly JudgedOrder[];
  changed: number;
}

interface Judging extends BatchJudging {
  /** What the batch may be known by, the name that it is kept by among them. */
  names: readonly string[];
}

/** @returns undefined when nobody says whose batch it is: then nothing of it can be kept */
export function judgeBatch(
  request: Pick<OrderSave, 'day'>,
  answer: BatchAnswer,
  into: { stock: KnownOrders; drafts: PendingWrites },
): Judged | undefined {
  const judging = judgingOf(request, answer, into);
  if (judging === undefined) return undefined;
  const { drafts, key } = judging;
  const listed = judgeListed(judging);
  const numbers = new Set(listed.map(({ row }) => row.out_order_no));
  const missing = judgeMissing(judging, numbers);
  dropBeside(judging, new Set(listed.map(({ row }) => row.order_no)));
  keepUnlisted(judging, numbers);
  const { contradiction, news } = judgeLabel(
    judging,
    listed.map(({ row }) => row),
  );
  const changed = listed.filter((order) => order.news).length;
  const [{ unit }, batchNo] = [answer, platformNumber(answer, judging.stock.dues)];
  if (unit.numberKind === 'out' && unit.number !== key.outNo && batchNo !== '') {
    drafts.batchNos.set(unitText(unit), { unit, batchNo });
  }
  if (news || changed > 0) {
    drafts.evidence.set(answer.evidence.sha256, { ...answer.evidence, accountNo: key.accountNo });
  }
  return {
    accountNo: key.accountNo,
    seen: batchSeen(answer.batch, { listed, missing, contradiction }),
    listed,
    changed,
  };
}

/** Of an answer that counts for nothing else: it may have shown anything of each order. */
export function keepShown(
  request: Pick<OrderSave, 'day'>,
  answer: BatchAnswer,
  into: { stock: KnownOrders; drafts: PendingWrites },
): void {
  const judging = judgingOf(request, answer, into);
  if (judging !== undefined) keepUnlisted(judging, new Set());
}

/**
 * Of known orders of its batch, by whichever name, that it does not list there, and of those that it lists as another batch's: a
 * record that names them otherwise, or not at all, may be theirs.
 */
function keepUnlisted(judging: Judging, listed: ReadonlySet<string>): void {
  const { answer, stock, drafts, key, time, names } = judging;
  const ofBatch = names.flatMap((name) => stock.transfersOf(name));
  for (const before of new Set([...ofBatch, ...stock.transfersListed(answer, key.accountNo)])) {
    const isListed = before.out_batch_no === key.outNo && listed.has(before.out_order_no);
    if (!isListed) keepUnclear({ stock, drafts }, before, time);
  }
}

/** Of a look that may have shown anything of a known order. */
export function keepUnclear(
  { stock, drafts }: { stock: KnownOrders; drafts: PendingWrites },
  before: TransferRow,
  look: LookMoments,
): void {
  const row = unclear(before, look);
  drafts.showing(before, row);
  stock.showTransfer(row);
}

function judgingOf(
  request: Pick<OrderSave, 'day'>,
  answer: BatchAnswer,
  { stock, drafts }: { stock: KnownOrders; drafts: PendingWrites },
): Judging | undefined {
  const registeredAs = (batchNo: string) =>
    stock.registeredOf(namesOf(answer, stock), platformNumber(answer, stock.dues) || batchNo);
  const named = allNamesOf(answer, stock, registeredAs(''));
  const outNo = nameOf(answer, stock, named);
  const names = [...new Set([outNo, ...named])];
  const accounts = accountsOf(answer, stock, registeredAs(''));
  const [first] = accounts;
  if (first === undefined) return undefined;
  const knownAs = accounts.find((accountNo) => stock.batches.has(keyText({ accountNo, outNo })));
  const key = { accountNo: knownAs ?? first, outNo };
  const known = stock.batches.get(keyText(key));
  const registered = registeredAs(known?.batch_no ?? '');
  const time = { ...answer.moments, day: request.day };
  return { answer, stock, drafts, key, time, registered, known, names };
}

/** An order as an answer lists it. */
export interface JudgedOrder {
  order: ListedOrder;
  isOnce: boolean;
  row: TransferRow;
  observed: ObservedTransfer;
  before: Known<TransferRow> | undefined;
  news: boolean;
  waits: boolean;
}

function judgeListed(judging: Judging): JudgedOrder[] {
  const { answer, stock, drafts } = judging;
  const places = new Map<string, number[]>();
  const looks = answer.batch.orders.map((order, at) => lookOf(judging, order, at + 1));
  const numbers = Map.groupBy(looks.keys(), (at) => answer.batch.orders[at]?.orderNo ?? '');
  numbers.delete('');
  looks.forEach(({ look }, at) => places.set(look.outOrderNo, [...(places.get(look.outOrderNo) ?? []), at]));
  return [...places.values()].flatMap(([first = 0, ...others]) => {
    const [found, order] = [looks[first], answer.batch.orders[first]];
    if (found === undefined || order === undefined) return [];
    const own = [found.look.orderNo, found.known?.row.order_no ?? ''];
    const shared = own.find((no) => numbers.get(no)?.some((at) => at !== first && !others.includes(at)));
    const records: [ListedOrder, ...ListedOrder[]] = [
      order,
      ...others.flatMap((at) => answer.batch.orders[at] ?? []),
    ];
    const look = { ...found.look, ...listedBeside(found.look, records, shared) };
    const counted = observeTransfer(found.known, look);
    const isFirst = found.known !== undefined || stock.firstShown.isFirst(answer);
    const observed = isFirst ? counted : { ...counted, row: unclear(counted.row, look, null) };
    const news = drafts.transfer(found.known, observed);
    stock.keepTransfer(asLeft(found.known, observed, look), found.known?.row);
    const waits = look.refundWaits && observed.row.effective_state === 'moved';
    return [
      { order, isOnce: others.length === 0, row: observed.row, observed, before: found.known, news, waits },
    ];
  });
}

/**
 * What else a record is said of that other ones of its answer stand for too. Such a one that differs may be the right one;
 * the same content twice is one fact (P2).
 * @param shared its number of the platform, where a record of another order states it
 */
function listedBeside(
  { remarks }: Pick<ListedOrder, 'remarks'>,
  records: readonly [ListedOrder, ...ListedOrder[]],
  shared: string | undefined,
): Pick<TransferObservation, 'remarks' | 'beside'> {
  const beside =
    shared === undefined ? [] : [`another record of the answer states its orderNo ${shownWord(shared)}`];
  const [first, ...others] = records;
  if (others.length === 0) return { remarks, beside };
  const times = `it is listed ${records.length} times in one answer`;
  return others.every((other) => isAlike(first, other))
    ? { remarks: [...remarks, `${times}, alike each time`], beside }
    : { remarks, beside: [`${times}; nothing of it counts`, ...beside] };
}

function isAlike(one: ListedOrder, other: ListedOrder): boolean {
  return (Object.keys(one) as (keyof ListedOrder)[]).every(
    (name) => String(one[name]) === String(other[name]),
  );
}

/** The look at one listed order, and what is known of it under the number and account it goes by. */
function lookOf(
  judging: Judging,
  order: ListedOrder,
  place: number,
): { look: Omit<TransferObservation, 'beside'> & LookTime; known: Known<TransferRow> | undefined } {
  const { answer, key, time, stock } = judging;
  const { payerAccountNo, ...stated } = order;
  const unreadable = [...order.unreadable];
  if (payerAccountNo === '') unreadable.push('payerAcctNo is not stated');
  if (order.outOrderNo === '') unreadable.push('outOrderNo is not stated');
  const accountNo = payerAccountNo || key.accountNo;
  let outOrderNo = order.outOrderNo || standInFor(judging, order, place);
  let known = knownOf(judging, { accountNo, outNo: outOrderNo });
  if (known !== undefined && known.row.out_batch_no !== key.outNo) {
    unreadable.push(`${outOrderNo} is an order of batch ${known.row.out_batch_no} already`);
    outOrderNo = placeName(key.outNo, place);
    known = knownOf(judging, { accountNo, outNo: outOrderNo });
  }
  const own = judging.registered.find((row) =>
    row.outOrderNo === ''
      ? row.orderNo !== '' && row.orderNo === order.orderNo
      : row.outOrderNo === outOrderNo,
  );
  const due = stock.dues.get(unitText(answer.unit));
  const look = {
    ...stated,
    ...time,
    accountNo,
    outOrderNo,
    statedNo: order.outOrderNo === outOrderNo ? '' : order.outOrderNo,
    outBatchNo: key.outNo,
    unreadable,
    submittedAt: own?.submittedAt ?? due?.submitted_at ?? null,
    notFoundAt: notFoundAt(due, answer),
    answerSha256: answer.evidence.sha256,
    signed: answer.evidence.signed,
  };
  return { look, known };
}

/** What an order without a number goes by: as it is known by its platform number, by that number, or by its place. */
function standInFor({ key, stock }: Judging, { orderNo }: ListedOrder, place: number): string {
  const isSame = (row: TransferRow): boolean => row.order_no !== '' && row.order_no === orderNo;
  return stock.transfersOf(key.outNo).find(isSame)?.out_order_no ?? (orderNo || placeName(key.outNo, place));
}

function placeName(outBatchNo: string, place: number): string {
  return `${outBatchNo}#${place}`;
}

/** Under this account, or in this batch under another that was its payer before. */
function knownOf({ answer, key, stock }: Judging, order: OrderKey): Known<TransferRow> | undefined {
  const askedAt = stock.dues.get(unitText(answer.unit))?.asked_at ?? null;
  const former = stock.transfersOf(key.outNo).find((row) => row.out_order_no === order.outNo);
  return (
    stock.transfer(order, askedAt) ??
    (former && stock.transfer({ accountNo: former.account_no, outNo: order.outNo }, askedAt))
  );
}

/** Known orders that the answer does not list. @returns those that are kept */
function judgeMissing(judging: Judging, listed: ReadonlySet<string>): TransferRow[] {
  const { stock, drafts, key, time } = judging;
  return stock.transfersOf(key.outNo).filter((row) => {
    if (listed.has(row.out_order_no)) return false;
    // It stood for a record without a number; the answer names it otherwise now.
    if (dropStandIn(judging, row)) return false;
    const own = { subject: 'transfer' as const, accountNo: row.account_no, outNo: row.out_order_no };
    const open = stock.faultsOf(own);
    if (time.sentAt >= row.seen_at)
      drafts.faults(own, open, vanished(open, 'its batch does not list it any more'));
    return true;
  });
}

/** What stands by another name of the batch for records that the answer lists, as their numbers of the platform say. */
function dropBeside(judging: Judging, listed: ReadonlySet<string>): void {
  const { stock, key, names } = judging;
  const beside = names.filter((name) => name !== key.outNo).flatMap((name) => stock.transfersOf(name));
  for (const row of beside) if (row.order_no !== '' && listed.has(row.order_no)) dropStandIn(judging, row);
}

/** @returns whether it is one */
function dropStandIn({ stock, drafts }: Judging, row: TransferRow): boolean {
  const own = { subject: 'transfer' as const, accountNo: row.account_no, outNo: row.out_order_no };
  const open = stock.faultsOf(own);
  // Of an answer of the same night it may stand in memory alone.
  if (!isStandIn(row) || (drafts.faultsNow(own) ?? open)?.has('bad_record') !== true) return false;
  drafts.drop('transfer', own, open);
  stock.dropTransfer(row);
  return true;
}

function isStandIn(row: TransferRow): boolean {
  const { out_order_no: own, order_no: platform, out_batch_no: batch } = row;
  if (row.effective_state !== 'open') return false;
  return (platform !== '' && own === platform) || (own.startsWith(`${batch}#`) && /#\d+$/.test(own));
}
