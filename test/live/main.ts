/**
 * `npm run live`: the retry of settlements by real processes on a real server, raced, killed, cut off from their
 * database and frozen. Needs a PostgreSQL server in DATABASE_URL. Exit status 1 when money or knowledge was wrong.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { onPostgres } from '../helpers/database.ts';
import type { CampaignReport, CampaignRequest } from './campaign.ts';
import { countsText, summed } from './found.ts';
import { runCuts } from './cuts.ts';
import { runFreezes } from './freeze.ts';
import { runKills } from './kills.ts';
import { runRaces } from './races.ts';

const CAMPAIGNS: Readonly<Record<string, (request: CampaignRequest) => Promise<CampaignReport>>> = {
  races: runRaces,
  kills: runKills,
  cuts: runCuts,
  freezes: runFreezes,
};

const USAGE = `npm run live -- --races N   two processes at once, N times
npm run live -- --kills N   one is killed and started again, N times
npm run live -- --cuts N    one loses all its database sessions, N times
npm run live -- --freezes N one stands still for longer than its lease, N times a minute each
any of them after one another; --seed S: that round first; --jobs 2: two worlds side by side
`;

async function main(): Promise<boolean> {
  if (!onPostgres) throw new Error('set DATABASE_URL to a PostgreSQL server');
  const { values } = parseArgs({
    options: {
      races: { type: 'string' },
      kills: { type: 'string' },
      cuts: { type: 'string' },
      freezes: { type: 'string' },
      seed: { type: 'string' },
      jobs: { type: 'string', default: '1' },
    },
  });
  const { seed: given, jobs: jobsGiven, ...chosen } = values;
  const jobs = Math.max(1, wholeNumber(jobsGiven));
  const seed = given === undefined ? randomInt(1, 1_000_000_000) : wholeNumber(given);
  const asked = Object.entries(chosen).map(([name, rounds]) => ({ name, rounds: wholeNumber(rounds) }));
  if (asked.length === 0) throw new Error(USAGE);
  print(`seed ${seed}`);
  let isSound = true;
  for (const { name, rounds } of asked)
    isSound = (await runOne(name, { rounds, seed, print, jobs })) && isSound;
  return isSound;
}

async function runOne(name: string, asked: CampaignRequest & { jobs: number }): Promise<boolean> {
  const run = CAMPAIGNS[name];
  if (run === undefined) throw new Error(USAGE);
  const { jobs, ...request } = asked;
  const reports = await Promise.all(shares(request, jobs).map(run));
  const violations = reports.flatMap((report) => report.violations);
  print(`${name}: ${request.rounds} rounds from seed ${request.seed}`);
  print(`  ${countsText(summed(reports.map(({ counts }) => counts)))}`);
  print(`  attempts: ${countsText(summed(reports.map(({ attempts }) => attempts)))}`);
  print(`  ${countsText(summed(reports.map(({ figures }) => figures)))}`);
  for (const violation of violations) print(`  VIOLATION ${violation}`);
  print(`  ${violations.length} violations`);
  return violations.length === 0;
}

/** The rounds of each world, in the order of their seeds. */
function shares({ rounds, seed, print }: CampaignRequest, jobs: number): CampaignRequest[] {
  return Array.from({ length: jobs }, (_, job) => {
    const [from, to] = [job, job + 1].map((share) => Math.floor((rounds * share) / jobs)) as [number, number];
    return { rounds: to - from, seed: seed + from, print };
  }).filter((share) => share.rounds > 0);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(USAGE);
  return Number(text);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = (await main()) ? 0 : 1;
