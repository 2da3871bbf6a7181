/**
 * The order registry as files fill it: rows are staged, held against each other, and saved set by set. What a row
 * does not say stays as a program or an earlier file said it; what it says takes the place of what was there.
 * Programs write the same table by themselves (docs/registering-orders.md).
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Instant } from '../../core/time.ts';
import { TEXT_C, stageOf } from '../database/bulk.ts';
import type { KeyedRow } from '../database/bulk.ts';
import type { OrderRegistryTable, RegisteredOutcome, Tables } from '../schema/schema.ts';

export type OrderKind = OrderRegistryTable['kind'];

export const ORDER_KINDS: readonly OrderKind[] = ['transfer', 'withdrawal'];
export const REGISTERED_OUTCOMES: readonly RegisteredOutcome[] = ['sent', 'accepted', 'refused', 'unknown'];

const ORDER_COLUMNS = {
  row_no: 'integer',
  kind: 'text',
  out_batch_no: TEXT_C,
  out_order_no: TEXT_C,
  batch_no: TEXT_C,
  order_no: TEXT_C,
  payer_account_no: TEXT_C,
  payee_account_no: TEXT_C,
  amount_fen: 'bigint',
  submitted_at: 'timestamptz',
  outcome: 'text',
};
export const ORDER_STAGE = stageOf('stage_order', ORDER_COLUMNS);

/** A row of an orders file; what it does not say, or what could not be read, is empty or null. */
export type StagedOrder = KeyedRow<typeof ORDER_COLUMNS>;

/** What makes a row one order: as `registered_as` in migration 0003. */
export const REGISTERED_AS = sql`case when out_order_no <> '' then out_order_no
  when order_no <> '' then 'order:' || order_no
  when out_batch_no <> '' then 'batch:' || out_batch_no else 'batchNo:' || batch_no end`;

/**
 * A row may name an order by the platform's number alone. Where another row of the file, the registry or an answer
 * of the platform says which own number that is, the row gets it, so that one order stays one row.
 */
