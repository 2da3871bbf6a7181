/** What a proof that spans several days leaves unexplained, from one stored balance to the next. Pure arithmetic. */
import type { Fen } from '../../core/fen.ts';
import type { Unexplained } from '../../store/runs/chain.ts';

export interface UnexplainedPart extends Omit<Unexplained, 'key'> {
  /** What each placement of the orders would leave, where none explains the balance; else empty. */
  mayBe: readonly Fen[];
}

/**
 * A balance that no placement explains divides an amount by assumption alone. It is told as one, on the later day,
 * unless every placement leaves errors of opposite sign on both sides of that balance: those never net
 * (docs/reconciliation.md 3.8).
 * @param parts oldest first
 * @param isTold an amount that is told already: it stays what it is
 * @returns no amount 0
 */
export function undivided(
  parts: readonly UnexplainedPart[],
  isTold: (part: UnexplainedPart) => boolean,
): UnexplainedPart[] {
  const amounts: UnexplainedPart[] = [];
  for (const part of parts) {
    if (part.fen === 0n) continue;
    const before = amounts.at(-1);
    if (before !== undefined && isOneAmount(before, part.fen) && !isTold(before) && !isTold(part)) {
      amounts.splice(-1, 1, together(before, part));
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

function together(before: UnexplainedPart, part: UnexplainedPart): UnexplainedPart {
  const mayBe = part.mayBe.map((some) => before.fen + some);
  return { ...part, since: before.since, fen: before.fen + part.fen, mayBe };
}
