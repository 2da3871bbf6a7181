/** Fetching what is due (VCH-01…09, U51): asked for once, within the budget, and nothing is ever dropped. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { countingProgress, VoucherNight } from '../../helpers/company/voucher-night.ts';

let vouchers: VoucherNight;
beforeEach(async () => {
  vouchers = await VoucherNight.open();
});
afterEach(() => vouchers.close());

const PROFILE = { http: { rate: { perSecond: 1_000, concurrency: 4 }, maxAttempts: 1 } };

/** The business data of each ask, in order. */
function asks(): string[] {
  return vouchers.night.sandbox
    .requests()
    .filter(({ path: asked }) => asked.endsWith('/get/transFiles'))
    .map(({ body }) => {
      const { bizData } = JSON.parse(body) as { bizData: unknown };
      return typeof bizData === 'string' ? bizData : JSON.stringify(bizData);
    });
}

describe('every kind of order', () => {
  test('VCH-02…04, U51: is asked for with its type and number, filed and recorded', async () => {
    await vouchers.deposits('2026-03-01', 'D1');
    await vouchers.transfer('T1', { isSettled: true });
    await vouchers.withdrawal('W1');
    expect(await vouchers.fetch()).toEqual({ due: 4, answered: 4, unanswered: 0, end: '' });
    expect(asks().toSorted()).toEqual([
      '{"transType":"1","orderNo":"D1"}',
      '{"transType":"2","outOrderNo":"T1"}',
      '{"transType":"2","outOrderNo":"W1"}',
      '{"transType":"3","outOrderNo":"T1"}',
    ]);
    expect(await vouchers.dues()).toEqual([
      'deposit D1 filed',
      'settlement T1 filed',
      'transfer T1 filed',
      'withdrawal W1 filed',
    ]);
  });

  test('VCH-09: the original lies in the archive byte for byte, with its digest and what it came in', async () => {
    await vouchers.deposits('2026-03-01', 'D1');
    await vouchers.fetch();
    const row = await vouchers.night.db.selectFrom('voucher').selectAll().executeTakeFirstOrThrow();
    const place = `${row.sha256.slice(0, 2)}/${row.sha256}.pdf`;
    expect(await vouchers.below('vouchers')).toEqual([place]);
    const bytes = await readFile(path.join(vouchers.night.home, 'vouchers', place));
    expect(BigInt(bytes.byteLength)).toBe(row.bytes);
    expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-');
    expect(row).toMatchObject({
      account_no: 'P',
      kind: 'deposit',
      number: 'D1',
      file_no: 1,
      run_id: 'fetch-1',
    });
    expect(row.req_id).toMatch(/^[0-9a-f]{32}$/);
    expect(row.fetched_at.slice(0, 13)).toBe('2026-03-01T18');
  });

  test('VCH-06: all files of an answer are filed, not only the first', async () => {
    vouchers.night.sandbox.setSwitches({ voucherFiles: 3 });
    await vouchers.deposits('2026-03-01', 'D1');
    await vouchers.fetch();
    expect(await vouchers.files()).toEqual(['D1 1 whole', 'D1 2 whole', 'D1 3 whole']);
  });
});

describe('nothing is asked for twice', () => {
  test('VCH-09: a second run makes no voucher call', async () => {
    await vouchers.deposits('2026-03-01', 'D1', 'D2');
    await vouchers.fetch();
    expect(vouchers.asked()).toBe(2);
    expect(await vouchers.fetch('fetch-2')).toEqual({ due: 0, answered: 0, unanswered: 0, end: '' });
    vouchers.night.moveTo('2026-03-20 02:00:00');
    await vouchers.fetch('fetch-3');
    expect(vouchers.asked()).toBe(2);
  });

  test('VCH-08: what is not ready is asked for again the day after, until it is there', async () => {
    vouchers.night.sandbox.setSwitches({ voucherNotReady: 2 });
    await vouchers.deposits('2026-03-01', 'D1');
    for (const [day, state] of [
      ['02', 'due'],
      ['02', 'due'],
      ['03', 'due'],
      ['04', 'filed'],
      ['05', 'filed'],
    ]) {
      vouchers.night.moveTo(`2026-03-${day} 02:00:00`);
      await vouchers.fetch(`fetch-${day}`);
      expect(await vouchers.dues(), `on the ${day}`).toEqual([`deposit D1 ${state}`]);
    }
    expect(vouchers.asked()).toBe(3);
  });

  test('U51: after vouchers.retryDays it is given up, with the reason of the platform', async () => {
    await vouchers.night.profile({ ...PROFILE, vouchers: { retryDays: 1 } });
    vouchers.night.sandbox.setSwitches({ voucherNotReady: 100 });
    await vouchers.deposits('2026-03-01', 'D1');
    for (const day of ['02', '03', '04', '05']) {
      vouchers.night.moveTo(`2026-03-${day} 02:00:00`);
      await vouchers.fetch(`fetch-${day}`);
    }
    expect(vouchers.asked()).toBe(2);
    expect(await vouchers.dues('tries')).toEqual(['deposit D1 given_up 2']);
    expect((await vouchers.dues('reason'))[0]).toContain('the platform refused: ');
  });
});

