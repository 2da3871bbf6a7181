/** Orders as the company's own program registers them before it sends them. */
import type { Insertable } from 'kysely';
import type { Db, Tables } from '../../../src/store/schema/schema.ts';

export type Registered = Partial<Insertable<Tables['order_registry']>> & { kind: 'transfer' | 'withdrawal' };

export async function register(db: Db, ...rows: readonly Registered[]): Promise<void> {
  await db
    .insertInto('order_registry')
    .values(rows.map((row) => ({ amount_fen: null, submitted_at: null, file_id: null, ...row })))
    .execute();
}

/** The same as a program does that may have registered it already. */
export async function registerOnceMore(db: Db, ...rows: readonly Registered[]): Promise<void> {
  await db
    .insertInto('order_registry')
    .values(rows.map((row) => ({ amount_fen: null, submitted_at: null, file_id: null, ...row })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
