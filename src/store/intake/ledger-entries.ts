/**
 * The company's books: entries of a file are staged, checked and saved set by set. An entry that is equal is
 * not touched, one with other content becomes a new version, and every row that is written or superseded
 * carries the write number by which the matching finds it.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Window } from '../../core/window.ts';
import type { RepeatedNumber } from './accounts.ts';
import { TEXT_C, stageOf } from '../database/bulk.ts';
import type { KeyedRow } from '../database/bulk.ts';
import type { LedgerKind, Tables } from '../schema/schema.ts';

type Status = 'posted' | 'pending';

export const LEDGER_KINDS: readonly LedgerKind[] = [
  'opening',
  'deposit',
  'transfer_in',
  'transfer_out',
  'withdrawal',
  'settlement',
  'refund_in',
  'refund_out',
  'fee',
  'adjustment',
];
export const LEDGER_STATUSES: readonly Status[] = ['posted', 'pending'];

const LEDGER_COLUMNS = {
  row_no: 'integer',
  entry_id: 'text',
  account_no: TEXT_C,
  kind: 'text',
  amount_fen: 'bigint',
  reference: TEXT_C,
  out_batch_no: TEXT_C,
  counterparty: 'text',
  booked_at: 'timestamptz',
  status: 'text',
  memo: 'text',
};
export const LEDGER_STAGE = stageOf('stage_ledger', {
  ...LEDGER_COLUMNS,
  // The latest version there is of an entry that will get a new one; filled by saveStagedEntries.
  version: 'integer',
});

/** A row of a ledger file; null where a required cell could not be read. */
export type StagedEntry = KeyedRow<typeof LEDGER_COLUMNS>;

/** Rows whose entry an earlier row of the stage has already: the first of them, and how many there are. */
export async function repeatedEntries(
  trx: Transaction<Tables>,
  limit: number,
): Promise<{ first: RepeatedNumber[]; count: number }> {
  const { rows } = await sql<RepeatedNumber & { count: number }>`
    with repeated as (
      select entry_id, min(row_no) as first_row from stage_ledger where entry_id is not null
      group by entry_id having count(*) > 1)
    select s.row_no as "row", r.first_row as "firstRow", s.entry_id as value, (count(*) over ())::integer as count
    from repeated r join stage_ledger s on s.entry_id = r.entry_id and s.row_no > r.first_row
    order by s.row_no limit ${limit}`.execute(trx);
  return {
    first: rows.map(({ row, firstRow, value }) => ({ row, firstRow, value })),
    count: rows[0]?.count ?? 0,
  };
}

export interface UnknownNumber {
  row: number;
  value: string;
  /** The account of the list that differs from it only in upper and lower case. */
  known: string | null;
}

/** Rows of the stage whose account is not in the account list: the first of them, and how many there are. */
export async function entriesOfUnknownAccounts(
  trx: Transaction<Tables>,
  limit: number,
): Promise<{ first: UnknownNumber[]; count: number }> {
  const { rows } = await sql<UnknownNumber & { count: number }>`
    with unknown as (
      select distinct account_no from stage_ledger where account_no is not null
      except select account_no from account
    ), spelt as (
      select u.account_no, min(a.account_no) as known from unknown u
      left join account a on lower(a.account_no) = lower(u.account_no) group by u.account_no)
    select s.row_no as "row", s.account_no as value, u.known, (count(*) over ())::integer as count
    from stage_ledger s join spelt u on u.account_no = s.account_no
    order by s.row_no limit ${limit}`.execute(trx);
  return { first: rows.map(({ row, value, known }) => ({ row, value, known })), count: rows[0]?.count ?? 0 };
}

/** The first and last booking of the stage; undefined when it is empty. */
export async function stagedSpan(trx: Transaction<Tables>): Promise<Window | undefined> {
  const { rows } = await sql<{ from: Instant | null; to: Instant | null }>`
    select min(booked_at) as "from", max(booked_at) as "to" from stage_ledger`.execute(trx);
  const span = rows[0];
  return span && span.from !== null && span.to !== null ? { from: span.from, to: span.to } : undefined;
}

