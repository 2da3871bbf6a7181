/**
 * The life of a break (docs/architecture.md 3.2): opened once, found again under the same id, closed where a run that
 * covers it no longer finds it and the cause can be named. What a run found is also kept as it was found, for its
 * workbook.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { IS_OF_BALANCE, IS_UNEXPLAINED } from './break-keeps-its-id.ts';
import { closeBreaks } from './close-breaks.ts';
import type { BreakEnds } from './close-breaks.ts';
import { progressOf } from '../../store/database/writing.ts';
import { appendEvents, gatherEvents, openTrail } from '../../store/runs/audit-trail.ts';
import type { TrailHead } from '../../store/runs/audit-trail.ts';
import { lastWorkOf, statusOf } from '../../store/runs/break-work.ts';
import type { FindingRun } from '../balance/proof-request.ts';

/** Digest of everything in `found`, so that a run that finds the same again need not be a new version. */
export async function digestOfFound(trx: Transaction<Tables>): Promise<string> {
  const { rows } = await sql<{ digest: string }>`
    select md5(coalesce(string_agg(md5(f::text), '' order by account_no, item_key, class), '')) as digest
    from found f`.execute(trx);
  return rows[0]?.digest ?? '';
}

/**
 * Writes `found` as the findings of the run and carries the breaks on.
 * @param ends what may end a break
 */
export async function saveFindings(
  trx: Transaction<Tables>,
  run: FindingRun,
  ends: BreakEnds,
): Promise<void> {
  const head = await openTrail(trx);
  await nameItems(trx, run);
  await moveBreaks(trx);
  const knownNo = await progressOf(trx, 'match');
  await openBreaks(trx, run);
  await reopenBreaks(trx, run);
  await carryBreaks(trx, run);
  await lapseWork(trx, run);
  await keepFound(trx, run, knownNo);
  await keepFindings(trx, run);
  await keepTold(trx, knownNo);
  await closeBreaks(trx, run, ends);
  await keepTrail(trx, run, head);
}

/** Gives each found item its break: the one that it is already, or a new one. No break ever had the name of another. */
async function nameItems(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await sql`
    create temporary table named on commit drop as
    select f.*, b.break_id as known_id, b.first_day as known_first_day, o.n + 1 as next_occurrence,
      coalesce(b.break_id, case
        when exists (select from break t where t.break_id = ${nameOf(sql`item`)})
          then ${nameOf(sql`item || '|' || ${run.runId}`)}
        else ${nameOf(sql`item`)} end) as break_id
    from found f
    left join carried c using (account_no, item_key)
    left join break b on b.break_id = c.break_id
    cross join lateral (
      select coalesce(max(b.occurrence), 0) as n from break b
      where b.account_no = f.account_no and b.item_key = f.item_key
    ) o
    cross join lateral (select f.account_no || '|' || f.item_key || '|' || o.n + 1 as item) i`.execute(trx);
}

const nameOf = (text: RawBuilder<unknown>): RawBuilder<unknown> => sql`'B' || substr(md5(${text}), 1, 15)`;

/** A break that goes on under another key or account has that from now on. */
async function moveBreaks(trx: Transaction<Tables>): Promise<void> {
  const isMoved = sql`b.break_id = n.known_id and (b.account_no, b.item_key) <> (n.account_no, n.item_key)`;
  await gatherEvents(
    trx,
    sql`
      select n.break_id, 'changed', jsonb_build_object('accountNo', n.account_no, 'reference', n.reference), null::jsonb
      from named n join break b on ${isMoved} order by n.break_id`,
  );
  await sql`
    update break b set account_no = n.account_no, item_key = n.item_key, reference = n.reference,
      occurrence = n.next_occurrence
    from named n where ${isMoved}`.execute(trx);
}

/** Counted anew before anything refers to them: each such row is looked for as if there were no more than before. */
async function openBreaks(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  const { numAffectedRows: count = 0n } = await sql`
    insert into break (break_id, account_no, item_key, occurrence, class, severity, reference, platform_fen,
      ledger_fen, difference_fen, first_day, first_run, last_day, last_run)
    select break_id, account_no, item_key, next_occurrence, class, severity, reference, platform_fen,
      ledger_fen, difference_fen, ${run.toDay}, ${run.runId}, ${run.toDay}, ${run.runId}
    from named where known_id is null`.execute(trx);
  if (count === 0n) return;
  await sql`analyze break (break_id, account_no, item_key)`.execute(trx);
  await gatherEvents(
    trx,
    sql`
      select break_id, 'opened', jsonb_build_object('class', class, 'differenceFen', difference_fen), null::jsonb
      from named where known_id is null order by break_id`,
  );
}

/** A run of this day had closed break `b`, or what ended an amount is so no more; this one finds it again. */
const isFoundAgain = (run: FindingRun): RawBuilder<unknown> => sql`b.status = 'closed'
  and (b.closed_day = ${run.toDay} or (b.closed_day < ${run.toDay} and ${IS_UNEXPLAINED}))`;

