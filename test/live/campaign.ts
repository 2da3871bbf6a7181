/** What all campaigns share: rounds with seeds of their own, what they found, and how they come to an end. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Child, Ended } from '../helpers/child.ts';
import { Stream } from '../simulate/world/random.ts';
import {
  attemptsByOutcome,
  counted,
  countsText,
  violationsAtEnd,
  violationsNow,
  watchSends,
} from './found.ts';
import type { Counts } from './found.ts';
import { LiveWorld } from './live-world.ts';
import type { Script, WorldOptions } from './live-world.ts';
import { STRAIGHT } from './network.ts';

export interface CampaignRequest {
  rounds: number;
  /** Of the first round; each next one has the next number, and is the same when it is the first of a campaign. */
  seed: number;
  print: (line: string) => void;
}

export interface CampaignReport {
  rounds: number;
  /** How often each thing happened: what the rounds said of themselves. */
  counts: Counts;
  /** How many attempts came to what. */
  attempts: Counts;
  figures: Counts;
  /** Each with the seed of its round. */
  violations: string[];
}

/** What one round was: words to be counted. */
export interface Round {
  words: readonly string[];
  violations: readonly string[];
}

export interface Campaign extends WorldOptions {
  name: string;
  /** Whatever the round draws it draws from that stream. */
  round: (world: LiveWorld, chance: Stream) => Promise<Round>;
}

const PRINTED_EVERY = 10;

/** @returns what it found; the world is gone by then */
export async function runCampaign(
  { name, round, patienceMs }: Campaign,
  { rounds, seed, print }: CampaignRequest,
): Promise<CampaignReport> {
  const world = await LiveWorld.open({ patienceMs });
  const [violations, words]: [string[], string[]] = [[], []];
  const atSends: string[] = [];
  world.network.hooks.onSend = watchSends(world, atSends);
  const blame = (at: number, found: readonly string[]): void => {
    for (const what of [...found, ...atSends.splice(0)]) {
      violations.push(`seed ${at}: ${what}`);
      print(`  VIOLATION, ${name}, seed ${at}: ${what}`);
    }
  };
  try {
    for (let at = seed; at < seed + rounds; at++) {
      const ran = await round(world, new Stream(at, name));
      words.push(...ran.words);
      blame(at, [...ran.violations, ...(await violationsNow(world))]);
      const done = at - seed + 1;
      if (done % PRINTED_EVERY === 0) print(`${name} ${done}/${rounds}: ${countsText(counted(words))}`);
    }
    const ending = await comeToAnEnd(world);
    blame(seed + rounds - 1, [...ending.violations, ...(await violationsAtEnd(world))]);
    return {
      rounds,
      violations,
      counts: counted(words),
      attempts: await attemptsByOutcome(world),
      figures: await figuresOf(world, ending),
    };
  } finally {
    world.network.hooks.passage = () => STRAIGHT;
    await world.close();
  }
}

interface Ending {
  calls: number;
  violations: string[];
}

/** Calls in a row after which everything must be certain: two for the looks that agree, and the attempts after them. */
const CALLS_MAX = 8;
/** More than the time in which a request may be accepted, the margin, and what lies between two agreeing looks. */
const BETWEEN_CALLS_MS = 60_000;

/** The faults stop; a few calls later nothing is open (invariant 15). */
async function comeToAnEnd(world: LiveWorld): Promise<Ending> {
  world.network.hooks.passage = () => STRAIGHT;
  await world.network.calm();
  const violations: string[] = [];
  for (let calls = 1; calls <= CALLS_MAX; calls++) {
    await world.pass(BETWEEN_CALLS_MS);
    const ended = await world.settle().ended;
    violations.push(...strangeEnd(ended, [0, 1]), ...(await violationsNow(world)));
    for (const digest of await unpaidAmongAwaiting(world, ended)) {
      violations.push(...strangeEnd(await world.start('settle', '--approve', digest).ended, [0, 1]));
    }
    const open = await world.db
      .selectFrom('transfer_order')
      .select('out_order_no')
      .where('settlement', '<>', 'settled')
      .execute();
    if (open.length === 0) return { calls, violations };
  }
  return { calls: CALLS_MAX, violations };
}

/** What the platform took and states as failed is ended by a person, who asked the bank what became of it. */
async function unpaidAmongAwaiting(world: LiveWorld, ended: Ended): Promise<string[]> {
  const paid = new Set((await world.platform.payouts()).map(({ reqId }) => reqId));
  return awaitingIn(ended).flatMap(({ reqId, digest }) => (paid.has(reqId) ? [] : [digest]));
}

/** The attempts that a process left to a person. */
export function awaitingIn({ stdout }: Ended): { reqId: string; digest: string }[] {
  const { settlements = [] } = JSON.parse(stdout || '{}') as Told;
  return settlements.flatMap(({ reqId, awaiting }) =>
    awaiting === undefined ? [] : [{ reqId, digest: awaiting.digest }],
  );
}

interface Told {
  settlements?: readonly { reqId: string; awaiting?: { digest: string } }[];
}

async function figuresOf(world: LiveWorld, { calls }: Ending): Promise<Counts> {
  const payouts = await world.platform.payouts();
  return {
    orders: world.orderCount,
    payouts: payouts.length,
    'settlements that arrived': world.network.arrived.size,
    'calls after the last round until all was certain': calls,
    'temporary files that kills left': await leftFiles(world),
  };
}

/** Next to the mark: a file that was not whole yet has no name of its own. */
async function leftFiles({ markFile }: LiveWorld): Promise<number> {
  const names = await readdir(path.dirname(markFile));
  return names.filter((name) => name.startsWith('.tmp-')).length;
}

/** A process that ends otherwise than it may, or tells of a fault of the program. */
export function strangeEnd({ status, signal, stderr }: Ended, allowed: readonly number[]): string[] {
  const isAllowed = status !== null && allowed.includes(status);
  if (/"event":"settle\.(?:held|doubts)"/.test(stderr)) return ['it was held, although nothing was restored'];
  if (isAllowed && !stderr.includes('Bug:')) return [];
  return [`a process ended with ${status ?? signal}: ${sayingOf(stderr)}`];
}

function sayingOf(stderr: string): string {
  const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  return said.join(' | ').slice(0, 500);
}

/** Half of the retries are paid at once; others take their time, or fail once more. */
export function drawScripts(chance: Stream, orders: number): Script[] {
  return Array.from({ length: orders }, () => {
    const kind = chance.fraction();
    if (kind < 0.5) return [];
    if (kind < 0.8) return [{ state: 'SUCCESS', delayMs: chance.whole(200, 5_000) }];
    return [{ state: 'FAIL', delayMs: chance.one([0, 0, 600, 3_000]) }];
  });
}

/** Resolves when the process writes a log event of that name, or ends. */
export function eventOf({ process, ended }: Child, event: string): Promise<unknown> {
  let text = '';
  const seen = new Promise<void>((resolve) => {
    process.stderr?.on('data', (part: string) => {
      text += part;
      if (text.includes(`"event":"${event}"`)) resolve();
    });
  });
  return Promise.race([seen, ended]);
}

/** The last thing of the step that a process logged: how far it had come. */
export function lastEventOf({ stderr }: Pick<Ended, 'stderr'>): string {
  const events = [...stderr.matchAll(/"event":"(settle\.[a-z_]+)"/g)];
  return events.at(-1)?.[1] ?? 'nothing of the step';
}
