/** What an answer says of a batch itself: which it is, its label, its numbers, and whether it contradicts its orders or the registry. */
import { unitText } from '../store/orders/order-claims.ts';
import { contradictionOf, isKnownLabel } from './order-batch-check.ts';
import { unknownWord } from './order-changes-faults.ts';
import type { LookTime, TransferRow } from './order-observations.ts';
import type { OrderAnswer } from './orders-answers.ts';
import { differs } from './pending-writes.ts';
import type { PendingWrites } from './pending-writes.ts';
import { keyText } from './read-known-orders.ts';
import type { BatchRow, OrderKey, Registration } from './read-known-orders.ts';
import { knownBeside, namesOf, platformNumber, statedNumber } from './other-looks.ts';
import type { KnownOrders } from './known-orders.ts';
import type { OrderFaultClass } from '../store/schema/schema-orders.ts';

export type BatchAnswer = Extract<OrderAnswer, { kind: 'batch' }>;

/** One answer with everything it is to be held against. */
export interface BatchJudging {
  answer: BatchAnswer;
  stock: KnownOrders;
  drafts: PendingWrites;
  key: OrderKey;
  time: LookTime;
  registered: readonly Registration[];
  known: BatchRow | undefined;
}

/** All that it may be known by. */
export function allNamesOf(
  answer: BatchAnswer,
  stock: KnownOrders,
  registered: readonly Registration[],
): string[] {
  // What the platform calls it goes before what was registered.
  const beside = platformNumber(answer, stock.dues) === '' ? knownBeside(registered, stock.ownBatchNos) : [];
  return [...new Set([...namesOf(answer, stock), ...beside.map(({ outNo }) => outNo)])];
}

/**
 * A batch has one name, however many of its answers state another: that by which orders are known that the answer lists by
 * both of their numbers; else what the company calls it; where the answer does not say so, what it is known by, else the
 * platform's number has to do, and does from then on.
 */
export function nameOf(answer: BatchAnswer, stock: KnownOrders, names: readonly string[]): string {
  const listed = new Map(answer.batch.orders.map(({ orderNo, outOrderNo }) => [orderNo, outOrderNo]));
  const isListed = ({ order_no: orderNo, out_order_no: outOrderNo }: TransferRow): boolean =>
    orderNo !== '' && listed.get(orderNo) === outOrderNo;
  const stated = statedNumber(answer);
  const platformNo = platformNumber(answer, stock.dues);
  const known = stock.ownBatchNos.get(platformNo)?.outNo ?? '';
  const isKnown = known !== '' && (stated === '' || known === platformNo);
  return (
    names.find((name) => stock.transfersOf(name).some(isListed)) ??
    (isKnown ? known : stated || platformNo || answer.unit.number)
  );
}

/** Whose batch it may be: what the orders say goes before what was registered. */
export function accountsOf(
  { unit, batch }: BatchAnswer,
  stock: KnownOrders,
  registered: readonly Registration[],
): string[] {
  const due = stock.dues.get(unitText(unit))?.account_no ?? '';
  const stated = batch.orders.map(({ payerAccountNo }) => payerAccountNo);
  const named = registered.map(({ payerAccountNo }) => payerAccountNo);
  return [...new Set([...stated, due, ...named])].filter((accountNo) => accountNo !== '');
}

/** Label, number of orders and registry against the orders. @returns what contradicts, and whether the batch changed */
export function judgeLabel(
  judging: BatchJudging,
  listed: readonly TransferRow[],
): { contradiction: string; news: boolean } {
  const { answer, stock, drafts, key, time, known } = judging;
  const isOlder = known !== undefined && time.sentAt < known.seen_at;
  // An older look changes nothing; the platform's number is a name, and what was registered under it counts from now on.
  if (isOlder && (known.batch_no !== '' || platformNumber(answer, stock.dues) === '')) {
    return { contradiction: known.contradiction, news: false };
  }
  const row = isOlder ? numbered(judging, known) : shownBatch(judging, listed);
  const news = known === undefined || differs(known, row);
  if (news) {
    drafts.batches.set(keyText(key), row);
    stock.batches.set(keyText(key), row);
  }
  if (!isOlder) {
    const unknown = new Map<OrderFaultClass, string>();
    if (!isKnownLabel(row.state)) unknown.set('unknown_state', `batch: ${unknownWord('state', row.state)}`);
    const own = { ...key, subject: 'batch' as const };
    drafts.faults(own, stock.faultsOf(own), unknown);
  }
  return { contradiction: row.contradiction, news };
}

/** The batch as it is known, by the number that the answer has it by. */
function numbered(judging: BatchJudging, known: BatchRow): BatchRow {
  const orders = judging.stock.transfersOf(judging.key.outNo);
  const payers = orders.map(({ account_no: payer }) => payer);
  const contradicts = contradictionNow(judging, { state: known.state, orders, payers });
  return { ...known, batch_no: platformNumber(judging.answer, judging.stock.dues), ...contradicts };
}

/** The batch as the answer shows it. */
function shownBatch(judging: BatchJudging, listed: readonly TransferRow[]): BatchRow {
  const { answer, stock, key, time, known } = judging;
  const { batch, evidence } = answer;
  const payers = batch.orders.map(({ payerAccountNo }) => payerAccountNo).filter((payer) => payer !== '');
  return {
    account_no: key.accountNo,
    out_batch_no: key.outNo,
    batch_no: platformNumber(answer, stock.dues) || (known?.batch_no ?? ''),
    state: batch.state,
    order_count: batch.orders.length,
    ext_param: batch.extParam,
    note: batch.note,
    first_seen_at: known?.first_seen_at ?? time.seenAt,
    seen_at: time.answeredAt,
    ...contradictionNow(judging, { state: batch.state, orders: listed, payers }),
    answer_sha256: evidence.sha256,
    signed: evidence.signed,
    written_no: 0n,
  };
}

function contradictionNow(
  { registered, known, time }: BatchJudging,
  seen: Omit<Parameters<typeof contradictionOf>[0], 'registered'>,
): Pick<BatchRow, 'contradiction' | 'contradiction_day'> {
  const own = registered.map((line) => ({ ...line, isRefused: line.outcome === 'refused' }));
  const contradiction = contradictionOf({ ...seen, registered: own });
  const day = known?.contradiction ? known.contradiction_day : time.day;
  return { contradiction, contradiction_day: contradiction === '' ? '' : day };
}
