/** The nights as the schedule and the health page see them: which are missing, and how the last one ended. */
import type { Day, Instant } from '../../core/time.ts';
import type { BreakTable, DbOrTransaction, Verdict } from '../schema/schema.ts';

/** What a few tries could not read stays unread: the next proof of those accounts spans the day. */
const INCOMPLETE_TRIES_MAX = 3;

/**
 * Days in the span (both included) whose night was begun and not published in the end, or was `incomplete` and has
 * tries left; oldest first.
 */
export async function listUnfinishedNights(
  db: DbOrTransaction,
  span: { from: Day; through: Day },
): Promise<Day[]> {
  const rows = await db
    .selectFrom('run')
    .select('to_day')
    .distinct()
    .where('job', '=', 'nightly')
    .where('accounts', '=', '')
    .where((eb) =>
      eb.or([
        eb('state', '=', 'open'),
        eb('step', '!=', 'published'),
        eb.and([eb('state', '=', 'incomplete'), eb('begun', '<', INCOMPLETE_TRIES_MAX)]),
      ]),
    )
    .where('to_day', '>=', span.from)
    .where('to_day', '<=', span.through)
    .orderBy('to_day')
    .execute();
  return rows.map((row) => row.to_day);
}

export interface ProvenNight {
  runId: string;
  day: Day;
  version: number;
  verdict: Verdict;
  startedAt: Instant;
  /** When all of it was done, vouchers and publishing too; of one that is not published yet, when it was proven. */
  finishedAt: Instant;
}

/** The standing night of the latest day that came to a verdict, `incomplete` included. */
export async function findLatestNight(db: DbOrTransaction): Promise<ProvenNight | undefined> {
  const row = await db
    .selectFrom('run')
    .select(['run_id', 'to_day', 'version', 'verdict', 'started_at', 'finished_at', 'published_at'])
    .where('job', '=', 'nightly')
    .where('accounts', '=', '')
    .where('verdict', 'is not', null)
    .where('finished_at', 'is not', null)
    .where('superseded_by', 'is', null)
    .orderBy('to_day', 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.verdict === null || row.finished_at === null) return undefined;
  return {
    runId: row.run_id,
    day: row.to_day,
    version: row.version,
    verdict: row.verdict,
    startedAt: row.started_at,
    finishedAt: row.published_at ?? row.finished_at,
  };
}

export interface OpenItems {
  class: BreakTable['class'];
  severity: BreakTable['severity'];
  count: number;
}

export async function countOpenItems(db: DbOrTransaction): Promise<OpenItems[]> {
  const rows = await db
    .selectFrom('break')
    .select((eb) => ['class', 'severity', eb.fn.countAll<bigint>().as('count')])
    .where('status', '=', 'open')
    .groupBy(['class', 'severity'])
    .orderBy('class')
    .orderBy('severity')
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

export async function countVerdicts(
  db: DbOrTransaction,
  runId: string,
): Promise<{ verdict: Verdict; count: number }[]> {
  const rows = await db
    .selectFrom('run_account')
    .select((eb) => ['verdict', eb.fn.countAll<bigint>().as('count')])
    .where('run_id', '=', runId)
    .groupBy('verdict')
    .orderBy('verdict')
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** When the last balance was taken outside a night. */
export async function lastSnapshotAt(db: DbOrTransaction): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('balance_snapshot')
    .select((eb) => eb.fn.max('taken_at').as('at'))
    .where('purpose', '=', 'snapshot')
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/** The last day for which a nightly run of all accounts came to a verdict. */
export async function lastNight(db: DbOrTransaction): Promise<Day | undefined> {
  const row = await db
    .selectFrom('run')
    .select((eb) => eb.fn.max('to_day').as('day'))
    .where('job', '=', 'nightly')
    .where('verdict', 'is not', null)
    .where('accounts', '=', '')
    .executeTakeFirst();
  return row?.day ?? undefined;
}
