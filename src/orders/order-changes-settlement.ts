/**
 * The automatic withdrawal of a transfer order as `settleState` goes (U34, U37, U49): it may fail and be tried
 * again, and what was settled may come back from the bank; going back to under way is no change.
 */
import { endChange, nextChange, stillOpen } from './order-changes-rows.ts';
import type { ChangeBounds } from './order-changes-rows.ts';
import { shownWord, unknownWord } from './order-changes-faults.ts';
import type { ChangeRow, LookTime, TransferObservation } from './order-observations.ts';
import type { ChangeState, SettlementState } from '../store/schema/schema-orders.ts';

export interface SettlementSeen {
  changes: readonly ChangeRow[];
  settlement: SettlementState;
  regressions: readonly string[];
  unknown: readonly string[];
}

/** What was known before and still holds: the order has not moved, or cannot be read. */
export function keptSettlement(
  changes: readonly ChangeRow[],
  settlement: SettlementState = 'none',
): SettlementSeen {
  return { changes, settlement, regressions: [], unknown: [] };
}

/** @param bounds.first before this no settlement can have happened: it follows its transfer */
export function observeSettlement(
  before: readonly ChangeRow[],
  look: TransferObservation & LookTime,
  bounds: ChangeBounds,
): SettlementSeen {
  const unknown = wordsUnknown(before, look);
  const changes = changesAfter(before, look, bounds);
  const last = changes.at(-1);
  return {
    changes,
    settlement: last === undefined ? 'none' : settlementOf(last.state, unknown.length > 0),
    regressions: regressionsOf(before, look),
    unknown,
  };
}

function settlementOf(state: ChangeState, isUnknown: boolean): SettlementState {
  switch (state) {
    case 'open':
      return isUnknown ? 'unknown' : 'open';
    case 'moved':
      return 'settled';
    case 'failed':
    case 'returned':
      return 'failed';
  }
}

function changesAfter(
  before: readonly ChangeRow[],
  look: TransferObservation & LookTime,
  bounds: ChangeBounds,
): readonly ChangeRow[] {
  const last = before.at(-1);
  const begin = (): ChangeRow =>
    nextChange(before, { subject: 'settlement', order: look, amountFen: null }, bounds);
  const seen = look.settlement;
  if (seen === 'none') return before;
  if (last?.state === 'open') return [...before.slice(0, -1), progressed(last, look)];
  if (last?.state === 'moved') {
    return seen === 'failed' ? [...before, endChange(begin(), 'returned', look)] : before;
  }
  // None yet, or the last one failed or came back: whatever is seen now is the next.
  if (last !== undefined && seen === 'failed') return before;
  return [...before, progressed(begin(), look)];
}

/** A change that is under way, after a look. An unknown word shows neither that it is over nor that it is not. */
function progressed(change: ChangeRow, look: TransferObservation & LookTime): ChangeRow {
  switch (look.settlement) {
    case 'settled':
      return endChange(change, 'moved', look);
    case 'failed':
      return endChange(change, 'failed', look);
    case 'open':
      return stillOpen(change, look);
    case 'none':
    case 'unknown':
      return change;
  }
}

function regressionsOf(
  before: readonly ChangeRow[],
  { settlement, settleState }: TransferObservation,
): string[] {
  if (before.at(-1)?.state !== 'moved') return [];
  if (settlement === 'open') return [`its settlement was done and is ${shownWord(settleState)} now`];
  return settlement === 'none' ? ['its settlement was done and is not stated any more'] : [];
}

function wordsUnknown(
  before: readonly ChangeRow[],
  { settlement, settleState }: TransferObservation,
): string[] {
  if (settlement === 'unknown') return [unknownWord('settleState', settleState)];
  const isGone = settlement === 'none' && before.at(-1)?.state === 'open';
  return isGone ? ['settleState is not stated any more'] : [];
}
