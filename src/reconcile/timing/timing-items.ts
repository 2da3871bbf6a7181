/**
 * The orders whose looks leave open on which side of a balance or of the cut they took effect: read from tables,
 * with their bounds and with what the books say of them (docs/reconciliation.md 3.4).
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import { copyRows } from '../../store/database/bulk.ts';
import type { OrderSubject, Tables } from '../../store/schema/schema.ts';
import type { ProofSpan } from '../balance/scope.ts';

/** One change of an order, whichever accounts it moves. */
export interface EffectKey {
  orderAccount: string;
  outOrderNo: string;
  subject: OrderSubject;
  changeNo: number;
}

export interface UncertainEffect extends EffectKey {
  accountNo: string;
  deltaFen: Fen;
  debitFen: Fen;
  /** A look before the end of the balance had shown it; else it may have come to the platform later than it was sent. */
  isSeenBefore: boolean;
  /** Not before: the last look that did not show it, else its submission; undefined: nobody knows. */
  lower: Instant | undefined;
  /** The first look that showed it. */
  upper: Instant;
  /** Where it counts now. */
  countsFrom: Instant;
  /** It counts from what is known of itself: a look that showed it under way, or when the order was sent or came to be known. */
  isDated: boolean;
  /** The side of the cut on which the books have it; undefined where they do not have it at all. */
  bookedSide: 'before' | 'after' | undefined;
  /** Posted in the books before the cut, for the same reference and family. */
  ledgerFen: Fen;
  /** Other movements of that reference and family that count before the cut. */
  othersFen: Fen;
  /** It may have come on either side of the stated opening; its sums of the books then begin with theirs. */
  isAtOpening: boolean;
  /** A balance has decided where it counts. */
  isPlaced: boolean;
  /** Posted in the books before they begin, for the same reference and family. */
  ledgerBeforeFen: Fen;
  /** The account on the order's other side; empty where there is none. */
  otherAccount: string;
}

export function effectId(effect: EffectKey): string {
  return [effect.subject, effect.orderAccount, effect.outOrderNo, effect.changeNo].join('\t');
}

/**
 * Effects that `stage_read` (one balance an account) and the cut leave open. Needs `debit`. One that was never seen
 * open and is in the balance for certain counts from its submission (docs/architecture.md 5.5) and is not among them.
 */
export async function listUncertain(
  trx: Transaction<Tables>,
  { span, agingDays }: { span: ProofSpan; agingDays: number },
): Promise<UncertainEffect[]> {
  const { rows } = await selectUncertain(span, agingDays).execute(trx);
  return rows.map(uncertainEffect);
}

interface UncertainRow {
  account_no: string;
  order_account: string;
  out_order_no: string;
  subject: OrderSubject;
  change_no: number;
  delta_fen: Fen;
  debit_fen: Fen;
  seen_before: boolean;
  lower_at: Instant | null;
  upper_at: Instant;
  counts_from: Instant;
  dated: boolean;
  booked_side: 'before' | 'after' | null;
  ledger_fen: Fen;
  others_fen: Fen;
  at_opening: boolean;
  placed: boolean;
  ledger_before_fen: Fen;
  other_account: string;
}

function uncertainEffect(row: UncertainRow): UncertainEffect {
  return {
    accountNo: row.account_no,
    orderAccount: row.order_account,
    outOrderNo: row.out_order_no,
    subject: row.subject,
    changeNo: row.change_no,
    deltaFen: row.delta_fen,
    debitFen: row.debit_fen,
    isSeenBefore: row.seen_before,
    lower: row.lower_at ?? undefined,
    upper: row.upper_at,
    countsFrom: row.counts_from,
    isDated: row.dated,
    bookedSide: row.booked_side ?? undefined,
    ledgerFen: row.ledger_fen,
    othersFen: row.others_fen,
    isAtOpening: row.at_opening,
    isPlaced: row.placed,
    ledgerBeforeFen: row.ledger_before_fen,
    otherAccount: row.other_account,
  };
}

/** What changes of orders move on each account, or hold there, from when their proof begins, with the looks that bound them. */
function boundedEffects(span: ProofSpan): RawBuilder<unknown> {
  return sql`
    with effect as (
      select m.account_no, m.order_account, m.reference as out_order_no, m.family as subject, m.change_no,
        sum(m.delta_fen)::bigint as delta_fen, min(m.effective_from) as counts_from,
        bool_or(m.placed) as placed
      from movement m join stage_read r on r.account_no = m.account_no
      where m.order_account <> '' and m.effective_to >= least(${span.cut}, r.opening_at)
      group by m.account_no, m.order_account, m.reference, m.family, m.change_no
      union all
      select d.account_no, d.order_account, d.out_order_no, d.subject, d.change_no, 0, d.first_final_at, false
      from debit d join stage_read r on r.account_no = d.account_no
      where d.state = 'failed' and d.held_since <= r.closed_at
    )
    select e.*, s.first_final_at as upper_at, s.last_open_at is not null as seen_open,
      greatest(coalesce(s.last_open_at, s.since), t.last_open_at, t.since) as lower_at,
      r.opened_at, r.closed_at, r.opening_at, r.books_from,
      case when e.account_no <> e.order_account then e.order_account
        else coalesce(o.payee_account_no, '') end as other_account
    from effect e
    join stage_read r on r.account_no = e.account_no
    join order_state_seen s on s.account_no = e.order_account and s.out_order_no = e.out_order_no
      and s.subject = e.subject and s.change_no = e.change_no
    left join order_state_seen t on s.subject in ('settlement', 'refund') and t.account_no = s.account_no
      and t.out_order_no = s.out_order_no and t.subject = 'transfer' and t.state = 'moved'
    left join transfer_order o on e.subject <> 'withdrawal' and o.account_no = e.order_account
      and o.out_order_no = e.out_order_no`;
}

