/** What of a balance can be paid to nobody now, as the platform states it. */
import type { Fen } from '../core/fen.ts';

/**
 * What is frozen, or what is not available where that is more: a platform may hold money for a payment without calling
 * it frozen (U23). Undefined: it states neither.
 */
export function heldOfBalance(of: {
  balanceFen: Fen;
  frozenFen: Fen | null | undefined;
  availableFen: Fen | null | undefined;
}): Fen | undefined {
  const frozenFen = of.frozenFen ?? undefined;
  const { availableFen = null } = of;
  if (availableFen === null || availableFen >= of.balanceFen) return frozenFen;
  const notFreeFen = of.balanceFen - availableFen;
  return frozenFen !== undefined && frozenFen > notFreeFen ? frozenFen : notFreeFen;
}
