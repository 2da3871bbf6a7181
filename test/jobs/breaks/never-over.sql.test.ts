/** A file that people fill in is written over by nobody: what stood under its name is kept beside it. */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { commandBooks } from '../command-books.ts';
import { nightOfBreaks } from '../night-of-breaks.ts';

const { reconWith, onDatabase, file } = commandBooks();
const CLOCK = ['--clock', '2026-03-02T02:00:00Z'];

beforeAll(async () => {
  await reconWith({}, 'breaks', 'list');
  await onDatabase((db) => nightOfBreaks(db));
  const explained = ['--class', 'platform_only', '--reason', 'booked tomorrow', '--by', 'Li'];
  await reconWith({}, 'breaks', 'explain', ...explained, ...CLOCK);
});

/** The other files of its folder whose names begin as it does. */
async function beside(target: string): Promise<string[]> {
  const { dir, name } = path.parse(target);
  return (await readdir(dir)).filter((one) => one.startsWith(`${name}.`) && one !== path.basename(target));
}

test.each([
  ['list.csv', (target: string) => ['export', target]],
  ['adjusting.csv', (target: string) => ['entries', '--out', target]],
])('%s that somebody filled in', async (name, call) => {
  const target = await file(name, '');
  await reconWith({}, 'breaks', ...call(target), ...CLOCK);
  const first = await beside(target);
  const again = await reconWith({}, 'breaks', ...call(target), ...CLOCK, '--json');
  expect([again.stderr, JSON.parse(again.stdout)]).toMatchObject(['', { movedAside: [] }]);
  expect(await beside(target)).toEqual(first);
  const filled = (await readFile(target, 'utf8')).replace('D1', 'D1, as she wrote');
  await writeFile(target, filled);
  const { stdout } = await reconWith({}, 'breaks', ...call(target), ...CLOCK);
  const [kept = '', ...more] = (await beside(target)).filter((one) => !first.includes(one));
  expect(more).toEqual([]);
  const to = path.join(path.dirname(target), kept);
  expect(await readFile(to, 'utf8')).toBe(filled);
  expect(stdout).toContain(`was there with other content and is kept: ${to}`);
});
