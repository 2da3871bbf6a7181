/** What is wrong with an order at a look, in sentences for people, by class (P3, P6, P7, P9). */
import type {
  Known,
  LookTime,
  Observed,
  OrderObservation,
  TransferObservation,
} from './order-observations.ts';
import type { OrderFaultClass } from '../store/schema/schema-orders.ts';

export interface Wrongs {
  /** Why the record cannot be read. */
  reasons: readonly string[];
  regressions: readonly string[];
  /** Words that are not known. */
  unknown: readonly string[];
  /** What changed after it was final. */
  changed: readonly string[];
}

/** Faults that are not among the result are cured. */
export function faultsOf(
  known: Pick<Known<unknown>, 'faults'> | undefined,
  look: Pick<OrderObservation, 'remarks'> &
    Partial<Pick<TransferObservation, 'beside'>> &
    Pick<LookTime, 'day'>,
  wrongs: Wrongs,
): Map<OrderFaultClass, string> {
  const faults = new Map<OrderFaultClass, string>();
  const note = (kind: OrderFaultClass, sentences: readonly string[]): void => {
    if (sentences.length > 0) faults.set(kind, sentences.join('; '));
  };
  note('bad_record', [...wrongs.reasons, ...(look.beside ?? []), ...look.remarks]);
  note('state_regression', wrongs.regressions);
  note('unknown_state', wrongs.unknown);
  const before = known?.faults.get('record_changed');
  // It stays for the day it was noticed; a look on a later day that finds the record as it was left cures it.
  if (wrongs.changed.length > 0) note('record_changed', wrongs.changed);
  else if (before !== undefined && before.firstDay >= look.day) note('record_changed', [before.note]);
  return faults;
}

/** As much of a word as a person needs to see which it is; it may be of any length. */
const WORD_LENGTH_MAX = 40;

export function shownWord(word: string): string {
  return word.length > WORD_LENGTH_MAX ? `${word.slice(0, WORD_LENGTH_MAX)}…` : word;
}

export function unknownWord(member: string, word: string): string {
  return word === '' ? `${member} is not stated` : `${member} "${shownWord(word)}" is not known`;
}

/** What was wrong before stays, and that it is gone. */
export function vanished(
  open: Known<unknown>['faults'] = new Map(),
  note: string,
): Map<OrderFaultClass, string> {
  const faults = new Map<OrderFaultClass, string>([...open].map(([kind, fault]) => [kind, fault.note]));
  return faults.set('record_vanished', note);
}

/** What a look leaves, as the next one finds it: what was wrong before is as old as it was. */
export function asLeft<R>(
  known: Pick<Known<R>, 'faults'> | undefined,
  { row, changes, faults }: Observed<R>,
  { day: firstDay }: Pick<LookTime, 'day'>,
): Omit<Known<R>, 'observedAt'> {
  const left = [...faults].map(
    ([kind, note]) => [kind, { firstDay: known?.faults.get(kind)?.firstDay ?? firstDay, note }] as const,
  );
  return { row, changes, faults: new Map(left) };
}
