/**
 * Entries that are taken out of the books: those a replacing file lacks, those a file brought, or all of a source.
 * None is deleted: it stays as a version that was withdrawn, and the write number tells the matching.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day } from '../../core/time.ts';
import type { Window } from '../../core/window.ts';
import type { LedgerKind, Tables } from '../schema/schema.ts';

/** Current entries of a source: in a window without those of the stage, or of a file, or all there are. */
export interface Withdrawn {
  source: string;
  missingIn?: Window | undefined;
  fileId?: string | undefined;
}

const isOf = (of: Withdrawn): RawBuilder<unknown> => {
  const missing =
    of.missingIn === undefined
      ? sql``
      : sql`and ${inWindow(of.missingIn)} and not exists (select from stage_ledger s where s.entry_id = e.entry_id)`;
  const file = of.fileId === undefined ? sql`` : sql`and e.file_id = ${of.fileId}`;
  return sql`e.source = ${of.source} and e.current ${file} ${missing}`;
};

const inWindow = ({ from, to }: Window): RawBuilder<unknown> =>
  sql`e.booked_at >= ${from}::timestamptz and e.booked_at < ${to}::timestamptz`;

/** Count and amounts of entries; `grossFen` adds what came and what went. */
export interface EntrySum {
  entries: number;
  openings: number;
  amountFen: Fen;
  grossFen: Fen;
  fromDay: Day | null;
  toDay: Day | null;
}

async function sumOf(
  trx: Transaction<Tables>,
  entries: RawBuilder<unknown>,
  timeZone: string,
): Promise<EntrySum> {
  const { rows } = await sql<EntrySum>`
    select count(*)::integer as entries, (count(*) filter (where e.kind = 'opening'))::integer as openings,
      coalesce(sum(e.amount_fen), 0)::bigint as "amountFen", coalesce(sum(abs(e.amount_fen)), 0)::bigint as "grossFen",
      min((e.booked_at at time zone ${timeZone})::date)::text as "fromDay",
      max((e.booked_at at time zone ${timeZone})::date)::text as "toDay"
    from ledger_entry e where ${entries}`.execute(trx);
  const row = rows[0];
  if (row === undefined) throw new Error('Bug: a sum gave no row');
  return row;
}

/** What a withdrawal is about to take out of the books. */
export function sumToWithdraw(trx: Transaction<Tables>, of: Withdrawn, timeZone: string): Promise<EntrySum> {
  return sumOf(trx, isOf(of), timeZone);
}

/** All that a source has in a window. */
export function sumInWindow(
  trx: Transaction<Tables>,
  { source, window }: { source: string; window: Window },
  timeZone: string,
): Promise<EntrySum> {
  return sumOf(trx, sql`e.source = ${source} and e.current and ${inWindow(window)}`, timeZone);
}

export interface NamedEntry {
  entryId: string;
  accountNo: string;
  kind: LedgerKind;
  reference: string;
  amountFen: Fen;
  day: Day;
}

/** Some of them, the first by time. */
export async function listToWithdraw(
  trx: Transaction<Tables>,
  of: Withdrawn,
  { timeZone, limit }: { timeZone: string; limit: number },
): Promise<NamedEntry[]> {
  const { rows } = await sql<NamedEntry>`
    select e.entry_id as "entryId", e.account_no as "accountNo", e.kind, e.reference, e.amount_fen as "amountFen",
      (e.booked_at at time zone ${timeZone})::date::text as day
    from ledger_entry e where ${isOf(of)}
    order by e.booked_at, e.entry_id collate "C" limit ${limit}`.execute(trx);
  return rows;
}

/** Whether there is anything to withdraw. */
export async function hasToWithdraw(trx: Transaction<Tables>, of: Withdrawn): Promise<boolean> {
  const { rows } = await sql`select 1 from ledger_entry e where ${isOf(of)} limit 1`.execute(trx);
  return rows.length > 0;
}

/** Takes them out of the books; they stay as history. @returns how many */
export async function withdrawEntries(
  trx: Transaction<Tables>,
  of: Withdrawn,
  writeNo: bigint,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update ledger_entry e set current = false, withdrawn = true, written_no = ${writeNo}::bigint
    where ${isOf(of)}`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Entries that a withdrawn file had changed get back, as a new version, what the latest file still standing said of
 * them; where that one had them withdrawn, they stay so. @returns how many
 */
export async function restoreFormer(
  trx: Transaction<Tables>,
  { source, fileId, writeNo }: { source: string; fileId: string; writeNo: bigint },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with gone as (
      select entry_id, version from ledger_entry
      where source = ${source} and withdrawn and file_id = ${fileId} and written_no = ${writeNo}::bigint
    ), former as (
      select distinct on (e.entry_id) e.*, g.version as last_version
      from ledger_entry e
      join gone g on g.entry_id = e.entry_id and e.version < g.version
      join intake_file f on f.file_id = e.file_id and f.withdrawn_at is null
      where e.source = ${source} and e.file_id <> ${fileId}
      order by e.entry_id, e.version desc
    )
    insert into ledger_entry (account_no, source, entry_id, version, kind, amount_fen, reference, out_batch_no,
      counterparty, booked_at, status, memo, file_id, file_row, written_no)
    select account_no, source, entry_id, last_version + 1, kind, amount_fen, reference, out_batch_no,
      counterparty, booked_at, status, memo, file_id, file_row, ${writeNo}::bigint
    from former where not withdrawn order by entry_id collate "C"`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}
