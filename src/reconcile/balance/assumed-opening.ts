/**
 * Books that state no opening are taken to begin with what the platform held, less what they themselves book only
 * later: entries that belong to the time before must not count twice. What that makes of the opening is said; and where
 * records may have come on either side of it, and something is unexplained, the account is not green.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { Cleared } from './adjustments.ts';
import type { AccountFigures, VerdictCap } from './prove-account.ts';
import { reason } from './reasons.ts';
import { TOLD_NOT_ACROSS_NOW, layOutGroups, takenFromOpening } from './told-across.ts';

/** What lies across an opening of an account, and what came late to it. */
export interface Crossing {
  /** Part of the opening difference: one side of it belongs to the time before the proof begins. */
  fen: Fen;
  /** What a proof had across and the opening still holds, although the books took it back or changed it. */
  takenFen: Fen;
  /** The last proof that had it across. */
  takenSince: Instant | null;
  references: string[];
  /**
   * Those of orders that no look and no balance puts on one side of the opening, and those of which a record or an entry
   * came after the account's first proof, or before it where that left something unexplained.
   */
  inDoubt: string[];
  /** Those of orders that a balance put on the other side of the opening than the books have them. */
  againstBooks: string[];
  /** Records that move the first balance and came after a run had told it. */
  moving: string[];
  /** The highest write number of records that moved the first balance after a run had told it; null: none did. */
  madeNo: bigint | null;
}

/** What lies across the openings or came late to them, by account. */
export async function crossingTheBaseline(
  trx: Transaction<Tables>,
  moment: Instant,
): Promise<Map<string, Crossing>> {
  await layOutGroups(trx, TOLD_NOT_ACROSS_NOW);
  const { rows } = await sql<Crossing & { accountNo: string }>`
    select account_no as "accountNo", sum(fen)::bigint as fen, sum(taken_fen)::bigint as "takenFen",
      max(taken_since) as "takenSince", ${namedWhere(sql`fen <> 0 or taken_fen <> 0`)} as references,
      ${namedWhere(sql`in_doubt`)} as "inDoubt", ${namedWhere(sql`against_books`)} as "againstBooks",
      ${namedWhere(sql`moving`)} as moving, max(made_no) as "madeNo"
    from (
      select *, 0 as taken_fen, null::timestamptz as taken_since
      from (${ACROSS} union all ${LATE_BEFORE} union all ${LATE_IN_FIRST_BALANCE}) c
      union all
      select account_no, reference, 0, false, false, false, null, fen, seen_at from (${takenFromOpening(moment)}) t
    ) r
    group by account_no`.execute(trx);
  return new Map(rows.map(({ accountNo, ...crossing }) => [accountNo, crossing]));
}

