/** Attempts of which the platform may have taken another one as well: what queries show may be of either (docs/reliability.md 2.3 a). */
import type { OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import type { Resolution } from './settle-resolution.ts';

export const FOLLOWED =
  'the platform took it, which was known only after it was ended, and another attempt was sent since: it may be paid ' +
  'twice';

const BESIDE =
  'an attempt before it was ended here, and had been taken all the same, as was known only later: what queries show may be ' +
  'of that';

/**
 * What queries show may be what became of the attempt that followed, or of one before it, as failed for good, and as paid
 * until that has ended: it goes on counting, and only a person ends it.
 */
export function notByItself(attempt: OpenAttempt, resolution: Resolution): Resolution {
  const { isFollowed, isBeside, besideEndedAt } = attempt;
  const isEnd = resolution.kind === 'close';
  const isOwn = isEnd && resolution.outcome === 'SUCCESS' && besideEndedAt !== undefined;
  if (isEnd && isBeside && !isOwn) return { kind: 'wait', why: BESIDE, isForPerson: true };
  if (!isFollowed) return resolution;
  const isAgreed = resolution.kind === 'wait' && resolution.isForPerson && !resolution.isUnanswered;
  return isEnd || isAgreed ? { kind: 'wait', why: FOLLOWED, isForPerson: true } : resolution;
}
