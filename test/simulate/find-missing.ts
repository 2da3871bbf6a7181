/** Looks for the first seeds that show that protections are missing: any violation, and a double payment. */
import { runBatch } from './batch.ts';
import type { BookStore } from './book-store.ts';
import type { Violation, ViolationKind } from './oracle.ts';
import type { Protection } from './protections.ts';

export interface Missing {
  isFound: boolean;
  text: string;
}

/** The platform's own guard is off in all of them, so that what is missing is not made up for by theirs. */
export async function findMissing(
  store: BookStore,
  of: { without: readonly Protection[]; first: number; last: number },
): Promise<Missing> {
  const any = await firstSeed(store, of, () => true);
  if (any === undefined) return { isFound: false, text: `nothing in seeds ${of.first}..${of.last}` };
  const double = await firstSeed(store, of, (kind) => kind === 'double payment');
  const paidTwice =
    double === undefined ? `no double payment to seed ${of.last}` : `double payment at seed ${double.seed}`;
  return { isFound: true, text: `${any.violation.kind} at seed ${any.seed}, ${paidTwice}` };
}

async function firstSeed(
  store: BookStore,
  { without, first, last }: { without: readonly Protection[]; first: number; last: number },
  isSought: (kind: ViolationKind) => boolean,
): Promise<{ seed: number; violation: Violation } | undefined> {
  let violation: Violation | undefined;
  const until = (violations: readonly Violation[]): boolean => {
    violation = violations.find(({ kind }) => isSought(kind));
    return violation !== undefined;
  };
  const { seeds } = await runBatch(store, { first, last, without, guard: 'off', until });
  return violation === undefined ? undefined : { seed: first + seeds - 1, violation };
}
