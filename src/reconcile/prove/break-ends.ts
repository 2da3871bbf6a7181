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
import type { UnexplainedPart } from './unexplained-parts.ts';

export function endsOf(
  gathered: readonly Gathered[],
  of: {
    numbers: ReadonlyMap<string, AccountNumbers>;
    timings: ReadonlyMap<string, AccountTiming>;
    places: ReadonlyMap<string, ChainPlace>;
    cleared: Cleared;
    ofBooks: readonly Ceiling[];
    unexplained: ReadonlyMap<string, readonly UnexplainedPart[]>;
    splitDays: ReadonlyMap<string, Day[]>;
    certain: ReadonlySet<string>;
  },
): BreakEnds {
  const known = gathered.flatMap(({ figures: { accountNo }, ceilings: ofFigures }) => {
    const numbers = of.numbers.get(accountNo);
    const place = of.places.get(accountNo);
    if (numbers === undefined || place === undefined) return [];
    const ceilings = [...ofFigures, ...ceilingsInTime(of.timings, accountNo)];
    // Where the closing is not proven an amount is not shown: there must be none.
    const isWeighed =
      isChained(place, { numbers, ceilings: ofFigures }) &&
      (place.isProvable || (of.unexplained.get(accountNo) ?? []).every(({ fen }) => fen === 0n));
    return [{ accountNo, numbers, place, ceilings, isWeighed }];
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
    explained: [...of.certain],
    weighed: namesOf(({ isWeighed }) => isWeighed),
    provable: namesOf(({ place }) => place.isProvable),
    splitDays: [...of.splitDays].flatMap(([accountNo, days]) => days.map((day) => ({ accountNo, day }))),
    cleared: of.cleared.cleared,
  };
}
