/**
 * The rows that a sign-off holds: figures of accounts, breaks, files, books and runs of a period. They are laid aside in
 * the session, digested as a whole, kept under the event that signs them and later held against what is there then.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { jsonText } from '../../core/json.ts';
import type { Day } from '../../core/time.ts';
import type { Db, DbOrTransaction, SignedRowTable, Tables } from '../schema/schema.ts';

export type RowKind = SignedRowTable['kind'];

export interface PeriodRow {
  kind: RowKind;
  day: Day;
  key: string;
  figures: object;
}

const ROWS_A_PIECE = 1_000;

/** Begins to lay rows aside. @param session a connection of its own: temporary tables belong to one */
export async function openRows(session: DbOrTransaction): Promise<void> {
  await sql`drop table if exists period_row`.execute(session);
  await sql`
    create temporary table period_row (kind text collate "C", day text collate "C", key text collate "C",
      figures jsonb)`.execute(session);
}

export async function layRows(session: DbOrTransaction, rows: readonly PeriodRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_A_PIECE) {
    const some = rows.slice(at, at + ROWS_A_PIECE);
    await sql`
      insert into period_row select * from unnest(${some.map(({ kind }) => kind)}::text[],
        ${some.map(({ day }) => day)}::text[], ${some.map(({ key }) => key)}::text[],
        ${some.map(({ figures }) => jsonText(figures))}::jsonb[])`.execute(session);
  }
}

/** @param rows selects kind, day, key and figures */
export async function layRowsOf(session: DbOrTransaction, rows: RawBuilder<unknown>): Promise<void> {
  await sql`insert into period_row ${rows}`.execute(session);
}

/** Of what was laid aside, or with a number of what is kept under it. */
function rowsIn(trailNo: bigint | undefined): RawBuilder<unknown> {
  return trailNo === undefined
    ? sql`select kind, day, key, figures from period_row`
    : sql`select kind, day, key, figures from signed_row where trail_no = ${trailNo}::bigint`;
}

/**
 * SHA-256, in hex, over the rows in the order of kind, day and key, bytes compared: a line each, kind, day, key and the
 * figures as the database prints jsonb, with tabs between them and a line feed behind.
 */
export async function digestOfRows(session: DbOrTransaction, trailNo?: bigint): Promise<string> {
  const hash = createHash('sha256');
  let after = ['', '', ''];
  for (;;) {
    const [kind, day, key] = after;
    const { rows } = await sql<{ kind: string; day: string; key: string; text: string }>`
      select kind, day, key, figures::text as text from (${rowsIn(trailNo)}) r
      where (kind, day, key) > (${kind}::text, ${day}::text, ${key}::text)
      order by kind, day, key limit ${ROWS_A_PIECE}`.execute(session);
    for (const row of rows) hash.update(`${row.kind}\t${row.day}\t${row.key}\t${row.text}\n`);
    const last = rows.at(-1);
    if (last === undefined) return hash.digest('hex');
    after = [last.kind, last.day, last.key];
  }
}

/** Keeps what was laid aside under that event. */
export async function keepRows(trx: Transaction<Tables>, trailNo: bigint): Promise<void> {
  await sql`
    insert into signed_row (trail_no, kind, day, key, figures)
    select ${trailNo}::bigint, kind, day, key, figures from period_row`.execute(trx);
}

/** A row that is not as it was signed; one of both is null where there is none. */
export interface ChangedRow {
  kind: RowKind;
  day: Day;
  key: string;
  recorded: Record<string, unknown> | null;
  actual: Record<string, unknown> | null;
}

/** Differences told; who finds so many has no need of more. */
export const CHANGES_MAX = 1_000;

/**
 * What was laid aside, held against what is kept under that event.
 * @param of.kinds rows of other kinds are not compared
 * @param of.day rows of other days are not compared
 * @param of.saidToo whether what people said of breaks is compared as well
 */
export async function compareRows(
  session: Db,
  of: { trailNo: bigint; kinds: readonly RowKind[]; day?: Day; saidToo: boolean },
): Promise<ChangedRow[]> {
  const compared = (figures: RawBuilder<unknown>): RawBuilder<unknown> =>
    of.saidToo ? figures : sql`${figures} - 'said'`;
  const isOfThem = sql`kind = any(${of.kinds}::text[]) and day = coalesce(${of.day ?? null}::text, day)`;
  const { rows } = await sql<ChangedRow>`
    select kind, day, key, s.figures as recorded, a.figures as actual
    from (select * from (${rowsIn(of.trailNo)}) k where ${isOfThem}) s
    full join (select * from period_row where ${isOfThem}) a using (kind, day, key)
    where ${compared(sql`s.figures`)} is distinct from ${compared(sql`a.figures`)}
    order by kind, day, key limit ${CHANGES_MAX}`.execute(session);
  return rows;
}

/** Rows whose event is gone: of each event the days that it signed. */
export async function listOrphanRows(db: DbOrTransaction): Promise<{ no: bigint; from: Day; to: Day }[]> {
  const { rows } = await sql<{ no: bigint; from: Day; to: Day }>`
    select s.trail_no as no, min(s.day) as "from", max(s.day) as "to" from signed_row s
    where not exists (select from break_event e where e.trail_no = s.trail_no and e.period is not null)
    group by s.trail_no order by s.trail_no`.execute(db);
  return rows;
}
