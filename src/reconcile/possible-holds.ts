/** What may have been frozen when a balance was read, as far as our looks leave it open. */
import type { Fen } from '../core/fen.ts';

/** More amounts than these are not told apart: any sum up to all of them may be held. */
const HOLDS_MAX = 12;

/** Whether an amount is the sum of some of these; of more than `most`, whether it is not more than all of them. */
export function sumsOfHolds(holds: readonly Fen[], most = HOLDS_MAX): (fen: Fen) => boolean {
  if (holds.length === 0) return () => false;
  const allFen = holds.reduce((sum, fen) => sum + fen, 0n);
  if (holds.length > most) return (fen) => fen > 0n && fen <= allFen;
  let sums = new Set([0n]);
  for (const hold of holds) sums = new Set([...sums].flatMap((sum) => [sum, sum + hold]));
  const known = sums;
  return (fen) => fen > 0n && known.has(fen);
}
