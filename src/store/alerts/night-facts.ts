/** What a night came to, counted for people who read one line of it: by tables alone, no name of anybody among it. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day } from '../../core/time.ts';
import type { Run } from '../runs/runs.ts';
import type { Db, FindingTable, Verdict } from '../schema/schema.ts';

/** The standing night of that day that came to a verdict; undefined: none did. */
export async function findNightOf(db: Db, day: Day): Promise<Run | undefined> {
  return db
    .selectFrom('run')
    .selectAll()
    .where('job', '=', 'nightly')
    .where('accounts', '=', '')
    .where('to_day', '=', day)
    .where('verdict', 'is not', null)
    .where('superseded_by', 'is', null)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface FoundSum {
  severity: FindingTable['severity'];
  class: FindingTable['class'];
  count: number;
  /** Of the differences, whichever way they go. */
  sumFen: Fen;
}

/** The most money first. */
export async function sumFound(db: Db, runId: string): Promise<FoundSum[]> {
  const { rows } = await sql<FoundSum>`
    select severity, class, count(*)::integer as count, sum(abs(difference_fen))::bigint as "sumFen"
    from finding where run_id = ${runId} group by severity, class
    order by sum(abs(difference_fen)) desc, class`.execute(db);
  return rows;
}

export interface AccountsWhy {
  verdict: Verdict;
  /** The code of the reason; empty where nothing holds the verdict down. */
  code: string;
  count: number;
  /** What one of them says behind the code. */
  detail: string;
}

export async function countAccountsWhy(db: Db, runId: string): Promise<AccountsWhy[]> {
  const { rows } = await sql<AccountsWhy>`
    select verdict, split_part(reason, ':', 1) as code, count(*)::integer as count,
      coalesce(min(substr(reason, length(split_part(reason, ':', 1)) + 2)), '') as detail
    from run_account where run_id = ${runId} group by verdict, split_part(reason, ':', 1)
    order by count(*) desc, split_part(reason, ':', 1)`.execute(db);
  return rows;
}

/** The workbooks of a run, as they were written. */
export async function listWorkbooks(db: Db, runId: string): Promise<{ path: string; bytes: bigint }[]> {
  return db
    .selectFrom('run_file')
    .select(['path', 'bytes'])
    .where('run_id', '=', runId)
    .where('path', 'like', '%.xlsx')
    .orderBy(sql`length(path)`)
    .orderBy('path')
    .execute();
}
