/** The lists of a result, which grow with what a run finds: they are read from tables as they are walked. */
import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import { listSuggested } from '../../../reports/read/read-suggested.ts';
import { SUGGESTING, suggestionText } from '../../../reports/sheets/suggestion.ts';
import type { Locale } from '../../../reports/words/terms.ts';
import type { Fen } from '../../../src/core/fen.ts';
import type { LongList } from '../../../src/core/long-list.ts';
import { IS_END, lastEndOf } from '../../../src/store/runs/breaks.ts';
import { listOfRows } from '../../../src/store/database/pages.ts';
import type { BreakTable, ClearingCause, Db, FindingTable } from '../../../src/store/schema/schema.ts';

export interface BreakResult {
  id: string;
  class: string;
  accountNo: string;
  reference: string;
  platformFen: Fen | null;
  ledgerFen: Fen | null;
  differenceFen: Fen;
  severity: string;
  firstSeen: string;
  ageDays: number;
  /** What it probably is, a sentence in the language of the reports; empty where the evidence says nothing. */
  suggestion: string;
}

/** A break as the terminal of its night shows it. */
export type BreakBegun = Omit<BreakResult, 'suggestion'>;

export interface TimingResult {
  class: string;
  accountNo: string;
  reference: string;
  /** Null: nobody stated it. */
  amountFen: Fen | null;
  differenceFen: Fen;
  since: string;
}

export interface ClosedResult {
  id: string;
  clearedBy: string;
  cause: ClearingCause;
}

export interface ResultLists {
  breaks: LongList<BreakResult>;
  timing: LongList<TimingResult>;
  closed: LongList<ClosedResult>;
}

export function listsOfRun(db: Db, runId: string, locale: Locale): ResultLists {
  const found = findingsInOrder(db, runId);
  const words = SUGGESTING[locale];
  return {
    breaks: listSuggested(db, breaksOfRun(runId), IN_ORDER).map((row) => ({
      ...breakResult(row),
      suggestion: suggestionText(words, row),
    })),
    timing: listOfRows(db, found.where('severity', '=', 'timing')).map(timingResult),
    closed: listOfRows(db, closedInOrder(runId)).map(closedResult),
  };
}

type Severity = FindingTable['severity'];

/** How much a run found of each kind. */
export interface FoundCount {
  severity: Severity;
  class: string;
  count: number;
}

export async function countFound(db: Db, runId: string): Promise<FoundCount[]> {
  const rows = await db
    .selectFrom('finding')
    .select((eb) => ['severity', 'class', eb.fn.countAll<bigint>().as('count')])
    .where('run_id', '=', runId)
    .groupBy(['severity', 'class'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** How many members `breaks` has. */
export async function countBreaks(db: Db, runId: string): Promise<number> {
  const counts = await countFound(db, runId);
  return counts.reduce((sum, { severity, count }) => (severity === 'timing' ? sum : sum + count), 0);
}

/** The beginning of each list, and how long it is: what a terminal shows. */
export interface ListsBegun {
  counts: readonly FoundCount[];
  breaks: BreakBegun[];
  attention: BreakBegun[];
  timing: TimingResult[];
  closed: number;
}

/** @param most so many of each */
export async function beginLists(db: Db, runId: string, most: number): Promise<ListsBegun> {
  const first = (severity: Severity) =>
    findingsInOrder(db, runId).where('severity', '=', severity).limit(most).execute();
  const { rows: closed } = await sql<{ count: bigint }>`
    select count(*) as count from (${closedInOrder(runId)}) c`.execute(db);
  return {
    counts: await countFound(db, runId),
    breaks: (await first('break')).map(breakResult),
    attention: (await first('attention')).map(breakResult),
    timing: (await first('timing')).map(timingResult),
    closed: Number(closed[0]?.count ?? 0),
  };
}

function findingsInOrder(db: Db, runId: string) {
  return db
    .selectFrom('finding')
    .select([
      'break_id',
      'class',
      'account_no',
      'reference',
      'platform_fen',
      'ledger_fen',
      'difference_fen',
      'severity',
      'first_day',
      'age_days',
      'platform_at',
      'ledger_at',
    ])
    .where('run_id', '=', runId)
    .orderBy('account_no')
    .orderBy('class')
    .orderBy('reference')
    .orderBy('break_id');
}

type FindingRow = Selectable<FindingTable>;
type Finding = Awaited<ReturnType<ReturnType<typeof findingsInOrder>['execute']>>[number];

/** What a break and a finding of it have in common. */
export function breakFields(
  row: Pick<
    Finding,
    | 'break_id'
    | 'class'
    | 'account_no'
    | 'reference'
    | 'platform_fen'
    | 'ledger_fen'
    | 'difference_fen'
    | 'severity'
    | 'first_day'
  >,
): Omit<BreakBegun, 'ageDays'> {
  return {
    id: row.break_id,
    class: row.class,
    accountNo: row.account_no,
    reference: row.reference,
    platformFen: row.platform_fen,
    ledgerFen: row.ledger_fen,
    differenceFen: row.difference_fen,
    severity: row.severity,
    firstSeen: row.first_day,
  };
}

const IN_ORDER = sql`r.account_no, r.class, r.reference, r.break_id`;

function breaksOfRun(runId: string): RawBuilder<FindingRow> {
  return sql`select f.* from finding f where f.run_id = ${runId} and f.severity <> 'timing'`;
}

function breakResult(row: Finding): BreakBegun {
  return { ...breakFields(row), ageDays: row.age_days };
}

function timingResult(row: Finding): TimingResult {
  return {
    class: row.class,
    accountNo: row.account_no,
    reference: row.reference,
    amountFen: row.platform_fen ?? row.ledger_fen,
    differenceFen: row.difference_fen,
    since: row.platform_at ?? row.ledger_at ?? row.first_day,
  };
}

type Closed = Pick<BreakTable, 'break_id' | 'cleared_by' | 'cleared_cause'>;

/**
 * By its events, which stay: a later run may find the break again, or end it otherwise. What an earlier try of the run
 * ended and was open again by its last one, whichever run had found it, it did not end.
 */
function closedInOrder(runId: string): RawBuilder<Closed> {
  return sql<Closed>`
    select break_id, details ->> 'clearedBy' as cleared_by, details ->> 'cause' as cleared_cause
    from (select distinct break_id from break_event where run_id = ${runId} and ${IS_END}) own
    cross join (select coalesce((select trail_no from run where run_id = ${runId}),
      (select max(trail_no) from break_event where run_id = ${runId})) as no) head
    cross join lateral (${lastEndOf(sql`own.break_id`, sql`head.no`)}) last
    where last.run_id = ${runId} and last.event = 'closed' order by break_id`;
}

function closedResult(row: Closed): ClosedResult {
  const { break_id: id, cleared_by: clearedBy, cleared_cause: cause } = row;
  if (clearedBy === null || cause === null) throw new Error(`Bug: break ${id} was closed by nothing`);
  return { id, clearedBy, cause };
}
