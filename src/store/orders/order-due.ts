/**
 * The list of what is to be asked: one row a query, a transfer batch with all its orders or a withdrawal
 * (docs/reconciliation.md 3.5). Which of it is due, which belongs to an account, and what a run has asked.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { addDays } from '../../core/time.ts';
import type { Day, Instant } from '../../core/time.ts';
import type { DbOrTransaction } from '../schema/schema.ts';
import { isDueOfBatch } from './batch-numbers.ts';

/** What names one query: the company's number of it or the platform's. */
export interface UnitKey {
  kind: 'batch' | 'withdrawal';
  numberKind: 'out' | 'platform';
  number: string;
}

export interface DueUnit extends UnitKey {
  origin: 'registry' | 'ledger';
}

export interface DueFilter {
  runId: string;
  today: Day;
  /** Those never answered or not final, or everything that is due. */
  which: 'open' | 'due';
  /** Of these accounts, as payer or payee, and of those that nobody named; empty: all. */
  accounts: readonly string[];
}

export const UNIT = sql`d.kind, d.number_kind as "numberKind", d.number, d.origin`;

/** Batches of which an order could not be read, under either number: a run that is resumed asks for them again. */
const CORRUPT = sql`(
  select 'batch', 'out', o.out_batch_no from order_fault f
  join transfer_order o on o.account_no = f.account_no and o.out_order_no = f.reference
  where f.subject = 'transfer' and f.class = 'bad_record' and f.cured_day is null
  union
  select 'batch', 'platform', b.batch_no from order_fault f
  join transfer_order o on o.account_no = f.account_no and o.out_order_no = f.reference
  join transfer_batch b on b.account_no = o.account_no and b.out_batch_no = o.out_batch_no
  where f.subject = 'transfer' and f.class = 'bad_record' and f.cured_day is null)`;

/** Of the rows `d`. */
export function isUnasked(runId: string): RawBuilder<unknown> {
  return sql`(d.asked_run <> ${runId} or d.failure <> '' or (d.kind, d.number_kind, d.number) in ${CORRUPT})`;
}

/** What the run has not asked yet, or could not read in full. */
function isDue({ runId, today, which, accounts }: DueFilter): RawBuilder<unknown> {
  const states = which === 'open' ? sql`d.state in ('new', 'open')` : sql`true`;
  return sql`d.next_day <= ${today} and ${states} and ${isUnasked(runId)}
    and ${isOf(accounts)}`;
}

/** A batch concerns those who are paid by it too, as far as registry or earlier answers say who that is. */
function isOf(accounts: readonly string[]): RawBuilder<unknown> {
  if (accounts.length === 0) return sql`true`;
  const chosen = sql`any(${accounts}::text[])`;
  return sql`(d.account_no = '' or d.account_no = ${chosen} or (d.kind = 'batch' and (
    d.number in (
      select case d.number_kind when 'out' then r.out_batch_no else r.batch_no end from order_registry r
      where r.kind = 'transfer' and r.payee_account_no = ${chosen})
    or d.number in (
      select case d.number_kind when 'out' then o.out_batch_no else b.batch_no end
      from transfer_order o
      left join transfer_batch b on b.account_no = o.account_no and b.out_batch_no = o.out_batch_no
      where o.payee_account_no = ${chosen}))))`;
}

