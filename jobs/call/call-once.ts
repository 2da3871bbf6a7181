/** One call as it is sent, and what came of it: a call of money is stored before it leaves. */
import { NotSent, NotThePlatform, OutcomeUnknown, SignatureWrong } from '../../src/core/errors.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import type { RawOutcome } from '../../src/platform/outcome.ts';
import type { MoneyCall } from './call-money.ts';
import type { Call } from './call-request.ts';

export type Answered = RawOutcome | { kind: 'unknown'; reason: string; reqId: string | null };

/** A query that brought no answer that can be believed is unknown too, though asking again does no harm. */
export async function callOnce(
  client: PlatformClient,
  { endpoint, biz, isUnchecked }: Pick<Call, 'endpoint' | 'biz' | 'isUnchecked'>,
  money: MoneyCall | undefined,
): Promise<Answered> {
  try {
    const options = { isUnchecked, ...(money && { intent: money.intent }) };
    return await client.callRaw(endpoint, biz, options);
  } catch (error) {
    if (error instanceof NotSent) {
      await money?.notSent();
      throw new NotSent(`${endpoint}: nothing was sent: ${error.message}`, error.facts, { cause: error });
    }
    const isUnanswered =
      error instanceof OutcomeUnknown || error instanceof NotThePlatform || error instanceof SignatureWrong;
    if (!isUnanswered) throw error;
    const reqId = error.facts['reqId'];
    return { kind: 'unknown', reason: error.message, reqId: typeof reqId === 'string' ? reqId : null };
  }
}
