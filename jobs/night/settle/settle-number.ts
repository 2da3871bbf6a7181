/** The platform's number of an order: what was learned of it since its attempt was read says which records of a look are of it. */
import type { OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import { listedIn } from './settle-look.ts';
import type { SettleLook } from './settle-look.ts';
import type { SettlePorts } from './settle-ports.ts';

/** The attempt and its look as they are to be judged, by the number that is known once that look is stored, whoever learned it. */
export async function numberLearned(
  { book }: Pick<SettlePorts, 'book'>,
  { attempt, look }: { attempt: OpenAttempt; look: SettleLook },
): Promise<{ attempt: OpenAttempt; look: SettleLook }> {
  if (attempt.orderNo !== '') return { attempt, look };
  const now = await book.findOpen(attempt.reqId);
  const known = { ...attempt, orderNo: now?.orderNo ?? '' };
  return { attempt: known, look: { ...look, order: listedIn(look.answer, known) } };
}
