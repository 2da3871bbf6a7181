/** Two processes that retry at once (M3): one does it, the other says so or finds it done. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Ended } from '../helpers/child.ts';
import type { Stream } from '../simulate/world/random.ts';
import { awaitingIn, drawScripts, lastEventOf, runCampaign, strangeEnd } from './campaign.ts';
import type { CampaignReport, CampaignRequest, Round } from './campaign.ts';
import type { LiveWorld } from './live-world.ts';
import { STRAIGHT } from './network.ts';

export function runRaces(request: CampaignRequest): Promise<CampaignReport> {
  return runCampaign({ name: 'races', round: race, patienceMs: 15_000 }, request);
}

/** A night takes some seconds; now and then one is the other process. */
const NIGHTS = 0.1;

async function race(world: LiveWorld, chance: Stream): Promise<Round> {
  const { hooks } = world.network;
  const slowMs = chance.whole(0, 60);
  hooks.queryMs = () => slowMs;
  const lateMs = chance.whole(0, 200);
  hooks.passage = () => ({ ...STRAIGHT, lateMs });
  await world.failedOrders(drawScripts(chance, chance.whole(1, 4)));
  const isNight = chance.chance(NIGHTS);
  const behindMs = chance.one([0, 0, 0, 30, 200]);
  const first = isNight ? world.start('nightly', '--no-vouchers') : world.settle();
  await pause(behindMs);
  const second = world.settle();
  const ended = await Promise.all([first.ended, second.ended]);
  return judged(ended, { isNight });
}

function judged(ended: readonly [Ended, Ended], { isNight }: { isNight: boolean }): Round {
  const [first, second] = ended;
  const who = isNight ? 'night' : 'settle';
  const violations = ended.flatMap((one) => strangeEnd(one, mayEnd(one)));
  const refused = ended.filter(({ status }) => status === 4);
  const workedBeside = refused.filter((one) => lastEventOf(one) !== 'nothing of the step');
  if (refused.length === 2) violations.push('both say that the other is at work');
  if (workedBeside.length > 0) violations.push('a process did something without the lease');
  return { violations, words: [`${who} ${first.status} settle ${second.status}`, winnerOf(ended)] };
}

/** A settlement of a round before may be left to a person by now. */
function mayEnd(one: Ended): readonly number[] {
  return one.status === 1 && awaitingIn(one).length > 0 ? [1] : [0, 4];
}

function winnerOf([first, second]: readonly [Ended, Ended]): string {
  if (first.status !== 4 && second.status !== 4) return 'one after the other';
  return first.status !== 4 ? 'the first won' : 'the second won';
}