/**
 * What was under way at a stated opening is looked for as far back as an order may be under way at all. What was sent
 * longer before it counts from its submission: a loss of its amount would look the same.
 */
function selectUncertain(span: ProofSpan, agingDays: number): RawBuilder<UncertainRow> {
  return sql<UncertainRow>`
    with bounded as (${boundedEffects(span)}), edged as (
      select *, coalesce(delta_fen <> 0 and upper_at >= opening_at and lower_at < opening_at
        and lower_at >= opening_at - make_interval(days => ${agingDays}), false) as at_opening
      from bounded
    )
    select b.account_no, b.order_account, b.out_order_no, b.subject, b.change_no, b.delta_fen,
      coalesce(d.debit_fen, 0)::bigint as debit_fen, coalesce(d.open_since <= b.closed_at, false) as seen_before, b.lower_at, b.upper_at, b.counts_from,
      b.seen_open or b.subject in ('transfer', 'withdrawal') as dated,
      l.side as booked_side, coalesce(l.fen, 0)::bigint as ledger_fen, coalesce(o.fen, 0)::bigint as others_fen,
      b.at_opening, b.placed, coalesce(l.before_fen, 0)::bigint as ledger_before_fen, b.other_account
    from edged b
    left join debit d on d.account_no = b.account_no and d.order_account = b.order_account
      and d.out_order_no = b.out_order_no and d.subject = b.subject and d.change_no = b.change_no
      and d.held_since <= b.closed_at
    left join lateral (
      select sum(e.amount_fen) filter (where e.booked_at < ${span.cut}
          and not (b.at_opening and e.booked_at < b.books_from)) as fen,
        sum(e.amount_fen) filter (where b.at_opening and e.booked_at < b.books_from) as before_fen,
        case when bool_or(e.booked_at < ${span.cut}) then 'before'
          when count(*) > 0 then 'after' end as side
      from match x join ledger_entry e on e.entry_no = x.entry_no
      where x.account_no = b.account_no and x.group_key = b.subject || ':' || b.out_order_no
        and e.status = 'posted'
    ) l on true
    left join lateral (
      select sum(m.delta_fen) as fen from match x
      join movement m on m.account_no = x.account_no and m.dedup_key = x.dedup_key
      where x.account_no = b.account_no and x.group_key = b.subject || ':' || b.out_order_no
        and (m.order_account, m.change_no) is distinct from (b.order_account, b.change_no)
        and m.effective_from < ${span.cut} and not (b.at_opening and m.effective_from < b.opening_at)
    ) o on true
    where b.at_opening or (b.upper_at > b.closed_at and (b.lower_at is null or b.lower_at < b.opened_at))
      or (b.seen_open and b.delta_fen <> 0 and b.upper_at >= ${span.cut}
        and (b.lower_at is null or b.lower_at < ${span.cut}))
    order by b.account_no, b.out_order_no, b.subject, b.change_no`;
}

const PLACED = {
  name: 'stage_placed',
  columns: [
    { name: 'order_account', type: 'text collate "C"' },
    { name: 'out_order_no', type: 'text collate "C"' },
    { name: 'subject', type: 'text' },
    { name: 'change_no', type: 'integer' },
    { name: 'counts_from', type: 'timestamptz' },
    { name: 'dedup_key', type: 'text collate "C"' },
  ],
} as const;

/** The kinds of movement an order's change may have made; each begins its dedup key. */
const KINDS: Readonly<Record<OrderSubject, readonly string[]>> = {
  transfer: ['transfer_out', 'transfer_in', 'transfer_fee'],
  settlement: ['settlement', 'settlement_fee'],
  refund: ['refund_in', 'refund_out', 'refund_fee'],
  withdrawal: ['withdrawal', 'withdrawal_fee'],
};

/**
 * Writes where effects count from now on, on all accounts they move.
 * @param feeAccounts accounts that bear fees of others' orders
 */
export async function saveCountsFrom(
  trx: Transaction<Tables>,
  placed: readonly (EffectKey & { countsFrom: Instant })[],
  feeAccounts: readonly string[],
): Promise<void> {
  if (placed.length === 0) return;
  await copyRows(trx, PLACED, []);
  await sql`delete from stage_placed`.execute(trx);
  await copyRows(
    trx,
    PLACED,
    placed.flatMap((effect) =>
      KINDS[effect.subject].map((kind) => stagedPlace(effect, `${kind}:${effect.outOrderNo}`)),
    ),
  );
  await sql`
    update movement m set effective_from = p.counts_from, placed = true
    from stage_placed p
    left join transfer_order o on o.account_no = p.order_account and o.out_order_no = p.out_order_no
      and p.subject <> 'withdrawal'
    where m.account_no = any(array[p.order_account, o.payee_account_no] || ${feeAccounts}::text[])
      and m.dedup_key >= p.dedup_key and m.dedup_key < p.dedup_key || ';' and m.reference = p.out_order_no
      and m.order_account = p.order_account and m.change_no = p.change_no
      and m.effective_from <> p.counts_from and m.effective_to >= p.counts_from`.execute(trx);
}

function stagedPlace(effect: EffectKey & { countsFrom: Instant }, dedupKey: string): (string | null)[] {
  const { orderAccount, outOrderNo, subject, changeNo, countsFrom } = effect;
  return [orderAccount, outOrderNo, subject, String(changeNo), countsFrom, dedupKey];
}
