/**
 * When a look last showed anything but the plain failure of a settlement, anything but its failure, and what may be a refund
 * of its order: kept from every look, also one that is older than what is known, contradicts it or brings no news, because what is shown later may be a
 * view that lags behind (docs/reliability.md 2.3 a).
 */
import { isPlainWord } from '../core/refund-words.ts';
import { addMs } from '../core/time.ts';
import type { Instant } from '../core/time.ts';
import { latest } from './order-changes-rows.ts';
import type { Known, LookTime, TransferObservation, TransferRow } from './order-observations.ts';

type Seen = Pick<LookTime, 'answeredAt' | 'seenAt'>;
type Shown = Pick<TransferRow, 'settle_shown_at' | 'unfailed_shown_at' | 'refund_shown_at'>;

/**
 * Never earlier than before, and later with every look that is not an older one, however its time was reckoned: what a
 * person was shown before it is not all that is known any more (`knownText`). As long as it is known as paid, that it is
 * shown so once more is not kept.
 * @param of.isPlain it is certainly this order's, and nothing is wrong with what it states
 * @param of.isOlder it was sent before what is known was seen
 */
export function settlementShown(
  known: Pick<Known<TransferRow>, 'row'> | undefined,
  look: TransferObservation & LookTime,
  { isPlain, isOlder }: { isPlain: boolean; isOlder: boolean },
): Shown {
  const isPaid = known?.row.settlement === 'settled';
  const isFailed = isPlain && look.settlement === 'failed';
  const isKnown = isPlain && isPaid && look.settlement === 'settled';
  const mayBeRefunded = !isPlain || mayShowRefund(look);
  const isElse = isPaid ? !isKnown : !isFailed || mayBeRefunded;
  const shown = (before: Instant | null = null, showsIt: boolean): Instant | null =>
    showsIt ? keptOf(before, look, isOlder) : before;
  return {
    settle_shown_at: shown(known?.row.settle_shown_at, isElse),
    unfailed_shown_at: shown(known?.row.unfailed_shown_at, !isKnown && !isFailed),
    refund_shown_at: shown(known?.row.refund_shown_at, mayBeRefunded),
  };
}

/** What is kept of a look that is not an older one, where that was kept before it. */
function shownAfter(before: Instant | null, look: Seen): Instant {
  return latest(shownAtOf(look), before === null ? null : addMs(before, 1));
}

/**
 * The same order, as a look leaves it that may have shown anything of it: it was not listed, or for the first time where a
 * look before it may have shown it, or the answer counts for nothing else.
 * @param before as it was known before that look; null: it was not
 */
export function unclear(
  row: TransferRow,
  look: Seen & Pick<LookTime, 'sentAt'>,
  before: TransferRow | null = row,
): TransferRow {
  const isOlder = before !== null && look.sentAt < before.seen_at;
  const kept = (name: keyof Shown): Instant => keptOf(before?.[name] ?? null, look, isOlder);
  return {
    ...row,
    settle_shown_at: kept('settle_shown_at'),
    unfailed_shown_at: kept('unfailed_shown_at'),
    refund_shown_at: kept('refund_shown_at'),
  };
}

function keptOf(before: Instant | null, look: Seen, isOlder: boolean): Instant {
  return isOlder ? latest(shownAtOf(look), before) : shownAfter(before, look);
}

export function shownAtOf({ answeredAt, seenAt }: Seen): Instant {
  return latest(answeredAt, seenAt);
}

/** It is not plain that it moved its money, or something speaks of a refund. */
function mayShowRefund({ meaning, state, refundFen, refundWaits }: TransferObservation): boolean {
  return meaning !== 'moved' || !isPlainWord(state) || (refundFen ?? 0n) !== 0n || refundWaits;
}
