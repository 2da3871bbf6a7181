/** What looks change in the books in memory: by the code that judges answers, with maps in the place of its tables. */
import type { Day, Instant } from '../../../src/core/time.ts';
import { judgeBatch } from '../../../src/orders/apply-batch-answer.ts';
import type { JudgedOrder } from '../../../src/orders/apply-batch-answer.ts';
import type { BatchAnswer } from '../../../src/orders/apply-batch-label.ts';
import { KnownOrders } from '../../../src/orders/known-orders.ts';
import type { ChangeRow, Known, TransferRow } from '../../../src/orders/order-observations.ts';
import { FirstShown, unitsOf } from '../../../src/orders/other-looks.ts';
import { PendingWrites } from '../../../src/orders/pending-writes.ts';
import type { FaultDraft } from '../../../src/orders/pending-writes.ts';
import { faultText } from '../../../src/orders/read-known-orders.ts';
import type { DueRow } from '../../../src/orders/read-known-orders.ts';
import { unitText } from '../../../src/store/orders/order-claims.ts';
import type { UnitKey } from '../../../src/store/orders/order-due.ts';

type KnownOrder = Known<TransferRow>;

/** What looks are held against, and what they change. */
export interface Looked {
  orders: Map<string, KnownOrder>;
  /** The platform's numbers of batches, by the company's. */
  batchNos: Map<string, string>;
  /** The last look at each batch that was kept, by the company's number. */
  askedAt: Map<string, Instant>;
}

export function outNoOf({ batchNos }: Looked, { numberKind, number }: UnitKey): string {
  if (numberKind === 'out') return number;
  return [...batchNos].find(([, batchNo]) => batchNo === number)?.[0] ?? number;
}

/** @returns what it lists; undefined where it could not be kept */
export function keepBatch(looked: Looked, answer: BatchAnswer, day: Day): readonly JudgedOrder[] | undefined {
  const drafts = new PendingWrites();
  const judged = judgeBatch({ day }, answer, { stock: stockOf(looked, answer), drafts });
  if (judged === undefined) return undefined;
  keepDrafts(looked, drafts, day);
  const outNo = outNoOf(looked, answer.unit);
  const before = looked.askedAt.get(outNo) ?? '';
  const { askedAt } = answer.moments;
  looked.askedAt.set(outNo, askedAt > before ? askedAt : before);
  return judged.listed;
}

function stockOf(looked: Looked, answer: BatchAnswer): KnownOrders {
  const known = [...looked.orders.entries()];
  const accountOf = (outNo: string): string =>
    known.find(([, { row }]) => row.out_batch_no === outNo)?.[1].row.account_no ?? '';
  const outNo = outNoOf(looked, answer.unit);
  const dues = new Map([
    [unitText(answer.unit), dueOf(answer.unit, looked.askedAt.get(outNo), accountOf(outNo))],
  ]);
  const listed = new Map(unitsOf(answer).map(({ number }) => [number, [answer.unit]]));
  const own = [...looked.batchNos].filter(([, batchNo]) => batchNo !== '');
  const of = {
    dues,
    batches: new Map(),
    registered: [],
    ownBatchNos: new Map(own.map(([no, batchNo]) => [batchNo, { accountNo: accountOf(no), outNo: no }])),
    aliases: new Map(),
    misspelt: new Map(),
    firstShown: new FirstShown([answer], { listed, dues }),
  };
  const particulars = {
    changes: new Map(known.map(([key, { changes }]) => [key, changes])),
    faults: new Map(known.map(([, { row, faults }]) => [faultTextOf(row), faults])),
  };
  return new KnownOrders(of, { transfers: known.map(([, { row }]) => row), withdrawals: [] }, particulars);
}

function faultTextOf({ account_no: accountNo, out_order_no: outNo }: TransferRow): string {
  return faultText({ subject: 'transfer', accountNo, outNo });
}

function dueOf(
  { kind, numberKind, number }: UnitKey,
  askedAt: Instant | undefined,
  account_no: string,
): DueRow {
  return {
    kind,
    number_kind: numberKind,
    number,
    account_no,
    origin: 'registry',
    submitted_at: null,
    first_submitted_at: null,
    state: askedAt === undefined ? 'new' : 'open',
    final_day: null,
    next_day: '',
    asked_at: askedAt ?? null,
    asked_run: '',
    failure: '',
    not_found_since: null,
    refused_since: null,
    given_up_day: null,
    claim_by: null,
    claim_fence: 0n,
    claim_until: null,
    may_have_shown_at: null,
    batch_no: '',
  };
}

/** In the order in which they are written to a database. */
function keepDrafts({ orders, batchNos }: Looked, drafts: PendingWrites, day: Day): void {
  for (const { accountNo, outNo } of drafts.dropped.values()) orders.delete(`${accountNo}\t${outNo}`);
  for (const [key, { row }] of drafts.transfers) {
    const { changes = [], faults = new Map() } = orders.get(key) ?? {};
    orders.set(key, { row, changes, faults, observedAt: row.seen_at });
  }
  for (const { out_batch_no: outNo, batch_no: batchNo } of drafts.batches.values()) {
    if (batchNo !== '') batchNos.set(outNo, batchNo);
  }
  for (const [key, { settle_shown_at, unfailed_shown_at, refund_shown_at }] of drafts.shown) {
    const known = orders.get(key);
    const shown = { settle_shown_at, unfailed_shown_at, refund_shown_at };
    if (known !== undefined) orders.set(key, { ...known, row: { ...known.row, ...shown } });
  }
  for (const change of drafts.changes.values()) keepChange(orders, change);
  for (const fault of drafts.faultDrafts()) keepFault(orders, fault, day);
}

function keepChange(orders: Looked['orders'], change: ChangeRow): void {
  const key = `${change.account_no}\t${change.out_order_no}`;
  const known = orders.get(key);
  if (known === undefined) return;
  const others = known.changes.filter(
    ({ subject, change_no: no }) => subject !== change.subject || no !== change.change_no,
  );
  const changes = [...others, change].toSorted((one, other) => one.change_no - other.change_no);
  orders.set(key, { ...known, changes });
}

function keepFault(
  orders: Looked['orders'],
  { subject, accountNo, outNo, class: kind, note }: FaultDraft,
  day: Day,
): void {
  const key = `${accountNo}\t${outNo}`;
  const known = orders.get(key);
  if (known === undefined || subject !== 'transfer') return;
  const faults = new Map(known.faults);
  if (note === undefined) faults.delete(kind);
  else faults.set(kind, { note, firstDay: faults.get(kind)?.firstDay ?? day });
  orders.set(key, { ...known, faults });
}
