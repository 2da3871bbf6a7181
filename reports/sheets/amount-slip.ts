/** Slips of the hand between two amounts. */
import { absolute } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';

export type AmountSlip = 'otherSign' | 'shifted' | 'transposed' | 'oneDigit';

/** One place or two: beyond that it is another amount. */
const SHIFTS = [10n, 100n];

/** The one slip that leads from one amount to the other; undefined where it takes more. */
export function amountSlip(one: Fen, other: Fen): AmountSlip | undefined {
  if (one === -other) return 'otherSign';
  if (one < 0n !== other < 0n) return undefined;
  const [small, large] = [absolute(one), absolute(other)].toSorted((a, b) => (a < b ? -1 : 1)) as [Fen, Fen];
  if (SHIFTS.some((shift) => small * shift === large)) return 'shifted';
  const [left, right] = [String(small), String(large)];
  if (left.length !== right.length) return undefined;
  const unlike = left.split('').flatMap((digit, at) => (digit === right[at] ? [] : [at]));
  const [first = 0, second = 0] = unlike;
  const isSwapped = unlike.length === 2 && left[first] === right[second] && left[second] === right[first];
  if (isSwapped) return 'transposed';
  return unlike.length === 1 ? 'oneDigit' : undefined;
}
