/**
 * Books that state no opening are taken to begin with what the platform held, less what they themselves book only
 * later: entries that belong to the time before must not count twice. What that makes of the opening is said; and where
 * orders may have come on either side of it, or a late record has moved it, and something is unexplained, the account is
 * not green.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { Cleared } from './adjustments.ts';
import type { AccountFigures, VerdictCap } from './prove-account.ts';
import { reason } from './reasons.ts';

/** What lies across an opening of an account. */
export interface Crossing {
  /** Part of the opening difference: one side of it belongs to the time before the proof begins. */
  fen: Fen;
  references: string[];
  /** Those of orders that no look and no balance puts on one side of the opening. */
  inDoubt: string[];
  /** Those of orders that a balance put on the other side of the opening than the books have them. */
  againstBooks: string[];
}

/** Groups that lie across an opening, by account. */
export async function crossingTheBaseline(trx: Transaction<Tables>): Promise<Map<string, Crossing>> {
  const { rows } = await sql<Crossing & { accountNo: string }>`
    select s.account_no as "accountNo", sum(s.carried_fen)::bigint as fen,
      array_agg(s.reference order by s.reference) as references,
      coalesce(array_agg(s.reference order by s.reference) filter (where d.in_doubt), '{}') as "inDoubt",
      coalesce(array_agg(s.reference order by s.reference) filter (where d.against_books), '{}') as "againstBooks"
    from split s join stage_scope o using (account_no)
    cross join lateral (
      select coalesce(bool_or(not m.placed and m.effective_from < o.baseline_at), false) as in_doubt,
        coalesce(bool_or(m.placed and coalesce(c.last_open_at, c.since) < o.baseline_at), false) as against_books
      from match x join movement m on m.account_no = x.account_no and m.dedup_key = x.dedup_key
      join order_state_seen c on c.account_no = m.order_account and c.out_order_no = m.reference
        and c.subject = m.family and c.change_no = m.change_no
      where x.account_no = s.account_no and x.group_key = s.group_key and m.effective_to >= o.baseline_at
    ) d
    where s.carried_fen <> 0
    group by s.account_no`.execute(trx);
  return new Map(rows.map(({ accountNo, ...crossing }) => [accountNo, crossing]));
}

export function withAssumedOpening(
  figures: AccountFigures,
  crossings: ReadonlyMap<string, Crossing>,
): AccountFigures {
  const { ledger, accountNo } = figures;
  const { fen } = crossings.get(accountNo) ?? NOTHING_CROSSES;
  if (!ledger.assumed) return figures;
  const change = ledger.change && { ...ledger.change, fen: ledger.change.fen - fen };
  return { ...figures, ledger: { ...ledger, fen: ledger.fen + fen, change } };
}

export const NOTHING_CROSSES: Crossing = { fen: 0n, references: [], inDoubt: [], againstBooks: [] };

/** References shown with a reason; the others are counted. */
const NAMES_MAX = 20;

/**
 * What the opening of the books is taken to be: by how much it differs from the baseline, and for what; and by how much
 * that baseline is not what a run told of it first.
 */
export function openingAssumptions(figures: AccountFigures, { fen, references }: Crossing): string[] {
  const { ledger } = figures;
  if (!ledger.assumed) return [];
  const movedFen = movedFenOf(figures);
  const moved = movedFen === 0n ? [] : [reason('first_balance_moved', `${movedFen} fen`)];
  if (fen !== 0n) return [reason('ledger_opening_differs', `${fen} fen, ${namesOf(references)}`), ...moved];
  return [...(ledger.change === undefined ? [reason('ledger_opening_assumed')] : []), ...moved];
}

/** By how much records that came later move the first balance since a run told it first. */
function movedFenOf({ baseline }: AccountFigures): Fen {
  return baseline?.toldFen === undefined ? 0n : baseline.fen - baseline.toldFen;
}

/**
 * An amount that was ever unexplained, adjusted or not, may be that of an order which came on the other side of the
 * opening than it counts, or of a late record that the first balance did not hold. What a balance put on the other side
 * against the books is in doubt without one: what the books are taken to begin with has taken it in. Books that state
 * their opening by now are held against it, and nothing is in doubt.
 */
export function verdictCapsOfAssumedOpening(
  figures: AccountFigures,
  { inDoubt, againstBooks }: Crossing,
  { open, cleared }: Cleared,
): VerdictCap[] {
  const { accountNo, ledger } = figures;
  if (!ledger.assumed || ledger.stated !== undefined) return [];
  const isUnexplained = [...open, ...cleared].some(
    (item) => item.accountNo === accountNo && item.key.startsWith('unexplained:'),
  );
  const doubted = [...new Set([...againstBooks, ...(isUnexplained ? inDoubt : [])])].toSorted();
  const movedFen = isUnexplained ? movedFenOf(figures) : 0n;
  const doubts = [
    ...(doubted.length === 0 ? [] : [namesOf(doubted)]),
    ...(movedFen === 0n ? [] : [`the first balance moved by ${movedFen} fen`]),
  ];
  if (doubts.length === 0) return [];
  return [{ verdict: 'unverified', reason: reason('opening_in_doubt', doubts.join('; ')) }];
}

function namesOf(references: readonly string[]): string {
  const more = references.length > NAMES_MAX ? ` and ${references.length - NAMES_MAX} more` : '';
  return `${references.slice(0, NAMES_MAX).join(', ')}${more}`;
}
