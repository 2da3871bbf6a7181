/** Which errors of the client mean that one question got no answer, while the others may go on. */
import { NotSent, NotThePlatform, OutcomeUnknown, SignatureWrong } from '../src/core/errors.ts';

/** No answer that can be believed: this window has failed, the others go on. */
export function isUnanswered(error: unknown): error is Error {
  return (
    error instanceof OutcomeUnknown ||
    error instanceof NotSent ||
    error instanceof NotThePlatform ||
    error instanceof SignatureWrong
  );
}
