/** How well one choice of the orders that lie in a balance explains it and the frozen amount. Pure arithmetic. */
import type { Fen } from '../../core/fen.ts';
import { FIT, LACKS_UNSEEN, ONE_FITS, UNFIT } from './best-choices.ts';
import type { BoundedSums } from './possible-holds.ts';
import type { Assignment, TimingQuestion } from './timing-question.ts';

type Tried = Pick<Assignment, 'model' | 'openFen'>;

/** What of a choice orders hold that no look had shown by then, in order, and what is known of their sums. */
export interface Unseen {
  holds: () => readonly Fen[];
  sums: BoundedSums;
}

/** @param unseen undefined: what they leave out is not asked */
export function rankOf(
  question: TimingQuestion,
  tried: Tried & Pick<Assignment, 'unexplainedFen'>,
  unseen: Unseen | undefined,
): number {
  const isFrozenRight = question.frozenFen === undefined || fitsFrozen(question, tried);
  const isBalanceRight = tried.unexplainedFen === 0n;
  if (isBalanceRight && isFrozenRight) return FIT;
  if (isBalanceRight && unseen !== undefined && lacksUnseen(question, tried, unseen)) return LACKS_UNSEEN;
  return isBalanceRight || isFrozenRight ? ONE_FITS : UNFIT;
}

/** The frozen amount is what is due, or more by what our looks leave open. */
export function fitsFrozen({ frozenFen, mayHold }: TimingQuestion, tried: Tried): boolean {
  if (frozenFen === undefined) return false;
  return frozenFen === frozenDue(tried) || (tried.model === 'frozen' && mayHold(frozenFen - tried.openFen));
}

/** What is registered may come to the platform later: until a look has shown it, it need not hold anything there. */
function lacksUnseen(
  { frozenFen }: TimingQuestion,
  { model, openFen }: Tried,
  { holds, sums }: Unseen,
): boolean {
  if (frozenFen === undefined || frozenFen >= openFen || model === 'debited') return false;
  return sums.has(holds(), openFen - frozenFen);
}

export function frozenDue({ model, openFen }: Pick<Assignment, 'model' | 'openFen'>): Fen {
  return model === 'frozen' ? openFen : 0n;
}
