/** What a night found, for tests to compare. */
import type { RangeOutcome } from '../../jobs/night/night.ts';

/** What a result says, in lines: `class account reference difference`. */
export function findingsOf({ result: { breaks, timing } }: RangeOutcome): string[] {
  return [...breaks, ...timing].map(
    (one) => `${one.class} ${one.accountNo} ${one.reference} ${one.differenceFen}`,
  );
}
