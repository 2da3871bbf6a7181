/** Work of a process that stays running has a client of its own each time: a halt is over with the work (N8, N15). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lazyPlatform } from '../../../jobs/context/context.ts';
import { withOwnPlatform } from '../../../jobs/daemon/own-platform.ts';
import type { Context } from '../../../jobs/context/context.ts';
import { Stopped } from '../../../src/core/errors.ts';
import { Night } from '../../helpers/night.ts';
import type { Process } from '../../helpers/night.ts';

let night: Night;
let job: Process;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-06 03:00:00' });
  job = await night.process();
});
afterEach(async () => {
  await job.close();
  await night.close();
});

async function askAccount(context: Context): Promise<string> {
  const client = await context.platform();
  return (await client.call('acct/queryInfo', { accountNo: 'A1' })).kind;
}

test('N8: wrong signatures that halt the client of one work halt neither the next nor that of the process', async () => {
  await night.accounts({ no: 'A1', opening: { fen: 100n, at: '2026-03-04 00:00:00' } });
  night.sandbox.addFault({ kind: 'corrupt_sign', path: 'acct/queryInfo', times: null });
  const halted = withOwnPlatform(job, async (own) => {
    for (let times = 0; times < 3; times++) await askAccount(own).catch(() => undefined);
    return askAccount(own);
  });
  await expect(halted).rejects.toThrow(Stopped);
  night.sandbox.liftFaults();
  expect(await withOwnPlatform(job, askAccount)).toBe('accepted');
  expect(await askAccount(job)).toBe('accepted');
});

test('one work has one client, however often it asks for it', async () => {
  await withOwnPlatform(job, async (own) => {
    expect(await own.platform()).toBe(await own.platform());
    expect(await own.platform()).not.toBe(await job.platform());
  });
});

test('a client that could not be opened is tried again', async () => {
  const ready = {
    ...job,
    settings: { ...job.settings, platform: undefined as typeof job.settings.platform },
  };
  const platform = lazyPlatform(ready, job.db, job.signal);
  await expect(platform.open()).rejects.toThrow('PLATFORM_URL and the credentials are not set');
  ready.settings = job.settings;
  await expect(platform.open()).resolves.toBeDefined();
  await platform.close();
});

test('U47: the clients of one process keep below the rate together', async () => {
  await night.profile({ http: { rate: { perSecond: 1, concurrency: 4 } } });
  await job.close();
  job = await night.process();
  await night.accounts({ no: 'A1', opening: { fen: 100n, at: '2026-03-04 00:00:00' } });
  await askAccount(job);
  expect(night.clock.cutShort).toEqual([]);
  await withOwnPlatform(job, askAccount);
  expect(night.clock.cutShort.length).toBeGreaterThan(0);
});
