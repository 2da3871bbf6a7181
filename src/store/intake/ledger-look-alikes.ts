/**
 * Entries about to be taken in that the books have already: of the same account, kind, reference, amount and day,
 * from another source or under another id. Each entry of the books is like one of the stage at most, so that three
 * equal deposits of one day are like two others twice, not six times.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day } from '../../core/time.ts';
import type { Window } from '../../core/window.ts';
import { TEXT_C, analyzeStage, copyRows, stageOf } from '../database/bulk.ts';
import type { LedgerKind, Tables } from '../schema/schema.ts';

export interface LookAlike {
  /** Of the file. */
  row: number;
  entryId: string;
  /** Where the books have it. */
  source: string;
  otherEntryId: string;
  accountNo: string;
  kind: LedgerKind;
  reference: string;
  amountFen: Fen;
  day: Day;
}

/** What the stage and one source have in common. */
export interface Overlap {
  source: string;
  /** Entries of the stage that are like one of the source, and what they add up to. */
  alike: number;
  alikeFen: Fen;
  /** How many of them have a reference, so that they are alike by no chance. */
  referenced: number;
  /** New entries of the stage on the accounts and days on which any is alike. */
  nearby: number;
}

export interface AskedBooks {
  source: string;
  /** Of whole days, around all that is staged. */
  window: Window;
  timeZone: string;
  /** The source's own entries that the stage lacks are about to be withdrawn. */
  replace: boolean;
}

const KEY = {
  account_no: TEXT_C,
  kind: 'text',
  reference: TEXT_C,
  amount_fen: 'bigint',
  day: 'date',
};
const NEWS = stageOf('stage_ledger_news', {
  ...KEY,
  row_no: 'integer',
  entry_id: 'text',
  nth: 'bigint',
});
const ALIKE = stageOf('stage_ledger_alike', {
  ...KEY,
  row_no: 'integer',
  entry_id: 'text',
  source: 'text',
  other_id: 'text',
});
const EQUAL = sql`account_no, kind, reference, amount_fen, day`;

/**
 * Compares the stage with the books; the questions below are answered from what it finds.
 * @returns new entries; 0 where the books have nothing that any could be like
 */
export async function findLookAlikes(trx: Transaction<Tables>, asked: AskedBooks): Promise<number> {
  await copyRows(trx, NEWS, []);
  await copyRows(trx, ALIKE, []);
  if (!(await hasOthers(trx, asked))) return 0;
  const news = await stageNews(trx, asked);
  if (news > 0) await stageAlike(trx, asked);
  return news;
}

/** Entries of the books that one of the stage may be like: of the days in question, and not those it says again. */
const othersOf = ({ source, window, replace }: AskedBooks): RawBuilder<unknown> => {
  // Of its own entries those that stay beside the stage; two of one day without a reference are two deposits.
  const own = replace
    ? sql`false`
    : sql`e.reference <> '' and not exists (select from stage_ledger s where s.entry_id = e.entry_id)`;
  return sql`e.current and e.booked_at >= ${window.from}::timestamptz and e.booked_at < ${window.to}::timestamptz
    and (e.source <> ${source} or (${own}))`;
};

async function hasOthers(trx: Transaction<Tables>, asked: AskedBooks): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from ledger_entry e where ${othersOf(asked)}) as any`.execute(trx);
  return rows[0]?.any === true;
}

/** What the source does not have in this form: taking it in adds to the books or moves something in them. */
async function stageNews(trx: Transaction<Tables>, { source, timeZone }: AskedBooks): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into stage_ledger_news (${EQUAL}, row_no, entry_id, nth)
    select ${EQUAL}, row_no, entry_id, row_number() over (partition by ${EQUAL} order by row_no)
    from (
      select s.*, (s.booked_at at time zone ${timeZone})::date as day from stage_ledger s
      where (select 1 from ledger_entry e
        where e.source = ${source} and e.entry_id = s.entry_id and e.current
          and (e.account_no, e.kind, e.reference, e.amount_fen, (e.booked_at at time zone ${timeZone})::date)
            = (s.account_no, s.kind, s.reference, s.amount_fen, (s.booked_at at time zone ${timeZone})::date)
        ) is null
    ) news`.execute(trx);
  await analyzeStage(trx, NEWS);
  return Number(numAffectedRows ?? 0n);
}

async function stageAlike(trx: Transaction<Tables>, asked: AskedBooks): Promise<void> {
  const { timeZone } = asked;
  await sql`
    with known as (
      select e.source, e.entry_id as other_id, e.account_no, e.kind, e.reference, e.amount_fen,
        (e.booked_at at time zone ${timeZone})::date as day
      from ledger_entry e
      where ${othersOf(asked)}
        and exists (select from stage_ledger_news n where n.account_no = e.account_no and n.kind = e.kind
          and n.reference = e.reference and n.amount_fen = e.amount_fen)
    ), numbered as (
      select *, row_number() over (partition by source, ${EQUAL} order by other_id collate "C") as nth from known
    )
    insert into stage_ledger_alike (${EQUAL}, row_no, entry_id, source, other_id)
    select ${EQUAL}, n.row_no, n.entry_id, k.source, k.other_id
    from stage_ledger_news n join numbered k using (${EQUAL}, nth)`.execute(trx);
  await analyzeStage(trx, ALIKE);
}

/** By source, the one with most in common first. */
export async function listOverlaps(trx: Transaction<Tables>): Promise<Overlap[]> {
  const { rows } = await sql<Overlap>`
    with places as (select distinct source, account_no, day from stage_ledger_alike),
    nearby as (
      select p.source, count(*)::integer as nearby
      from places p join stage_ledger_news n on n.account_no = p.account_no and n.day = p.day group by p.source
    )
    select a.source, count(*)::integer as alike, sum(a.amount_fen)::bigint as "alikeFen",
      count(*) filter (where a.reference <> '')::integer as referenced, min(nearby) as nearby
    from stage_ledger_alike a join nearby b on b.source = a.source
    group by a.source order by alike desc, a.source collate "C"`.execute(trx);
  return rows;
}

/** Entries of the stage that are like any of the books. */
export async function countLookAlikes(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct row_no)::integer as n from stage_ledger_alike`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** In the order of the file, with each source that has one; of one source or of all. */
export async function listLookAlikes(
  trx: Transaction<Tables>,
  { source, limit }: { source?: string; limit: number },
): Promise<LookAlike[]> {
  const { rows } = await sql<LookAlike>`
    select row_no as "row", entry_id as "entryId", source, other_id as "otherEntryId", account_no as "accountNo",
      kind, reference, amount_fen as "amountFen", day::text as day
    from stage_ledger_alike
    where ${source ?? null}::text is null or source = ${source ?? null}
    order by row_no, source collate "C" limit ${limit}`.execute(trx);
  return rows;
}