/** Whether any of `found` is a break that is closed, and open once this is saved: needs `carried`. */
export async function reopensAny(trx: Transaction<Tables>, run: FindingRun): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from carried c join break b using (break_id) where ${isFoundAgain(run)}) as any`.execute(
    trx,
  );
  return rows[0]?.any === true;
}

async function reopenBreaks(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  const isAgain = sql`b.break_id = n.known_id and ${isFoundAgain(run)}`;
  await gatherEvents(
    trx,
    sql`
      select n.break_id, 'reopened', '{}'::jsonb, null::jsonb from named n join break b on ${isAgain}
      order by n.break_id`,
  );
  await sql`
    update break b set status = 'open', closed_day = null, closed_run = null, cleared_by = null,
      cleared_cause = null
    from named n where ${isAgain}`.execute(trx);
}

async function carryBreaks(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await gatherEvents(
    trx,
    sql`
      select n.break_id, 'changed', jsonb_build_object('class', n.class, 'differenceFen', n.difference_fen), null::jsonb
      from named n join break b on b.break_id = n.known_id
      where b.last_day <= ${run.toDay} and (b.class, b.difference_fen) is distinct from (n.class, n.difference_fen)
      order by n.break_id`,
  );
  await sql`
    update break b set first_day = least(b.first_day, ${run.toDay}),
      class = case when b.last_day <= ${run.toDay} then n.class else b.class end,
      severity = case when b.last_day <= ${run.toDay} then n.severity else b.severity end,
      platform_fen = case when b.last_day <= ${run.toDay} then n.platform_fen else b.platform_fen end,
      ledger_fen = case when b.last_day <= ${run.toDay} then n.ledger_fen else b.ledger_fen end,
      difference_fen = case when b.last_day <= ${run.toDay} then n.difference_fen else b.difference_fen end,
      last_run = case when b.last_day <= ${run.toDay} then ${run.runId} else b.last_run end,
      last_day = greatest(b.last_day, ${run.toDay})
    from named n where b.break_id = n.known_id`.execute(trx);
}

/** What people said of a break that this run finds and that holds no more is noted in its life (docs/reconciliation.md 3.13). */
async function lapseWork(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  const status = statusOf({
    work: sql`w.work`,
    class: sql`b.class`,
    differenceFen: sql`b.difference_fen`,
    foundDay: sql`b.last_day`,
    today: sql`${run.toDay}::text`,
  });
  await gatherEvents(
    trx,
    sql`
      select b.break_id, case s.status when 'expired' then 'expired' else 'reopened' end,
        jsonb_build_object('was', w.work ->> 'status', 'status', s.status),
        w.work || jsonb_build_object('status', s.status)
      from named n join break b on b.break_id = n.known_id
      cross join lateral (${lastWorkOf(sql`b.break_id`)}) w
      cross join lateral (select ${status} as status) s
      where b.last_day = ${run.toDay} and s.status <> w.work ->> 'status'
      order by b.break_id`,
  );
}

/**
 * Up to where the runs looked that found each break. One that knew no more than another and looked at no more says
 * nothing: what is known only grows, so each new one takes the place of those of earlier days and its own.
 */
async function keepFound(trx: Transaction<Tables>, run: FindingRun, knownNo: bigint): Promise<void> {
  const isFound = sql`not exists (select from unfound u where u.break_id = n.break_id)`;
  await sql`
    delete from break_found k using named n
    where k.break_id = n.break_id and k.day <= ${run.toDay} and ${isFound}`.execute(trx);
  await sql`
    insert into break_found (break_id, day, known_no, found_at)
    select n.break_id, ${run.toDay}, ${knownNo}::bigint, ${run.at} from named n where ${isFound}`.execute(
    trx,
  );
}

async function keepFindings(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await sql`
    insert into finding (run_id, break_id, account_no, item_key, class, severity, reference, platform_fen,
      ledger_fen, difference_fen, line, platform_ref, platform_state, platform_at, ledger_ref, ledger_state,
      ledger_at, counterparty, note, first_day, age_days)
    select ${run.runId}, break_id, account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, ledger_ref, ledger_state, ledger_at,
      counterparty, note, least(known_first_day, ${run.toDay}),
      ${run.toDay}::date - least(known_first_day, ${run.toDay})::date
    from named`.execute(trx);
}

/** What this run made of breaks goes into the trail, and the run knows where that stands. */
async function keepTrail(trx: Transaction<Tables>, run: FindingRun, before: TrailHead): Promise<void> {
  const head = await appendEvents(trx, { runId: run.runId, actor: 'recon', at: run.at }, before);
  await trx
    .updateTable('run')
    .set({ trail_no: head.no, trail_digest: head.digest })
    .where('run_id', '=', run.runId)
    .execute();
}

/** When a difference of the balance was first told with its amount only ever gets earlier, whichever run is made again. */
async function keepTold(trx: Transaction<Tables>, knownNo: bigint): Promise<void> {
  await sql`
    insert into break_told (break_id, difference_fen, known_no)
    select b.break_id, b.difference_fen, ${knownNo}::bigint from named b where ${IS_OF_BALANCE}
    on conflict (break_id, difference_fen)
    do update set known_no = least(break_told.known_no, excluded.known_no)`.execute(trx);
}
