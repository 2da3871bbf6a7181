/** Who stops a night by Ctrl-C is told that everything is kept, and which command goes on from there. */
import { afterEach, expect, test } from 'vitest';
import { ended, lineWith, startCli } from '../helpers/cli.ts';
import type { CliOutcome } from '../helpers/cli.ts';
import { Night } from '../helpers/night.ts';

const DAY = '2026-03-04';
let night: Night;
afterEach(() => night.close());

/** The command, stopped while a call is on its way. */
async function stoppedBy(signal: 'SIGINT' | 'SIGTERM', ...args: string[]): Promise<CliOutcome> {
  night = await Night.open({ now: '2026-03-05 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100n, at: `${DAY} 00:00:00` } });
  night.sandbox.addFault({ kind: 'delay', ms: 1_500, path: 'query/deposit', times: null });
  const { url } = night.database;
  const env = { ...night.environment(), ...(url !== undefined && { DATABASE_URL: url }) };
  if (url === undefined) await ended(startCli(['accounts', 'import', `${night.home}/import-1.csv`], { env }));
  const child = startCli([...args, '--clock', '2026-03-04T18:00:00Z', '--log-level', 'info'], { env });
  const said = ended(child);
  await lineWith(child, 'run.opened');
  child.kill(signal);
  return said;
}

const linesOf = (stderr: string): string[] =>
  stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));

test('a night says so, and names its day, which is another one tomorrow', async () => {
  const { status, stderr, stdout } = await stoppedBy('SIGINT', 'nightly', '--no-settle', '--json');
  expect(status).toBe(1);
  const lines = linesOf(stderr);
  expect([lines[0], lines.at(-1)]).toEqual([
    'stopping: what is under way is finished first, for at most 9 seconds; a second signal ends it at once',
    'recon: stopped by Ctrl-C: everything that was read is kept; to go on from there: recon nightly --day 2026-03-04 --no-settle',
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ error: { kind: 'Stopped' } });
});

test('a backfill names its range and its accounts', async () => {
  const range = ['--from', '2026-03-03', '--to', '2026-03-04', '--account', 'A1'];
  const { stderr } = await stoppedBy('SIGTERM', 'backfill', ...range);
  expect(linesOf(stderr).at(-1)).toBe(
    'recon: stopped by SIGTERM: everything that was read is kept; to go on from there: recon backfill --from 2026-03-03 --to 2026-03-04 --account A1',
  );
});

test('a night that ended says when all of it was done, its workbook included', async () => {
  night = await Night.open({ now: '2026-03-05 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100n, at: `${DAY} 00:00:00` } });
  await night.night(DAY);
  const run = await night.db
    .selectFrom('run')
    .select(['step', 'finished_at', 'published_at'])
    .executeTakeFirstOrThrow();
  expect(run).toMatchObject({ step: 'published', published_at: expect.any(String) as string });
  expect((run.published_at ?? '') >= (run.finished_at ?? '')).toBe(true);
});
