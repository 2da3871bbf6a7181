/** What a command loads before it works: each file costs, and people and scripts call short commands all day. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { commandBooks } from './command-books.ts';

const { recon, reconWith, file } = commandBooks();
const PRELOADED = path.join(import.meta.dirname, 'loaded-modules.ts');

beforeAll(async () => {
  await recon('migrate');
});

/** How many files each package is loaded with; our own under an empty name. */
async function loadedBy(...args: string[]): Promise<Map<string, number>> {
  const list = await file('loaded.txt', '');
  const { status } = await reconWith(
    { NODE_OPTIONS: `--import=${PRELOADED}`, LOADED_MODULES_TO: list },
    ...args,
  );
  expect(status).toBe(0);
  const urls = (await readFile(list, 'utf8')).split('\n');
  expect(urls.some((url) => url.endsWith('/jobs/main.ts'))).toBe(true);
  const packageOf = (url: string): string => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? '';
  return new Map([...Map.groupBy(urls, packageOf)].map(([name, files]) => [name, files.length]));
}

const sum = (counts: Map<string, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);

test('--help loads the declarations and what reads arguments', async () => {
  const loaded = await loadedBy('--help');
  expect([...loaded.keys()].toSorted()).toEqual(['', 'commander']);
  expect(sum(loaded), JSON.stringify([...loaded])).toBeLessThanOrEqual(40);
});

test('a list loads the database, what checks the settings and what a break probably is, and nothing that only other commands need', async () => {
  const loaded = await loadedBy('breaks', 'list');
  for (const name of [
    'node-cron',
    'exceljs',
    'pdf-lib',
    'undici',
    'fastify',
    'pg-boss',
    'cli-progress',
    'nodemailer',
  ])
    expect(loaded.get(name), name).toBeUndefined();
  expect(loaded.get(''), 'ours').toBeLessThanOrEqual(90);
  expect(sum(loaded), JSON.stringify([...loaded])).toBeLessThanOrEqual(510);
});
