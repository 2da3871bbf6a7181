/** The company's registry accounts: saved set by set from an imported file, read by every job. */
import { sql } from 'kysely';
import type { RawBuilder, Selectable, Transaction } from 'kysely';
import { WrongInput } from '../../core/errors.ts';
import type { Instant } from '../../core/time.ts';
import { TEXT_C, stageOf } from '../database/bulk.ts';
import type { KeyedRow } from '../database/bulk.ts';
import type { AccountTable, DbOrTransaction, Tables } from '../schema/schema.ts';

export type AccountRow = Selectable<AccountTable>;
type Role = NonNullable<AccountRow['role']>;
type AutoSettle = AccountRow['auto_settle'];

export const ACCOUNT_ROLES: readonly Role[] = ['FQ', 'JS'];
export const AUTO_SETTLE_WORDS: readonly AutoSettle[] = ['yes', 'no', 'unknown'];

/** Every account, by its number. */
export function listAccounts(db: DbOrTransaction): Promise<AccountRow[]> {
  return db.selectFrom('account').selectAll().orderBy('account_no').execute();
}

/** What is said where something is to be done with accounts. */
export const NO_ACCOUNTS = 'there are no accounts yet: recon accounts import FILE comes first';

export async function isAnyAccount(db: DbOrTransaction): Promise<boolean> {
  return (await db.selectFrom('account').select('account_no').limit(1).executeTakeFirst()) !== undefined;
}

/** @throws WrongInput when the account is not in the list */
export async function requireAccount(db: DbOrTransaction, accountNo: string): Promise<AccountRow> {
  const row = await db
    .selectFrom('account')
    .selectAll()
    .where('account_no', '=', accountNo)
    .executeTakeFirst();
  if (row) return row;
  throw new WrongInput(`account ${accountNo} is not in the account list`, [], { accountNo });
}

const ACCOUNT_COLUMNS = {
  row_no: 'integer',
  account_no: TEXT_C,
  ele_acct_no: 'text',
  name: 'text',
  role: 'text',
  subject_id: 'text',
  auto_settle: 'text',
  opening_fen: 'bigint',
  opening_at: 'timestamptz',
  active_from: 'timestamptz',
  active_to: 'timestamptz',
  replaced_by: 'text',
  account_group: 'text',
};
export const ACCOUNT_STAGE = stageOf('stage_account', ACCOUNT_COLUMNS);

/** A row of an account file; null where a cell is empty or could not be read. */
export type StagedAccount = KeyedRow<typeof ACCOUNT_COLUMNS>;

export interface RepeatedNumber {
  row: number;
  firstRow: number;
  value: string;
}

/** Rows whose account an earlier row of the stage has already, by row. */
export async function repeatedAccounts(trx: Transaction<Tables>): Promise<RepeatedNumber[]> {
  const { rows } = await sql<RepeatedNumber>`
    select row_no as "row", first_row as "firstRow", account_no as value
    from (select row_no, account_no, min(row_no) over (partition by account_no) as first_row
      from stage_account where account_no is not null) numbered
    where row_no > first_row
    order by row_no`.execute(trx);
  return rows;
}

export interface SpeltOtherwise {
  row: number;
  column: string;
  value: string;
  /** The account as the list, or the file itself, has it. */
  known: string;
}

/** A staged file with the columns of it that name accounts; the account list itself may name new ones. */
export interface NamingStage {
  table: 'stage_account' | 'stage_order';
  columns: readonly string[];
}

/**
 * Names of accounts that differ from one of the list, or from one that the file adds to it, only in upper and lower
 * case: the first of them by row, and how many there are. Numbers are compared letter by letter everywhere, so that
 * such a one would be a second account of which nothing is proven.
 */
export async function accountsSpeltOtherwise(
  trx: Transaction<Tables>,
  { table, columns }: NamingStage,
  limit: number,
): Promise<{ first: SpeltOtherwise[]; count: number }> {
  const named = columns.map(
    (column) =>
      sql`select row_no, ${column}::text as name, ${sql.ref(column)} as account_no from ${sql.table(table)}`,
  );
  const added = sql`union all select account_no, row_no from stage_account where account_no is not null`;
  const { rows } = await sql<SpeltOtherwise & { count: number }>`
    with known as (
      select account_no, 0 as row_no from account ${table === 'stage_account' ? added : sql``}
    )
    select n.row_no as "row", n.name as "column", n.account_no as value, min(k.account_no) as known,
      (count(*) over ())::integer as count
    from (${sql.join(named, sql` union all `)}) n
    join known k on lower(k.account_no) = lower(n.account_no) and k.account_no <> n.account_no and k.row_no < n.row_no
    where not exists (select from account a where a.account_no = n.account_no)
    group by n.row_no, n.name, n.account_no
    order by n.row_no, n.name limit ${limit}`.execute(trx);
  const first = rows.map(({ row, column, value, known }) => ({ row, column, value, known }));
  return { first, count: rows[0]?.count ?? 0 };
}

