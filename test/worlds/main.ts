/** `npm run worlds -- --seeds A..B [--jobs N]`: random worlds beyond those of the suite, with what fails made small. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `npm run worlds -- --seeds A..B [--jobs 2]   random worlds of these seeds; one that fails is made small

on PostgreSQL where DATABASE_URL is set, else on the embedded database
Example: npm run worlds -- --seeds 1001..1100
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});

async function main(): Promise<boolean> {
  if (values.help) {
    process.stdout.write(USAGE);
    return true;
  }
  const [, from = '', to = ''] = /^(\d+)\.\.(\d+)$/.exec(values.seeds ?? '') ?? [];
  const [first, last, jobs] = [Number(from), Number(to), Number(values.jobs)];
  if (from === '' || last < first || !Number.isInteger(jobs) || jobs < 1) throw new Error(USAGE);
  const each = Math.ceil((last - first + 1) / jobs);
  const parts = Array.from({ length: jobs }, (_, nth) => first + nth * each).filter((start) => start <= last);
  const codes = await Promise.all(
    parts.map((start) => play(`${start}..${Math.min(start + each - 1, last)}`)),
  );
  return codes.every((code) => code === 0);
}

/** A vitest of its own: what fails is told as it is told in the suite. */
async function play(seeds: string): Promise<number | null> {
  const args = ['--no-install', 'vitest', 'run', 'test/worlds/worlds.slow.test.ts'];
  const flags = ['--maxWorkers=1', '--reporter=dot', '--disable-console-intercept'];
  const child = spawn('npx', [...args, ...flags], {
    cwd: path.join(import.meta.dirname, '..', '..'),
    env: { ...process.env, WORLDS: seeds },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

process.exitCode = (await main()) ? 0 : 1;
