/**
 * Two things the drivers can do and a query builder cannot say: bulk loading and running a script of many
 * statements. They travel through Kysely as the one parameter of a query, so that they run on the connection
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

/** Runs a script of statements, as migrations are. */
/** A database or a transaction, whatever its tables. */
interface Executing {
  executeQuery(query: CompiledQuery): Promise<unknown>;
}

export async function runScript(db: Executing, script: string): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(script, [SCRIPT]));
}
