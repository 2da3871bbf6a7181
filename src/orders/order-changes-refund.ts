/**
 * Refunds of a transfer order: each change of the refunded sum is a movement of its own, also a fall (U36). What
 * waits for its confirmation is open until the order no longer waits (REF-10).
 */
import type { Fen } from '../core/fen.ts';
import { endChange, nextChange, stillOpen } from './order-changes-rows.ts';
import type { ChangeBounds } from './order-changes-rows.ts';
import type { ChangeRow, LookTime, TransferObservation } from './order-observations.ts';

export interface RefundsSeen {
  changes: readonly ChangeRow[];
  /** The sum of what is confirmed. */
  confirmedFen: Fen;
  /** What waits beyond it; negative when the sum is to fall. */
  waitingFen: Fen;
}

/**
 * @param bounds.first before this nothing can have been refunded: it follows its transfer
 * @param bounds.isPlain nothing is wrong with the record, nor was it changed when it was final
 */
export function observeRefund(
  before: readonly ChangeRow[],
  look: TransferObservation & LookTime,
  bounds: ChangeBounds & { isPlain: boolean },
): RefundsSeen {
  return withOdd(before, refundsAfter(before, look, bounds), { look, isPlain: bounds.isPlain });
}

function refundsAfter(
  before: readonly ChangeRow[],
  look: TransferObservation & LookTime,
  bounds: ChangeBounds,
): RefundsSeen {
  if (look.refundFen === null) return sumsOf(before);
  const last = before.at(-1);
  const waiting = last?.state === 'open' ? last : undefined;
  const changeFen = look.refundFen - sumsOf(before).confirmedFen;
  if (waiting !== undefined && isSameDirection(waiting.amount_fen ?? 0n, changeFen)) {
    const changed = { ...waiting, amount_fen: changeFen };
    return sumsOf([...before.slice(0, -1), progressed(changed, look)]);
  }
  // What waited fell back, or is overtaken by a change the other way.
  const ended = waiting === undefined ? before : [...before.slice(0, -1), endChange(waiting, 'failed', look)];
  if (changeFen === 0n) return sumsOf(ended);
  const next = nextChange(ended, { subject: 'refund', order: look, amountFen: changeFen }, bounds);
  return sumsOf([...ended, progressed(next, look)]);
}

/** What is known, where a look says nothing of refunds. */
export function sumsOf(changes: readonly ChangeRow[]): RefundsSeen {
  const sum = (state: ChangeRow['state']): Fen =>
    changes.reduce((fen, change) => (change.state === state ? fen + (change.amount_fen ?? 0n) : fen), 0n);
  return { changes, confirmedFen: sum('moved'), waitingFen: sum('open') };
}

/**
 * The refunds that a look leaves. One that is shown done by a record with which something is wrong may be another order's: it
 * ends no wait for one by hand before a look with which nothing is wrong shows it too.
 */
function withOdd(
  before: readonly ChangeRow[],
  seen: RefundsSeen,
  { look, isPlain }: { look: TransferObservation; isPlain: boolean },
): RefundsSeen {
  const known = new Map(before.flatMap((one) => (isDone(one) ? [[one.change_no, one]] : [])));
  const isNews = seen.changes.filter(isDone).length > known.size;
  const isStated = seen.confirmedFen > 0n && look.refundFen === seen.confirmedFen && !look.refundWaits;
  const isShown = isPlain && isStated && !isNews;
  const changes = seen.changes.map((change) => {
    if (!isDone(change)) return change;
    const wasOdd = known.get(change.change_no)?.is_odd ?? !isPlain;
    return { ...change, is_odd: wasOdd && !isShown };
  });
  return { ...seen, changes };
}

function isDone({ subject, state }: ChangeRow): boolean {
  return subject === 'refund' && state === 'moved';
}

function progressed(change: ChangeRow, look: TransferObservation & LookTime): ChangeRow {
  return look.refundWaits ? stillOpen(change, look) : endChange(change, 'moved', look);
}

function isSameDirection(former: Fen, now: Fen): boolean {
  return now !== 0n && former > 0n === now > 0n;
}
