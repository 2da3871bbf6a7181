/** Draws a world from a seed: nights, groups of accounts, their business, and up to twelve errors in each group. */
import { addDays } from '../../src/core/time.ts';
import { Stream } from '../simulate/world/random.ts';
import { Names, Trader } from './draw-trade.ts';
import type { Item, Plant, RunOnceMore, World, WorldAccount } from './item.ts';
import type { BookStyle } from './trade-items.ts';
import { ACCOUNT_PLANTS } from './plants-accounts.ts';
import { AMENDED_PLANTS } from './plants-amended.ts';
import { ORDER_PLANTS } from './plants-orders.ts';
import { PLATFORM_PLANTS } from './plants-platform.ts';
import { RETURN_PLANTS } from './plants-returns.ts';
import { BOOK_PLANTS } from './plants.ts';

const FIRST_DAY = '2026-03-02';
const GROUPS = 5;
const ERRORS_MAX = 12;
/** Enough for whatever is drawn: no balance falls below zero. */
const OPENING_LEAST = 50_000_000;

const UNKNOWN = {
  fen: 0n,
  autoSettle: false,
  opening: 'stated',
  bookedFen: undefined,
  isListed: true,
  isOnPlatform: false,
} as const;

export const PLANTS: Readonly<Record<string, Plant>> = {
  ...BOOK_PLANTS,
  ...PLATFORM_PLANTS,
  ...ACCOUNT_PLANTS,
  ...ORDER_PLANTS,
  ...AMENDED_PLANTS,
  ...RETURN_PLANTS,
};

/**
 * Accounts in groups that trade among themselves and know nothing of each other: a night costs about as much for five
 * of them as for one.
 */
export function drawWorld(seed: number, plants: Readonly<Record<string, Plant>> = PLANTS): World {
  const random = new Stream(seed, 'world');
  const nights = random.chance(0.1) ? random.whole(5, 8) : random.whole(2, 4);
  const days = Array.from({ length: nights }, (_, place) => addDays(FIRST_DAY, place));
  const hasSnapshots = random.chance(0.5);
  const snapshotAfter = new Set(days.filter(() => hasSnapshots && random.chance(0.9)));
  // Neither the first night, on which an opening may rest, nor the last, which tells all that is left.
  const misled = new Set(days.slice(1, -1).filter(() => random.chance(0.1)));
  const people = new Stream(seed, 'people');
  const numberedAnew = new Set(days.slice(1).filter(() => people.chance(0.3)));
  const names = new Names();
  const groups = Array.from({ length: GROUPS }, (_, nth) =>
    drawGroup(new Stream(seed, `group ${nth}`), { names, days, misled, plants: Object.values(plants) }),
  );
  return {
    seed,
    accounts: groups.flatMap(({ accounts }) => accounts),
    days,
    snapshotAfter,
    misled,
    numberedAnew,
    ...drawRuns(seed, people, { days, misled }),
    items: groups.flatMap(({ items }) => items),
  };
}

/** A night that was misled finds more when it is run once more. */
function drawRuns(
  seed: number,
  people: Stream,
  { days, misled }: { days: readonly string[]; misled: ReadonlySet<string> },
): Pick<World, 'runsAfter' | 'runsBefore'> {
  const waits = new Stream(seed, 'waits');
  const [runsAfter, runsBefore] = [new Map<string, RunOnceMore>(), new Map<string, RunOnceMore>()];
  days.forEach((day, place) => {
    const [from, job] = [people.whole(0, place), people.one(['night', 'backfill'] as const)];
    const again = days.slice(from, job === 'night' ? from + 1 : place + 1);
    const [first] = again;
    if (first === undefined || !people.chance(0.3)) return;
    if (misled.has(day) || again.some((one) => misled.has(one))) return;
    const next = days[place + 1];
    if (next !== undefined && waits.chance(0.3)) runsBefore.set(next, { job, day: first });
    else runsAfter.set(day, { job, day: first });
  });
  return { runsAfter, runsBefore };
}

function drawGroup(
  random: Stream,
  of: { names: Names; days: readonly string[]; misled: ReadonlySet<string>; plants: readonly Plant[] },
): Pick<World, 'accounts' | 'items'> {
  const { names, days, misled, plants } = of;
  const accounts = drawAccounts(random, names);
  const style: BookStyle = {
    fees: random.one(['apart', 'within']),
    when: random.one(['done', 'done', 'sent', 'pending first']),
  };
  const trader = new Trader(random, { names, style, accounts, days });
  // What came and went in a night that was misled is told together with what the next one finds.
  for (const day of misled) trader.occupy(day);
  const honest = Array.from({ length: random.whole(3, 12) }, () => trader.honest());
  return { accounts, items: [...honest, ...drawErrors(trader, plants)] };
}

function drawAccounts(random: Stream, names: Names): WorldAccount[] {
  const known = Array.from({ length: random.whole(2, 4) }, (_, place) => {
    const fen = BigInt(random.whole(OPENING_LEAST, 2 * OPENING_LEAST));
    const opening: WorldAccount['opening'] = place > 0 && random.chance(0.2) ? 'observed' : 'stated';
    return {
      no: names.number('A'),
      fen,
      autoSettle: place > 0 && random.chance(0.25),
      opening,
      bookedFen: opening === 'stated' ? drawBooked(random, fen) : undefined,
      isListed: true,
      isOnPlatform: true,
    } satisfies WorldAccount;
  });
  // An account of the company's list that the platform does not know costs the others nothing.
  return random.chance(0.15) ? [...known, { ...UNKNOWN, no: names.number('Z') }] : known;
}

function drawBooked(random: Stream, fen: bigint): bigint | undefined {
  if (random.chance(0.4)) return undefined;
  return random.chance(0.1) ? fen - BigInt(random.whole(1, 5_000)) : fen;
}

function drawErrors(trader: Trader, plants: readonly Plant[]): Item[] {
  const [first, ...others] = plants;
  const { random } = trader;
  // Every fourth group has none: what is right must be green.
  if (first === undefined || random.chance(0.25)) return [];
  return Array.from({ length: random.whole(1, ERRORS_MAX) }, () =>
    random.one([first, ...others])(trader),
  ).filter((item) => item !== undefined);
}
