/** What may end a break that a proof no longer finds, as far as the figures of its account say. */
import type { Day } from '../../core/time.ts';
import type { AccountTiming } from '../timing/account-timing.ts';
import type { Cleared } from '../balance/adjustments.ts';
import type { Closing } from '../balance/closings.ts';
import { isChained } from '../balance/chain-places.ts';
import type { ChainPlace } from '../balance/chain-places.ts';
import type { BreakEnds } from './close-breaks.ts';
import { verdictCapsInTime } from './gather-in-time.ts';
import type { Gathered } from '../balance/gather.ts';
import { NO_ACCOUNT } from '../../store/orders/told-on.ts';
import type { AccountNumbers } from '../balance/prove-account.ts';
import type { UnexplainedPart } from '../balance/unexplained-parts.ts';

export function endsOf(
  gathered: readonly Gathered[],
  of: {
    numbers: ReadonlyMap<string, AccountNumbers>;
    timings: ReadonlyMap<string, AccountTiming>;
    places: ReadonlyMap<string, ChainPlace>;
    cleared: Cleared;
    unexplained: ReadonlyMap<string, readonly UnexplainedPart[]>;
    splitDays: ReadonlyMap<string, Day[]>;
    certain: ReadonlySet<string>;
    isModelStated: boolean;
  },
): BreakEnds {
  const known = gathered.flatMap(({ figures: { accountNo, closing }, verdictCaps: ofFigures, beside }) => {
    const numbers = of.numbers.get(accountNo);
    const place = of.places.get(accountNo);
    if (numbers === undefined || place === undefined) return [];
    const verdictCaps = [...ofFigures, ...verdictCapsInTime(of.timings, accountNo)];
    // Where the closing is not proven an amount is not shown: there must be none.
    const isEven = (of.unexplained.get(accountNo) ?? []).every(({ fen }) => fen === 0n);
    const isWeighed = isChained(place, { numbers, verdictCaps: ofFigures }) && (place.isProvable || isEven);
    const isSettled = place.isProvable && isEven && of.certain.has(accountNo);
    const isClosable =
      numbers.platformFen !== undefined &&
      [...verdictCaps, ...beside].every(({ verdict }) => verdict !== 'incomplete');
    const isShown = isClosable || isChained(place, { numbers, verdictCaps });
    return [{ accountNo, closing, place, isClosable, isShown, isWeighed, isSettled }];
  });
  const namesOf = (where: (account: (typeof known)[number]) => boolean): string[] =>
    known.filter(where).map(({ accountNo }) => accountNo);
  return {
    closable: [NO_ACCOUNT, ...namesOf(({ isClosable }) => isClosable)],
    shown: [NO_ACCOUNT, ...namesOf(({ isShown }) => isShown)],
    explained: [...of.certain],
    weighed: namesOf(({ isWeighed }) => isWeighed),
    provable: namesOf(({ place }) => place.isProvable),
    settled: namesOf(({ isSettled }) => isSettled),
    free: namesOf(({ closing }) => saysWhatIsFree(closing)),
    held: namesOf(({ closing }) => saysWhatIsFree(closing) || closing?.frozenFen !== undefined),
    isModelStated: of.isModelStated,
    splitDays: [...of.splitDays].flatMap(([accountNo, days]) => days.map((day) => ({ accountNo, day }))),
    cleared: of.cleared.cleared,
  };
}

/** A balance that holds nothing has nothing that is not free. */
function saysWhatIsFree(closing: Closing | undefined): boolean {
  return closing !== undefined && (closing.availableFen !== undefined || closing.balanceFen === 0n);
}