/**
 * What a file may say of an account. A column the file does not have says nothing: the account keeps what it
 * has. A cell that is empty clears it.
 */
export interface StatedColumns {
  fileId: string;
  importedAt: Instant;
  /** The columns of the file; `opening_at` stands for the opening as a whole. */
  columns: ReadonlySet<string>;
}

/** As it was, unless the list states another opening now. */
const ofOpening = (column: 'opening_file_id' | 'opening_since'): RawBuilder<unknown> =>
  sql`case when (account.opening_fen, account.opening_at) is distinct from (excluded.opening_fen, excluded.opening_at)
    then excluded.${sql.ref(column)} else account.${sql.ref(column)} end`;

/**
 * Brings the account list to what the stage says and leaves accounts that are equal untouched.
 * @returns how many accounts are new and how many were changed
 */
export async function saveStagedAccounts(
  trx: Transaction<Tables>,
  { fileId, importedAt, columns }: StatedColumns,
): Promise<{ added: number; changed: number }> {
  const stated = (
    column: string,
    staged: RawBuilder<unknown>,
    kept: RawBuilder<unknown>,
  ): RawBuilder<unknown> => (columns.has(column) ? staged : kept);
  const { rows } = await sql<{ added: number; changed: number }>`
    with wanted as (
      select s.account_no,
        ${stated('ele_acct_no', sql`s.ele_acct_no`, sql`a.ele_acct_no`)} as ele_acct_no,
        ${stated('name', sql`s.name`, sql`coalesce(a.name, '')`)} as name,
        ${stated('role', sql`s.role`, sql`a.role`)} as role,
        ${stated('subject_id', sql`s.subject_id`, sql`a.subject_id`)} as subject_id,
        ${stated('auto_settle', sql`s.auto_settle`, sql`coalesce(a.auto_settle, 'unknown')`)} as auto_settle,
        ${stated('opening_at', sql`s.opening_fen`, sql`a.opening_fen`)} as opening_fen,
        ${stated('opening_at', sql`s.opening_at`, sql`a.opening_at`)} as opening_at,
        ${stated('active_from', sql`s.active_from`, sql`a.active_from`)} as active_from,
        ${stated('active_to', sql`s.active_to`, sql`a.active_to`)} as active_to,
        ${stated('replaced_by', sql`s.replaced_by`, sql`a.replaced_by`)} as replaced_by,
        ${stated('group', sql`s.account_group`, sql`coalesce(a.account_group, '')`)} as account_group,
        a.account_no is null as is_new
      from stage_account s left join account a on a.account_no = s.account_no
    ), differing as (
      select * from wanted w where is_new or exists (
        select from account a where a.account_no = w.account_no
          and (a.ele_acct_no, a.name, a.role, a.subject_id, a.auto_settle, a.opening_fen, a.opening_at,
            a.active_from, a.active_to, a.replaced_by, a.account_group)
          is distinct from (w.ele_acct_no, w.name, w.role, w.subject_id, w.auto_settle, w.opening_fen,
            w.opening_at, w.active_from, w.active_to, w.replaced_by, w.account_group))
    ), written as (
      insert into account (account_no, ele_acct_no, name, role, subject_id, auto_settle, opening_fen, opening_at,
        active_from, active_to, replaced_by, account_group, file_id, opening_file_id, opening_since)
      select account_no, ele_acct_no, name, role, subject_id, auto_settle, opening_fen, opening_at,
        active_from, active_to, replaced_by, account_group, ${fileId}, ${fileId}, ${importedAt}::timestamptz
      from differing order by account_no
      on conflict (account_no) do update set ele_acct_no = excluded.ele_acct_no, name = excluded.name,
        role = excluded.role, subject_id = excluded.subject_id, auto_settle = excluded.auto_settle,
        opening_fen = excluded.opening_fen, opening_at = excluded.opening_at,
        active_from = excluded.active_from, active_to = excluded.active_to,
        replaced_by = excluded.replaced_by, account_group = excluded.account_group, file_id = excluded.file_id,
        opening_file_id = ${ofOpening('opening_file_id')}, opening_since = ${ofOpening('opening_since')}
    )
    select count(*) filter (where is_new)::integer as added, count(*) filter (where not is_new)::integer as changed
    from differing`.execute(trx);
  return rows[0] ?? { added: 0, changed: 0 };
}
