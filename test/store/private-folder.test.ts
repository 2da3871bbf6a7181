/** The embedded database is its owner's alone, in a home that is new and in one that stood open before. */
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEmbedded } from '../../src/store/database/database-embedded.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'recon-private-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const modeOf = async (name: string): Promise<string> =>
  ((await stat(path.join(home, name))).mode & 0o777).toString(8);

test('nobody else can read or write the embedded database, neither a new one nor one that stood open', async () => {
  await chmod(home, 0o777);
  await mkdir(path.join(home, 'db'), { mode: 0o777 });
  await chmod(path.join(home, 'db'), 0o777);
  await (await openEmbedded(path.join(home, 'db'))).close();
  expect(await modeOf('db')).toBe('700');

  // As an older program left it.
  for (const entry of await readdir(path.join(home, 'db'), { recursive: true, withFileTypes: true })) {
    await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o777 : 0o666);
  }
  await chmod(path.join(home, 'db'), 0o755);
  await (await openEmbedded(path.join(home, 'db'))).close();
  expect(await modeOf('db')).toBe('700');
  expect(await modeOf('db/pg_hba.conf')).toBe('600');
  expect(await modeOf('db/base')).toBe('700');
});
