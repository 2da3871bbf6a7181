/**
 * Processes that are killed at any moment and started again (H1): nothing is paid twice, nothing stays uncertain.
 * Meanwhile requests get lost, arrive late or twice, and so do answers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../src/core/clock.ts';
import type { Child, Ended } from '../helpers/child.ts';
import type { Stream } from '../simulate/world/random.ts';
import { drawScripts, eventOf, lastEventOf, runCampaign, strangeEnd } from './campaign.ts';
import type { CampaignReport, CampaignRequest, Round } from './campaign.ts';
import type { LiveWorld } from './live-world.ts';
import { STRAIGHT } from './network.ts';
import type { Passage } from './network.ts';

/** Shorter than what a late request takes, so that its sender has given up by then. */
const PATIENCE_MS = 2_500;

export function runKills(request: CampaignRequest): Promise<CampaignReport> {
  const pace = { wholeMs: 1_200, workMs: 400 };
  const round = (world: LiveWorld, chance: Stream): Promise<Round> => cycle(world, { chance, pace });
  return runCampaign({ name: 'kills', round, patienceMs: PATIENCE_MS }, request);
}

/** How long a process took lately, and its work after the plan, in ms: what the moments are drawn from. */
interface Pace {
  wholeMs: number;
  workMs: number;
}

async function cycle(world: LiveWorld, { chance, pace }: { chance: Stream; pace: Pace }): Promise<Round> {
  const { hooks } = world.network;
  hooks.queryMs = () => 0;
  hooks.passage = () => drawPassage(chance);
  const orders = chance.whole(2, 5);
  await world.failedOrders(drawScripts(chance, orders));
  const startedAt = world.now();
  const killed = await killOne(world, { chance, pace, orders });
  const left = (await statesSince(world, startedAt)).map((state) => `left ${state}`);
  const isKilled = killed.signal === 'SIGKILL';
  const how = isKilled ? `killed after ${lastEventOf(killed)}` : 'ended before its kill';
  const words = [isKilled ? 'killed' : 'not killed', how, ...left];
  const violations = isKilled ? [] : strangeEnd(killed, [0, 1]);
  if (chance.chance(KILLED_AGAIN)) return { words, violations };
  const again = await measured(world.settle(), pace);
  return {
    words: [...words, `then ${again.status}`],
    violations: [...violations, ...strangeEnd(again, [0, 1])],
  };
}

/** Of the processes that are started after a kill, so many are the next to be killed; the others end by themselves. */
const KILLED_AGAIN = 0.6;

/** One settlement in four does not go straight. */
function drawPassage(chance: Stream): Passage {
  const kind = chance.fraction();
  if (kind < 0.05) return { ...STRAIGHT, isLost: true };
  if (kind < 0.1) return { ...STRAIGHT, isUnanswered: true };
  if (kind < 0.15) return { ...STRAIGHT, isTwice: true };
  // Up to what the platform still accepts, and beyond.
  if (kind < 0.2) return { ...STRAIGHT, lateMs: chance.whole(PATIENCE_MS, 12_000) };
  return { ...STRAIGHT, lateMs: chance.one([0, 0, 5, 40]) };
}

/** From its start to its end, or in its work, or while one of its settlements is on its way. */
async function killOne(
  world: LiveWorld,
  { chance, pace, orders }: { chance: Stream; pace: Pace; orders: number },
): Promise<Ended> {
  const [moment, fraction] = [chance.one(['whole', 'work', 'work', 'send']), chance.fraction()];
  const sendNo = chance.whole(1, orders);
  const sent = moment === 'send' ? nthSend(world, sendNo) : undefined;
  const child = world.settle();
  const kill = (): boolean => child.process.kill('SIGKILL');
  if (moment === 'whole') await Promise.race([pause(fraction * pace.wholeMs), child.ended]);
  if (moment === 'work') {
    await eventOf(child, 'settle.planned');
    await Promise.race([pause(fraction * pace.workMs), child.ended]);
  }
  if (sent !== undefined) {
    await Promise.race([sent.happened, child.ended]);
    await pause(fraction * 30);
    sent.forget();
  }
  kill();
  return child.ended;
}

/** The n-th settlement from now on that leaves a process. */
function nthSend(world: LiveWorld, n: number): { happened: Promise<void>; forget: () => void } {
  const { hooks } = world.network;
  const before = hooks.onSend;
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  hooks.onSend = (reqId) => {
    count += 1;
    if (count === n) resolve();
    return before(reqId);
  };
  return { happened: promise, forget: () => void (hooks.onSend = before) };
}

/** How the attempts stand that were planned since. */
async function statesSince(world: LiveWorld, since: string): Promise<string[]> {
  const rows = await world.db
    .selectFrom('settle_attempt')
    .select(['state', 'outcome'])
    .where('planned_at', '>=', since)
    .execute();
  return rows.map(({ state, outcome }) => outcome ?? state);
}

/** The latest counts for a fifth. */
const WEIGHT = 0.2;

async function measured(child: Child, pace: Pace): Promise<Ended> {
  const clock = systemClock();
  const startedMs = clock.monoMs();
  await eventOf(child, 'settle.planned');
  const plannedMs = clock.monoMs();
  const ended = await child.ended;
  const endedMs = clock.monoMs();
  pace.wholeMs += WEIGHT * (endedMs - startedMs - pace.wholeMs);
  pace.workMs += WEIGHT * (endedMs - plannedMs - pace.workMs);
  return ended;
}
