/**
 * What a look at a withdrawal changes (U49): open until it moved or failed; what had moved may come back from the
 * bank once, which is a change of its own; every other way back changes nothing that counts (P6).
 */
import { faultsOf, shownWord, unknownWord } from './order-changes-faults.ts';
import { asSameOrder, mergeWithdrawal } from './order-changes-record.ts';
import {
  endChange,
  nextChange,
  startOrder,
  stillOpen,
  submissionOf,
  withSubmission,
} from './order-changes-rows.ts';
import { unchanged } from './order-observations.ts';
import type {
  ChangeRow,
  Known,
  LookTime,
  Observed,
  OrderObservation,
  WithdrawalRow,
} from './order-observations.ts';

/** One look at one withdrawal; pure and total like `observeTransfer`. */
export function observeWithdrawal(
  known: Known<WithdrawalRow> | undefined,
  stated: OrderObservation & LookTime,
): Observed<WithdrawalRow> {
  const look = asSameOrder(known?.row, stated);
  const { row: record, changed, isNewVersion } = mergeWithdrawal(known, look);
  if (known !== undefined && look.sentAt < known.row.seen_at) return unchanged(known, record);
  const reasons = reasonsOf(record, look);
  const before = known?.changes ?? [startOrder(look, 'withdrawal', record.submitted_at)];
  const isCertain = reasons.length === 0 && look.accountNo === record.account_no;
  const changes = isCertain ? changesAfter(before, look, known?.observedAt ?? null) : before;
  const own = changes.map((change) => ({ ...change, account_no: record.account_no }));
  return {
    row: { ...record, effective_state: changes.at(-1)?.state ?? 'open' },
    changes: withSubmission(own, submissionOf(known, record)),
    faults: faultsOf(known, look, {
      reasons,
      regressions: regressionsOf(before, look),
      unknown: look.meaning === 'unknown' ? [unknownWord('state', look.state)] : [],
      changed,
    }),
    isNewVersion,
    isStale: false,
  };
}

function reasonsOf(record: WithdrawalRow, look: OrderObservation): string[] {
  const lacksAmount = look.meaning === 'moved' && look.unreadable.length === 0 && record.amount_fen === null;
  return lacksAmount ? ['amount is not stated'] : [...look.unreadable];
}

function changesAfter(
  before: readonly ChangeRow[],
  look: OrderObservation & LookTime,
  observedAt: string | null,
): readonly ChangeRow[] {
  const last = before.at(-1);
  const { meaning } = look;
  if (last === undefined) return before;
  if (last.state === 'open') {
    if (meaning === 'moved' || meaning === 'failed') return [endChange(last, meaning, look)];
    return [meaning === 'open' ? stillOpen(last, look) : last];
  }
  if (last.state !== 'moved' || meaning !== 'failed') return before;
  const next = nextChange(
    before,
    { subject: 'withdrawal', order: look, amountFen: null },
    { first: null, observedAt },
  );
  return [...before, endChange(next, 'returned', look)];
}

/** Coming back from the bank is none. */
function regressionsOf(before: readonly ChangeRow[], { meaning, state: word }: OrderObservation): string[] {
  const state = before.at(-1)?.state ?? 'open';
  if (state === 'open' || meaning === 'unknown') return [];
  if (state === 'moved')
    return isUnderWay(meaning) ? [`it had moved its money and is ${shownWord(word)} now`] : [];
  if (meaning === 'failed') return [];
  return [`it had ${state === 'failed' ? 'failed' : 'come back'} and is ${shownWord(word)} now`];
}

function isUnderWay(meaning: OrderObservation['meaning']): boolean {
  return meaning === 'open' || meaning === 'refunding';
}
