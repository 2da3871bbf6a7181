/**
 * What a database says, in a form that two histories can be compared by: every fact, proof, finding and break,
 * without the moments at which they were written and the numbers that only count writes.
 */
import path from 'node:path';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { ResultHead } from '../../jobs/night/publish/result.ts';
import { jsonText } from '../../src/core/json.ts';
import type { Db, Tables } from '../../src/store/schema/schema.ts';

/**
 * By table: the columns that tell when or in what order something was written, and nothing else. Attempts to settle
 * are not among them: what a run that died had sent stays an attempt of its own, whatever the next run does.
 */
const WITHOUT = {
  account_baseline: ['snapshot_at', 'snapshot_closed_at', 'told_no'],
  assumed_across: ['seen_at'],
  deposit: ['seen_at', 'written_no'],
  deposit_version: ['seen_at', 'content'],
  record_fault: [],
  sync_window: ['verified_at'],
  sync_day: ['verified_at', 'sealed_at'],
  movement: ['written_no'],
  run: [
    'fence',
    'clock_at',
    'started_at',
    'finished_at',
    'published_at',
    'facts',
    'result',
    // Of findings and figures, which are compared themselves; those of orders hold the moments of looks.
    'outcome_digest',
    'settings_digest',
    'assumptions',
    'begun',
    'trail_no',
    'trail_digest',
  ],
  run_account: ['known_no'],
  run_unexplained: ['until'],
  finding: [],
  break: [],
  break_told: ['known_no'],
  break_found: ['known_no', 'found_at'],
  break_event: ['at', 'trail_no', 'before_digest', 'digest'],
  order_registry: ['file_id'],
  order_due: ['asked_at', 'asked_run', 'not_found_since', 'claim_fence', 'may_have_shown_at'],
  order_alias: [],
  transfer_batch: ['first_seen_at', 'seen_at', 'written_no'],
  transfer_order: [
    'first_seen_at',
    'seen_at',
    'settle_shown_at',
    'unfailed_shown_at',
    'refund_shown_at',
    'written_no',
  ],
  withdrawal: ['first_seen_at', 'seen_at', 'written_no'],
  order_version: ['seen_at', 'content'],
  order_state_seen: [],
  order_fault: ['noted_no'],
} as const satisfies Record<string, readonly string[]>;

/** By table: instants that may be those of our own looks at orders; they are told by the hour. */
const BY_THE_HOUR: Readonly<Record<string, readonly string[]>> = {
  movement: ['effective_from', 'effective_to'],
  finding: ['platform_at'],
  order_state_seen: ['since', 'open_since', 'last_open_at', 'first_final_at'],
};

export type Dump = Record<string, string[]>;

export async function dumpOf(db: Db): Promise<Dump> {
  const dump: Dump = {};
  for (const [table, without] of Object.entries(WITHOUT)) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(db);
    dump[table] = linesOf(rows, without, BY_THE_HOUR[table]);
  }
  dump['result'] = await resultsOf(db);
  // Entries are numbered as they are imported; their ids are what they are.
  const { rows: matches } = await sql<object>`
    select x.account_no, x.group_key, x.line_no, x.dedup_key, x.rule, x.outcome, e.source, e.entry_id, e.version
    from match x left join ledger_entry e using (entry_no)`.execute(db);
  dump['match'] = linesOf(matches, []);
  const { rows: unmatched } = await sql<object>`
    select u.account_no, u.side, u.ambiguous, coalesce(e.entry_id, u.item_key) as item
    from unmatched u left join ledger_entry e on u.side = 'ledger' and e.entry_no::text = u.item_key`.execute(
    db,
  );
  dump['unmatched'] = linesOf(unmatched, []);
  return dump;
}

