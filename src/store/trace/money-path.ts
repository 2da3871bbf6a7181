/** The way of an amount: movements of a record, the groups they were matched in, and the entries of the books. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { DbOrTransaction, Family, LedgerKind, MatchTable } from '../schema/schema.ts';
import type { EntryKey } from './bearers.ts';

export interface TracedMovement {
  accountNo: string;
  key: string;
  family: Family;
  kind: string;
  deltaFen: Fen;
  feeFen: Fen;
  reference: string;
  /** When it counts, and when it was first seen done. */
  at: Instant;
  seenAt: Instant;
  orderAccount: string;
}

export interface MatchLine {
  accountNo: string;
  group: string;
  rule: string;
  outcome: MatchTable['outcome'];
  movementKey: string | null;
  entryNo: bigint | null;
}

export interface TracedEntry {
  entryNo: bigint;
  accountNo: string;
  source: string;
  entryId: string;
  version: number;
  kind: LedgerKind;
  amountFen: Fen;
  reference: string;
  bookedAt: Instant;
  status: 'posted' | 'pending';
  state: 'current' | 'former' | 'withdrawn';
  fileName: string;
  fileSha256: string;
  /** Null: taken in before rows were kept. */
  fileRow: number | null;
  importedAt: Instant;
}

const FAMILIES: readonly Family[] = ['deposit', 'transfer', 'settlement', 'refund', 'withdrawal'];
const HEADS = [
  'deposit',
  'deposit_fee',
  'transfer_out',
  'transfer_in',
  'transfer_fee',
  'settlement',
  'settlement_fee',
  'refund_in',
  'refund_out',
  'refund_fee',
  'withdrawal',
  'withdrawal_fee',
];

const MOVEMENT = sql`m.account_no as "accountNo", m.dedup_key as key, m.family, m.kind, m.delta_fen as "deltaFen",
  m.fee_fen as "feeFen", m.reference, m.effective_from as at, m.effective_to as "seenAt",
  m.order_account as "orderAccount"`;

/** Of a reference, on these accounts: under its keys and those that number a change after a colon. */
export async function listMovements(
  db: DbOrTransaction,
  { reference, accounts }: { reference: string; accounts: readonly string[] },
): Promise<TracedMovement[]> {
  const bare = HEADS.map((head) => `${head}:${reference}`);
  const lent = accounts.map((account) => `deposit_fee:${account}/${reference}`);
  const lows = [...bare, ...lent, ...bare.map((key) => `${key}:`)];
  const highs = [...bare, ...lent, ...bare.map((key) => `${key};`)];
  const { rows } = await sql<TracedMovement>`
    select ${MOVEMENT}
    from unnest(${accounts}::text[]) a (account_no)
    cross join unnest(${lows}::text[], ${highs}::text[]) k (low, high)
    cross join lateral (
      select * from movement m where m.account_no = a.account_no and m.dedup_key >= k.low and m.dedup_key <= k.high
      offset 0
    ) m
    where m.reference = ${reference}
    order by m.effective_from, m.account_no, m.dedup_key`.execute(db);
  return rows;
}

/** How what goes by that reference was matched on these accounts. */
export async function listMatchLines(
  db: DbOrTransaction,
  { reference, accounts }: { reference: string; accounts: readonly string[] },
): Promise<MatchLine[]> {
  const groups = FAMILIES.map((family) => `${family}:${reference}`);
  const { rows } = await sql<MatchLine>`
    select x.account_no as "accountNo", x.group_key as "group", x.rule, x.outcome, x.dedup_key as "movementKey",
      x.entry_no as "entryNo"
    from unnest(${accounts}::text[]) a (account_no) cross join unnest(${groups}::text[]) g (group_key)
    join match x on x.account_no = a.account_no and x.group_key = g.group_key
    order by x.account_no, x.group_key, x.line_no`.execute(db);
  return rows;
}

/** The group an entry was matched in. */
export async function findMatchOfEntry(
  db: DbOrTransaction,
  entryNo: bigint,
): Promise<{ accountNo: string; group: string } | undefined> {
  const row = await db
    .selectFrom('match')
    .select(['account_no', 'group_key'])
    .where('entry_no', '=', entryNo)
    .executeTakeFirst();
  return row && { accountNo: row.account_no, group: row.group_key };
}

const ENTRY = sql`e.entry_no as "entryNo", e.account_no as "accountNo", e.source, e.entry_id as "entryId", e.version,
  e.kind, e.amount_fen as "amountFen", e.reference, e.booked_at as "bookedAt", e.status,
  case when e.withdrawn then 'withdrawn' when e.current then 'current' else 'former' end as state,
  f.name as "fileName", f.sha256 as "fileSha256", e.file_row as "fileRow", f.imported_at as "importedAt"`;

export async function listEntries(db: DbOrTransaction, entryNos: readonly bigint[]): Promise<TracedEntry[]> {
  if (entryNos.length === 0) return [];
  const { rows } = await sql<TracedEntry>`
    select ${ENTRY} from ledger_entry e join intake_file f on f.file_id = e.file_id
    where e.entry_no = any(${entryNos.map(String)}::bigint[])
    order by e.booked_at, e.entry_no`.execute(db);
  return rows;
}

/** All that the books ever said under an id, the latest first. */
export async function listEntryVersions(db: DbOrTransaction, key: EntryKey): Promise<TracedEntry[]> {
  const { rows } = await sql<TracedEntry>`
    select ${ENTRY} from (
      select * from ledger_entry where source = ${key.source} and entry_id = ${key.entryId} and current
      union all
      select * from ledger_entry where source = ${key.source} and entry_id = ${key.entryId} and not current
    ) e join intake_file f on f.file_id = e.file_id
    order by e.version desc`.execute(db);
  return rows;
}
