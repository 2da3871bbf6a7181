/** Looks for the first seeds that show that protections are missing: any violation, and a double payment. */
import { runBatch } from './batch.ts';
import type { BatchRequest } from './batch.ts';
import type { BookStore } from './book-store.ts';
import type { Violation, ViolationKind } from './oracle.ts';

/** Which protections, in which seeds. */
type Sought = Pick<BatchRequest, 'without' | 'first' | 'last' | 'refunds'>;

export interface Missing {
  isFound: boolean;
  text: string;
}

/** The platform's own guard is off in all of them, so that what is missing is not made up for by theirs. */
export async function findMissing(store: BookStore, of: Sought): Promise<Missing> {
  const any = await firstSeed(store, of, () => true);
  if (any === undefined) return { isFound: false, text: `nothing in seeds ${of.first}..${of.last}` };
  const double = await firstSeed(
    store,
    of,
    (kind) => kind === 'double payment' || kind === 'paid and refunded',
  );
  const paidTwice =
    double === undefined
      ? `nothing paid twice to seed ${of.last}`
      : `${double.violation.kind} at seed ${double.seed}`;
  return { isFound: true, text: `${any.violation.kind} at seed ${any.seed}, ${paidTwice}` };
}

async function firstSeed(
  store: BookStore,
  { first, ...of }: Sought,
  isSought: (kind: ViolationKind) => boolean,
): Promise<{ seed: number; violation: Violation } | undefined> {
  let violation: Violation | undefined;
  const until = (violations: readonly Violation[]): boolean => {
    violation = violations.find(({ kind }) => isSought(kind));
    return violation !== undefined;
  };
  const { seeds } = await runBatch(store, { first, ...of, guard: 'off', until });
  return violation === undefined ? undefined : { seed: first + seeds - 1, violation };
}
