/** `recon verify` and `recon vouchers` as an operator calls them: what they print, and their exit status. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyDays } from '../../../jobs/commands/verify-days.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { startRecon } from '../../helpers/child.ts';
import type { Ended } from '../../helpers/child.ts';
import { dumpOf, differencesOf } from '../../helpers/dump.ts';
import { zone } from '../../helpers/night.ts';
import { openPlace } from '../../helpers/own-database.ts';
import type { Place } from '../../helpers/own-database.ts';
import { temporaryFolder } from '../../helpers/cli.ts';
import type { TemporaryFolder } from '../../helpers/cli.ts';
import { VoucherNight } from '../../helpers/company/voucher-night.ts';

/** Three nights or half a dozen processes take their time on a busy machine. */
const LONG = { timeout: 240_000 };
const EVERY_DAY = { fromDay: '2000-01-01', toDay: '2026-12-31' };

let vouchers: VoucherNight | undefined;
let place: Place | undefined;
let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await vouchers?.close();
  await place?.close();
  await folder.remove();
});

function deposit(orderNo: string, depositTime: string, amountFen: bigint, more: object = {}) {
  return { orderNo, payeeAcctNo: 'P', amountFen, depositTime, ...more };
}

test(
  'sealed days are read again: nothing differs, then one record is late and one has changed',
  LONG,
  async () => {
    vouchers = await VoucherNight.open({ now: '2026-03-02 02:00:00' });
    const { night } = vouchers;
    night.deposits(
      deposit('D1', '2026-03-01 10:00:00', 10_000n),
      deposit('D2', '2026-03-02 10:00:00', 20_000n, {
        changes: [{ at: '2026-03-20 00:00:00', set: { remark: 'another remark' } }],
      }),
      deposit('LATE', '2026-03-01 12:00:00', 500n, { visibleFrom: '2026-03-20 00:00:00' }),
    );
    await night.night('2026-03-01');
    night.moveTo('2026-03-03 02:00:00');
    await night.night('2026-03-02');
    night.moveTo('2026-03-04 02:00:00');
    await night.night('2026-03-03');
    const before = await dumpOf(night.db);

    const first = await vouchers.inProcess((job) => verifyDays(job, EVERY_DAY));
    expect(first.differences).toEqual([]);
    expect(first.unread).toEqual([]);
    expect(
      first.accounts.map(({ accountNo, actual, difference }) => [accountNo, actual, difference]),
    ).toEqual([
      ['P', { records: 2, amountFen: 30_000n }, { records: 0, amountFen: 0n }],
      ['Q', { records: 0, amountFen: 0n }, { records: 0, amountFen: 0n }],
    ]);

    night.moveTo('2026-03-21 02:00:00');
    const second = await vouchers.inProcess((job) => verifyDays(job, EVERY_DAY));
    expect(second.differences).toEqual([
      {
        accountNo: 'P',
        day: '2026-03-01',
        recorded: { records: 1, amountFen: 10_000n },
        actual: { records: 2, amountFen: 10_500n },
        difference: { records: 1, amountFen: 500n },
      },
      {
        accountNo: 'P',
        day: '2026-03-02',
        recorded: { records: 1, amountFen: 20_000n },
        actual: { records: 1, amountFen: 20_000n },
        difference: { records: 0, amountFen: 0n },
      },
    ]);
    const range = { fromDay: '2026-03-02', toDay: '2026-03-02' };
    const third = await vouchers.inProcess((job) => verifyDays(job, range));
    expect(third.differences.map(({ day }) => day)).toEqual(['2026-03-02']);
    expect(differencesOf({ expected: before, found: await dumpOf(night.db) }), 'no fact is changed').toEqual(
      [],
    );
  },
);

test('what cannot be read is said and no difference', LONG, async () => {
  vouchers = await VoucherNight.open({
    now: '2026-03-03 02:00:00',
    profile: { http: { rate: { perSecond: 1_000, concurrency: 4 }, maxAttempts: 1 } },
  });
  const { night } = vouchers;
  night.deposits(deposit('D1', '2026-03-02 10:00:00', 10_000n));
  await night.night('2026-03-02');
  night.moveTo('2026-03-04 02:00:00');
  await night.night('2026-03-03');
  night.sandbox.addFault({ kind: 'http_status', status: 500, path: 'query/deposit', times: null });
  const verified = await vouchers.inProcess((job) => verifyDays(job, EVERY_DAY));
  expect(verified.differences).toEqual([]);
  expect(verified.unread.map(({ accountNo }) => accountNo).toSorted()).toEqual(['P', 'Q']);
  expect(verified.accounts.map(({ days }) => days)).toEqual([0, 0]);
});

function run(...args: readonly string[]): Promise<Ended> {
  const settings = { ...vouchers?.night.environment(), ...place?.settings };
  return startRecon([...args, '--log-level', 'error'], settings).ended;
}

test(
  'the commands: text for people, one document for programs, and 1 when something is not as recorded',
  LONG,
  async () => {
    const opened = await openPlace(folder.path);
    place = opened;
    await opened.withDatabase(async (database) => {
      vouchers = await VoucherNight.open({ now: zone.localText(systemClock().wall()), database });
      await vouchers.deposits('2024-03-01', 'D1', 'D2');
    });
    const text = await run('vouchers', '--from', '2024-03-01', '--to', '2024-03-31', '--bundle');
    expect(text.status).toBe(0);
    expect(text.stdout).toMatch(/^filed +2$/m);
    expect(text.stdout).toContain(`${folder.path}/bundles/2024-03/P/vouchers-P-2024-03.pdf`);
    const again = await run('vouchers', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      schema: 1,
      vouchers: {
        due: 0,
        asked: 0,
        fetched: 0,
        missing: 0,
        rejected: 0,
        givenUp: 0,
        leftOver: 0,
        bundles: [],
      },
    });
    const whole = await run('verify', '--json');
    expect(whole.status).toBe(0);
    expect(JSON.parse(whole.stdout)).toEqual({
      schema: 1,
      verified: {
        accounts: [],
        differences: [],
        unread: [],
        archive: { originals: 2, bundles: 1, reports: 0, pruned: 0, faults: [] },
        trail: { events: 0, head: '0:', heads: 1, faults: [] },
        signed: { periods: 0, changes: [] },
      },
    });
    await rm(path.join(folder.path, 'bundles', '2024-03', 'P', 'manifest.json'));
    const broken = await run('verify', '--from', '2024-03-01');
    expect(broken.status).toBe(1);
    expect(broken.stdout).toContain('sealed days: none in this period, so no day was read again\n');
    expect(broken.stdout).not.toContain('(no ');
    expect(broken.stdout).toContain('archive: 2 originals and 1 bundle read, 1 file not as recorded');
    expect(broken.stdout).toMatch(/^bundles\/2024-03\/P\/manifest\.json +missing/m);
  },
);

test('days that are no days are named together, and nothing is done', LONG, async () => {
  const opened = await openPlace(folder.path);
  place = opened;
  await opened.withDatabase(async (database) => {
    vouchers = await VoucherNight.open({ now: zone.localText(systemClock().wall()), database });
  });
  const wrong = await run('vouchers', '--from', '2026-02-30', '--to', 'tomorrow');
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain('--from "2026-02-30" is not a day');
  expect(wrong.stderr).toContain('--to "tomorrow" is not a day');
  const turned = await run('verify', '--from', '2024-03-02', '--to', '2024-03-01');
  expect(turned).toMatchObject({
    status: 2,
    stderr: 'recon: --to 2024-03-01 is before --from 2024-03-02\n',
  });
});
