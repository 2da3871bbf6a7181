/**
 * The adjusting entries (补记分录) that would end an explained break: what the books lack, the fee they lack, what
 * they have of it too much or too little, or an adjustment of the balance. Only what adds up to the difference is proposed.
 */
import { absolute } from '../../../src/core/fen.ts';
import type { Fen } from '../../../src/core/fen.ts';
import type { ItemClass } from '../../../reports/read/read-items.ts';
import { adjustingEntryId } from '../../../src/store/runs/explained-breaks.ts';
import type { BookedPart, ExplainedBreak } from '../../../src/store/runs/explained-breaks.ts';
import type { LedgerKind } from '../../../src/store/schema/schema.ts';

export interface AdjustingEntry {
  entryId: string;
  found: ExplainedBreak;
  kind: LedgerKind;
  amountFen: Fen;
  reference: string;
}

/** Why none is proposed. */
export interface Left {
  why: string;
}

export function adjustingEntries(found: ExplainedBreak): AdjustingEntry[] | Left {
  const parts = PROPOSED[found.class](found);
  if ('why' in parts) return parts;
  const sum = parts.reduce((fen, { amountFen }) => fen + amountFen, 0n);
  if (parts.length === 0 || sum !== found.difference_fen)
    return { why: 'what is known of it does not add up to its difference' };
  return parts.map((part, n) => ({
    reference: found.reference,
    ...part,
    // The same until a run has it, so that a file that is imported once more changes nothing; then another one.
    entryId: adjustingEntryId(found.break_id, found.adjusted + n + 1),
    found,
  }));
}

type Part = BookedPart & { reference?: string };
type Propose = (found: ExplainedBreak) => Part[] | Left;

const missing: Propose = ({ movements }) => movements;

const missingOrWrong: Propose = (found) => (found.ledger_fen === null ? missing(found) : wrong(found));

/** No proof takes a reversal for the cure of an entry that lives on (docs/reconciliation.md 3.11). */
const wrong: Propose = ({ entries }) => ({
  why: `a wrong entry ends when it is corrected or withdrawn itself: ${entries.map(({ entryId }) => entryId).join(', ')}`,
});

/** What the entries have too much or too little, of the one kind they are of. */
const corrected: Propose = ({ entries, difference_fen: differenceFen }) => {
  if (differenceFen === 0n)
    return {
      why: 'its entries are right in their sum and wrong in their parts: correct the entries themselves',
    };
  const principal = entries.filter(({ kind }) => kind !== 'fee');
  const [first, ...others] = principal;
  if (first === undefined || others.some(({ kind }) => kind !== first.kind))
    return { why: 'its entries are of several kinds: correct the entry itself' };
  return [{ kind: first.kind, amountFen: differenceFen, reference: first.reference }];
};

const fee: Propose = ({ difference_fen: differenceFen }) =>
  differenceFen < 0n
    ? [{ kind: 'fee', amountFen: differenceFen }]
    : { why: 'the fee is booked too high: correct the entry itself' };

const adjusted: Propose = ({ difference_fen: differenceFen }) => [
  { kind: 'adjustment', amountFen: differenceFen, reference: '' },
];

/** Only what the books state otherwise themselves is part of a difference that an adjustment clears. */
const periodChanged: Propose = (found) => {
  if (found.item_key === 'period_changed:ledger') return adjusted(found);
  const cure =
    found.item_key === 'period_changed'
      ? 'state the opening in the account list as it was'
      : 'sign the period anew, or put it back as it was signed';
  return { why: `it is nothing that the books lack: ${cure}` };
};

const asksThePlatform: Propose = () => ({ why: 'it is nothing that the books lack: ask the platform' });
const waits: Propose = () => ({ why: 'it is on its way: wait' });

const PROPOSED: Readonly<Record<ItemClass, Propose>> = {
  platform_only: missing,
  ledger_only: wrong,
  account: missingOrWrong,
  state: missingOrWrong,
  duplicate: corrected,
  amount: corrected,
  fee,
  unexplained: adjusted,
  opening: adjusted,
  period_changed: periodChanged,
  ambiguous: () => ({
    why: 'which belong together is not known: write the number of the order in the entry',
  }),
  frozen: asksThePlatform,
  fee_invariant: asksThePlatform,
  batch_children: asksThePlatform,
  record_changed: asksThePlatform,
  record_vanished: asksThePlatform,
  state_regression: asksThePlatform,
  bad_record: asksThePlatform,
  empty_suspect: asksThePlatform,
  settle_failed: asksThePlatform,
  unknown_state: asksThePlatform,
  voucher_missing: asksThePlatform,
  in_flight: waits,
  pending: waits,
  late: waits,
  unknown_not_found: waits,
};

/** What all of them move, whichever way. */
export function grossOf(entries: readonly AdjustingEntry[]): Fen {
  return entries.reduce((fen, { amountFen }) => fen + absolute(amountFen), 0n);
}