/** The result documents beside their lists, which are rows of tables: without when they were made and without the digests of workbooks that say when. */
async function resultsOf(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('run').select(['run_id', 'result']).orderBy('run_id').execute();
  return rows.map(({ run_id: runId, result }) => {
    const whole = result as ResultHead | null;
    if (whole === null) return `${runId}: none`;
    const { startedAt: _started, finishedAt: _finished, ...run } = whole.run;
    const files = whole.files.map(({ path: file }) => path.basename(file));
    return `${runId}: ${jsonText({ ...whole, run, files, auditTrail: undefined })}`;
  });
}

/** The lines only one of them has, with its sign; none when both say the same. */
export function differencesOf(dumps: { expected: Dump; found: Dump }): string[] {
  const lines: string[] = [];
  for (const table of Object.keys(dumps.expected)) {
    const [expected, found] = [dumps.expected[table] ?? [], dumps.found[table] ?? []];
    const [asExpected, asFound] = [new Set(expected), new Set(found)];
    lines.push(...expected.filter((line) => !asFound.has(line)).map((line) => `- ${table} ${line}`));
    lines.push(...found.filter((line) => !asExpected.has(line)).map((line) => `+ ${table} ${line}`));
    if (expected.length !== found.length)
      lines.push(`${table}: ${expected.length} rows, found ${found.length}`);
  }
  return lines;
}

function linesOf(
  rows: readonly object[],
  without: readonly string[],
  byTheHour: readonly string[] = [],
): string[] {
  return rows
    .map((row) => {
      const members = Object.entries(row).filter(([name]) => !without.includes(name));
      return jsonText(
        Object.fromEntries(
          members.map(([name, value]) => [
            name,
            byTheHour.includes(name) ? hourOf(value) : (value as unknown),
          ]),
        ),
      );
    })
    .toSorted();
}

function hourOf(instant: unknown): unknown {
  return typeof instant === 'string' ? instant.slice(0, '2026-03-02T01'.length) : instant;
}

/** How many rows each table has. */
export async function rowCounts(db: Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesOf(db)) {
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from ${sql.table(table)}`.execute(
      db,
    );
    counts[table] = rows[0]?.n ?? 0;
  }
  return counts;
}

/** All tables of the job. */
export async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'
    order by tablename`.execute(db);
  return rows.map(({ name }) => name);
}

/** Tables that hold what the company told; the rest is what the job made of it. */
const TOLD = ['account', 'intake_file', 'ledger_entry', 'ledger_source', 'order_registry'];

/** Empties all tables, or only those the job filled. */
export async function emptyTables(db: Db, which: 'all' | 'made by the job'): Promise<void> {
  const tables = (await tablesOf(db)).filter((name) => which === 'all' || !TOLD.includes(name));
  await db.transaction().execute(async (trx) => {
    await emptyRows(trx, tables);
    await restartSequences(trx, which === 'all' ? undefined : tables);
    await trx.updateTable('order_registry').set({ enrolled: false }).execute();
  });
}

/** Those of the tables, or all there are: also the one that counts writes to any of them. */
async function restartSequences(
  trx: Transaction<Tables>,
  tables: readonly string[] | undefined,
): Promise<void> {
  await (
    tables === undefined
      ? sql`
          select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
          from pg_sequences where schemaname = 'public'`
      : sql`
          select setval(pg_get_serial_sequence(quote_ident(table_name), column_name), 1, false)
          from information_schema.columns
          where table_schema = 'public' and is_identity = 'YES' and table_name = any(${tables}::text[])`
  ).execute(trx);
}

/**
 * Rows are deleted, all in one statement that no reference can forbid: to truncate is to make a new file for every
 * table and index, which takes PostgreSQL a second.
 */
export async function emptyRows(trx: Transaction<Tables>, tables: readonly string[]): Promise<void> {
  // What a process that was killed may still be committing is emptied as well.
  await sql`lock table ${sql.join(tables.map((name) => sql.table(name)))} in share row exclusive mode`.execute(
    trx,
  );
  const emptied = tables.map(
    (name) => sql`${sql.ref(`emptied_${name}`)} as (delete from ${sql.table(name)})`,
  );
  await sql`with ${sql.join(emptied)} select`.execute(trx);
}
