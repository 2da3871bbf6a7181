/** Which errors of the client mean that one question got no answer, while the others may go on. */
import {
  NotSent,
  NotThePlatform,
  OutcomeUnknown,
  SignatureWrong,
  WrongRequest,
} from '../../src/core/errors.ts';

/** No answer that can be believed, or none that could be asked for: this window has failed, the others go on. */
export function isUnanswered(error: unknown): error is Error {
  return (
    error instanceof OutcomeUnknown ||
    error instanceof NotSent ||
    error instanceof NotThePlatform ||
    error instanceof SignatureWrong ||
    error instanceof WrongRequest
  );
}

/** Why a question about that number was not even sent; it says nothing of the platform, which may well be there. */
export function notAskable(number: string, { faults }: WrongRequest): string {
  return `${JSON.stringify(number)} cannot be asked for: ${faults.join('; ')}`;
}
