/**
 * The roll-up of a month, from tables alone: what each night found and came to, account by account the chain of proofs from
 * the month's opening to its closing, and the breaks that were open in it. Lists are laid aside in the session.
 */
import { sql } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Day, Zone } from '../../src/core/time.ts';
import { addDays } from '../../src/core/time.ts';
import type { Period } from '../../src/store/periods/period.ts';
import { listSignOffs } from '../../src/store/periods/sign-offs.ts';
import type { SignOff } from '../../src/store/periods/sign-offs.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { Db, Verdict } from '../../src/store/schema/schema.ts';
import { readMonthAccounts } from './read-month-accounts.ts';
import type { MonthAccount } from './read-month-accounts.ts';
import { stageMonthItems, sumMonthItems } from './read-month-items.ts';
import type { ItemTotals } from './read-month-items.ts';

export interface MonthDay {
  day: Day;
  /** Of several days the same one; undefined: nobody proved it. */
  run: Run | undefined;
}

/** What stood at the end of a run, and what had changed since the one before. */
export interface MonthRun {
  runId: string;
  accounts: number;
  /** Accounts that are not reconciled, timing aside. */
  notGreen: number;
  /** Of those that are not incomplete and have both balances. */
  platformFen: Fen;
  ledgerFen: Fen;
  differenceFen: Fen;
  opened: number;
  closed: number;
  open: number;
  attention: number;
  timing: number;
}

export interface Month {
  session: Db;
  period: Period;
  days: readonly MonthDay[];
  before: Run | undefined;
  last: Run;
  /** The run before and those of the month, by their ids. */
  runs: ReadonlyMap<string, MonthRun>;
  accounts: readonly MonthAccount[];
  items: ItemTotals;
  /** The sign-off of the month itself, and the one that its opening is held against. */
  own: SignOff | undefined;
  opening: SignOff | undefined;
  zone: Zone;
}

export interface MonthRequest {
  period: Period;
  days: readonly MonthDay[];
  before: Run | undefined;
  last: Run;
  zone: Zone;
}

export const MONTH_RUNS = { name: 'month_run' };

export async function readMonth(session: Db, request: MonthRequest): Promise<Month> {
  const { period, before, last, zone } = request;
  await stageRuns(session, request);
  await stageMonthItems(session, last);
  const inForce = (await listSignOffs(session)).filter(({ event }) => event === 'signed_off');
  const opening = inForce.find((signOff) => signOff.period.to === addDays(period.from, -1));
  return {
    ...request,
    session,
    runs: await readRuns(session, before !== undefined),
    accounts: await readMonthAccounts(session, { period, opening, zone }),
    items: await sumMonthItems(session),
    own: inForce.find((signOff) => signOff.period.name === period.name),
    opening,
  };
}

/** Numbered by the days that they end with, one a day; the one before the month is 0. */
async function stageRuns(session: Db, { days, before }: MonthRequest): Promise<void> {
  const all = [before, ...days.flatMap(({ day, run }) => (run?.to_day === day ? [run] : []))];
  const rows = all.flatMap((run, n) => (run === undefined ? [] : [{ n, run }]));
  await sql`drop table if exists ${sql.table(MONTH_RUNS.name)}`.execute(session);
  await sql`
    create temporary table ${sql.table(MONTH_RUNS.name)} as
    select * from unnest(${rows.map(({ n }) => n)}::integer[], ${rows.map(({ run }) => run.run_id)}::text[],
      ${rows.map(({ run }) => run.to_day)}::text[]) r (n, run_id, day)`.execute(session);
}

const HAS_CLOSING = sql`verdict <> 'incomplete' and difference_fen is not null`;

type RunRow = Omit<MonthRun, 'opened' | 'closed'> & { n: number; known: number };

/** Opened and closed are what the sets of breaks of two runs differ by, whatever a break was called in between. */
async function readRuns(session: Db, hasBefore: boolean): Promise<Map<string, MonthRun>> {
  const { rows } = await sql<RunRow>`
    select r.n, r.run_id as "runId", a.*, m.*
    from month_run r
    cross join lateral (
      select count(*)::integer as accounts,
        (count(*) filter (where verdict not in ('reconciled', 'reconciled_with_timing')))::integer as "notGreen",
        coalesce(sum(platform_fen) filter (where ${HAS_CLOSING}), 0)::bigint as "platformFen",
        coalesce(sum(ledger_fen) filter (where ${HAS_CLOSING}), 0)::bigint as "ledgerFen",
        coalesce(sum(difference_fen) filter (where ${HAS_CLOSING}), 0)::bigint as "differenceFen"
      from run_account where run_id = r.run_id) a
    cross join lateral (
      select (count(*) filter (where severity = 'break'))::integer as open,
        (count(*) filter (where severity = 'attention'))::integer as attention,
        (count(*) filter (where severity = 'timing'))::integer as timing,
        (count(*) filter (where severity = 'break' and exists (select from month_member p
          where p.break_id = c.break_id and p.n = r.n - 1 and p.severity = 'break')))::integer as known
      from month_member c where c.n = r.n) m
    order by r.n`.execute(session);
  const runs = new Map<string, MonthRun>();
  let open = hasBefore ? undefined : 0;
  for (const { n: _n, known, ...run } of rows) {
    const isFirst = open === undefined;
    runs.set(run.runId, {
      ...run,
      opened: isFirst ? 0 : run.open - known,
      closed: open === undefined ? 0 : open - known,
    });
    open = run.open;
  }
  return runs;
}

/** What may be said of the month: the verdict of its end, and never green where a day of it is not proven. */
export function monthVerdict({ last, days }: Pick<Month, 'last' | 'days'>): Verdict {
  const isWhole = days.every(({ run }) => run !== undefined && run.state !== 'incomplete');
  return isWhole ? (last.verdict ?? 'incomplete') : 'incomplete';
}
