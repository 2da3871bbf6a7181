/** Processes whose database sessions are all ended in the middle of their work (M4, H5, H6). */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Stream } from '../simulate/world/random.ts';
import { drawScripts, eventOf, runCampaign, strangeEnd } from './campaign.ts';
import type { CampaignReport, CampaignRequest, Round } from './campaign.ts';
import { LiveWorld } from './live-world.ts';

export function runCuts(request: CampaignRequest): Promise<CampaignReport> {
  return runCampaign({ name: 'cuts', round: cut, patienceMs: 15_000 }, request);
}

/** The work on a few orders takes about that long. */
const WORK_MS = 500;

async function cut(world: LiveWorld, chance: Stream): Promise<Round> {
  world.network.hooks.queryMs = () => 10;
  await world.failedOrders(drawScripts(chance, chance.whole(2, 4)));
  const child = world.settle();
  await eventOf(child, chance.one(['settle.planned', 'settle.sent', 'settle.answered']));
  await Promise.race([pause(chance.fraction() * WORK_MS), child.ended]);
  const sessions = await endSessions(world);
  const ended = await child.ended;
  const again = await world.settle().ended;
  return {
    words: [sessions > 0 ? 'cut' : 'ended before its cut', `${ended.status} then ${again.status}`],
    violations: [...strangeEnd(ended, [0, 1]), ...strangeEnd(again, [0, 1])],
  };
}

async function endSessions({ db }: LiveWorld): Promise<number> {
  const { rows } = await sql<{ ended: boolean }>`
    select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and application_name = ${LiveWorld.processName}`.execute(db);
  return rows.filter(({ ended }) => ended).length;
}