export async function nameByOwnNumbers(trx: Transaction<Tables>): Promise<void> {
  const named = (of: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    update stage_order s set out_order_no = known.out_order_no from (${of}) known
    where s.out_order_no = '' and s.order_no <> '' and known.kind = s.kind and known.order_no = s.order_no`;
  const bothNumbers = sql`select kind, order_no, min(out_order_no) as out_order_no`;
  await named(sql`${bothNumbers} from stage_order
    where out_order_no <> '' and order_no <> '' group by kind, order_no`).execute(trx);
  await named(sql`${bothNumbers} from order_registry
    where out_order_no <> '' and order_no <> '' group by kind, order_no`).execute(trx);
  await named(sql`select k.kind, a.order_no, a.out_order_no
    from order_alias a cross join (values ('transfer'), ('withdrawal')) k (kind)`).execute(trx);
  await sql`
    update stage_order s set out_batch_no = known.out_batch_no
    from (select batch_no, min(out_batch_no) as out_batch_no from (
        select batch_no, out_batch_no from stage_order where kind = 'transfer'
        union all
        select batch_no, out_batch_no from order_registry where kind = 'transfer') said
      where out_batch_no <> '' and batch_no <> '' group by batch_no) known
    where s.kind = 'transfer' and s.out_order_no = '' and s.order_no = '' and s.out_batch_no = ''
      and known.batch_no = s.batch_no`.execute(trx);
}

/** Rows of withdrawals whose amount neither the stage nor the registry states: the first of them, and how many. */
export async function withdrawalsWithoutAmount(
  trx: Transaction<Tables>,
  limit: number,
): Promise<{ rows: number[]; count: number }> {
  const { rows } = await sql<{ row: number; count: number }>`
    select min(s.row_no) as "row", (count(*) over ())::integer as count
    from (select *, ${REGISTERED_AS} as name from stage_order where kind = 'withdrawal') s
    where not exists (select from order_registry r where r.kind = s.kind and r.amount_fen is not null
      and (r.registered_as = s.name or (s.order_no <> '' and r.order_no = s.order_no)))
    group by s.name having max(s.amount_fen) is null
    order by 1 limit ${limit}`.execute(trx);
  return { rows: rows.map(({ row }) => row), count: rows[0]?.count ?? 0 };
}

/** How many orders of the stage name a payer that is not in the account list. */
export async function countUnlistedPayers(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct ${REGISTERED_AS})::integer as n from stage_order
    where payer_account_no <> '' and payer_account_no not in (select account_no from account)`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** The first and last submission of the stage. */
export async function stagedSubmissions(
  trx: Transaction<Tables>,
): Promise<{ from: Instant | null; to: Instant | null }> {
  const { rows } = await sql<{ from: Instant | null; to: Instant | null }>`
    select min(submitted_at) as "from", max(submitted_at) as "to" from stage_order`.execute(trx);
  return rows[0] ?? { from: null, to: null };
}

/**
 * Brings the registry to what the stage says. An order that says nothing new is not touched; one whose numbers,
 * parties, amount or submission changed, or that is no longer refused, is put before the job anew, and what it said
 * before is kept (migration 0048).
 * @param of `isCorrecting`: `corrected_order` has what was put right already (`order-corrections.ts`)
 * @returns how many orders are new and how many were changed
 */
export async function saveStagedOrders(
  trx: Transaction<Tables>,
  of: { fileId: string; isCorrecting: boolean },
): Promise<{ added: number; changed: number }> {
  await layOutWanted(trx);
  await mergeTwins(trx);
  const added = await insertNew(trx, of.fileId);
  return { added, changed: await changeKnown(trx, of) };
}

/** What is checked of an order, amount and parties, is registered otherwise under its other number: both stand. */
const CONTRADICT = sql`(coalesce(own.amount_fen <> former.amount_fen, false)
  or (own.payer_account_no <> former.payer_account_no and own.payer_account_no <> '' and former.payer_account_no <> '')
  or (own.payee_account_no <> former.payee_account_no and own.payee_account_no <> '' and former.payee_account_no <> ''))`;

/**
 * Makes `wanted_order`: one row an order of the stage, and under which name the registry has it: its own, or the
 * one it had when only the platform's number was known. `twin` is the latter where both are there and agree.
 */
async function layOutWanted(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table wanted_order on commit drop as
    with merged as (
      select kind, ${REGISTERED_AS} as name, max(out_batch_no) as out_batch_no, max(out_order_no) as out_order_no,
        max(batch_no) as batch_no, max(order_no) as order_no, max(payer_account_no) as payer_account_no,
        max(payee_account_no) as payee_account_no, max(amount_fen) as amount_fen,
        max(submitted_at) as submitted_at, max(outcome) as outcome
      from stage_order group by 1, 2)
    select m.*, coalesce(own.registered_as, former.registered_as) as known_as,
      case when own.registered_as is not null and not ${CONTRADICT} then former.registered_as end as twin
    from merged m
    left join order_registry own on own.kind = m.kind and own.registered_as = m.name
    left join order_registry former on former.kind = m.kind and former.registered_as = case
      when m.out_order_no <> '' and m.order_no <> '' then 'order:' || m.order_no
      when m.order_no = '' and m.out_batch_no <> '' and m.batch_no <> '' and m.out_order_no = ''
        then 'batchNo:' || m.batch_no end`.execute(trx);
  await sql`analyze wanted_order`.execute(trx);
}

/** An order that was registered twice, by either number, becomes one row; what either says is kept. */
async function mergeTwins(trx: Transaction<Tables>): Promise<void> {
  await sql`
    with twin as (
      delete from order_registry r using wanted_order w where r.kind = w.kind and r.registered_as = w.twin
      returning r.*, w.known_as)
    update order_registry r set
      out_batch_no = ${firstStated('r', 'twin', 'out_batch_no')}, batch_no = ${firstStated('r', 'twin', 'batch_no')},
      order_no = ${firstStated('r', 'twin', 'order_no')},
      payer_account_no = ${firstStated('r', 'twin', 'payer_account_no')},
      payee_account_no = ${firstStated('r', 'twin', 'payee_account_no')},
      amount_fen = coalesce(r.amount_fen, twin.amount_fen),
      submitted_at = coalesce(r.submitted_at, twin.submitted_at),
      outcome = case when r.outcome = 'unknown' then twin.outcome else r.outcome end, enrolled = false
    from twin where r.kind = twin.kind and r.registered_as = twin.known_as`.execute(trx);
}

/** A program may have registered one in this very moment: then it is changed, not added. */
async function insertNew(trx: Transaction<Tables>, fileId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into order_registry (kind, out_batch_no, out_order_no, batch_no, order_no, payer_account_no,
      payee_account_no, amount_fen, submitted_at, outcome, file_id)
    select kind, out_batch_no, out_order_no, batch_no, order_no, payer_account_no, payee_account_no, amount_fen,
      submitted_at, coalesce(outcome, 'unknown'), ${fileId}
    from wanted_order where known_as is null order by kind, name
    on conflict (kind, registered_as) do nothing`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** The text column of one alias where it says something, else that of the other. */
function firstStated(first: string, second: string, column: string): RawBuilder<unknown> {
  return sql`coalesce(nullif(${sql.ref(`${first}.${column}`)}, ''), ${sql.ref(`${second}.${column}`)})`;
}

/** What is known of accepting or refusing is not forgotten for a file that knows less. */
const OUTCOME = sql`case when w.outcome is null then r.outcome
  when r.outcome = 'accepted' and w.outcome in ('sent', 'unknown') then r.outcome else w.outcome end`;

async function changeKnown(
  trx: Transaction<Tables>,
  { fileId, isCorrecting }: { fileId: string; isCorrecting: boolean },
): Promise<number> {
  const isCorrected = isCorrecting
    ? sql`exists (select from corrected_order c where c.kind = r.kind and c.registered_as = r.registered_as)`
    : sql`false`;
  const { numAffectedRows } = await sql`
    with stated as (
      select r.kind, r.registered_as, ${firstStated('w', 'r', 'out_batch_no')} as out_batch_no,
        ${firstStated('w', 'r', 'out_order_no')} as out_order_no, ${firstStated('w', 'r', 'batch_no')} as batch_no,
        ${firstStated('w', 'r', 'order_no')} as order_no,
        ${firstStated('w', 'r', 'payer_account_no')} as payer_account_no,
        ${firstStated('w', 'r', 'payee_account_no')} as payee_account_no,
        coalesce(w.amount_fen, r.amount_fen) as amount_fen,
        coalesce(w.submitted_at, r.submitted_at) as submitted_at, ${OUTCOME} as outcome
      from wanted_order w
      join order_registry r on r.kind = w.kind and r.registered_as = coalesce(w.known_as, w.name)
    )
    update order_registry r set out_batch_no = s.out_batch_no, out_order_no = s.out_order_no,
      batch_no = s.batch_no, order_no = s.order_no, payer_account_no = s.payer_account_no,
      payee_account_no = s.payee_account_no, amount_fen = s.amount_fen, submitted_at = s.submitted_at,
      outcome = s.outcome, file_id = ${fileId}
    from stated s
    where r.kind = s.kind and r.registered_as = s.registered_as
      and (${isCorrected} or (r.out_batch_no, r.out_order_no, r.batch_no, r.order_no, r.payer_account_no,
          r.payee_account_no, r.amount_fen, r.submitted_at, r.outcome) is distinct from
        (s.out_batch_no, s.out_order_no, s.batch_no, s.order_no, s.payer_account_no, s.payee_account_no,
          s.amount_fen, s.submitted_at, s.outcome))`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}
