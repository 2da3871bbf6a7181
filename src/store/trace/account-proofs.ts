/** The proofs of one account: the chain of them, the one that stands for a day, and the one that counts a movement. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';
import type { DbOrTransaction, Verdict } from '../schema/schema.ts';

export interface AccountProof {
  runId: string;
  job: 'nightly' | 'backfill';
  fromDay: Day;
  toDay: Day;
  version: number;
  verdict: Verdict;
  reason: string;
  /** A later proof may begin at its closing. */
  chained: boolean;
  source: 'observed' | 'derived' | null;
  openingFen: Fen | null;
  openingAt: Instant | null;
  /** The run at whose closing it begins; empty: at a stated opening or a first balance. */
  openingRun: string;
  inFen: Fen;
  outFen: Fen;
  feeFen: Fen;
  movementsFen: Fen;
  statedFen: Fen | null;
  platformFen: Fen | null;
  frozenFen: Fen | null;
  inFlightFen: Fen;
  unexplainedFen: Fen | null;
  ledgerOpeningFen: Fen | null;
  ledgerInFen: Fen;
  ledgerOutFen: Fen;
  ledgerFeeFen: Fen;
  ledgerFen: Fen | null;
  lineDifferenceFen: Fen;
  openingDifferenceFen: Fen | null;
  differenceFen: Fen | null;
}

const COLUMNS = sql`r.run_id as "runId", r.job, r.from_day as "fromDay", r.to_day as "toDay", r.version, a.verdict, a.reason,
  a.chained, a.source, a.opening_fen as "openingFen", a.opening_at as "openingAt", a.opening_run as "openingRun",
  a.in_fen as "inFen", a.out_fen as "outFen", a.fee_fen as "feeFen", a.movements_fen as "movementsFen",
  a.stated_fen as "statedFen", a.platform_fen as "platformFen", a.frozen_fen as "frozenFen",
  a.in_flight_fen as "inFlightFen", a.unexplained_fen as "unexplainedFen", a.ledger_opening_fen as "ledgerOpeningFen",
  a.ledger_in_fen as "ledgerInFen", a.ledger_out_fen as "ledgerOutFen", a.ledger_fee_fen as "ledgerFeeFen",
  a.ledger_fen as "ledgerFen", a.line_difference_fen as "lineDifferenceFen",
  a.opening_difference_fen as "openingDifferenceFen", a.difference_fen as "differenceFen"`;

/** Of runs that stand and came to a verdict; of a day with a night and a backfill the night comes first. */
function proofsOf(accountNo: string, where: RawBuilder<unknown>): RawBuilder<AccountProof> {
  return sql<AccountProof>`
    select ${COLUMNS} from run r join run_account a on a.run_id = r.run_id and a.account_no = ${accountNo}
    where r.superseded_by is null and r.verdict is not null and ${where}`;
}

/** The chain of an account, oldest day first. */
export async function listAccountProofs(
  db: DbOrTransaction,
  accountNo: string,
  span: { from: Day | undefined; to: Day | undefined; limit: number },
): Promise<AccountProof[]> {
  const { from, to, limit } = span;
  const within = sql`(${from ?? null}::text is null or r.to_day >= ${from ?? null})
    and (${to ?? null}::text is null or r.from_day <= ${to ?? null})`;
  const { rows } = await sql<AccountProof>`
    ${proofsOf(accountNo, within)} order by r.to_day desc, r.job, r.version desc, r.run_id limit ${limit}`.execute(
    db,
  );
  return rows.toReversed();
}

/** The proof that speaks of a day, or the latest; undefined: none does. */
export async function findProofOf(
  db: DbOrTransaction,
  accountNo: string,
  day: Day | undefined,
): Promise<AccountProof | undefined> {
  const query =
    day === undefined
      ? sql<AccountProof>`${proofsOf(accountNo, sql`true`)} order by r.to_day desc, r.job desc, r.version desc limit 1`
      : sql<AccountProof>`
          ${proofsOf(accountNo, sql`r.to_day >= ${day}`)}
          order by r.from_day <= ${day} desc, r.to_day, r.job desc, r.version desc limit 1`;
  return (await query.execute(db)).rows[0];
}

/** The first proof whose days hold a movement of that instant; undefined: none has got so far. */
export async function findProofAcross(
  db: DbOrTransaction,
  accountNo: string,
  movement: { at: Instant; day: Day },
): Promise<AccountProof | undefined> {
  const after = sql`r.to_day >= ${movement.day} and (a.opening_at is null or a.opening_at <= ${movement.at})`;
  const { rows } = await sql<AccountProof>`
    ${proofsOf(accountNo, after)} order by r.to_day, r.job desc, r.version desc limit 1`.execute(db);
  return rows[0];
}

/** Counts the accounts of a run from 1 in the order of their numbers, as its workbook does. */
export async function accountIndexOf(
  db: DbOrTransaction,
  of: { runId: string; accountNo: string },
): Promise<number> {
  const { rows } = await sql<{ index: number }>`
    select count(*)::integer as index from run_account
    where run_id = ${of.runId} and account_no <= ${of.accountNo}`.execute(db);
  return rows[0]?.index ?? 0;
}

/** The workbooks of a run, the main one first. */
export async function workbooksOf(
  db: DbOrTransaction,
  runId: string,
): Promise<{ path: string; sha256: string }[]> {
  const { rows } = await sql<{ path: string; sha256: string }>`
    select path, sha256 from run_file where run_id = ${runId} and path like '%.xlsx'
    order by length(path), path`.execute(db);
  return rows;
}
