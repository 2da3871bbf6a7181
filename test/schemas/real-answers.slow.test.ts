/** What the demo and the commands on its books really answer is what the schemas say. */
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../src/core/time.ts';
import { runCli, temporaryFolder } from '../helpers/cli.ts';
import { serverUrl } from '../helpers/database.ts';
import type { TemporaryFolder } from '../helpers/cli.ts';
import { faultsOfAnswer } from './validator.ts';

const LIMIT_MS = 600_000;

let folder: TemporaryFolder;
let demo: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  const env = onServer(serverUrl);
  const { stdout, stderr } = await runCli(['demo', '--keep', folder.path, '--json'], { env });
  expect(stderr).not.toContain('Bug:');
  demo = stdout;
  // A file that is refused is what is told.
  await mkdir(path.join(folder.path, 'inbox', 'ledger'), { recursive: true });
  const file = path.join(folder.path, 'inbox', 'ledger', 'erp.csv');
  await writeFile(file, 'no such column\n1\n');
  const old = new Date(Date.now() - 3_600_000);
  await utimes(file, old, old);
}, LIMIT_MS);
afterAll(() => folder.remove());

function onServer(url: string | undefined): Record<string, string> {
  return url === undefined ? {} : { DATABASE_URL: url };
}

async function answerOf(...args: string[]): Promise<unknown> {
  const env = {
    RECON_HOME: folder.path,
    PLATFORM_PROFILE: path.join(folder.path, 'profile.json'),
    INTAKE_INBOX: path.join(folder.path, 'inbox'),
    ALERT_COMMAND: '/bin/cat',
    // The demo makes a database of its own beside the one that is named.
    ...onServer(serverUrl && new URL('/recon_demo', serverUrl).href),
  };
  const { stdout } = await runCli([...args, '--json'], { env });
  return JSON.parse(stdout);
}

interface Found {
  breaks: { id: string; severity: string }[];
  runs: { runId: string; to: string }[];
  entries: { entryId: string }[];
}

test(
  'the demo answers as its schema says, and so does every command that looks at its books',
  async () => {
    expect(await faultsOfAnswer('demo', JSON.parse(demo))).toEqual([]);
    const { breaks } = (await answerOf('breaks', 'list', '--all')) as Found;
    const { runs } = (await answerOf('runs', 'list')) as Found;
    const { entries } = (await answerOf('ledger', 'list')) as Found;
    const [one, another] = breaks.filter(({ severity }) => severity === 'break');
    const expires = addDays(runs[0]?.to ?? '', 30);
    const asked: [string, ...string[]][] = [
      ['accounts list'],
      ['accounts show', '3100000001'],
      ['orders list', '--all'],
      ['ledger list'],
      ['ledger sources', '--source', 'erp'],
      ['breaks list', '--all'],
      ['breaks show', one?.id ?? ''],
      ['breaks note', one?.id ?? '', '--text', 'asked', '--by', 'Li Na'],
      ['breaks write-off', another?.id ?? '', '--reason', 'rounding', '--expires', expires, '--by', 'Li Na'],
      ['breaks show', another?.id ?? ''],
      ['explain', '3100000001'],
      ...breaks.slice(0, 4).map(({ id }): [string, string] => ['explain', id]),
      ['explain', entries[0]?.entryId ?? ''],
      ['runs list'],
      ['runs show', runs[0]?.runId ?? ''],
      ['report', '--run', runs[0]?.runId ?? ''],
      ['sign-off', '--day', runs[0]?.to ?? '', '--by', 'Li Na', '--with-open', '--reason', 'all of it is known'],
      ['sign-off --list', 'sign-off', '--list'],
      ['sign-off --show', 'sign-off', '--show', '--day', runs[0]?.to ?? ''],
      ['sign-off --withdraw', 'sign-off', '--withdraw', '--day', runs[0]?.to ?? '', '--by', 'Li Na', '--reason', 'too early'],
      ['inbox'],
      ['alerts test'],
      ['alerts send'],
      ['alerts list'],
      ['pushes list'],
      ['calibrate'],
      ['config', '--profile'],
      ['init', '--dry-run'],
      ['migrate'],
      ['completion', 'fish'],
      ['call --list', 'call', '--list'],
      ['doctor'],
      ['error', 'breaks', 'show', 'B0'],
    ];
    for (const [answer, ...args] of asked) {
      const isNamed = answer !== 'error' && !answer.includes(' --');
      const document = await answerOf(...(isNamed ? answer.split(' ') : []), ...args);
      expect([answer, ...(await faultsOfAnswer(answer, document))]).toEqual([answer]);
    }
  },
  LIMIT_MS,
);
