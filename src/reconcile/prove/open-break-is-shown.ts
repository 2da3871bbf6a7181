/**
 * A break that a proof neither finds nor ends is open all the same: it stands among the findings of the run, and its
 * account is not green (docs/reconciliation.md 3.8).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { copyRows } from '../../store/database/bulk.ts';
import type { Tables } from '../../store/schema/schema.ts';
import { breakKeepsItsId } from './break-keeps-its-id.ts';
import { causesOfEnd } from './close-breaks.ts';
import type { BreakEnds } from './close-breaks.ts';
import type { VerdictCap } from '../balance/prove-account.ts';
import { NO_ACCOUNT } from '../../store/orders/told-on.ts';
import { reason } from '../balance/reasons.ts';
import type { FindingRun } from '../balance/proof-request.ts';

const CLEARED = {
  name: 'stage_cleared',
  columns: [
    { name: 'account_no', type: 'text collate "C"' },
    { name: 'item_key', type: 'text collate "C"' },
    { name: 'source', type: 'text' },
    { name: 'entry_id', type: 'text' },
  ],
} as const;

/** Breaks of one account named with a reason; the others are counted. */
const NAMES_MAX = 3;

const NOTE = 'still open: this proof neither finds it nor tells what ended it';

/**
 * Lays out in `unfound` what is open and no found item carries on, each with what ended it, and finds again what
 * nothing ended, or nothing may: the next proof begins at this one, and goes by what it found. What another item shows is shown already, a break only by a break; of several of one key one shows all.
 * Needs `found` complete.
 * @returns why those accounts are not green
 */
export async function openBreakIsShown(
  trx: Transaction<Tables>,
  run: FindingRun,
  ends: BreakEnds,
): Promise<Map<string, VerdictCap[]>> {
  if (!(await stageUnfound(trx, run, ends))) return new Map();
  const { rows } = await sql<{ account_no: string; count: number; names: string[] }>`
    with neither as (
      select distinct on (b.account_no, b.item_key) b.* from unfound u join break b using (break_id)
      where (u.cause is null or b.account_no <> all(${ends.closable}::text[]))
        and not exists (
          select from lives_on l join found f on f.account_no = l.account_no and f.item_key = l.item_key
          where l.break_id = b.break_id and (f.severity = 'break' or b.severity <> 'break'))
        and not exists (select from found f
          where f.item_key = b.item_key and b.account_no in (f.account_no, ${NO_ACCOUNT}))
      order by b.account_no, b.item_key, b.severity = 'break' desc, b.last_day desc, b.occurrence
    ), shown as (
      insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen, difference_fen,
        line, note)
      select account_no, item_key, class, severity, reference, platform_fen, ledger_fen, difference_fen, false, ${NOTE}
      from neither
    ), kept as (
      insert into carried select break_id, account_no, item_key from neither
      returning account_no, break_id
    )
    select account_no, count(*)::integer as count,
      (array_agg(break_id order by break_id))[1:${sql.lit(NAMES_MAX)}] as names
    from kept group by account_no order by account_no`.execute(trx);
  return new Map(
    rows.map(({ account_no: accountNo, count, names }) => {
      const more = count > NAMES_MAX ? ` and ${count - NAMES_MAX} more` : '';
      const why = reason('break_neither_found_nor_ended', `${names.join(', ')}${more}`);
      return [accountNo, [{ verdict: 'unverified', reason: why }]];
    }),
  );
}

/** @returns whether there is any: what ends a break is looked for only then, which takes longer to plan than to do */
async function stageUnfound(trx: Transaction<Tables>, run: FindingRun, ends: BreakEnds): Promise<boolean> {
  await copyRows(
    trx,
    CLEARED,
    ends.cleared.map((item) => [item.accountNo, item.key, item.source, item.entryId]),
  );
  await breakKeepsItsId(trx, run);
  await sql`drop table if exists unfound`.execute(trx);
  await sql`create temporary table unfound (break_id text collate "C", cause text, cleared_by text) on commit drop`.execute(
    trx,
  );
  const { numAffectedRows: count = 0n } = await sql`
    insert into unfound (break_id)
    select b.break_id from break b
    where b.status = 'open' and b.account_no = any(${ends.shown}::text[]) and b.first_day <= ${run.toDay}
      and not exists (select from carried c where c.break_id = b.break_id)`.execute(trx);
  if (count === 0n) return false;
  await layOutLookUps(trx);
  await sql`
    update unfound u set cause = c.cause, cleared_by = c.cleared_by
    from break b cross join lateral (${causesOfEnd(run, ends)}) c
    where b.break_id = u.break_id`.execute(trx);
  return true;
}

/**
 * What ends a break is looked up break by break, and a night may have to do so for every line of a large book. `still_moved`:
 * the lapsed lines with a movement on their account, where any was taken back.
 */
async function layOutLookUps(trx: Transaction<Tables>): Promise<void> {
  await sql`drop table if exists still_moved`.execute(trx);
  await sql`
    create temporary table still_moved on commit drop as
    select distinct l.break_id from lapsed l join name_of_line n using (break_id)
    join movement m on m.account_no = l.account_no and m.family = l.family and m.reference = n.name
    where exists (select from movement_taken_back t where t.account_no = l.account_no)`.execute(trx);
  for (const table of ['lapsed', 'name_of_line', 'entry_now', 'lives_on', 'still_moved']) {
    await sql`create index on ${sql.table(table)} (break_id)`.execute(trx);
    await sql`analyze ${sql.table(table)}`.execute(trx);
  }
  await sql`create index on open_movement (account_no, reference)`.execute(trx);
}
