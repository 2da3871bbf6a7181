/** The rows of an order as the collector stores them: record, numbers, batch, and the changes seen of it. */
import { sql } from 'kysely';
import type { Insertable, Transaction } from 'kysely';
import { jsonText } from '../../../src/core/json.ts';
import type { ChangeState, OrderSubject, SettlementState, Tables } from '../../../src/store/schema/schema.ts';
import { takeWriteNo } from '../../../src/store/database/writing.ts';
import { at } from '../service-time.ts';

/** When a change was seen: local times of the service. */
export interface SeenLine {
  /** Default: when the order was submitted, or when the change before it was seen. Null: nobody knows. */
  since?: string | null;
  /** The last look that still showed it under way; without it, it was never seen so. */
  lastOpenAt?: string;
  /** The first look that showed it under way; default: that last one. */
  openSince?: string;
  /** The first look that showed it; default: `since`, or the start of 2026-03-01. */
  finalAt?: string;
}

export interface SettleLine extends SeenLine {
  state: ChangeState;
}

export interface RefundLine extends SeenLine {
  /** Of this change; negative when refundAmount fell. */
  amountFen: bigint;
  state?: 'open' | 'moved' | 'failed';
}

export interface OrderLine {
  out: string;
  /** The platform's number; default `N-<out>`; empty: not stated yet. */
  orderNo?: string;
  /** Null: not stated. */
  amountFen: bigint | null;
  feeFen?: bigint | null;
  feeType?: string;
  /** Default: what feeType says; null: not stated. */
  realFen?: bigint | null;
  /** Null: nobody knows. Default 2026-03-01 09:00:00. */
  submittedAt?: string | null;
  lastOpenAt?: string;
  finalAt?: string;
}

/** When an order was submitted, unless a test says otherwise. */
export const SUBMITTED = '2026-03-01 09:00:00';
/** The platform's words. */
export const WORDS = { open: 'PROCESSING', moved: 'SUCCESS', failed: 'FAIL', returned: 'FAIL' } as const;

export function instantOf(local: string | null | undefined, byDefault: string): string | null {
  return local === null ? null : at(local ?? byDefault);
}

/** The columns that transfer orders and withdrawals share; their two numbers are remembered. */
export async function saveRecord(trx: Transaction<Tables>, line: OrderLine, accountNo: string) {
  const feeFen = line.feeFen === undefined ? 0n : line.feeFen;
  const feeType = line.feeType ?? 'ORDER';
  const orderNo = line.orderNo ?? `N-${line.out}`;
  const seenAt = at(line.finalAt ?? line.lastOpenAt ?? line.submittedAt ?? SUBMITTED);
  if (orderNo !== '') await saveAlias(trx, { order_no: orderNo, out_order_no: line.out });
  return {
    account_no: accountNo,
    out_order_no: line.out,
    order_no: orderNo,
    amount_fen: line.amountFen,
    real_fen: line.realFen === undefined ? realFen(line.amountFen, feeFen, feeType) : line.realFen,
    fee_fen: feeFen,
    fee_type: feeType,
    note: '',
    submitted_at: instantOf(line.submittedAt, SUBMITTED),
    first_seen_at: seenAt,
    seen_at: seenAt,
    answer_sha256: '',
    signed: true,
    written_no: await takeWriteNo(trx),
  };
}

function saveAlias(trx: Transaction<Tables>, alias: { order_no: string; out_order_no: string }) {
  return trx
    .insertInto('order_alias')
    .values(alias)
    .onConflict((conflict) => conflict.column('order_no').doUpdateSet(alias))
    .execute();
}

type OrderRow = Awaited<ReturnType<typeof saveRecord>>;

interface Stated extends Pick<OrderRow, 'amount_fen' | 'real_fen' | 'fee_fen' | 'fee_type'> {
  payee_account_no?: string;
}

/** A newer look takes the place of the former record, which is kept where it said something else. */
export async function supersede(
  trx: Transaction<Tables>,
  table: 'transfer_order' | 'withdrawal',
  row: OrderRow & { payee_account_no?: string },
): Promise<{ version: number }> {
  const { rows } = await sql<Stated & { version: number; content: unknown }>`
    delete from ${sql.table(table)} o
    where o.account_no = ${row.account_no} and o.out_order_no = ${row.out_order_no}
    returning o.*, to_jsonb(o) - 'written_no' as content`.execute(trx);
  const former = rows[0];
  if (former === undefined) return { version: 1 };
  const isSame = stated(former) === stated(row);
  if (isSame) return { version: former.version };
  await trx
    .insertInto('order_version')
    .values({
      account_no: row.account_no,
      kind: table === 'withdrawal' ? 'withdrawal' : 'transfer',
      out_order_no: row.out_order_no,
      version: former.version,
      content: jsonText(former.content),
      amount_fen: former.amount_fen,
      answer_sha256: '',
      seen_at: row.seen_at,
      replaced_run: 'seed',
      replaced_day: '2026-03-01',
    })
    .execute();
  return { version: former.version + 1 };
}

