/** Whether a night of the demo found what is planted for it, and nothing else. */
import type { Fen } from '../../src/core/fen.ts';
import type { Day } from '../../src/core/time.ts';
import type { WholeResult } from '../night/publish/result.ts';

interface Named {
  class: string;
  accountNo: string;
  reference: string;
  differenceFen: Fen;
}

/** A finding that is planted: found from the first day on, through the last one, by default for good. */
export interface PlantedFinding extends Named {
  foundBy: Day;
  until?: Day;
  /** What its night's retry of a failed settlement comes to; one that succeeds is no finding any more. */
  retried?: 'SUCCESS' | 'FAIL';
}

export interface NightCheck {
  day: Day;
  version: number;
  expected: string[];
  missed: string[];
  surplus: string[];
}

/** What of a result is looked at. */
export type CheckedResult = Pick<WholeResult, 'breaks' | 'timing' | 'settlements'> & {
  run: { to: Day; version: number };
};

/** What is found more than once counts more than once. */
export function checkNight(
  { run, breaks, timing, settlements }: CheckedResult,
  planted: readonly PlantedFinding[],
): NightCheck {
  const isDue = ({ foundBy, until = run.to }: PlantedFinding): boolean =>
    foundBy <= run.to && until >= run.to;
  const retries = settlements.map(({ reference, outcome }) => retryName(reference, outcome));
  const found = [...namesOf([...breaks, ...timing]), ...retries];
  const expected = plantedNames(planted.filter(isDue));
  return {
    day: run.to,
    version: run.version,
    expected,
    missed: without(expected, found),
    surplus: without(found, expected),
  };
}

export function isAsPlanted({ missed, surplus }: NightCheck): boolean {
  return missed.length + surplus.length === 0;
}

export function wasFound(plant: PlantedFinding, { missed }: NightCheck): boolean {
  return !plantedNames([plant]).some((name) => missed.includes(name));
}

/** One sentence for a terminal. */
export function checkText(check: NightCheck): string {
  const { day, version, expected, missed, surplus } = check;
  const night = `The night of ${day}${version > 1 ? `, version ${version}` : ''}`;
  if (isAsPlanted(check)) {
    return `${night}: all ${expected.length} planted findings were found, and nothing else.`;
  }
  const [lost, besides] = [missed, surplus].map((names) => names.join('; ') || 'nothing');
  return `${night}: NOT AS PLANTED: missed ${lost}; found besides ${besides}`;
}

/** What is planted as it is found: by its finding, by what its retry came to, or by both. */
function plantedNames(planted: readonly PlantedFinding[]): string[] {
  const retries = planted.flatMap(({ reference, retried }) =>
    retried === undefined ? [] : [retryName(reference, retried)],
  );
  return [...namesOf(planted.filter(({ retried }) => retried !== 'SUCCESS')), ...retries];
}

function retryName(reference: string, outcome: string): string {
  return `retry ${reference} ${outcome}`;
}

/**
 * What a finding comes to, for comparing. A tie has as many findings as candidates; planted is the difference
 * that all of them make together.
 */
function namesOf(items: readonly Named[]): string[] {
  const tied = items.filter((item) => item.class === 'ambiguous');
  const sums = new Map<string, Fen>();
  for (const { accountNo, differenceFen } of tied) {
    sums.set(accountNo, (sums.get(accountNo) ?? 0n) + differenceFen);
  }
  return [
    ...items
      .filter((item) => item.class !== 'ambiguous')
      .map((item) => `${item.class} ${item.accountNo} ${item.reference} ${item.differenceFen}`),
    ...[...sums].map(([accountNo, fen]) => `ambiguous ${accountNo} together ${fen}`),
  ];
}

/** The names left when each of the others has taken one away. */
function without(names: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of others) left.set(name, (left.get(name) ?? 0) + 1);
  return names.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}