const CONTENT_DIFFERS = sql`(e.account_no, e.kind, e.amount_fen, e.reference, e.out_batch_no, e.counterparty,
  e.booked_at, e.status, e.memo) is distinct from (s.account_no, s.kind, s.amount_fen, s.reference,
  s.out_batch_no, s.counterparty, s.booked_at, s.status, s.memo)`;

/** The current entry of a staged row, looked up by its key. */
const currentEntry = (source: string): RawBuilder<unknown> =>
  sql`ledger_entry e where e.source = ${source} and e.entry_id = s.entry_id and e.current`;

/**
 * Before any statement below: a whole file is joined with a whole ledger, and a nested loop, which the planner
 * takes for a ledger whose statistics are not made yet, would look at every pair of rows.
 */
export async function planForWholeFiles(trx: Transaction<Tables>): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(trx);
}

/** Whether the stage holds anything that the source's current entries do not. */
export async function stageHasNews(trx: Transaction<Tables>, source: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from stage_ledger s
    where (select 1 from ${currentEntry(source)} and not ${CONTENT_DIFFERS}) is null
    limit 1`.execute(trx);
  return rows.length > 0;
}

export interface EntryWrite {
  source: string;
  fileId: string;
  writeNo: bigint;
}

/**
 * Saves the stage: new entries as version 1, changed ones and withdrawn ones that come again as the next.
 * Rows are written in the order of their ids, so that their numbers do not depend on the order of the file.
 */
export async function saveStagedEntries(
  trx: Transaction<Tables>,
  { source, fileId, writeNo }: EntryWrite,
): Promise<{ added: number; replaced: number }> {
  await holdAccounts(trx);
  await recallWithdrawnVersions(trx, source);
  await supersede(trx, { source, writeNo });
  const { rows } = await sql<{ added: number; replaced: number }>`
    with written as (
      insert into ledger_entry (account_no, source, entry_id, version, kind, amount_fen, reference, out_batch_no,
        counterparty, booked_at, status, memo, file_id, file_row, written_no)
      select s.account_no, ${source}, s.entry_id, coalesce(s.version, 0) + 1, s.kind, s.amount_fen, s.reference,
        s.out_batch_no, s.counterparty, s.booked_at, s.status, s.memo, ${fileId}, s.row_no, ${writeNo}::bigint
      from stage_ledger s
      where (select 1 from ${currentEntry(source)}) is null
      order by s.entry_id collate "C"
      returning version)
    select count(*) filter (where version = 1)::integer as added,
      count(*) filter (where version > 1)::integer as replaced
    from written`.execute(trx);
  return rows[0] ?? { added: 0, replaced: 0 };
}

/**
 * The accounts of the stage were all found; they stay until the entries are there. As a foreign key would have it, which
 * looks at the account of every entry instead of at every account once.
 */
async function holdAccounts(trx: Transaction<Tables>): Promise<void> {
  await sql`
    select from account where account_no in (select distinct account_no from stage_ledger)
    order by account_no for key share`.execute(trx);
}

/** An entry that was withdrawn has no current row; its version is looked up among the withdrawn ones. */
async function recallWithdrawnVersions(trx: Transaction<Tables>, source: string): Promise<void> {
  await sql`
    update stage_ledger s set version = w.version
    from (select entry_id, max(version) as version from ledger_entry
      where source = ${source} and withdrawn group by entry_id) w
    where w.entry_id = s.entry_id`.execute(trx);
}

/** Current entries that the stage has with other content give way and leave their version in the stage. */
async function supersede(
  trx: Transaction<Tables>,
  { source, writeNo }: Pick<EntryWrite, 'source' | 'writeNo'>,
): Promise<void> {
  await sql`
    with changed as (
      select s.entry_id,
        (select e.entry_no from ${currentEntry(source)} and ${CONTENT_DIFFERS}) as former_no
      from stage_ledger s
    ), superseded as (
      update ledger_entry e set current = false, written_no = ${writeNo}::bigint
      from changed c where e.entry_no = c.former_no
      returning e.entry_id, e.version)
    update stage_ledger s set version = p.version from superseded p where p.entry_id = s.entry_id`.execute(
    trx,
  );
}
