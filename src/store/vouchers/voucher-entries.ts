/**
 * What a bundle is made of: the orders of an account and a month, those that it was paid by other accounts too, each
 * with its files or with the reason why there is none; and a digest of it, by which a change is known.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import { jsonText } from '../../core/json.ts';
import type { Instant } from '../../core/time.ts';
import type { DbOrTransaction, VoucherCondition, VoucherDueState, VoucherKind } from '../schema/schema.ts';
import type { BundleKey } from './voucher-marks.ts';

export interface BundledFile {
  fileNo: number;
  sha256: string;
  bytes: bigint;
  pages: number | null;
  condition: VoucherCondition;
  remark: string;
}

export interface BundledOrder {
  /** Whose the order is; not the bundle's account where the bundle is the payee's. */
  orderAccountNo: string;
  kind: VoucherKind;
  number: string;
  orderNo: string;
  /** Seen from the bundle's account. */
  counterparty: string;
  /** What the company's list calls an account of its own; empty for anybody else. */
  counterpartyName: string;
  movedAt: Instant;
  amountFen: Fen | null;
  state: VoucherDueState;
  reason: string;
  /** What came of one that is filed or was given up: originals in the archive, and what was rejected. */
  files: BundledFile[];
}

/** What happens at one moment: money arrives, is passed on, is paid out. */
const IN_BUNDLE: readonly VoucherKind[] = ['deposit', 'transfer', 'settlement', 'withdrawal'];

/** In the order of the bundle: by time, then by what makes it unique. */
export async function listBundledOrders(
  db: DbOrTransaction,
  { accountNo, month }: BundleKey,
  kinds: readonly VoucherKind[],
): Promise<BundledOrder[]> {
  const { rows } = await sql<Omit<BundledOrder, 'files'>>`
    select d.account_no as "orderAccountNo", d.kind, d.number, d.order_no as "orderNo", other.no as counterparty,
      coalesce(a.name, '') as "counterpartyName", d.moved_at as "movedAt", d.amount_fen as "amountFen", d.state, d.reason
    from voucher_due d
    cross join lateral (
      select case when d.account_no = ${accountNo} then d.counterparty else d.account_no end as no) other
    left join account a on d.kind = 'transfer' and a.account_no = other.no
    where d.month = ${month} and (d.account_no = ${accountNo} or d.other_account_no = ${accountNo})
      and (d.state = 'filed' or d.kind = any(${kinds}::text[]))
    order by d.moved_at, array_position(${IN_BUNDLE}::text[], d.kind), d.account_no, d.number`.execute(db);
  const files = await listFiles(db, { accountNo, month });
  return rows.map((row) => ({ ...row, files: files.get(keyText(row)) ?? [] }));
}

async function listFiles(
  db: DbOrTransaction,
  { accountNo, month }: BundleKey,
): Promise<Map<string, BundledFile[]>> {
  const { rows } = await sql<BundledFile & Pick<BundledOrder, 'orderAccountNo' | 'kind' | 'number'>>`
    select v.account_no as "orderAccountNo", v.kind, v.number, v.file_no as "fileNo", v.sha256, v.bytes, v.pages,
      v.condition, v.remark
    from voucher_due d
    join voucher v on v.account_no = d.account_no and v.kind = d.kind and v.number = d.number
    where d.month = ${month} and (d.account_no = ${accountNo} or d.other_account_no = ${accountNo})
      and d.state in ('filed', 'given_up')
    order by v.account_no, v.kind, v.number, v.file_no`.execute(db);
  const files = new Map<string, BundledFile[]>();
  for (const { orderAccountNo, kind, number, ...file } of rows) {
    const key = keyText({ orderAccountNo, kind, number });
    const known = files.get(key);
    if (known === undefined) files.set(key, [file]);
    else known.push(file);
  }
  return files;
}

function keyText(key: Pick<BundledOrder, 'orderAccountNo' | 'kind' | 'number'>): string {
  return JSON.stringify([key.orderAccountNo, key.kind, key.number]);
}

/** The digests of all originals of a month, each once. */
export async function listOriginalsOf(db: DbOrTransaction, month: string): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    select distinct v.sha256 from voucher_due d
    join voucher v on v.account_no = d.account_no and v.kind = d.kind and v.number = d.number
    where d.month = ${month} and d.state = 'filed' and v.condition <> 'rejected'
    order by v.sha256`.execute(db);
  return rows.map(({ sha256 }) => sha256);
}

/** As the company calls it; empty for one that is not on its list. */
export async function nameOfAccount(db: DbOrTransaction, accountNo: string): Promise<string> {
  const row = await db
    .selectFrom('account')
    .select('name')
    .where('account_no', '=', accountNo)
    .executeTakeFirst();
  return row?.name ?? '';
}

/** Of everything that makes a bundle another one; an order that is still waited for is the same whatever the reason. */
export function contentDigest(orders: readonly BundledOrder[]): string {
  const hash = createHash('sha256');
  for (const order of orders) {
    const { orderAccountNo, kind, number, orderNo, counterparty, movedAt, amountFen } = order;
    const state = order.state === 'due' ? '' : `${order.state} ${order.reason}`;
    const files = order.files.map(({ fileNo, sha256, condition }) => [fileNo, sha256, condition]);
    hash.update(
      `${jsonText([orderAccountNo, kind, number, orderNo, counterparty, movedAt, amountFen, state, files])}\n`,
    );
  }
  return hash.digest('hex');
}

/** Every bundle there is or should be in these months, newest month first, whether it changed or not. */
export async function listBundleKeys(
  db: DbOrTransaction,
  months: { from: string; to: string },
): Promise<BundleKey[]> {
  const { rows } = await sql<BundleKey>`
    select d.account_no as "accountNo", d.month from voucher_due d
    where d.month between ${months.from} and ${months.to}
    union
    select d.other_account_no, d.month from voucher_due d
    where d.other_account_no <> '' and d.month between ${months.from} and ${months.to}
    order by month desc, "accountNo"`.execute(db);
  return rows;
}
