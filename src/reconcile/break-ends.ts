/** What may end a break that a proof no longer finds, as far as the figures of its account say. */
import type { Day } from '../core/time.ts';
import type { AccountTiming } from './account-timing.ts';
import type { Cleared } from './adjustments.ts';
import { isChained } from './chain-places.ts';
import type { ChainPlace } from './chain-places.ts';
import type { BreakEnds } from './close-breaks.ts';
import { ceilingsInTime } from './gather-in-time.ts';
import type { Gathered } from './gather.ts';
import { NO_ACCOUNT } from './order-is-shown.ts';
import type { AccountNumbers, Ceiling } from './prove-account.ts';

export function endsOf(
  gathered: readonly Gathered[],
  of: {
    numbers: ReadonlyMap<string, AccountNumbers>;
    timings: ReadonlyMap<string, AccountTiming>;
    places: ReadonlyMap<string, ChainPlace>;
    cleared: Cleared;
    ofBooks: readonly Ceiling[];
    splitDays: ReadonlyMap<string, Day[]>;
  },
): BreakEnds {
  const known = gathered.flatMap(({ figures: { accountNo }, ceilings: ofFigures }) => {
    const numbers = of.numbers.get(accountNo);
    const place = of.places.get(accountNo);
    if (numbers === undefined || place === undefined) return [];
    return [
      { accountNo, numbers, place, ceilings: [...ofFigures, ...ceilingsInTime(of.timings, accountNo)] },
    ];
  });
  const namesOf = (where: (account: (typeof known)[number]) => boolean): string[] =>
    known.filter(where).map(({ accountNo }) => accountNo);
  return {
    closable: [
      NO_ACCOUNT,
      ...namesOf(
        ({ numbers, ceilings }) =>
          numbers.platformFen !== undefined &&
          [...ceilings, ...of.ofBooks].every(({ verdict }) => verdict !== 'incomplete'),
      ),
    ],
    explained: namesOf(({ accountNo }) => isExplained(of.timings.get(accountNo))),
    chained: namesOf(({ place, numbers, ceilings }) => isChained(place, { numbers, ceilings })),
    provable: namesOf(({ place }) => place.isProvable),
    splitDays: [...of.splitDays].flatMap(([accountNo, days]) => days.map((day) => ({ accountNo, day }))),
    cleared: of.cleared.cleared,
  };
}

/**
 * Whether a balance is explained by what is known: where orders were put to a side because that explains it, or may
 * lie on either, an unexplained amount of before is not told to be none.
 */
function isExplained({ assumed, candidates, tooMany }: Partial<AccountTiming> = {}): boolean {
  return (assumed ?? []).length + (candidates ?? []).length + (tooMany ?? 0) === 0;
}