function namedWhere(isMeant: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(array_agg(distinct reference order by reference) filter (where ${isMeant}), '{}')`;
}

/** Groups across an opening. A first proof that explained all has settled what it knew. */
const ACROSS = sql`
  select s.account_no, s.reference, s.carried_fen as fen, d.in_doubt, d.against_books, false as moving,
    null::bigint as made_no
  from split s join stage_scope o using (account_no)
  left join lateral (
    select p.known_no from proven_opening p
    where p.account_no = s.account_no and not exists (
      select from run_unexplained u where u.run_id = p.run_id and u.account_no = p.account_no)
  ) settled on true
  cross join lateral (
    select coalesce(bool_or(greatest(m.written_no, e.written_no) > coalesce(settled.known_no, 0)
        or (c.account_no is not null and not m.placed and m.effective_from < o.baseline_at)), false) as in_doubt,
      coalesce(bool_or(m.placed and coalesce(c.last_open_at, c.since) < o.baseline_at), false) as against_books
    from match x
    left join ledger_entry e on e.entry_no = x.entry_no
    left join movement m on m.account_no = x.account_no and m.dedup_key = x.dedup_key
    left join order_state_seen c on c.account_no = m.order_account and c.out_order_no = m.reference
      and c.subject = m.family and c.change_no = m.change_no and m.effective_to >= o.baseline_at
    where x.account_no = s.account_no and x.group_key = s.group_key
  ) d
  where s.carried_fen <> 0`;

/**
 * Records that count before the opening, or counted there, and were written after the first proof, where the books have
 * them: on either side, because an opening that is assumed holds what the books have before it as well.
 */
const LATE_BEFORE = sql`
  select m.account_no, m.reference, 0, true, false, false, null::bigint
  from stage_scope o join proven_opening p using (account_no)
  cross join lateral (
    select * from movement m where m.account_no = o.account_no and m.effective_from < o.baseline_at
    union all
    select * from movement m
    where m.account_no = o.account_no and m.formerly_from < o.baseline_at and m.effective_from >= o.baseline_at
  ) m
  where m.written_no > p.known_no and exists (
    select from match x where x.account_no = m.account_no and x.group_key = m.family || ':' || m.reference
      and x.entry_no is not null)`;

/** Records that count between the start of the proof and the first balance, or counted there, whatever they sum up to. */
const LATE_IN_FIRST_BALANCE = sql`
  select b.account_no, m.reference, 0, false, false, true, m.written_no
  from stage_scope o join account_baseline b on b.account_no = o.account_no and b.at = o.baseline_at
  cross join lateral (
    select m.reference, m.written_no from movement m
    where m.account_no = b.account_no and m.effective_from >= b.at
      and m.effective_from <= case m.order_account when '' then b.snapshot_at else b.snapshot_closed_at end
    union all
    select m.reference, m.written_no from movement m
    where m.account_no = b.account_no and m.formerly_from <= b.snapshot_closed_at
      and greatest(m.effective_from, m.formerly_from) >= b.at
    union all
    select t.reference, t.written_no from movement_taken_back t
    where t.account_no = b.account_no and t.counted_from <= b.snapshot_closed_at and t.reference <> ''
  ) m
  where m.written_no > b.told_no`;

export function withAssumedOpening(
  figures: AccountFigures,
  crossings: ReadonlyMap<string, Crossing>,
): AccountFigures {
  const { ledger, accountNo } = figures;
  const { fen, takenFen, takenSince } = crossings.get(accountNo) ?? NOTHING_CROSSES;
  if (!ledger.assumed) return figures;
  const opening = { ...ledger, fen: ledger.fen + fen };
  if (ledger.change !== undefined) {
    const change = { ...ledger.change, fen: ledger.change.fen - fen };
    return { ...figures, ledger: { ...opening, change } };
  }
  if (takenFen === 0n) return { ...figures, ledger: opening };
  const change = { fen: takenFen, note: TAKEN };
  return { ...figures, ledger: { ...opening, change, statedSince: takenSince ?? undefined } };
}

const TAKEN =
  'the books took back or changed entries that their assumed opening rests on, and state no opening';

export const NOTHING_CROSSES: Crossing = {
  fen: 0n,
  takenFen: 0n,
  takenSince: null,
  references: [],
  inDoubt: [],
  againstBooks: [],
  moving: [],
  madeNo: null,
};

/** References shown with a reason; the others are counted. */
const NAMES_MAX = 20;

/**
 * What the opening of the books is taken to be: by how much it differs from the baseline, and for what; and by how much
 * that baseline is not what a run told of it first.
 */
export function openingAssumptions(figures: AccountFigures, crossing: Crossing): string[] {
  const { ledger } = figures;
  if (!ledger.assumed) return [];
  const { references } = crossing;
  const fen = crossing.fen + (ledger.stated === undefined ? crossing.takenFen : 0n);
  const moved = movedFirstBalance(figures, crossing).map((by) => reason('first_balance_moved', by));
  if (fen !== 0n) return [reason('ledger_opening_differs', `${fen} fen, ${namesOf(references)}`), ...moved];
  return [...(ledger.stated === undefined ? [reason('ledger_opening_assumed')] : []), ...moved];
}

/** By how much it is not what a run told of it first, and by which late records: they may move it against each other. */
function movedFirstBalance({ baseline }: AccountFigures, { moving }: Crossing): string[] {
  if (baseline?.toldFen === undefined) return [];
  const fen = baseline.fen - baseline.toldFen;
  if (moving.length === 0) return fen === 0n ? [] : [`${fen} fen`];
  return [`${fen} fen, ${namesOf(moving)}`];
}

/**
 * An amount that was ever unexplained, adjusted or not, may be that of an order which came on the other side of the
 * opening than it counts, or of a late record whose money came then as well. What a balance put on the other side
 * against the books is in doubt without one: what the books are taken to begin with has taken it in. Books that state
 * their opening by now are held against it, and nothing is in doubt.
 */
export function verdictCapsOfAssumedOpening(
  figures: AccountFigures,
  crossing: Crossing,
  { open, cleared }: Cleared,
): VerdictCap[] {
  const { accountNo, ledger } = figures;
  if (!ledger.assumed || ledger.stated !== undefined) return [];
  const { inDoubt, againstBooks } = crossing;
  const isUnexplained = [...open, ...cleared].some(
    (item) => item.accountNo === accountNo && item.key.startsWith('unexplained:'),
  );
  const doubted = [...new Set([...againstBooks, ...(isUnexplained ? inDoubt : [])])].toSorted();
  const moved = isUnexplained ? movedFirstBalance(figures, crossing) : [];
  const doubts = [
    ...(doubted.length === 0 ? [] : [namesOf(doubted)]),
    ...moved.map((by) => `the first balance moved by ${by}`),
  ];
  if (doubts.length === 0) return [];
  return [{ verdict: 'unverified', reason: reason('opening_in_doubt', doubts.join('; ')) }];
}

function namesOf(references: readonly string[]): string {
  const more = references.length > NAMES_MAX ? ` and ${references.length - NAMES_MAX} more` : '';
  return `${references.slice(0, NAMES_MAX).join(', ')}${more}`;
}
