/**
 * Kill -9 during the fetch and during the merge, then the same command to its end: every voucher filed once,
 * every bundle whole. The real executable against the real sandbox, on the database it would use.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { startRecon } from '../../helpers/child.ts';
import type { Child, Ended } from '../../helpers/child.ts';
import { zone } from '../../helpers/night.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { openPlace } from '../../helpers/own-database.ts';
import type { Place } from '../../helpers/own-database.ts';
import { VoucherNight } from '../../helpers/company/voucher-night.ts';

/** The processes go by the host's clock, and so does the sandbox; the vouchers are of a month long over. */
const DAY = '2024-03-01';
const VOUCHERS = 60;

const NO_BUG = expect.not.stringContaining('Bug') as string;

let folder: string;
let place: Place;
let vouchers: VoucherNight;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'recon-voucher-kill-'));
  place = await openPlace(folder);
  await place.withDatabase(async (database) => {
    vouchers = await VoucherNight.open({ now: zone.localText(systemClock().wall()), database });
    const numbers = Array.from({ length: VOUCHERS }, (_, no) => `D${String(no).padStart(2, '0')}`);
    await vouchers.deposits(DAY, ...numbers);
  });
});
afterEach(async () => {
  await vouchers.close();
  await place.close();
  await rm(folder, { recursive: true, force: true });
});

function start(...args: readonly string[]): Child {
  const options = ['--log-level', 'error', '--json'];
  return startRecon([...args, ...options], { ...vouchers.night.environment(), ...place.settings });
}

function isAlive({ process }: Child): boolean {
  return process.exitCode === null && process.signalCode === null;
}

/** Kills a process of `recon vouchers` when that many vouchers were asked for by it. */
async function killInFetch(asks: number): Promise<Ended> {
  const before = vouchers.asked();
  const child = start('vouchers');
  while (isAlive(child) && vouchers.asked() - before < asks) await pause(2);
  child.process.kill('SIGKILL');
  return child.ended;
}

/** Kills one so long after it began to write a bundle; it may have ended by then. */
async function killInMerge(afterMs: number): Promise<Ended> {
  const folder = path.join(place.home, 'bundles', '2024-03', 'P');
  const madeAt = async () =>
    (await readdir(folder).catch(() => [])).find((name) => name.startsWith('.next-'));
  const before = await madeAt();
  const child = start('vouchers');
  for (let now = before; isAlive(child) && (now === undefined || now === before); now = await madeAt()) {
    await pause(2);
  }
  await Promise.race([pause(afterMs), child.ended]);
  child.process.kill('SIGKILL');
  return child.ended;
}

async function below(name: string): Promise<string[]> {
  const entries = await readdir(path.join(place.home, name), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function expectAllArchived(): Promise<void> {
  const [states, files, bundles] = await place.withDatabase(({ db }) =>
    Promise.all([
      lines(db, 'voucher_due', ['state', 'tries']),
      lines(db, 'voucher', ['sha256', 'condition']),
      lines(db, 'voucher_bundle', ['account_no', 'month', 'files', 'missing', 'superseded_at']),
    ]),
  );
  expect(states).toEqual(Array.from({ length: VOUCHERS }, () => 'filed 1'));
  expect(new Set(files).size).toBe(VOUCHERS);
  expect(bundles).toEqual(['P 2024-03 60 0 -']);
  const originals = (await below('vouchers')).filter((name) => !name.startsWith('.tmp-'));
  expect(originals.toSorted()).toEqual(files.map((file) => `${file.slice(0, 64)}.pdf`));
  const made = (await below('bundles')).filter((name) => !name.startsWith('.tmp-'));
  expect(made.toSorted()).toEqual([
    'index.csv',
    'manifest.json',
    'vouchers-2024-03.zip',
    'vouchers-P-2024-03.pdf',
  ]);
  const verified = await start('verify').ended;
  expect(verified).toMatchObject({ status: 0 });
  expect(JSON.parse(verified.stdout)).toMatchObject({
    verified: { archive: { originals: VOUCHERS, bundles: 1, faults: [] } },
  });
}

test(
  'H1: killed during the fetch, four times: the next run goes on, nothing is lost and nothing filed twice',
  { timeout: 240_000 },
  async () => {
    const fault = { kind: 'delay', ms: 10, path: 'get/transFiles', times: null } as const;
    vouchers.night.sandbox.addFault(fault);
    for (const asks of [1, 13, 29, 47]) {
      expect(await killInFetch(asks)).toMatchObject({ signal: 'SIGKILL' });
    }
    expect(await start('vouchers').ended).toMatchObject({ status: 0, stderr: NO_BUG });
    await expectAllArchived();
  },
);

test(
  'H1: killed during the merge, at several moments: the next run makes the bundle whole',
  { timeout: 240_000 },
  async () => {
    let killed = 0;
    for (const afterMs of [0, 50, 300, 700, 1_200, 1_800]) {
      const { signal } = await killInMerge(afterMs);
      if (signal === 'SIGKILL') killed += 1;
      else break;
    }
    expect(killed).toBeGreaterThan(1);
    expect(vouchers.asked(), 'what is filed is not asked for again').toBe(VOUCHERS);
    expect(await start('vouchers').ended).toMatchObject({ status: 0, stderr: NO_BUG });
    await expectAllArchived();
  },
);
