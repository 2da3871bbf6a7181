/**
 * Step 5 of the night: movements and ledger entries find each other, set by set, in the database. Only what is
 * new or still open takes part; what is left over is remembered for the next night.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Db, Tables } from '../../store/schema/schema.ts';
import { unitOfWork } from '../../store/database/unit-of-work.ts';
import { highestWriteNo, progressOf, saveProgress } from '../../store/database/writing.ts';
import { matchAlike } from './match-alike.ts';
import { matchByReference } from './match-by-reference.ts';
import { noteCounterparties } from './note-counterparties.ts';
import { dropUnmatchedItems, fillUnmatchedItems } from './unmatched-items.ts';

/** Memory one sort or hash of this step may use: a million rows fit without spilling to disk. */
const WORK_MEMORY = '256MB';

export async function match(db: Db, timeZone: string): Promise<void> {
  await unitOfWork(db, async (trx) => {
    await sql`select set_config('work_mem', ${WORK_MEMORY}, true)`.execute(trx);
    const upTo = await highestWriteNo(trx);
    const after = await progressOf(trx, 'match');
    await fillUnmatchedItems(trx, { after, upTo, timeZone });
    await matchByReference(trx);
    await noteCounterparties(trx);
    await matchAlike(trx, timeZone);
    await rememberLeftovers(trx);
    await dropUnmatchedItems(trx);
    await learnOutcome(trx);
    await saveProgress(trx, 'match', upTo);
  });
}

/** Books that were spoilt or put right change all of it in one night, long before the server would count it anew. */
async function learnOutcome(trx: Transaction<Tables>): Promise<void> {
  await sql`analyze match (account_no, group_key, entry_no, outcome)`.execute(trx);
  await sql`analyze unmatched`.execute(trx);
}

async function rememberLeftovers(trx: Transaction<Tables>): Promise<void> {
  await sql`create temporary table if not exists tied (account_no text collate "C", side text,
    item_key text collate "C") on commit drop`.execute(trx);
  await sql`
    insert into unmatched (account_no, side, item_key, ambiguous)
    select p.account_no, 'platform', p.dedup_key, t.item_key is not null
    from open_movement p
    left join tied t on t.side = 'm' and t.account_no = p.account_no
      and t.item_key = p.family || ':' || p.reference`.execute(trx);
  await sql`
    insert into unmatched (account_no, side, item_key, ambiguous)
    select p.account_no, 'ledger', p.entry_no::text, t.item_key is not null
    from open_entry p
    left join tied t on t.side = 'e' and t.account_no = p.account_no
      and t.item_key = p.entry_no::text`.execute(trx);
}