describe('the budget', () => {
  test('vouchers.perNight: the newest month comes first, the rest is left over and said', async () => {
    await vouchers.night.profile({ ...PROFILE, vouchers: { perNight: 2 } });
    await vouchers.deposits('2026-01-10', 'JAN');
    await vouchers.deposits('2026-03-01', 'MAR');
    await vouchers.deposits('2026-02-10', 'FEB');
    expect(await vouchers.fetch()).toEqual({ due: 3, answered: 2, unanswered: 0, end: 'perNight' });
    expect(await vouchers.dues()).toEqual(['deposit FEB filed', 'deposit JAN due', 'deposit MAR filed']);
    expect(await vouchers.fetch('fetch-2')).toEqual({ due: 1, answered: 1, unanswered: 0, end: '' });
  });

  test('vouchers.minutes: when the time is over nothing more is asked for', async () => {
    await vouchers.night.profile({ ...PROFILE, vouchers: { minutes: 1 } });
    await vouchers.deposits('2026-03-01', ...Array.from({ length: 20 }, (_, at) => `D${at}`));
    let aheadMs = 0;
    const fetched = await vouchers.fetch('fetch-1', (job) => ({
      ...job,
      // Each look at the clock takes ten seconds.
      clock: {
        wall: () => job.clock.wall(),
        sleep: (ms, signal) => job.clock.sleep(ms, signal),
        monoMs: () => (aheadMs += 10_000),
      },
    }));
    expect(fetched.end).toBe('minutes');
    expect(fetched.due).toBe(20);
    expect(vouchers.asked()).toBe(fetched.answered);
    expect(fetched.answered).toBeGreaterThan(0);
    expect(fetched.answered).toBeLessThan(10);
  });

  test('vouchers.kinds: only those are asked for', async () => {
    await vouchers.night.profile({ ...PROFILE, vouchers: { kinds: ['withdrawal'] } });
    await vouchers.deposits('2026-03-01', 'D1');
    await vouchers.withdrawal('W1');
    await vouchers.fetch();
    expect(await vouchers.dues()).toEqual(['deposit D1 due', 'withdrawal W1 filed']);
  });

  test('so many at once as the platform allows, and progress says how far it is', async () => {
    await vouchers.night.profile({ http: { rate: { perSecond: 1_000, concurrency: 3 } } });
    await vouchers.deposits('2026-03-01', ...Array.from({ length: 12 }, (_, at) => `D${at}`));
    let [inFlight, most] = [0, 0];
    const said: string[] = [];
    await vouchers.fetch('fetch-1', (job) => ({
      ...job,
      progress: countingProgress(said),
      platform: async () => {
        const client = await job.platform();
        return {
          ...client,
          counters: () => client.counters(),
          clockOffsetMs: () => client.clockOffsetMs(),
          call: async (endpoint, request) => {
            most = Math.max(most, (inFlight += 1));
            try {
              return await client.call(endpoint, request);
            } finally {
              inFlight -= 1;
            }
          },
        };
      },
    }));
    expect(most).toBe(3);
    expect(said).toEqual(['vouchers 12/12']);
  });
});

describe('no answer', () => {
  test('is counted and asked for again by the next run; the others are filed', async () => {
    await vouchers.night.profile(PROFILE);
    await vouchers.deposits('2026-03-01', 'D1', 'D2', 'D3');
    vouchers.night.sandbox.addFault({ kind: 'http_status', status: 500, path: 'get/transFiles', times: 1 });
    expect(await vouchers.fetch()).toEqual({ due: 3, answered: 2, unanswered: 1, end: '' });
    expect(await vouchers.fetch('fetch-2')).toEqual({ due: 1, answered: 1, unanswered: 0, end: '' });
    expect(await vouchers.dues()).toEqual(['deposit D1 filed', 'deposit D2 filed', 'deposit D3 filed']);
  });

  test('fifty times in a row: the platform is away, the rest is left for the next run', async () => {
    await vouchers.night.profile(PROFILE);
    await vouchers.deposits('2026-03-01', ...Array.from({ length: 80 }, (_, at) => `D${at}`));
    const fault = vouchers.night.sandbox.addFault({
      kind: 'http_status',
      status: 500,
      path: 'get/transFiles',
      times: null,
    });
    const fetched = await vouchers.fetch();
    expect(fetched).toMatchObject({ due: 80, answered: 0, end: 'unanswered' });
    expect(fetched.unanswered).toBeLessThan(60);
    vouchers.night.sandbox.liftFaults(fault);
    expect(await vouchers.fetch('fetch-2')).toMatchObject({ due: 80, answered: 80, end: '' });
  });

  test('H2: a stop ends it after what is in flight; what was answered is kept', async () => {
    await vouchers.deposits('2026-03-01', ...Array.from({ length: 30 }, (_, at) => `D${at}`));
    const stopping = new AbortController();
    let files = 0;
    const fetching = vouchers.fetch('fetch-1', (job) => ({
      ...job,
      signal: AbortSignal.any([job.signal, stopping.signal]),
      files: {
        ...job.files,
        writeWhole: async (place, bytes) => {
          await job.files.writeWhole(place, bytes);
          if ((files += 1) === 5) stopping.abort(new Error('stopped by SIGTERM'));
        },
      },
    }));
    await expect(fetching).rejects.toThrow('stopped by SIGTERM');
    const filed = (await vouchers.dues()).filter((line) => line.endsWith('filed'));
    expect(filed.length).toBeGreaterThanOrEqual(5);
    expect(filed.length).toBeLessThanOrEqual(9);
    expect(await vouchers.fetch('fetch-2')).toMatchObject({ due: 30 - filed.length, end: '' });
    expect(vouchers.asked()).toBe(30);
  });
});
