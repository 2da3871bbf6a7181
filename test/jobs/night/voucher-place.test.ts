/** Where a bundle is written before it takes its place: one run never gives away what another is writing. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, takePlace } from '../../../jobs/night/vouchers/voucher-place.ts';
import { diskFiles } from '../../../src/core/files.ts';

const context = { files: diskFiles() };
const NAMES = ['vouchers-1.pdf', 'index.csv', 'manifest.json'];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'recon-place-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function writeAll(place: string, text: string, names = NAMES): Promise<void> {
  for (const name of names) await writeFile(path.join(place, name), text);
}

async function texts(): Promise<string[]> {
  return await Promise.all(NAMES.map((name) => readFile(path.join(folder, name), 'utf8')));
}

test('a run whose lease went to another takes the place of nothing, least of all with what the other writes', async () => {
  await writeAll(folder, 'former');
  const late = await openStage(context, folder, { fence: 1n });
  await writeAll(late, 'late');
  const next = await openStage(context, folder, { fence: 2n });
  await writeAll(next, 'half', NAMES.slice(0, 1));

  await expect(takePlace(context, folder, { stage: late, names: NAMES, kept: [] })).rejects.toThrow(
    /no such file or folder/,
  );
  expect(await texts()).toEqual(['former', 'former', 'former']);

  await writeAll(next, 'next');
  await takePlace(context, folder, { stage: next, names: NAMES, kept: [] });
  expect(await texts()).toEqual(['next', 'next', 'next']);
  expect((await readdir(folder)).toSorted()).toEqual(NAMES.toSorted());
});

test('what processes that died were writing is gone with the next version, under whatever name', async () => {
  for (const left of ['.next', '.next-0']) {
    await mkdir(path.join(folder, left));
    await writeAll(path.join(folder, left), 'left');
  }
  await writeAll(await openStage(context, folder, { fence: 1n }), 'next');
  expect(await readdir(folder)).toEqual(['.next-1']);
});
