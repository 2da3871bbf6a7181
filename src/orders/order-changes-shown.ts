/**
 * When a look last showed anything but the plain failure of a settlement: kept from every look, also one that is
 * older than what is known or brings no news, because what is shown later may be a view that lags behind
 * (docs/reliability.md 2.3 a).
 */
import { isRefundWord } from '../core/refund-words.ts';
import type { Instant } from '../core/time.ts';
import { latest } from './order-changes-rows.ts';
import type { Known, LookTime, TransferLook, TransferRow } from './order-looks.ts';

/**
 * Never earlier than before. As long as it is known as paid only the end of that is kept: it was paid until then at most.
 * @param changed what the look states otherwise than it was known when it was final
 */
export function settleShownAt(
  known: Known<TransferRow> | undefined,
  look: TransferLook & LookTime,
  changed: readonly string[],
): Instant | null {
  const before = known?.row.settle_shown_at ?? null;
  const isPaid = known?.row.settlement === 'settled';
  const showsIt = isPaid ? look.settlement === 'failed' : !isPlainFailure(look, changed);
  return showsIt ? latest(look.answeredAt, look.seenAt, before) : before;
}

/** The transfer moved its money, its settlement failed, and nothing speaks of a refund or of another order. */
function isPlainFailure(look: TransferLook, changed: readonly string[]): boolean {
  const { meaning, state, settlement, refundFen, refundWaits, unreadable, remarks } = look;
  return (
    meaning === 'moved' &&
    settlement === 'failed' &&
    !isRefundWord(state) &&
    (refundFen ?? 0n) === 0n &&
    !refundWaits &&
    [unreadable, remarks, changed].every(({ length }) => length === 0)
  );
}
