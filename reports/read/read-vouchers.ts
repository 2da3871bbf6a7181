/** The voucher of every order of the period, file by file, as the run knew the archive. */
import { sql } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Day, Instant, Zone } from '../../src/core/time.ts';
import type { Window } from '../../src/core/window.ts';
import type { Db, VoucherCondition, VoucherKind } from '../../src/store/schema/schema.ts';
import type { RunHead } from './read-run.ts';
import { dropStage, indexStage, layAside, staging } from './stage.ts';
import type { Stage } from './stage.ts';
import { voucherFactsOf } from './voucher-facts.ts';
import type { VoucherFacts } from './voucher-facts.ts';
import {
  DUE,
  FILES,
  ORDERS_WITH_VOUCHERS,
  dueOrders,
  filesOfOrders,
  statesOfOrders,
} from './voucher-orders.ts';
import type { VoucherState } from '../words/voucher-words.ts';

/** A file of an order, or an order without one; what is said of the order stands on its first row. */
export interface VoucherRow {
  n: bigint;
  account_index: number;
  /** The account among the run's: whose the order is, else its other party. */
  account_no: string;
  kind: VoucherKind;
  /** The company's number, and the platform's. */
  out_order_no: string;
  order_no: string;
  moved_at: Instant;
  counterparty: string;
  amount_fen: Fen | null;
  state: VoucherState;
  since: Day | null;
  /** How many files the order has; null on its further rows. */
  files: number | null;
  sha256: string | null;
  pages: number | null;
  condition: VoucherCondition | null;
  remark: string;
  /** Another order with the very same file. */
  twin_kind: VoucherKind | null;
  twin_number: string | null;
  version: number | null;
  part: number | null;
  page: number | null;
  /** Of the bundle's part, below RECON_HOME. */
  path: string | null;
}

export const VOUCHERS: Stage<VoucherRow> = { name: 'report_voucher' };

export interface VoucherSum {
  orders: number;
  files: number;
  amountFen: Fen;
}

export interface Vouchers {
  /** The run archived none: nothing is known of them. */
  isOff: boolean;
  sums: Readonly<Record<VoucherState, VoucherSum>>;
  /** Rows of the list: orders without a file that is expected, and all others. */
  missingRows: number;
  otherRows: number;
}

/** States of which a voucher is still expected, or was; what needs a person first. */
export const NOT_FILED: readonly VoucherState[] = ['missing', 'given_up', 'not_asked'];

/** Lays aside the orders of the period with what became of their vouchers, and the rows of their list. */
export async function stageVouchers(
  session: Db,
  head: RunHead,
  of: { period: Window; zone: Zone },
): Promise<void> {
  const known = voucherFactsOf(head, of.zone);
  await staging(session, async (trx) => {
    await layAside(trx, DUE, dueOrders(head, of.period, known));
    await layAside(trx, FILES, filesOfOrders(known));
    await layAside(trx, ORDERS_WITH_VOUCHERS, statesOfOrders(known));
    await layAside(trx, VOUCHERS, numberedRows(known));
    await indexStage(trx, VOUCHERS);
    await dropStage(trx, DUE);
    await dropStage(trx, FILES);
  });
}

/**
 * Numbers the rows: what is not filed first, then what cannot be read. A page is that of the account's own bundle, in
 * the version that stood when the run ended; of an order without a file it is the page that stands for it.
 */
function numberedRows(known: VoucherFacts | undefined) {
  const endedAt = sql`${known?.endedAt ?? null}::timestamptz`;
  const upTo = sql`${known?.writtenUpTo ?? null}::bigint`;
  const isFirst = sql`coalesce(f.file_no, 0) = s.first_file_no`;
  return sql`
    select row_number() over (order by array_position(array['missing', 'given_up', 'not_asked'], s.state) is null,
        s.state <> 'unreadable', s.account_no, s.moved_at, s.kind, s.number, f.file_no) as n,
      s.account_index, s.account_no, s.kind, case s.kind when 'deposit' then '' else s.number end as out_order_no,
      s.order_no, s.moved_at, s.counterparty, case when ${isFirst} then s.amount_fen end as amount_fen, s.state,
      s.since, case when ${isFirst} then s.files end as files, f.sha256, f.pages, f.condition,
      coalesce(f.remark, s.reason) as remark, t.kind as twin_kind, t.number as twin_number, p.version, p.part, p.page,
      b.parts -> (p.part - 1) ->> 'path' as path
    from ${sql.table(ORDERS_WITH_VOUCHERS.name)} s
    left join ${sql.table(FILES.name)} f on f.order_account_no = s.order_account_no and f.kind = s.kind
      and f.number = s.number
    left join lateral (
      select o.kind, o.number from voucher o
      where f.condition = 'whole' and o.sha256 = f.sha256 and o.condition = 'whole' and o.written_no <= ${upTo}
        and (o.account_no, o.kind, o.number) <> (s.order_account_no, s.kind, s.number)
      order by o.account_no, o.kind, o.number limit 1
    ) t on true
    left join (
      select distinct on (account_no, month) account_no, month, version, parts from voucher_bundle
      where made_at <= ${endedAt} order by account_no, month, version desc
    ) b on b.account_no = s.account_no and b.month = s.month
    left join voucher_place p on p.account_no = b.account_no and p.month = b.month and p.version = b.version
      and p.order_account_no = s.order_account_no and p.kind = s.kind and p.number = s.number
      and p.file_no = coalesce(f.file_no, 0)`;
}

const NOTHING: VoucherSum = { orders: 0, files: 0, amountFen: 0n };

/** Sums of the orders by state, and how many rows their list has. */
export async function sumVouchers(session: Db, head: RunHead, zone: Zone): Promise<Vouchers> {
  const { rows } = await sql<VoucherSum & { state: VoucherState; rows: number }>`
    select state, count(*)::integer as orders, sum(files)::integer as files,
      coalesce(sum(amount_fen), 0)::bigint as "amountFen", sum(greatest(files, 1))::integer as rows
    from ${sql.table(ORDERS_WITH_VOUCHERS.name)} group by state`.execute(session);
  const of = (state: VoucherState): VoucherSum => rows.find((row) => row.state === state) ?? NOTHING;
  const rowsOf = (isMissing: boolean): number =>
    rows.reduce((all, row) => (NOT_FILED.includes(row.state) === isMissing ? all + row.rows : all), 0);
  return {
    isOff: voucherFactsOf(head, zone) === undefined,
    sums: {
      filed: of('filed'),
      unreadable: of('unreadable'),
      missing: of('missing'),
      given_up: of('given_up'),
      not_asked: of('not_asked'),
      unavailable: of('unavailable'),
    },
    missingRows: rowsOf(true),
    otherRows: rowsOf(false),
  };
}

/** The sum of all states. */
export function allVouchers({ sums }: Pick<Vouchers, 'sums'>): VoucherSum {
  return Object.values(sums).reduce((all, one) => ({
    orders: all.orders + one.orders,
    files: all.files + one.files,
    amountFen: all.amountFen + one.amountFen,
  }));
}
