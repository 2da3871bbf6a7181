/** `recon init`: a newcomer's folder, from nothing to the first night with what it says; nothing is written over. */
import { readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { envText, NEEDED } from '../../../jobs/init/env-text.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { readSettings } from '../../../src/core/config/config.ts';
import { SETTING_NAMES } from '../../../src/core/config/setting-names.ts';
import { addDays, Zone } from '../../../src/core/time.ts';
import type { Day } from '../../../src/core/time.ts';
import { createSandbox } from '../../../src/sandbox/server/create-sandbox.ts';
import { serve } from '../../../src/sandbox/server/serve.ts';
import { runCli, temporaryFolder } from '../../helpers/cli.ts';
import type { TemporaryFolder } from '../../helpers/cli.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const LIMIT_MS = 120_000;

interface Said {
  folder: string;
  dryRun: boolean;
  made: { path: string; kind: string; outcome: string }[];
  next: string[];
}

let folder: TemporaryFolder;
let books: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  books = path.join(folder.path, 'books');
});
afterEach(() => folder.remove());

async function init(...options: string[]): Promise<Said> {
  const { status, stdout, stderr } = await runCli(['init', books, '--json', ...options]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Said;
}

const outcomes = ({ made }: Said): string[] =>
  made.map(({ path: place, kind, outcome }) => `${outcome} ${kind} ${path.relative(books, place)}`.trim());

const ALL = [
  'folder',
  'file .env',
  'file profile.json',
  'folder samples',
  'file samples/accounts.csv',
  'file samples/orders.csv',
  'file samples/ledger.csv',
  'folder var',
  'folder inbox',
  'folder inbox/accounts',
  'folder inbox/orders',
  'folder inbox/ledger',
];

test('what it would make it makes, for its owner only; called again it makes nothing', async () => {
  const dry = await init('--dry-run');
  expect(outcomes(dry)).toEqual(ALL.map((line) => `made ${line}`));
  await expect(stat(books)).rejects.toThrow('ENOENT');
  const { made } = await init();
  expect(made).toEqual(dry.made);
  for (const { path: place, kind } of made)
    expect([place, (await stat(place)).mode & 0o777]).toEqual([place, kind === 'file' ? 0o600 : 0o700]);
  const before = await contents();
  expect(outcomes(await init())).toEqual(ALL.map((line) => `kept ${line}`));
  expect(await contents()).toEqual(before);
});

test('what is there already stays as it is, whatever it is; only what is missing is made', async () => {
  await init();
  await writeFile(path.join(books, '.env'), 'PLATFORM_SECRET=mine\n');
  await rm(path.join(books, 'samples', 'orders.csv'));
  await rm(path.join(books, 'profile.json'));
  await symlink(path.join(folder.path, 'elsewhere.json'), path.join(books, 'profile.json'));
  const again = outcomes(await init());
  expect(again.filter((line) => line.startsWith('made'))).toEqual(['made file samples/orders.csv']);
  expect(await readFile(path.join(books, '.env'), 'utf8')).toBe('PLATFORM_SECRET=mine\n');
  await expect(stat(path.join(folder.path, 'elsewhere.json'))).rejects.toThrow('ENOENT');
});

test('a place that is no folder is refused, and one that no setting can name', async () => {
  await writeFile(path.join(folder.path, 'taken'), '');
  const call = async (name: string) => {
    const { status, stderr } = await runCli(['init', path.join(folder.path, name)]);
    return { status, stderr: stderr.replaceAll(folder.path, '…') };
  };
  expect(await call('taken')).toEqual({ status: 2, stderr: 'recon: …/taken is no folder\n' });
  expect(await call('taken/in')).toEqual({
    status: 2,
    stderr: 'recon: …/taken/in: a part of the path is no folder\n',
  });
  expect((await call(`it's "here"`)).stderr).toContain('characters that no setting can hold');
  expect(await readdir(folder.path)).toEqual(['taken']);
});

test('a path with blanks and marks comes back as it is, from the settings and from the shell', async () => {
  books = path.join(folder.path, `Li Na's books #1`);
  const { next } = await init();
  const settings = readSettings({ env: {}, envFile: path.join(books, '.env'), needs: { platform: false } });
  expect([settings.home, settings.inbox, settings.profileFile]).toEqual([
    path.join(books, 'var'),
    path.join(books, 'inbox'),
    path.join(books, 'profile.json'),
  ]);
  expect(next[0]).toBe(`recon doctor --env-file '${books.replace("'", String.raw`'\''`)}/.env'`);
});

test(
  'once the keys are filled in the doctor finds nothing wrong, the samples are read, and the night is run',
  { timeout: LIMIT_MS },
  async () => {
    const clock = systemClock();
    const yesterday = addDays(new Zone('Asia/Shanghai').dayOf(clock.wall()), -1);
    const sandbox = createSandbox({ clock });
    sandbox.seedAccounts([
      { accountNo: '100001', role: 'FQ' },
      { accountNo: '200001', role: 'JS' },
    ]);
    const served = await serve(sandbox, { port: 0, controls: false, clock });
    try {
      const { next } = await init();
      const [doctor = '', accounts = '', nightly = ''] = next;
      const unfilled = await call(doctor);
      expect(unfilled.status).toBe(2);
      expect(unfilled.stdout).toContain('PLATFORM_URL is not set');

      const credential = sandbox.credentials.find(({ mode }) => mode === 'apiKey');
      await fillIn({
        PLATFORM_URL: served.url,
        PLATFORM_API_KEY: credential?.id ?? '',
        PLATFORM_SECRET: credential?.secret ?? '',
      });
      const healthy = await call(doctor);
      expect(healthy.status, healthy.stdout).toBe(0);
      expect(healthy.stdout).not.toMatch(/^fail/m);

      const sample = await readFile(path.join(books, 'samples', 'accounts.csv'), 'utf8');
      // The platform's accounts are new, and hold nothing.
      const opening = ['5000.00,2026-03-01', `0.00,${yesterday}`] as const;
      expect(sample).toContain(opening[0]);
      await writeFile(path.join(books, 'accounts.csv'), sample.replace(...opening));
      expect(await call(accounts)).toMatchObject({ status: 0, stderr: '' });
      for (const of of ['orders', 'ledger']) {
        const file = path.join(books, 'samples', `${of}.csv`);
        const taken = await call(`recon ${of} import ${file} --env-file ${path.join(books, '.env')}`);
        expect([of, taken.status, taken.stderr]).toEqual([of, 0, '']);
      }
      await deliverBooksOf(yesterday);
      const night = await call(nightly);
      expect(night.status, night.stdout + night.stderr).toBe(0);
      expect(await readdir(path.join(books, 'var', 'reports'))).toHaveLength(1);
    } finally {
      await served.close();
    }
  },
);

test('every setting is named once in the file to begin with, and the example of the project is that file', async () => {
  const names = [...envText(NEEDED).matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
  expect(names.toSorted()).toEqual([...SETTING_NAMES, 'DATABASE_PASSWORD'].toSorted());
  await expect(envText(NEEDED)).toMatchFileSnapshot(path.join(ROOT, '.env.example'));
});

/** As the company's program does, a while ago; nothing was booked on that day. */
async function deliverBooksOf(day: Day): Promise<void> {
  const sample = await readFile(path.join(books, 'samples', 'ledger.csv'), 'utf8');
  const file = path.join(books, 'inbox', 'ledger', `erp-${day}.csv`);
  await writeFile(file, sample.slice(0, sample.indexOf('\n') + 1));
  const then = new Date(Date.now() - 120_000);
  await utimes(file, then, then);
}

async function contents(): Promise<Map<string, string>> {
  const entries = await readdir(books, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return new Map(files.map((file, place) => [file, texts[place] ?? '']));
}

/** As it was told to be called. */
function call(line: string) {
  return runCli([...line.split(' ').slice(1), '--log-level', 'error']);
}

async function fillIn(values: Readonly<Record<string, string>>): Promise<void> {
  const file = path.join(books, '.env');
  let text = await readFile(file, 'utf8');
  for (const [name, value] of Object.entries(values)) text = text.replace(`${name}=\n`, `${name}=${value}\n`);
  await writeFile(file, text);
}
