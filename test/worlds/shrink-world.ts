/** Takes away from a world that fails whatever is not needed for its failure: business, nights, accounts. */
import type { World } from './item.ts';

export type Fails = (world: World) => Promise<boolean>;

export async function shrinkWorld(world: World, fails: Fails): Promise<World> {
  let [known, smaller] = [world, await oneSmaller(world, fails)];
  while (smaller !== undefined) {
    known = smaller;
    smaller = await oneSmaller(known, fails);
  }
  return known;
}

async function oneSmaller(world: World, fails: Fails): Promise<World | undefined> {
  for (const candidate of candidatesOf(world)) if (await fails(candidate)) return candidate;
  return undefined;
}

function* candidatesOf(world: World): Generator<World> {
  const { items, days, accounts } = world;
  if (days.length > 1) yield { ...world, days: days.slice(0, -1) };
  const half = Math.ceil(items.length / 2);
  if (items.length > 2) {
    yield { ...world, items: items.slice(0, half) };
    yield { ...world, items: items.slice(half) };
  }
  for (const one of items) yield { ...world, items: items.filter((item) => item !== one) };
  const used = new Set(
    items.flatMap(({ truth, entries }) => [...truth, ...entries].map(({ account }) => account)),
  );
  const needed = accounts.filter(({ no }) => used.has(no));
  if (needed.length > 0 && needed.length < accounts.length) yield { ...world, accounts: needed };
  if (world.misled.size > 0) yield { ...world, misled: new Set() };
  if (world.numberedAnew.size > 0) yield { ...world, numberedAnew: new Set() };
  if (world.runsAfter.size > 0) yield { ...world, runsAfter: new Map() };
  if (world.runsBefore.size > 0) yield { ...world, runsBefore: new Map() };
  if (world.snapshotAfter.size > 0) yield { ...world, snapshotAfter: new Set() };
}