function stated(row: Stated): string {
  return [row.amount_fen, row.real_fen, row.fee_fen, row.fee_type, row.payee_account_no].join('|');
}

function realFen(amountFen: bigint | null, feeFen: bigint | null, feeType: string): bigint | null {
  if (amountFen === null || feeType !== 'ORDER') return amountFen;
  return feeFen === null ? null : amountFen - feeFen;
}

/** The batch as it was last stated; it agrees with its orders. */
export async function saveBatch(trx: Transaction<Tables>, row: OrderRow, outBatchNo: string): Promise<void> {
  const { orders } = await trx
    .selectFrom('transfer_order')
    .select((eb) => eb.fn.countAll<bigint>().as('orders'))
    .where('account_no', '=', row.account_no)
    .where('out_batch_no', '=', outBatchNo)
    .executeTakeFirstOrThrow();
  const seen = { seen_at: row.seen_at, written_no: row.written_no, order_count: Number(orders) };
  await trx
    .insertInto('transfer_batch')
    .values({
      account_no: row.account_no,
      out_batch_no: outBatchNo,
      batch_no: `N-${outBatchNo}`,
      state: 'SUCCESS',
      ext_param: '',
      note: '',
      first_seen_at: row.seen_at,
      answer_sha256: '',
      signed: true,
      ...seen,
    })
    .onConflict((conflict) => conflict.columns(['account_no', 'out_batch_no']).doUpdateSet(seen))
    .execute();
}

type StateRow = Insertable<Tables['order_state_seen']>;

/** One subject's changes, numbered from 1, each since the one before it. */
export function changes(
  row: Pick<OrderRow, 'account_no' | 'out_order_no' | 'submitted_at'>,
  subject: OrderSubject,
  lines: readonly (SeenLine & { state: ChangeState; amountFen?: bigint | null })[],
): StateRow[] {
  let before = row.submitted_at;
  return lines.map((line, index) => {
    const since = line.since === undefined ? before : line.since && at(line.since);
    const finalAt = line.finalAt === undefined ? (since ?? at('2026-03-01 00:00:00')) : at(line.finalAt);
    before = finalAt;
    return {
      account_no: row.account_no,
      out_order_no: row.out_order_no,
      subject,
      change_no: index + 1,
      state: line.state,
      amount_fen: subject === 'refund' ? (line.amountFen ?? 0n) : null,
      since,
      open_since: line.lastOpenAt === undefined ? null : at(line.openSince ?? line.lastOpenAt),
      last_open_at: line.lastOpenAt === undefined ? null : at(line.lastOpenAt),
      first_final_at: line.state === 'open' ? null : finalAt,
    };
  });
}

/** All changes of an order, in place of those that were there. */
export async function saveStates(
  trx: Transaction<Tables>,
  { account_no, out_order_no }: OrderRow,
  rows: readonly StateRow[],
): Promise<void> {
  const isWithdrawal = rows.some(({ subject }) => subject === 'withdrawal');
  await trx
    .deleteFrom('order_state_seen')
    .where('account_no', '=', account_no)
    .where('out_order_no', '=', out_order_no)
    .where('subject', isWithdrawal ? '=' : '<>', 'withdrawal')
    .execute();
  await trx
    .insertInto('order_state_seen')
    .values([...rows])
    .execute();
}

/** The settlement as it counts, after its last change. */
export function settlementOf(lines: readonly SettleLine[]): SettlementState {
  const last = lines.at(-1);
  if (last === undefined) return 'none';
  if (last.state === 'moved') return 'settled';
  return last.state === 'open' ? 'open' : 'failed';
}

export function sumOf(lines: readonly RefundLine[], state: 'moved' | 'open'): bigint {
  return lines
    .filter((line) => (line.state ?? 'moved') === state)
    .reduce((sum, line) => sum + line.amountFen, 0n);
}
