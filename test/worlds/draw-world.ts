/** Draws a world from a seed: accounts, nights, business, and up to twelve errors in it. */
import { addDays } from '../../src/core/time.ts';
import { Stream } from '../simulate/world/random.ts';
import { Trader } from './draw-trade.ts';
import type { Item, Plant, World, WorldAccount } from './item.ts';
import type { BookStyle } from './trade-items.ts';
import { ACCOUNT_PLANTS } from './plants-accounts.ts';
import { ORDER_PLANTS } from './plants-orders.ts';
import { PLATFORM_PLANTS } from './plants-platform.ts';
import { BOOK_PLANTS } from './plants.ts';

const FIRST_DAY = '2026-03-02';
const ERRORS_MAX = 12;
/** Enough for whatever is drawn: no balance falls below zero. */
const OPENING_LEAST = 50_000_000;

export const PLANTS: Readonly<Record<string, Plant>> = {
  ...BOOK_PLANTS,
  ...PLATFORM_PLANTS,
  ...ACCOUNT_PLANTS,
  ...ORDER_PLANTS,
};

export function drawWorld(seed: number, plants: Readonly<Record<string, Plant>> = PLANTS): World {
  const random = new Stream(seed, 'world');
  const nights = random.chance(0.1) ? random.whole(5, 8) : random.whole(2, 4);
  const days = Array.from({ length: nights }, (_, place) => addDays(FIRST_DAY, place));
  const accounts = drawAccounts(random);
  const style: BookStyle = {
    fees: random.one(['apart', 'within']),
    when: random.one(['done', 'done', 'sent', 'pending first']),
  };
  const hasSnapshots = random.chance(0.5);
  const snapshotAfter = new Set(days.filter(() => hasSnapshots && random.chance(0.9)));
  // Neither the first night, on which an opening may rest, nor the last, which tells all that is left.
  const misled = new Set(days.slice(1, -1).filter(() => random.chance(0.1)));
  const trader = new Trader(new Stream(seed, 'trade'), { style, accounts, days });
  // What came and went in a night that was misled is told together with what the next one finds.
  for (const day of misled)
    trader.occupy(
      accounts.map(({ no }) => no),
      day,
    );
  const honest = Array.from({ length: random.whole(3, 12) }, () => trader.honest());
  const planted = drawErrors(new Stream(seed, 'errors'), trader, Object.values(plants));
  return {
    seed,
    accounts,
    days,
    snapshotAfter,
    misled,
    items: [...honest, ...planted],
  };
}

function drawAccounts(random: Stream): WorldAccount[] {
  const unknown = { no: 'Z1', fen: 0n, autoSettle: false, opening: 'stated', bookedFen: undefined } as const;
  const known = Array.from({ length: random.whole(2, 4) }, (_, place) => {
    const fen = BigInt(random.whole(OPENING_LEAST, 2 * OPENING_LEAST));
    const opening: WorldAccount['opening'] = place > 0 && random.chance(0.2) ? 'observed' : 'stated';
    return {
      no: `A${place + 1}`,
      fen,
      autoSettle: place > 0 && random.chance(0.25),
      opening,
      bookedFen: opening === 'stated' ? drawBooked(random, fen) : undefined,
      isListed: true,
      isOnPlatform: true,
    } satisfies WorldAccount;
  });
  // An account of the company's list that the platform does not know costs the others nothing.
  return random.chance(0.15) ? [...known, { ...unknown, isListed: true, isOnPlatform: false }] : known;
}

function drawBooked(random: Stream, fen: bigint): bigint | undefined {
  if (random.chance(0.4)) return undefined;
  return random.chance(0.1) ? fen - BigInt(random.whole(1, 5_000)) : fen;
}

function drawErrors(random: Stream, trader: Trader, plants: readonly Plant[]): Item[] {
  const [first, ...others] = plants;
  // Every fourth world has none: what is right must be green.
  if (first === undefined || random.chance(0.25)) return [];
  return Array.from({ length: random.whole(1, ERRORS_MAX) }, () =>
    random.one([first, ...others])(trader),
  ).filter((item) => item !== undefined);
}
