/**
 * The executable refuses what is wrong before it opens anything: every fault in a sentence of its own, exit
 * status 2, no stack trace, nothing stored (I1, I2).
 */
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asFarAsOurs, ended, faultsOf, runCli, startCli, temporaryFolder } from '../helpers/cli.ts';
import type { TemporaryFolder } from '../helpers/cli.ts';
import { WRONG_CALLS } from './wrong-calls.ts';
import type { WrongCase } from './wrong-calls.ts';
import { FILES, WRONG_FILES, WRONG_SETTINGS } from './wrong-settings.ts';

const WRONG = [...WRONG_CALLS, ...WRONG_FILES, ...WRONG_SETTINGS];
const GOOD = {
  PLATFORM_URL: 'http://127.0.0.1:9',
  PLATFORM_API_KEY: 'ak_test',
  PLATFORM_SECRET: 'topsecret',
};

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
  for (const [name, content] of Object.entries(FILES)) {
    await writeFile(path.join(folder.path, name), content);
  }
});
afterAll(() => folder.remove());

const placed = (text: string): string =>
  text.replaceAll('{folder}', folder.path).replaceAll('{name}', path.basename(folder.path));

/** The settings of a case; RECON_HOME is a folder that is not there yet. */
function settingsOf(home: string, { env = {} }: WrongCase): Record<string, string> {
  const all = { ...GOOD, RECON_HOME: home, ...env };
  const set = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, placed(value)]));
}

test('there are at least forty of them', () => {
  expect(WRONG.length).toBeGreaterThanOrEqual(40);
  expect(new Set(WRONG.map(({ name }) => name)).size).toBe(WRONG.length);
});

test.concurrent.each(WRONG.map((wrong) => [wrong.name, wrong] as const))(
  '%s is refused with exit status 2, and nothing is stored',
  async (_name, wrong) => {
    const own = await temporaryFolder();
    try {
      const home = path.join(own.path, 'home');
      const said = await runCli(wrong.args.map(placed), { env: settingsOf(home, wrong), cwd: own.path });
      expect(faultsOf(said.stderr)).toEqual(wrong.faults.map(placed).map(asFarAsOurs));
      expect(said.status).toBe(2);
      expect(said.stderr, 'no stack trace').not.toMatch(/^\s+at /m);
      expect(said.stderr, 'no secret').not.toContain('topsecret');
      expect(said.stdout).toBe('');
      expect(await readdir(own.path), 'nothing was made').toEqual([]);
    } finally {
      await own.remove();
    }
  },
);

describe('what is printed', () => {
  test('--json answers wrong input with a document that lists every fault', async () => {
    const settings = await runCli(['nightly', '--day', 'x', '--json'], { env: { PLATFORM_URL: 'x' } });
    expect(JSON.parse(settings.stdout)).toMatchObject({
      schema: 1,
      error: {
        kind: 'WrongInput',
        faults: [
          'PLATFORM_URL is not a URL: "x"',
          'neither PLATFORM_API_KEY nor PLATFORM_APP_ID is set',
          'PLATFORM_SECRET is not set',
          '--day "x" is not a day; write yyyy-MM-dd, such as 2026-03-01',
        ],
      },
    });
    const call = await runCli(['nightly', '--dya', '--json']);
    expect(call.status).toBe(2);
    expect(JSON.parse(call.stdout)).toMatchObject({ schema: 1, error: { kind: 'WrongInput' } });
  });

  test('every command has help with an example, and asking for it is no fault', async () => {
    const commands = ['demo', 'sandbox', 'migrate', 'accounts import', 'accounts list', 'ledger import'];
    commands.push('snapshot', 'nightly', 'backfill', 'report', 'breaks list', 'breaks show');
    commands.push('schedule', 'doctor', 'config', 'call');
    const helps = await Promise.all(commands.map((command) => runCli([...command.split(' '), '--help'])));
    for (const [at, help] of helps.entries()) {
      const command = commands[at] ?? '';
      const told = ['--json', '--env-file', '--log-level', '--clock'].filter((option) =>
        help.stdout.includes(option),
      );
      const hasExample = help.stdout.includes(`Example:\n  recon ${command}`);
      expect({ command, status: help.status, stderr: help.stderr, told, hasExample }).toEqual({
        command,
        status: 0,
        stderr: '',
        told: ['--json', '--env-file', '--log-level', '--clock'],
        hasExample: true,
      });
    }
  });

  test('H17: a reader that goes away early is no reason to fail', async () => {
    const child = startCli(['config', '--profile']);
    child.stdout?.destroy();
    const said = await ended(child);
    expect(said).toEqual({ status: 0, signal: null, stdout: '', stderr: '' });
  });
});

test('a timer that a library left behind keeps no process that has done its work, and nothing it said is lost', async () => {
  const left = 'data:text/javascript,setInterval(() => undefined, 1_000)';
  const home = path.join(folder.path, 'timer');
  const env = { ...GOOD, RECON_HOME: home, NODE_OPTIONS: `--import "${left}"` };
  const { status, stdout } = await runCli(['config', '--json'], { env });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ schema: 1 });
  const refused = await runCli(['config', '--nonsense'], { env });
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('--nonsense');
});

test('an older Node is refused with a sentence, before it meets a source that it cannot read', async () => {
  const older =
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.11.1" } })';
  const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(older)}"`;
  expect(await runCli(['config'], { env: { NODE_OPTIONS } })).toEqual({
    status: 2,
    signal: null,
    stdout: '',
    stderr: 'recon: needs Node 24, this is 20.11.1; "npm ci" brings it, and "npm exec recon --" runs on it\n',
  });
});

test('what was compiled is kept in the cache of the user, and where that cannot be nothing is said of it', async () => {
  const cache = path.join(folder.path, 'cache');
  const unwritable = path.join(folder.path, Object.keys(FILES)[0] ?? '');
  const start = (env: Record<string, string>) =>
    runCli(['--help'], { env: { NODE_COMPILE_CACHE: '', ...env } });
  const [kept, unkept, homeless] = await Promise.all([
    start({ XDG_CACHE_HOME: cache }),
    start({ XDG_CACHE_HOME: unwritable }),
    start({}),
  ]);
  expect(await readdir(path.join(cache, 'recon', 'compiled'))).not.toEqual([]);
  for (const { status, stderr } of [kept, unkept, homeless])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