export async function countDue(db: DbOrTransaction, filter: DueFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from order_due d where ${isDue(filter)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The next page of what is due, in the order of the keys; asking moves nothing into it from behind. */
export async function listDue(
  db: DbOrTransaction,
  filter: DueFilter,
  { after, limit }: { after: UnitKey | undefined; limit: number },
): Promise<DueUnit[]> {
  const { rows } = await sql<DueUnit>`
    select ${UNIT} from order_due d
    where ${isDue(filter)} and ${isAfter(after)}
    order by d.kind, d.number_kind, d.number limit ${limit}`.execute(db);
  return rows;
}

function isAfter(after: UnitKey | undefined): RawBuilder<unknown> {
  if (after === undefined) return sql`true`;
  return sql`(d.kind, d.number_kind, d.number) > (${after.kind}, ${after.numberKind}, ${after.number})`;
}

/**
 * Rows of order_due for the batches of these orders `o`, whichever number they are asked by: each is looked up by its key.
 * Of a list that is new there are no statistics, and without them the planner would go through all of it for each account.
 */
function unitsOf(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select d.* from transfer_order o
    left join lateral (
      select b.batch_no from transfer_batch b
      where b.account_no = o.account_no and b.out_batch_no = o.out_batch_no offset 0
    ) b on true
    cross join lateral (values ('out', o.out_batch_no), ('platform', b.batch_no)) n (number_kind, number)
    cross join lateral (
      select * from order_due d
      where d.kind = 'batch' and d.number_kind = n.number_kind and d.number = n.number offset 0
    ) d
    where ${which}`;
}

/** As the index of open orders says it. */
const IS_OPEN = sql`(o.effective_state = 'open' or o.settlement in ('open', 'unknown') or o.refund_waiting_fen <> 0)`;

/**
 * What may still move an account's money: its own open batches and withdrawals, and batches with open orders that
 * it pays or is paid by. What was given up cannot be seen beside a balance either.
 */
export async function listOpenOf(db: DbOrTransaction, accountNo: string): Promise<DueUnit[]> {
  const isOpenThere = sql`(o.account_no = ${accountNo} or o.payee_account_no = ${accountNo}) and ${IS_OPEN}`;
  const { rows } = await sql<DueUnit>`
    select ${UNIT} from (
      select d.* from order_due d
      where d.account_no = ${accountNo} and d.state in ('new', 'open', 'not_found') and d.next_day is not null
      union
      ${unitsOf(isOpenThere)}
    ) d
    where d.state <> 'refused' and d.given_up_day is null
    order by d.kind, d.number_kind, d.number`.execute(db);
  return rows;
}

/** Every batch of the last days in which one of the accounts pays or is paid, and its withdrawals, whatever their turn. */
export async function listRecentOf(
  db: DbOrTransaction,
  of: { accounts: readonly string[]; today: Day; days: number },
  { after, limit }: { after: UnitKey | undefined; limit: number },
): Promise<DueUnit[]> {
  const chosen = sql`any(${of.accounts}::text[])`;
  const { rows } = await sql<DueUnit>`
    select ${UNIT} from (
      select d.* from order_due d where d.account_no = ${chosen}
      union
      ${unitsOf(sql`o.payee_account_no = ${chosen}`)}
    ) d
    where d.state in ('new', 'open', 'final')
      and (d.final_day is null or d.final_day >= ${addDays(of.today, -of.days)}) and ${isAfter(after)}
    order by d.kind, d.number_kind, d.number limit ${limit}`.execute(db);
  return rows;
}

/** What stands on the list for the batch that has this number of either kind. */
export async function listBatch(db: DbOrTransaction, number: string): Promise<DueUnit[]> {
  const { rows } = await sql<DueUnit>`
    select ${UNIT} from order_due d where ${isDueOfBatch(sql`${number}::text`)}`.execute(db);
  return rows;
}

/** The platform's number of a batch or withdrawal that it does not know by the company's. */
export async function findPlatformNumber(db: DbOrTransaction, unit: DueUnit): Promise<string | undefined> {
  if (unit.numberKind === 'platform') return undefined;
  // The books may name a withdrawal by either number.
  if (unit.origin === 'ledger') return unit.kind === 'withdrawal' ? unit.number : undefined;
  const { rows } = await (
    unit.kind === 'batch'
      ? sql<{ no: string }>`select batch_no as no from order_registry
          where kind = 'transfer' and out_batch_no = ${unit.number} and batch_no <> '' order by batch_no limit 1`
      : sql<{ no: string }>`select order_no as no from order_registry
          where kind = 'withdrawal' and registered_as = ${unit.number} and order_no <> ''`
  ).execute(db);
  return rows[0]?.no;
}

export interface Asked {
  batches: number;
  transferOrders: number;
  withdrawals: number;
  /** Batches and withdrawals among them that only the ledger names. */
  ledgerOnly: number;
}

/**
 * What was read for a cut: what the run asked for, whatever it asked several times counted once, and what a
 * snapshot had read in the day after the cut, which need not be due when the run asks.
 * @param accounts those of the run; empty: all
 */
export async function countAsked(
  db: DbOrTransaction,
  { runId, cut, accounts }: { runId: string; cut: Instant; accounts: readonly string[] },
): Promise<Asked> {
  const { rows } = await sql<Asked>`
    with asked as materialized (
      select * from order_due d where d.asked_run = ${runId}
        or (d.asked_at >= ${cut} and d.asked_at < ${cut}::timestamptz + interval '1 day' and ${isOf(accounts)})
    )
    select count(*) filter (where kind = 'batch')::integer as batches,
      count(*) filter (where kind = 'withdrawal')::integer as withdrawals,
      count(*) filter (where origin = 'ledger')::integer as "ledgerOnly",
      (select coalesce(sum(b.order_count), 0)::integer from (
        select b.order_count from asked a
        join transfer_batch b on b.account_no = a.account_no and b.out_batch_no = a.number
        where a.kind = 'batch' and a.number_kind = 'out'
        union all
        select b.order_count from asked a
        join transfer_batch b on b.account_no = a.account_no and b.batch_no = a.number
        where a.kind = 'batch' and a.number_kind = 'platform'
      ) b) as "transferOrders"
    from asked`.execute(db);
  return rows[0] ?? { batches: 0, transferOrders: 0, withdrawals: 0, ledgerOnly: 0 };
}
