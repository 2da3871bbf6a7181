/** How well one choice of the orders that lie in a balance explains it and the frozen amount. Pure arithmetic. */
import type { Fen } from '../core/fen.ts';
import { FIT, LACKS_UNSEEN, ONE_FITS, UNFIT } from './best-choices.ts';
import { sumsOfHolds } from './possible-holds.ts';
import type { Assignment, TimingQuestion } from './timing-question.ts';

type Tried = Pick<Assignment, 'model' | 'openFen' | 'unseenHolds'>;

export function rankOf(question: TimingQuestion, tried: Tried & Pick<Assignment, 'unexplainedFen'>): number {
  const isFrozenRight = question.frozenFen === undefined || fitsFrozen(question, tried);
  const isBalanceRight = tried.unexplainedFen === 0n;
  if (isBalanceRight && isFrozenRight) return FIT;
  if (isBalanceRight && lacksUnseen(question, tried)) return LACKS_UNSEEN;
  return isBalanceRight || isFrozenRight ? ONE_FITS : UNFIT;
}

/** The frozen amount is what is due, or more by what our looks leave open. */
export function fitsFrozen({ frozenFen, mayHold }: TimingQuestion, tried: Tried): boolean {
  if (frozenFen === undefined) return false;
  return frozenFen === frozenDue(tried) || (tried.model === 'frozen' && mayHold(frozenFen - tried.openFen));
}

/** Weighed for every choice: with more of them, any amount up to all of it may be lacking. */
const UNSEEN_MAX = 6;

/** What is registered may come to the platform later: until a look has shown it, it need not hold anything there. */
export function lacksUnseen({ frozenFen }: TimingQuestion, { model, openFen, unseenHolds }: Tried): boolean {
  if (frozenFen === undefined || frozenFen >= openFen || model === 'debited') return false;
  return sumsOfHolds(unseenHolds(), UNSEEN_MAX)(openFen - frozenFen);
}

export function frozenDue({ model, openFen }: Pick<Assignment, 'model' | 'openFen'>): Fen {
  return model === 'frozen' ? openFen : 0n;
}
