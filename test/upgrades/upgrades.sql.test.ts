/**
 * Databases as earlier versions left them, brought to the schema of now: they have the same facts, breaks and verdicts, and
 * this program reads them. CONTRIBUTING.md says how one is added.
 */
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { publishRun } from '../../jobs/night/publish/publish.ts';
import { wholeResult } from '../../jobs/night/publish/result.ts';
import { prune } from '../../jobs/prune/prune.ts';
import { RETAINED_KINDS } from '../../src/core/config/config-retention.ts';
import { runScript } from '../../src/store/database/driver-commands.ts';
import { migrateToLatest } from '../../src/store/database/migrate.ts';
import { verifyTrail } from '../../src/store/runs/verify-trail.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { databaseToSpoil } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { Night } from '../helpers/night.ts';

const KEPT = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.sql.gz')).toSorted();

const VERSIONS = `0059 0061 0063 0064 0066 0074 0076 0079 0084 0086 0089 0090 0091 0092 0094 0098`.split(' ');
const MIGRATIONS = (await readdir(path.resolve(import.meta.dirname, '..', '..', 'migrations'))).filter(
  (name) => name.endsWith('.sql'),
);

/** What a migration may add to and never take from or change. */
const FACTS = [
  'account',
  'ledger_entry',
  'raw_answer',
  'deposit',
  'transfer_batch',
  'transfer_order',
  'order_registry',
  'balance_snapshot',
  'sync_day',
  'movement',
  'match',
  'run',
  'run_account',
  'run_file',
  'finding',
  'break',
  'break_event',
  'settle_attempt',
  'settle_event',
  'voucher',
  'voucher_bundle',
] as const;

/**
 * What a later version keeps in another form on purpose: the lists of a result are rows of `finding` (migration 0068),
 * files are named below RECON_HOME (migration 0086).
 */
const REMADE: Readonly<Record<string, readonly string[]>> = { run: ['result'], run_file: ['path'] };

const NIGHTS = [
  'nightly-2026-03-02-v1 breaks: B9ab6d940d248a06 platform_only 50000, B674cad40f1dcc55 unexplained 70',
  'nightly-2026-03-02-v2 breaks: B9ab6d940d248a06 platform_only 50000, B6f003e349541b29 platform_only 70',
];
const LAST =
  'B9ab6d940d248a06 platform_only 50000, B6f003e349541b29 platform_only 70, Be44a83fa2706566 platform_only -10000';
const TOLD = [...NIGHTS, `nightly-2026-03-03-v1 breaks: ${LAST}`];
/** From migration 0075 on what changed of a signed day is told. */
const SIGNED = [...NIGHTS, `nightly-2026-03-03-v1 breaks: Ba92ef035bbb5b98 period_changed 70, ${LAST}`];
/** Of which the runs are published again: the oldest, the newest, and those before a result was kept in another form. */
const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  '0059.sql.gz': TOLD,
  '0066.sql.gz': TOLD,
  '0074.sql.gz': TOLD,
  '0079.sql.gz': SIGNED,
  '0091.sql.gz': SIGNED,
  '0094.sql.gz': SIGNED,
};

let database: TestDatabase | undefined;
let night: Night | undefined;
afterEach(async () => {
  await night?.close();
  await database?.close();
});

async function loaded(name: string): Promise<TestDatabase> {
  const text = gunzipSync(await readFile(path.join(import.meta.dirname, name))).toString('utf8');
  const opened = await databaseToSpoil();
  await sql`drop schema public cascade`.execute(opened.db);
  await sql`create schema public`.execute(opened.db);
  await runScript(opened.db, text);
  return opened;
}

/** The columns that there are, by table. */
async function columnsOf(db: Db): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text order by column_name) as columns
    from information_schema.columns where table_schema = 'public' and table_name = any(${[...FACTS]}::text[])
    group by table_name`.execute(db);
  return new Map(
    rows.map(({ name, columns }) => [name, columns.filter((one) => REMADE[name]?.includes(one) !== true)]),
  );
}

async function factsOf(db: Db, columns: ReadonlyMap<string, readonly string[]>): Promise<object> {
  const facts: Record<string, string[]> = {};
  for (const [name, own] of columns) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from (select ${sql.join(own.map((one) => sql.ref(one)))} from ${sql.table(name)}) t
      order by 1`.execute(db);
    facts[name] = rows.map(({ row }) => row);
  }
  return facts;
}

test('databases of every version that had the commands of now are kept, none larger than 200 kB', async () => {
  expect(KEPT.map((name) => name.slice(0, 4))).toEqual(VERSIONS);
  for (const name of KEPT) {
    const { size } = await stat(path.join(import.meta.dirname, name));
    expect(size).toBeLessThan(200_000);
  }
});

test.each(KEPT)('%s: every fact, break and verdict is what it was, and the trail is whole', async (name) => {
  database = await loaded(name);
  const { db } = database;
  const before = await columnsOf(db);
  const facts = await factsOf(db, before);
  const empty = Object.entries(facts).filter(([, rows]) => (rows as string[]).length === 0);
  expect([before.size, empty]).toEqual([FACTS.length, []]);
  const newer = MIGRATIONS.filter((file) => file.slice(0, 4) > name.slice(0, 4));
  expect((await migrateToLatest(db)).length).toBe(newer.length);
  const after = await columnsOf(db);
  const common = new Map(
    [...before].map(([table, own]) => [table, own.filter((one) => after.get(table)?.includes(one))]),
  );
  const there = await factsOf(db, common);
  for (const table of FACTS)
    expect({ table, rows: there[table as never] }).toEqual({ table, rows: facts[table as never] });
  const files = await db.selectFrom('run_file').select('path').execute();
  expect(files.filter(({ path: place }) => !/^reports\/[^/]+\/v\d+\/[^/]+$/.test(place))).toEqual([]);
  expect((await verifyTrail(db)).faults).toEqual([]);
});

test.each(Object.keys(PUBLISHED))(
  '%s: its runs are published again with their verdicts and breaks',
  async (name) => {
    database = await loaded(name);
    await migrateToLatest(database.db);
    night = await Night.open({ now: '2026-03-05 08:00:00', database, workbooks: 'each' });
    const context = await night.process();
    const found: string[] = [];
    for (const runId of ['nightly-2026-03-02-v1', 'nightly-2026-03-02-v2', 'nightly-2026-03-03-v1']) {
      const { result } = await publishRun(context, runId, []);
      const { run, breaks } = await wholeResult(result);
      found.push(
        `${runId} ${run.verdict}: ${breaks.map((one) => `${one.id} ${one.class} ${one.differenceFen}`).join(', ')}`,
      );
    }
    expect(found).toEqual(PUBLISHED[name]);
    night.moveTo('2029-06-01 12:00:00');
    const dry = await prune(await night.process(), { kinds: RETAINED_KINDS, isDry: true });
    expect(dry.kinds.length).toBe(RETAINED_KINDS.length + 1);
  },
);
