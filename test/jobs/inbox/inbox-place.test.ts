/** What lies in the inbox is seen whole, whatever is renamed while it is looked at. */
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lookAtInbox } from '../../../jobs/inbox/inbox-place.ts';
import { zone } from '../../helpers/service-time.ts';

// Who has imported the module already has it as it is: all are loaded anew, and once more for the next file.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});

const before: { lstat: (() => Promise<void>) | undefined } = vi.hoisted(() => ({ lstat: undefined }));
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  return {
    ...real,
    lstat: async (file: string, options: { bigint: true }) => {
      const act = before.lstat;
      before.lstat = undefined;
      await act?.();
      return real.lstat(file, options);
    },
  };
});

let inbox: string;
beforeEach(async () => {
  inbox = await mkdtemp(path.join(os.tmpdir(), 'recon-look-'));
});
afterEach(() => rm(inbox, { recursive: true, force: true }));

async function look(): Promise<string[]> {
  const found = await lookAtInbox({ inbox, zone, today: '2026-03-12', nowMs: 2_000_000 });
  return found.map(({ path: file, day, left }) => `${file} ${day} ${left?.as ?? 'ready'}`);
}

test.each([
  ['a file', 'ledger/erp/2026-03-11.csv.part', 'ledger/erp/2026-03-11.csv'],
  ['a folder', 'ledger/new/2026-03-11.csv', 'ledger/erp/2026-03-11.csv'],
] as const)('%s that is renamed since it was listed is there under its new name', async (_what, from, to) => {
  await mkdir(path.dirname(path.join(inbox, from)), { recursive: true });
  await writeFile(path.join(inbox, from), 'text');
  await utimes(path.join(inbox, from), 1_000, 1_000);
  before.lstat = async () => {
    if (path.dirname(from) === path.dirname(to)) await rename(path.join(inbox, from), path.join(inbox, to));
    else await rename(path.join(inbox, path.dirname(from)), path.join(inbox, path.dirname(to)));
  };
  expect(await look()).toEqual([`${to} 2026-03-11 ready`]);
});

test.each(['ledger/erp/latest.csv', 'ledger/erp/2026-03-11.csv'])(
  '%s waits for as long as it may still be written, whatever will become of it',
  async (file) => {
    await mkdir(path.join(inbox, 'ledger/erp'), { recursive: true });
    await writeFile(path.join(inbox, file), 'text');
    await utimes(path.join(inbox, file), 1_990, 1_990);
    expect(await look()).toEqual([`${file} 2026-03-11 waiting`]);
    await utimes(path.join(inbox, file), 1_000, 1_000);
    expect(await look()).not.toEqual([`${file} 2026-03-11 waiting`]);
  },
);
