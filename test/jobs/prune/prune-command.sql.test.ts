/** `recon prune` as it is called: by the clock of now, and with what is wrong named before anything is looked at. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli, temporaryFolder } from '../../helpers/cli.ts';
import type { CliOutcome, TemporaryFolder } from '../../helpers/cli.ts';
import { serverUrl, testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { LATER, isThere, oldBooks, pruneOf, toldOf } from './old-books.ts';

let folder: TemporaryFolder;
let server: TestDatabase | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
  server = serverUrl === undefined ? undefined : await testDatabase();
});
afterEach(async () => {
  await server?.close();
  await folder.remove();
});

function recon(args: readonly string[], env: Record<string, string> = {}): Promise<CliOutcome> {
  const home = { RECON_HOME: path.join(folder.path, 'home') };
  const database = server?.url === undefined ? {} : { DATABASE_URL: server.url };
  return runCli(['prune', ...args], { env: { ...home, ...database, ...env } });
}

test('where there is nothing old nothing goes, and that is said', async () => {
  const { status, stdout } = await recon([]);
  expect([status, stdout.includes('nothing had to go')]).toEqual([0, true]);
});

test('a clock that is ahead may show what would go, and removes nothing', async () => {
  const refused = await recon(['--clock', '2099-01-01T00:00:00Z']);
  expect([refused.status, refused.stderr]).toEqual([
    2,
    'recon: prune removes what is old by now: --clock is for --dry-run\n',
  ]);
  expect((await recon(['--dry-run', '--clock', '2099-01-01T00:00:00Z'])).status).toBe(0);
});

test('kinds and settings that are none are named', async () => {
  const kind = await recon(['--kind', 'vouchers']);
  expect([kind.status, kind.stderr]).toEqual([
    2,
    expect.stringContaining('It is one of answers, versions, bundles, aside, inbox, alerts.'),
  ]);
  const settings = { RETAIN_ANSWERS_DAYS: '91', RETAIN_INBOX_DAYS: 'forever', RETAIN_ALERT_DAYS: '400' };
  const wrong = await recon([], settings);
  expect([
    wrong.status,
    wrong.stderr
      .split('\n- ')
      .slice(1)
      .map((line) => line.trim()),
  ]).toEqual([
    2,
    [
      'RETAIN_ALERT_DAYS is not a setting (did you mean RETAIN_ALERTS_DAYS?)',
      'RETAIN_ANSWERS_DAYS must be days from 92 to 36500, or keep: "91"',
      'RETAIN_INBOX_DAYS must be days from 92 to 36500, or keep: "forever"',
    ],
  ]);
});

test('folders that are left empty go too, but for the inbox itself', async () => {
  const night = await oldBooks();
  try {
    const inbox = path.join(night.home, 'inbox');
    await mkdir(path.join(inbox, 'done/2026-03-05/ledger/erp'), { recursive: true });
    await writeFile(path.join(inbox, 'done/2026-03-05/ledger/erp/a.csv'), 'a');
    night.settings['INTAKE_INBOX'] = inbox;
    night.moveTo(LATER);
    expect(toldOf(await pruneOf(night), 'inbox')).toBe('goes 1');
    expect([await isThere(night, 'inbox', 'done'), await isThere(night, 'inbox')]).toEqual([false, true]);
  } finally {
    await night.close();
  }
});

test('what was begun in an inbox that is not set any more is not said to be gone', async () => {
  const night = await oldBooks();
  try {
    const row = {
      trail_no: 1n,
      kind: 'inbox',
      key: 'done/2026-03-05/a.csv',
      sha256: 'a',
      bytes: 1n,
      day: '2026-03-05',
    };
    const at = '2029-01-01T00:00:00.000Z';
    await night.db
      .insertInto('pruned')
      .values({ ...row, kind: 'inbox', pruned_at: at, gone_at: null })
      .execute();
    night.moveTo(LATER);
    await pruneOf(night);
    expect(await night.db.selectFrom('pruned').select('key').where('gone_at', 'is', null).execute()).toEqual([
      { key: row.key },
    ]);
  } finally {
    await night.close();
  }
});
