/** A part of a transaction that can be undone by itself. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { forgetStagesSince, stagesOf } from './bulk.ts';
import type { Tables } from '../schema/schema.ts';

export interface Savepoint {
  keep(): Promise<void>;
  /** Also after an error of the database, with which it would take no more. */
  undo(): Promise<void>;
}

export async function setSavepoint(trx: Transaction<Tables>): Promise<Savepoint> {
  const stages = stagesOf(trx);
  await sql`savepoint part`.execute(trx);
  const keep = async (): Promise<void> => {
    await sql`release savepoint part`.execute(trx);
  };
  return {
    keep,
    undo: async () => {
      await sql`rollback to savepoint part`.execute(trx);
      forgetStagesSince(trx, stages);
      await keep();
    },
  };
}
