/**
 * What a look at a transfer order changes: a pure state machine over what is known, what was seen and when.
 * The platform gives no times and may contradict itself; the effective state never leaves what was final
 * (P6, U33), and each change of money gets the interval in which it happened (docs/reconciliation.md 3.4).
 */
import { REFUNDED } from '../core/refund-words.ts';
import { faultsOf, shownWord, unknownWord } from './order-changes-faults.ts';
import { asSameOrder, mergeTransfer } from './order-changes-record.ts';
import { observeRefund, sumsOf } from './order-changes-refund.ts';
import {
  endChange,
  endedBy,
  lowerBound,
  startOrder,
  stillOpen,
  submissionOf,
  withSubmission,
} from './order-changes-rows.ts';
import { keptSettlement, observeSettlement } from './order-changes-settlement.ts';
import { settlementShown } from './order-changes-shown.ts';
import { unchanged } from './order-observations.ts';
import type {
  ChangeRow,
  Known,
  LookTime,
  ObservedTransfer,
  StateMeaning,
  TransferObservation,
  TransferRow,
} from './order-observations.ts';

/** Leaving the word is a step back. Looked for in the note of the open fault, because no column remembers the word. */
const NO_LONGER_REFUND = `it was ${REFUNDED} and says so no more`;

/**
 * One look at one transfer order. Total and pure: any words and amounts in any order have an answer.
 * The order stays under the account it became final with, whatever payer it states later.
 */
export function observeTransfer(
  known: Known<TransferRow> | undefined,
  stated: TransferObservation & LookTime,
): ObservedTransfer {
  const look = asSameOrder(known?.row, stated);
  const { row: merged, changed, isNewVersion, isOwn } = mergeTransfer(known, look);
  const isOlder = known !== undefined && look.sentAt < known.row.seen_at;
  const doubts = [...look.unreadable, ...look.remarks];
  const isPlain = isOwn && doubts.length === 0 && changed.length === 0;
  const shown = settlementShown(known, look, { isPlain, isOlder });
  if (isOlder) {
    return { ...unchanged({ ...known, row: { ...known.row, ...shown } }, merged), isOwn, doubts };
  }
  const record = { ...merged, ...shown };
  const reasons = reasonsOf(record, look);
  const before =
    known?.changes.find(({ subject }) => subject === 'transfer') ??
    startOrder(look, 'transfer', record.submitted_at);
  const main = observeMain(before, look, reasons.length === 0 && isOwn);
  const stepsBack = main.change.state === 'moved' && isBackFromRefund(known, look) ? [NO_LONGER_REFUND] : [];
  const regressions = [...main.regressions, ...stepsBack];
  // Settlement and refunds follow a transfer that moved; a look that contradicts it says nothing of them.
  const isClear = isOwn && [reasons, regressions, main.unknown].every(({ length }) => length === 0);
  const follows = main.change.state === 'moved' && isClear;
  const bounds = {
    first: lowerBound(main.change),
    observedAt: before.state === 'moved' ? (known?.observedAt ?? null) : main.change.last_open_at,
  };
  const [settlements, refunds] = [changesOf(known, 'settlement'), changesOf(known, 'refund')];
  const settlement = follows
    ? observeSettlement(settlements, look, bounds)
    : keptSettlement(settlements, record.settlement);
  const wasChanged = known?.faults.has('record_changed') === true;
  const refund = follows
    ? observeRefund(refunds, look, { ...bounds, isPlain: isPlain && !wasChanged })
    : sumsOf(refunds);
  const ended = endedBy(known, [main.change, ...settlement.changes], isPlain);
  const changes = [...ended, ...refund.changes];
  return {
    row: {
      ...record,
      effective_state: main.change.state === 'returned' ? 'moved' : main.change.state,
      settlement: settlement.settlement,
      refund_fen: refund.confirmedFen,
      refund_waiting_fen: refund.waitingFen,
    },
    changes: withSubmission(underAccount(changes, record), submissionOf(known, record)),
    faults: faultsOf(known, look, {
      reasons,
      regressions: [...regressions, ...settlement.regressions],
      unknown: [...main.unknown, ...settlement.unknown],
      changed,
    }),
    isNewVersion,
    isStale: false,
    isOwn,
    doubts,
  };
}

function changesOf(
  known: Known<TransferRow> | undefined,
  subject: ChangeRow['subject'],
): readonly ChangeRow[] {
  return known?.changes.filter((change) => change.subject === subject) ?? [];
}

/** An order that is not final may turn out to be another payer's. */
function underAccount(changes: readonly ChangeRow[], { account_no }: TransferRow): ChangeRow[] {
  return changes.map((change) => (change.account_no === account_no ? change : { ...change, account_no }));
}

/** Without amount or payee nobody can say what a moved order moved; its fee may be unknown (U48). */
function reasonsOf(record: TransferRow, look: TransferObservation): string[] {
  const reasons = [...look.unreadable];
  if (meaningOf(look) !== 'moved' || reasons.length > 0) return reasons;
  if (record.amount_fen === null) reasons.push('amount is not stated');
  if (record.payee_account_no === '') reasons.push('payeeAcctNo is not stated');
  return reasons;
}

interface MainSeen {
  change: ChangeRow;
  regressions: readonly string[];
  unknown: readonly string[];
}

/** What a look says of the transfer itself: only what succeeded can be refunded (REF-06). */
function meaningOf({ meaning, refundFen }: TransferObservation): StateMeaning {
  return meaning === 'refunding' && (refundFen ?? 0n) > 0n ? 'moved' : meaning;
}

/** The transfer itself: open until it moved or failed, and then for good. */
function observeMain(before: ChangeRow, look: TransferObservation & LookTime, isReadable: boolean): MainSeen {
  const meaning = meaningOf(look);
  const unknown = meaning === 'unknown' ? [unknownWord('state', look.state)] : [];
  if (before.state !== 'open') return { change: before, regressions: regressionsOf(before, look), unknown };
  const isOver = meaning === 'moved' || meaning === 'failed';
  if (isReadable && isOver) return { change: endChange(before, meaning, look), regressions: [], unknown };
  const showsOpen = isReadable && meaning === 'open';
  return { change: showsOpen ? stillOpen(before, look) : before, regressions: [], unknown };
}

function regressionsOf({ state }: ChangeRow, { meaning, state: word }: TransferObservation): string[] {
  if (meaning === 'unknown' || meaning === state) return [];
  if (state === 'failed') return [`it had failed and is ${shownWord(word)} now`];
  return meaning === 'refunding' ? [] : [`it had moved its money and is ${shownWord(word)} now`];
}

/** Also at later looks that repeat the word. */
function isBackFromRefund(known: Known<TransferRow> | undefined, look: TransferObservation): boolean {
  if (known === undefined || look.state === REFUNDED || look.meaning !== 'moved') return false;
  if (known.row.state === REFUNDED) return true;
  return known.faults.get('state_regression')?.note.includes(NO_LONGER_REFUND) === true;
}
