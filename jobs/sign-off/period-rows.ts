/** What a sign-off of a period holds, read from the tables: the figures its workbooks show, and what they rest on. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { addDays } from '../../src/core/time.ts';
import type { Day, Zone } from '../../src/core/time.ts';
import type { Period } from '../../src/store/periods/period.ts';
import { booksOf } from '../../src/store/periods/period-books.ts';
import { layRows, layRowsOf, openRows } from '../../src/store/periods/signed-rows.ts';
import type { PeriodRow } from '../../src/store/periods/signed-rows.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { ITEMS, stageItems, sumItems } from '../../reports/read/read-items.ts';
import type { ItemSum } from '../../reports/read/read-items.ts';
import { readAccounts } from '../../reports/read/read-run.ts';
import { dropStage } from '../../reports/read/stage.ts';
import { statementsOf } from '../../reports/sheets/statement/statement-of.ts';
import type { Statement } from '../../reports/sheets/statement/statement-of.ts';

export interface PeriodContents {
  period: Period;
  /** The runs that prove it, oldest day first; the last one proves its end. */
  runs: readonly Run[];
  /** Up to where the audit trail is read. */
  trailNo: bigint;
  /** The highest write number when it was signed, where it is read to be held against what was signed. */
  signedNo?: bigint;
  zone: Zone;
}

/**
 * Lays the rows of the period aside in the session. What the last run found stays there too (`report_item`), as people
 * see it at that place of the trail.
 */
export async function layPeriod(session: Db, contents: PeriodContents): Promise<void> {
  await openRows(session);
  for (const run of contents.runs) await layRun(session, run, contents);
  const last = contents.runs.at(-1);
  if (last !== undefined) await layRowsOf(session, itemRows(last.to_day));
  await layBooks(session, contents);
}

/** Figures and breaks of the day of a signed run, with another run in its place. */
export async function layFigures(
  session: Db,
  { signed, instead }: { signed: Run; instead: Run },
  contents: PeriodContents,
): Promise<void> {
  await openRows(session);
  const beside = contents.runs.filter((run) => run.to_day === signed.to_day && run.run_id !== signed.run_id);
  for (const run of beside) await layRun(session, run, contents);
  await layRun(session, instead, contents, signed);
  await layRowsOf(session, itemRows(signed.to_day));
}

/** @param as under the names of that one */
async function layRun(session: Db, run: Run, contents: PeriodContents, as: Run = run): Promise<void> {
  const { trailNo } = contents;
  const { run_id: runId, to_day: day } = run;
  await stageItems(session, { runId, trailNo, toDay: day });
  const accounts = await readAccounts(session, runId);
  const items = await sumItems(session);
  const ofAccount = Map.groupBy(items, ({ accountIndex }) => accountIndex);
  const files = await session
    .selectFrom('run_file')
    .select(['path', 'sha256'])
    .where('run_id', '=', runId)
    .execute();
  await layRows(session, [
    { kind: 'run', day, key: runId, figures: runFigures(run) },
    ...statementsOf({ accounts, items }).map((statement): PeriodRow => {
      const { accountNo, index } = statement.account;
      return {
        kind: 'account',
        day,
        key: keyOf(accountNo, as, contents),
        figures: accountFigures(statement, countsOf(ofAccount.get(index) ?? [])),
      };
    }),
    ...files.map((file): PeriodRow => ({
      kind: 'file',
      day,
      key: file.path,
      figures: { sha256: file.sha256 },
    })),
  ]);
}

/** Of two runs that end on one day, a backfill and a night, the first names itself. */
function keyOf(accountNo: string, { run_id: runId, to_day: day }: Run, { runs }: PeriodContents): string {
  const last = runs.findLast((run) => run.to_day === day);
  return last === undefined || last.run_id === runId ? accountNo : `${accountNo} of ${runId}`;
}

function runFigures({ version, verdict, state, outcome_digest: outcomeDigest }: Run): object {
  return { version, verdict, state, outcomeDigest };
}

/** What of an account stood open, as its lists have it. */
interface Counts {
  openItems: number;
  openItemsFen: bigint;
  breaks: number;
  breaksFen: bigint;
}

function countsOf(items: readonly ItemSum[]): Counts {
  const sum = (list: ItemSum['list']): { count: number; fen: bigint } =>
    items
      .filter((item) => item.list === list)
      .reduce(({ count, fen }, item) => ({ count: count + item.count, fen: fen + item.netFen }), {
        count: 0,
        fen: 0n,
      });
  const [open, broken] = [sum('open'), sum('break')];
  return {
    openItems: open.count,
    openItemsFen: open.fen,
    breaks: broken.count,
    breaksFen: broken.fen,
  };
}

function accountFigures({ account, left, right, difference }: Statement, counts: Counts): object {
  const { index: _index, accountNo: _no, name: _name, ...figures } = account;
  const { assumptions: _assumptions, candidates: _candidates, reason: _reason, ...amounts } = figures;
  return {
    ...amounts,
    adjustedLedgerFen: left ?? null,
    adjustedPlatformFen: right ?? null,
    adjustedDifferenceFen: difference ?? null,
    ...counts,
  };
}

/** Breaks, items for attention and timing items, and what people had said of them. */
function itemRows(day: Day): RawBuilder<unknown> {
  return sql`
    select 'item', ${day}::text, i.break_id, jsonb_build_object('list', i.list, 'class', i.class,
      'accountNo', i.account_no, 'reference', i.reference, 'line', i.statement_line, 'platformFen', i.platform_fen,
      'ledgerFen', i.ledger_fen, 'differenceFen', i.difference_fen, 'firstDay', i.first_day,
      'said', jsonb_build_object('status', i.work_status, 'owner', i.owner, 'reason', i.reason, 'writeOffs', i.write_offs))
    from ${sql.table(ITEMS.name)} i where i.list <> 'cleared'`;
}

/** What the figures rest on, account by account. */
async function layBooks(session: Db, { period, zone, signedNo }: PeriodContents): Promise<void> {
  const [from, to] = [zone.dayStart(period.from), zone.dayStart(addDays(period.to, 1))];
  const books = {
    from: sql`${from}::timestamptz`,
    to: sql`${to}::timestamptz`,
    ...(signedNo !== undefined && { signedNo: sql`${signedNo}::bigint` }),
  };
  for (const side of ['ledger', 'platform'] as const) {
    await layRowsOf(
      session,
      sql`select ${side}::text, ${period.to}::text, account_no, figures from (${booksOf[side](books)}) b`,
    );
  }
}

/** @param session where a period was laid aside */
export async function dropPeriod(session: Db): Promise<void> {
  await dropStage(session, { name: 'period_row' });
  await dropStage(session, ITEMS);
}
