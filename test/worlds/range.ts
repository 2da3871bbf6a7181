/** Plays worlds one after the other; of one that fails it tells what is wrong, and the least that is wrong so. */
import { jsonText } from '../../src/core/json.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { drawWorld } from './draw-world.ts';
import type { World } from './item.ts';
import { playWorld } from './play-world.ts';
import { shrinkWorld } from './shrink-world.ts';

const TOLD_EVERY = 10;

export interface Range {
  first: number;
  last: number;
  /** Whether it is told how far it is, and a world that fails is made smaller. */
  isWatched: boolean;
}

/** The seeds that are asked for by `npm run worlds`, else those of the suite. */
export function rangeOf(usual: Pick<Range, 'first' | 'last'>): Range {
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(process.env['WORLDS'] ?? '') ?? [];
  if (first === undefined || last === undefined) return { ...usual, isWatched: false };
  return { first: Number(first), last: Number(last), isWatched: true };
}

/** @returns what is wrong, by seed; nothing where all is right */
export async function playRange({ first, last, isWatched }: Range): Promise<string[]> {
  const database = await testDatabase();
  const wrong: string[] = [];
  try {
    for (let seed = first; seed <= last; seed++) {
      const world = drawWorld(seed);
      const complaints = await complaintsOf(world, database);
      if (complaints.length > 0) {
        wrong.push(`seed ${seed}: ${complaints.join('; ')}`);
        print(wrong.at(-1) ?? '');
        if (isWatched) print(await told(world, database));
      }
      if (isWatched && (seed - first + 1) % TOLD_EVERY === 0)
        print(`${seed - first + 1} of ${last - first + 1} worlds, ${wrong.length} wrong`);
    }
  } finally {
    await database.close();
  }
  return wrong;
}

async function complaintsOf(world: World, database: TestDatabase): Promise<string[]> {
  try {
    return await playWorld(world, database);
  } catch (error) {
    return [`the job stopped: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** As small as it gets, with what is wrong about it then. */
async function told(world: World, database: TestDatabase): Promise<string> {
  const fails = async (one: World): Promise<boolean> => (await complaintsOf(one, database)).length > 0;
  const small = await shrinkWorld(world, fails);
  const complaints = await complaintsOf(small, database);
  const text = jsonText(
    {
      ...small,
      snapshotAfter: [...small.snapshotAfter],
      misled: [...small.misled],
      numberedAnew: [...small.numberedAnew],
      runsAfter: [...small.runsAfter],
      runsBefore: [...small.runsBefore],
    },
    1,
  );
  return `shrunk:\n${complaints.join('\n')}\n${text}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
