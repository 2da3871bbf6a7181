/**
 * What is wrong with the orders of an account is told by the runs that prove it. That it is told there is known to the
 * others: a night before that account was listed had told it on another one, where it has not ended.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { NO_ACCOUNT } from '../../store/orders/told-on.ts';

/** Makes `told_elsewhere` of what is told on accounts that are not this run's. To be asked when all of it is in `found`. */
export async function leaveToOthers(trx: Transaction<Tables>): Promise<void> {
  const isOthers = sql`f.account_no <> ${NO_ACCOUNT} and f.account_no not in (select account_no from stage_scope)`;
  await sql`drop table if exists told_elsewhere`.execute(trx);
  await sql`
    create temporary table told_elsewhere on commit drop as
    select f.account_no, f.item_key, f.class, f.reference from found f where ${isOthers}`.execute(trx);
  await sql`delete from found f where ${isOthers}`.execute(trx);
}
