/**
 * The tables and reports of a night as they were at one moment, to be put back as often as a test needs them: the
 * nights before are run once, and every look they took stays where it was.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../src/store/schema/schema.ts';
import { emptyRows, tablesOf } from './dump.ts';
import type { Night } from './night.ts';
import { writableColumns } from './writable-columns.ts';

/** No table of the job is looked for there. */
const SCHEMA = 'kept';

export class KeptNight {
  readonly #night: Night;
  /** Service time at which it was kept. */
  readonly #now: string;

  private constructor(night: Night, now: string) {
    this.#night = night;
    this.#now = now;
  }

  /** Keeps what is there; what the same database kept before is forgotten. */
  static async keep(night: Night, now: string): Promise<KeptNight> {
    const { db } = night;
    await sql`drop schema if exists ${sql.ref(SCHEMA)} cascade`.execute(db);
    await sql`create schema ${sql.ref(SCHEMA)}`.execute(db);
    for (const name of await tablesOf(db)) {
      await sql`create table ${kept(name)} as table ${sql.table(name)}`.execute(db);
    }
    await mkdir(reportsOf(night), { recursive: true });
    await replaceFolder(reportsOf(night), keptReportsOf(night));
    return new KeptNight(night, now);
  }

  /** Sequences go on: a number is never given twice. */
  async putBack(): Promise<void> {
    const { db } = this.#night;
    const columns = await writableColumns(db, await tablesOf(db));
    await db.transaction().execute(async (trx) => {
      await emptyRows(trx, [...columns.keys()]);
      await fillRows(trx, columns);
    });
    await replaceFolder(keptReportsOf(this.#night), reportsOf(this.#night));
    this.#night.moveTo(this.#now);
  }
}

/** All in one statement, so that no reference can forbid an order. */
async function fillRows(
  trx: Transaction<Tables>,
  columns: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const filled = [...columns].map(([name, own]) => {
    const list = sql.join(own.map((column) => sql.ref(column)));
    return sql`${sql.ref(`filled_${name}`)} as (
      insert into ${sql.table(name)} (${list}) overriding system value select ${list} from ${kept(name)})`;
  });
  await sql`with ${sql.join(filled)} select`.execute(trx);
}

function kept(name: string) {
  return sql.table(`${SCHEMA}.${name}`);
}

function reportsOf({ home }: Night): string {
  return path.join(home, 'reports');
}

function keptReportsOf({ home }: Night): string {
  return path.join(home, 'kept', 'reports');
}

async function replaceFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
}
