/** An embedded database that cannot start says where it lies and why, whatever its engine throws, and lets its folder go. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEmbedded } from '../../src/store/database/database-embedded.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'recon-start-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

test('where a file lies in the place of a folder of its own', async () => {
  const folder = path.join(home, 'db');
  await mkdir(folder);
  const file = path.join(folder, 'base');
  await writeFile(file, '');
  const refused = `the embedded database in ${folder} does not start: its files cannot be used (errno 54)`;
  await expect(openEmbedded(folder)).rejects.toThrow(refused);
  await rm(folder, { recursive: true });
  await (await openEmbedded(folder)).close();
});
