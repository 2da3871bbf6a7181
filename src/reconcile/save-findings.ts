/**
 * The life of a break (architecture 3): opened once, found again under the same id, closed by a run that covers
 * it and no longer finds it. What a run found is also kept as it was found, for its workbook.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Day, Instant } from '../core/time.ts';
import { copyRows } from '../store/bulk.ts';
import type { Tables } from '../store/schema.ts';

export interface FindingRun {
  runId: string;
  job: 'nightly' | 'backfill';
  fromDay: Day;
  toDay: Day;
  at: Instant;
}

/** Digest of everything in `found`, so that a run that finds the same again need not be a new version. */
export async function digestOfFound(trx: Transaction<Tables>): Promise<string> {
  const { rows } = await sql<{ digest: string }>`
    select md5(coalesce(string_agg(md5(f::text), '' order by account_no, item_key, class), '')) as digest
    from found f`.execute(trx);
  return rows[0]?.digest ?? '';
}

/**
 * Writes `found` as the findings of the run and carries the breaks on.
 * @param closable accounts whose numbers are complete enough to call a break cured
 * @param clearedBy what cleared an item, where the rules know it: account, item key, reference
 */
export async function saveFindings(
  trx: Transaction<Tables>,
  run: FindingRun,
  closable: readonly string[],
  clearedBy: readonly { accountNo: string; key: string; reference: string }[],
): Promise<void> {
  await nameItems(trx, run);
  await openBreaks(trx, run);
  await reopenBreaks(trx, run);
  await carryBreaks(trx, run);
  await keepFindings(trx, run);
  await closeBreaks(trx, run, closable, clearedBy);
}

/** Gives each found item its break: the one it had when this run's day was looked at, or a new one. */
async function nameItems(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await sql`
    create temporary table named on commit drop as
    select f.*, b.break_id as known_id, b.first_day as known_first_day,
      coalesce(b.break_id, 'B' || substr(md5(f.account_no || '|' || f.item_key || '|' || coalesce(o.n, 0) + 1), 1, 15))
        as break_id,
      coalesce(o.n, 0) + 1 as next_occurrence
    from (
      select account_no, item_key, min(class) as class, min(severity) as severity, min(reference) as reference,
        sum(platform_fen)::bigint as platform_fen, sum(ledger_fen)::bigint as ledger_fen,
        sum(difference_fen)::bigint as difference_fen, bool_or(line) as line,
        max(platform_ref) as platform_ref, max(platform_state) as platform_state,
        min(platform_at) as platform_at, max(ledger_ref) as ledger_ref, max(ledger_state) as ledger_state,
        min(ledger_at) as ledger_at, max(counterparty) as counterparty, max(note) as note
      from found group by account_no, item_key
    ) f
    left join lateral (
      select b.break_id, b.first_day from break b
      where b.account_no = f.account_no and b.item_key = f.item_key
        and (b.status = 'open' or b.closed_day >= ${run.toDay})
      order by b.occurrence limit 1
    ) b on true
    left join lateral (
      select max(b.occurrence) as n from break b
      where b.account_no = f.account_no and b.item_key = f.item_key
    ) o on true`.execute(trx);
}

async function openBreaks(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await sql`
    with opened as (
      insert into break (break_id, account_no, item_key, occurrence, class, severity, reference, platform_fen,
        ledger_fen, difference_fen, first_day, first_run, last_day, last_run)
      select break_id, account_no, item_key, next_occurrence, class, severity, reference, platform_fen,
        ledger_fen, difference_fen, ${run.toDay}, ${run.runId}, ${run.toDay}, ${run.runId}
      from named where known_id is null
      returning break_id, class, difference_fen
    )
    insert into break_event (break_id, event_no, run_id, event, actor, at, details)
    select break_id, 1, ${run.runId}, 'opened', 'recon', ${run.at},
      jsonb_build_object('class', class, 'differenceFen', difference_fen)
    from opened`.execute(trx);
}

/** An earlier version of this day had closed it; this one finds it again. */
async function reopenBreaks(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await sql`
    with again as (
      update break b set status = 'open', closed_day = null, closed_run = null, cleared_by = null
      from named n
      where b.break_id = n.known_id and b.status = 'closed' and b.closed_day = ${run.toDay}
      returning b.break_id
    )
    insert into break_event (break_id, event_no, run_id, event, actor, at)
    select break_id, (select max(event_no) + 1 from break_event e where e.break_id = a.break_id), ${run.runId},
      'reopened', 'recon', ${run.at}
    from again a`.execute(trx);
}

async function carryBreaks(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  await sql`
    with changed as (
      select n.break_id, n.class, n.difference_fen from named n join break b on b.break_id = n.known_id
      where b.last_day <= ${run.toDay} and (b.class, b.difference_fen) is distinct from (n.class, n.difference_fen)
    )
    insert into break_event (break_id, event_no, run_id, event, actor, at, details)
    select c.break_id, (select max(event_no) + 1 from break_event e where e.break_id = c.break_id), ${run.runId},
      'changed', 'recon', ${run.at}, jsonb_build_object('class', c.class, 'differenceFen', c.difference_fen)
    from changed c`.execute(trx);
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

const CLEARED = {
  name: 'stage_cleared',
  columns: [
    { name: 'account_no', type: 'text collate "C"' },
    { name: 'item_key', type: 'text collate "C"' },
    { name: 'reference', type: 'text' },
  ],
} as const;

/** A nightly looks at all that is open; a backfill covers only its own days (architecture 3). */
async function closeBreaks(
  trx: Transaction<Tables>,
  run: FindingRun,
  closable: readonly string[],
  clearedBy: readonly { accountNo: string; key: string; reference: string }[],
): Promise<void> {
  const covered =
    run.job === 'nightly' ? sql`true` : sql`b.first_day >= ${run.fromDay} and b.first_day <= ${run.toDay}`;
  await copyRows(
    trx,
    CLEARED,
    clearedBy.map((item) => [item.accountNo, item.key, item.reference]),
  );
  await sql`
    with cured as (
      update break b set status = 'closed', closed_day = ${run.toDay}, closed_run = ${run.runId},
        cleared_by = coalesce(
          (select min(c.reference) from stage_cleared c where c.account_no = b.account_no and c.item_key = b.item_key),
          (select min(e.entry_id) from match x join ledger_entry e on e.entry_no = x.entry_no
           where x.account_no = b.account_no and 'line:' || x.group_key = b.item_key),
          (select min(substr(x.group_key, strpos(x.group_key, ':') + 1)) from ledger_entry e
           join match x on x.entry_no = e.entry_no
           where e.account_no = b.account_no and e.current
             and b.item_key like 'line:%:entry:' || e.source || '/' || e.entry_id), '')
      where b.account_no = any(${closable}::text[]) and b.first_day <= ${run.toDay} and ${covered}
        and (b.status = 'open' or b.closed_day > ${run.toDay})
        and not exists (select from named n where n.break_id = b.break_id)
      returning b.break_id, b.cleared_by
    )
    insert into break_event (break_id, event_no, run_id, event, actor, at, details)
    select break_id, (select max(event_no) + 1 from break_event e where e.break_id = c.break_id), ${run.runId},
      'closed', 'recon', ${run.at}, jsonb_build_object('clearedBy', cleared_by)
    from cured c`.execute(trx);
}
