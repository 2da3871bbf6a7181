/**
 * A process that stands still for longer than its lease while another one works, and then goes on (M4): whatever it
 * still believes, it changes nothing and sends nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_MS } from '../../src/store/database/leases.ts';
import type { Child } from '../helpers/child.ts';
import { drawScripts, eventOf, runCampaign, strangeEnd } from './campaign.ts';
import type { CampaignReport, CampaignRequest, Round } from './campaign.ts';
import type { LiveWorld } from './live-world.ts';
import type { Stream } from '../simulate/world/random.ts';

const ORDERS = 6;
/** The lease is renewed while the process lives; it lapses that long after the last time. */
const LAPSED_MS = LEASE_MS + 2_000;

export function runFreezes(request: CampaignRequest): Promise<CampaignReport> {
  return runCampaign({ name: 'freezes', round: freeze, patienceMs: 15_000 }, request);
}

async function freeze(world: LiveWorld, chance: Stream): Promise<Round> {
  world.network.hooks.queryMs = () => 20;
  await world.failedOrders(drawScripts(chance, ORDERS));
  const frozen = world.settle();
  const moment = chance.one(['stored', 'settle.sent', 'settle.answered', 'settle.planned']);
  await (moment === 'stored' ? firstStored(world, frozen) : eventOf(frozen, moment));
  frozen.process.kill('SIGSTOP');
  const early = await world.settle().ended;
  await pause(LAPSED_MS);
  const other = await world.settle().ended;
  const sentByThen = world.network.arrived.size;
  frozen.process.kill('SIGCONT');
  const thawed = await frozen.ended;
  const violations = [
    ...strangeEnd(early, [4]),
    ...strangeEnd(other, [0, 1]),
    ...strangeEnd(thawed, [1]),
    ...(thawed.stderr.includes('lost its lock') ? [] : ['it does not say that it lost its lock']),
    ...(world.network.arrived.size === sentByThen ? [] : ['it sent a settlement after it had lost its lock']),
  ];
  const statuses = `early ${early.status}, other ${other.status}, thawed ${thawed.status}`;
  return { words: [`frozen at ${moment}: ${statuses}`], violations };
}

/** Resolves when an attempt is stored as sent, often before it is, or when the process ends. */
async function firstStored({ db }: LiveWorld, child: Child): Promise<void> {
  const sent = db.selectFrom('settle_attempt').select('req_id').where('state', '=', 'SENT');
  while (child.process.exitCode === null && (await sent.executeTakeFirst()) === undefined) await pause(1);
}
