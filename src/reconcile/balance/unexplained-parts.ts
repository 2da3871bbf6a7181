/** What a proof that spans several days leaves unexplained, from one stored balance to the next. Pure arithmetic. */
import type { Fen } from '../../core/fen.ts';
import type { Day } from '../../core/time.ts';
import type { Unexplained } from '../../store/runs/chain.ts';

export interface UnexplainedPart extends Omit<Unexplained, 'key'> {
  /** What each placement of the orders would leave, where none explains the balance; else empty. */
  mayBe: readonly Fen[];
}

/**
 * A balance that no placement explains divides an amount by assumption alone. It is told as one, on the later day,
 * unless every placement leaves errors of opposite sign on both sides of that balance: those never net
 * (docs/reconciliation.md 3.8). Where something is told of the earlier day alone, it is told there: that balance lacks
 * something for certain, and it is no other error than the one that was told.
 * @param parts oldest first
 * @param toldFen what is told of the day already, and open: an amount that is just that stays what it is
 * @returns no amount 0
 */
export function undivided(
  parts: readonly UnexplainedPart[],
  toldFen: (part: UnexplainedPart) => Fen | undefined,
): UnexplainedPart[] {
  const isTold = (part: UnexplainedPart): boolean => toldFen(part) === part.fen;
  const amounts: UnexplainedPart[] = [];
  for (const part of parts) {
    if (part.fen === 0n) continue;
    const before = amounts.at(-1);
    if (before !== undefined && isOneAmount(before, part.fen) && !isTold(before) && !isTold(part)) {
      const isOfEarlier = toldFen(before) !== undefined && toldFen(part) === undefined;
      amounts.splice(-1, 1, together(before, part, isOfEarlier ? before.toDay : part.toDay));
    } else amounts.push(part);
  }
  return amounts;
}

function isOneAmount({ fen, mayBe }: UnexplainedPart, restFen: Fen): boolean {
  const wholeFen = fen + restFen;
  return mayBe.some((some) =>
    wholeFen < 0n ? some < 0n && some >= wholeFen : some > 0n && some <= wholeFen,
  );
}

function together(before: UnexplainedPart, part: UnexplainedPart, toDay: Day): UnexplainedPart {
  const mayBe = part.mayBe.map((some) => before.fen + some);
  return { ...part, toDay, since: before.since, fen: before.fen + part.fen, mayBe };
}
