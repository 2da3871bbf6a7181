/**
 * What the drivers can do and a query builder cannot say: bulk loading, stage tables for it, and running a script of
 * many statements. They travel through Kysely as the one parameter of a query, so that they run on the connection
 * of the transaction they belong to; each driver adapter recognises them.
 */
import { CompiledQuery } from 'kysely';

/** Rows in the text format of COPY, for a query `copy … from stdin`. */
export class CopyText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Marks a query whose text holds several statements and no parameters. */
export const SCRIPT = Symbol('script');

export function copyQuery(sql: string, text: string): CompiledQuery {
  return CompiledQuery.raw(sql, [new CopyText(text)]);
}

/**
 * Marks the creation of a stage table, whose rows vanish with the transaction; how the table itself ends is the
 * driver's to say. On a server it is dropped, for one that stays and is emptied costs each commit of its session; the
 * embedded database keeps it, where to make and drop it anew fills a catalogue that nobody vacuums.
 */
export const STAGE = Symbol('stage');

export function stageQuery(create: string): CompiledQuery {
  return CompiledQuery.raw(create, [STAGE]);
}

/**
 * Marks a query of a transaction whose commit counts only when it is confirmed without a warning. The embedded
 * database has nobody to wait for.
 */
export const CERTAIN = Symbol('certain');

export function certainQuery(text: string): CompiledQuery {
  return CompiledQuery.raw(text, [CERTAIN]);
}

/** A database or a transaction, whatever its tables. */
interface Executing {
  executeQuery(query: CompiledQuery): Promise<unknown>;
}

/** Runs a script of statements, as migrations are. */
export async function runScript(db: Executing, script: string): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(script, [SCRIPT]));
}
