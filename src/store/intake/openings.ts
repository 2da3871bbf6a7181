/** What the proofs of each account began with (docs/reconciliation.md 3.8): stated by the company, or seen. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import { progressOf } from '../database/writing.ts';
import type { AccountRow } from './accounts.ts';
import type { DbOrTransaction } from '../schema/schema.ts';

export interface Opening {
  at: Instant;
  fen: Fen;
}

/** Of accounts that were proven: the stated opening their first proof began with; undefined: its first balance. */
export async function provenOpenings(db: DbOrTransaction): Promise<Map<string, Opening | undefined>> {
  const rows = await db.selectFrom('proven_opening').selectAll().execute();
  return new Map(
    rows.map(({ account_no: accountNo, opening_at: at, opening_fen: fen }) => [
      accountNo,
      at === null || fen === null ? undefined : { at, fen },
    ]),
  );
}

/** Keeps what first proofs began with, and up to where they knew the records; later ones change nothing. */
export async function saveProvenOpenings(
  db: DbOrTransaction,
  runId: string,
  proven: readonly { accountNo: string; opening: Opening | undefined }[],
): Promise<void> {
  if (proven.length === 0) return;
  const knownNo = await progressOf(db, 'match');
  const rows = proven.map(({ accountNo, opening }) => ({
    account_no: accountNo,
    opening_fen: opening?.fen ?? null,
    opening_at: opening?.at ?? null,
    run_id: runId,
    known_no: knownNo,
  }));
  await db
    .insertInto('proven_opening')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** `account_no`, `at`, `fen`: what the next proof of an account begins with, where that is stated. */
export const STATED_OPENINGS = sql`
  select account_no, at, fen from (
    select a.account_no, case when p.account_no is null then a.opening_at else p.opening_at end as at,
      case when p.account_no is null then a.opening_fen else p.opening_fen end as fen
    from account a left join proven_opening p using (account_no)
  ) o where at is not null and fen is not null`;

/** The same of an account of the list. */
export async function openingsInForce(
  db: DbOrTransaction,
): Promise<(account: AccountRow) => Opening | undefined> {
  const proven = await provenOpenings(db);
  return ({ account_no: accountNo, opening_at: at, opening_fen: fen }) => {
    if (proven.has(accountNo)) return proven.get(accountNo);
    return at === null || fen === null ? undefined : { at, fen };
  };
}
