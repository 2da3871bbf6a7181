/** A file of the inbox is put away as it was read, whatever is delivered in the moment in which it is moved. */
import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { placeFor, putAway } from '../../../jobs/inbox/put-away.ts';
import type { Delivery } from '../../../jobs/inbox/inbox-place.ts';

// Who has imported the module already has it as it is: all are loaded anew, and once more for the next file.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});

/** What happens before each move. */
const before: { moves: (() => Promise<unknown>)[] } = vi.hoisted(() => ({ moves: [] }));
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  const moving =
    (move: typeof real.rename): typeof real.rename =>
    async (from, to) => {
      await before.moves.shift()?.();
      await move(from, to);
    };
  return { ...real, rename: moving(real.rename), link: moving(real.link) };
});

let inbox: string;
beforeEach(async () => {
  inbox = await mkdtemp(path.join(os.tmpdir(), 'recon-put-away-'));
});
afterEach(() => rm(inbox, { recursive: true, force: true }));

async function write(name: string, text: string, seconds: number): Promise<Delivery> {
  const to = path.join(inbox, name);
  await writeFile(to, text);
  await utimes(to, seconds, seconds);
  const changed = String((await stat(to, { bigint: true })).mtimeNs);
  return { path: name, changed, kind: 'orders', source: '', day: null, completeTo: null, left: null };
}

test.each([
  ['done', undefined],
  ['failed', 'row 2: no'],
] as const)('what is delivered in that very moment is not moved to %s', async (to, faults) => {
  const read = await write('list.csv', 'read', 1_000);
  const target = await placeFor(inbox, read, { to, day: '2026-03-01', given: new Set() });
  before.moves = [() => write('list.csv', 'delivered since', 2_000)];
  expect(await putAway(inbox, read, { target, ...(faults !== undefined && { faults }) })).toBe(false);
  expect(await readFile(path.join(inbox, 'list.csv'), 'utf8')).toBe('delivered since');
  expect(await readdir(path.join(inbox, to, '2026-03-01'))).toEqual([]);
});

test('what is delivered while another one goes back unread takes its place', async () => {
  const read = await write('list.csv', 'read', 1_000);
  const target = await placeFor(inbox, read, { to: 'done', day: '2026-03-01', given: new Set() });
  before.moves = [
    () => write('list.csv', 'delivered since', 2_000),
    () => write('list.csv', 'delivered last', 3_000),
  ];
  expect(await putAway(inbox, read, { target })).toBe(false);
  expect(await readFile(path.join(inbox, 'list.csv'), 'utf8')).toBe('delivered last');
  expect(await readdir(path.join(inbox, 'done/2026-03-01'))).toEqual([]);
});
