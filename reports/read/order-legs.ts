/**
 * One account's part in one change of an order: what a row of the sheets of orders is about. What moved money in
 * the period counts; what is on its way or ended without moving any is listed beside it.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Window } from '../../src/core/window.ts';
import type { Tables } from '../../src/store/schema/schema.ts';
import type { RunHead } from './read-run.ts';
import { dropStage, layAside } from './stage.ts';

export const LEGS = { name: 'report_leg' };
/** What the run found, by account and matched group; the fault of an order, by account and order. */
export const FOUND = { name: 'report_found' };
export const REMARKS = { name: 'report_remark' };

/** What the run had written or seen by its end is part of it; what came later is not. */
export interface AsThen {
  /** An order `o` is as the run knew it. */
  isUnchanged: RawBuilder<unknown>;
  /** The run knew the movement `m`, be it under another write number. */
  isKnown: RawBuilder<unknown>;
  ended: RawBuilder<unknown>;
}

/** A run that kept no write number is shown with all that is known now. */
export function asThen({ writtenUpTo, finishedAt }: RunHead): AsThen {
  const ended = sql`${finishedAt ?? 'infinity'}::timestamptz`;
  if (writtenUpTo === null) return { ended, isUnchanged: sql`true`, isKnown: sql`true` };
  return {
    ended,
    isUnchanged: sql`(o.written_no <= ${writtenUpTo}::bigint)`,
    isKnown: sql`(m.written_no <= ${writtenUpTo}::bigint or m.effective_to <= ${ended})`,
  };
}

/** Movements of orders that count in the period on accounts of the run, as the run knew them. */
export function movedInPeriod(head: RunHead, period: Window): RawBuilder<unknown> {
  return sql`m.family <> 'deposit' and m.effective_from >= ${period.from} and m.effective_from < ${period.to}
    and ${asThen(head).isKnown}`;
}

/** A line and what is in flight are told apart from faults by their key: `<what>:<family>:<reference>`. */
export async function layOutFindings(trx: Transaction<Tables>, { runId }: RunHead): Promise<void> {
  await layAside(
    trx,
    FOUND,
    sql`
    select distinct on (account_no, group_key) * from (
      select account_no, substr(item_key, strpos(item_key, ':') + 1) as group_key, break_id, class, severity,
        platform_fen, ledger_fen, difference_fen, line, ledger_ref, ledger_at
      from finding
      where run_id = ${runId} and severity in ('break', 'timing')
    ) f
    order by account_no, group_key, line desc, severity, break_id`,
  );
  await layAside(
    trx,
    REMARKS,
    sql`
    select account_no, reference, class = 'settle_failed' as of_settlement, min(class) as class from finding
    where run_id = ${runId} and not line and substr(item_key, strpos(item_key, ':') + 1) = reference
    group by account_no, reference, of_settlement`,
  );
}

/**
 * `counted` legs have movements in the period, a fee beside them taken in; a fee that another account bears is a
 * leg of its own there.
 */
export async function layOutLegs(trx: Transaction<Tables>, head: RunHead, period: Window): Promise<void> {
  await layAside(trx, OWN, ownAccounts(head));
  await layAside(
    trx,
    MOVED,
    sql`
    select m.account_no, o.account_index, m.family, m.reference, m.order_account, m.change_no, m.kind, m.dedup_key,
      m.delta_fen, m.fee_fen, m.effective_from, m.effective_to
    from movement m join report_own o on o.account_no = m.account_no
    where ${movedInPeriod(head, period)}`,
  );
  await layAside(trx, COUNTED, countedLegs());
  // Laid aside on its own: only then does the planner know how many there are to hold against those that count.
  await layAside(trx, POSSIBLE, possibleLegs(head, period));
  await layAside(trx, LEGS, sql`select * from report_counted union all ${uncountedLegs(head, period)}`);
  for (const stage of [OWN, MOVED, COUNTED, POSSIBLE]) await dropStage(trx, stage);
}

const OWN = { name: 'report_own' };
const MOVED = { name: 'report_moved' };
const COUNTED = { name: 'report_counted' };
const POSSIBLE = { name: 'report_possible' };

function ownAccounts({ runId }: RunHead): RawBuilder<unknown> {
  return sql`
    select account_no, row_number() over (order by account_no)::integer as account_index
    from run_account where run_id = ${runId}`;
}

/** What makes a leg of a movement; a fee goes with the first leg of its change on its account. */
const CHANGE = ['account_no', 'family', 'reference', 'order_account', 'change_no'] as const;

function countedLegs(): RawBuilder<unknown> {
  const key = sql.join(CHANGE.map((column) => sql.ref(column)));
  const isFirst = sql`not (p.account_no = p.order_account and p.kind in ('transfer_in', 'refund_out'))`;
  return sql`
    with fee as (
      select ${key}, min(account_index) as account_index, min(dedup_key) as dedup_key,
        sum(delta_fen)::bigint as delta_fen, sum(fee_fen)::bigint as fee_fen, min(effective_from) as effective_from,
        min(effective_to) as effective_to
      from report_moved where kind = 'fee' group by ${key}
    ), principal as (
      select * from report_moved where kind <> 'fee'
    )
    select p.account_no, p.account_index, p.family, p.reference, p.order_account, p.change_no, p.kind as leg,
      true as counted, p.dedup_key, f.dedup_key as fee_key,
      case when p.family in ('withdrawal', 'settlement') and p.delta_fen > 0 then 'returned' else 'moved' end as state,
      p.effective_to as final_at, p.effective_from as sort_at, p.delta_fen + coalesce(f.delta_fen, 0) as effect_fen,
      p.delta_fen as principal_fen, p.fee_fen + coalesce(f.fee_fen, 0) as fee_fen
    from principal p
    left join fee f on ${isFirst} and (${sameChange('f', 'p')})
    union all
    select f.account_no, f.account_index, f.family, f.reference, f.order_account, f.change_no, 'fee', true, f.dedup_key,
      null, case when f.delta_fen > 0 then 'returned' else 'moved' end, f.effective_to, f.effective_from, f.delta_fen,
      null, f.fee_fen
    from fee f where not exists (select from principal p where ${sameChange('f', 'p')})`;
}

function sameChange(one: string, other: string): RawBuilder<unknown> {
  const equal = CHANGE.map(
    (column) => sql`${sql.ref(`${one}.${column}`)} = ${sql.ref(`${other}.${column}`)}`,
  );
  return sql.join(equal, sql` and `);
}

/**
 * Changes that are open at the end of the period, or that ended in it or after it without counting in it. Of an
 * order that changed after the run, what was not final then was under way, if the run had seen it at all: a
 * settlement or refund leaves no other trace of that than what the run found.
 */
function uncountedLegs(head: RunHead, period: Window): RawBuilder<unknown> {
  const { isKnown, ended } = asThen(head);
  return sql`
    select k.account_no, k.account_index, k.subject, k.out_order_no, k.order_account, k.change_no, k.leg, false,
      null, null, case when k.is_final then k.state else 'open' end,
      case when k.is_final then k.first_final_at end, k.began_at, null, null, null
    from report_possible k
    left join movement m on m.account_no = k.account_no and m.dedup_key = k.leg || ':' || k.out_order_no
      || case when k.subject = 'refund' or k.change_no > 1 then ':' || k.change_no else '' end
      and ${isKnown}
    where not exists (select from report_counted l where l.account_no = k.account_no and l.leg = k.leg
        and l.reference = k.out_order_no and l.order_account = k.order_account and l.change_no = k.change_no)
      and (m.dedup_key is null or m.effective_from >= ${period.to})
      and (k.is_unchanged or k.first_seen_at <= ${ended})
      and (k.is_unchanged or k.is_final or k.subject in ('transfer', 'withdrawal') or exists (
        select from report_found f where f.group_key = k.subject || ':' || k.out_order_no))`;
}

/** The legs of changes that are open or ended since the period began, whether or not they count in it. */
function possibleLegs(head: RunHead, period: Window): RawBuilder<unknown> {
  return sql`
    select c.order_account, c.out_order_no, c.subject, c.change_no, c.state, c.first_final_at, c.first_seen_at,
      c.began_at, c.is_unchanged, o.account_index, x.leg, x.account_no,
      c.state <> 'open' and (c.is_unchanged or c.first_final_at <= ${asThen(head).ended}) as is_final
    from (
      ${changesOf(head, period, sql`transfer_order`, sql`o.payee_account_no`, sql`c.subject <> 'withdrawal'`)}
      union all
      ${changesOf(head, period, sql`withdrawal`, sql`''`, sql`c.subject = 'withdrawal'`)}
    ) c
    cross join lateral (values
      ('transfer', 'transfer_out', c.order_account), ('transfer', 'transfer_in', c.payee_account_no),
      ('settlement', 'settlement', c.payee_account_no), ('refund', 'refund_in', c.order_account),
      ('refund', 'refund_out', c.payee_account_no), ('withdrawal', 'withdrawal', c.order_account)
    ) x (subject, leg, account_no)
    join report_own o on o.account_no = x.account_no
    where x.subject = c.subject and c.began_at < ${period.to}`;
}

/** What is open now, or ended since the period began, with what of its order is needed. */
function changesOf(
  head: RunHead,
  period: Window,
  table: RawBuilder<unknown>,
  payee: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select c.account_no as order_account, c.out_order_no, c.subject, c.change_no, c.state, c.first_final_at,
      ${payee} as payee_account_no, o.first_seen_at,
      coalesce(c.since, o.submitted_at, o.first_seen_at) as began_at,
      ${asThen(head).isUnchanged} as is_unchanged
    from (
      select * from order_state_seen where state = 'open'
      union all
      select * from order_state_seen where state <> 'open' and first_final_at >= ${period.from}
    ) c
    join ${table} o on o.account_no = c.account_no and o.out_order_no = c.out_order_no
    where ${which}`;
}
