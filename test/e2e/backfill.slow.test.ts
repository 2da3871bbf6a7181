/** Fifteen months that begin on the last day of January of a leap year, with a record on every boundary. */
import { afterEach, describe, expect, test } from 'vitest';
import type { SwitchesPatch } from '../../src/sandbox/control/switches.ts';
import { addDays, daysBetween } from '../../src/core/time.ts';
import { Night, findingsOf } from '../helpers/night.ts';

const FROM = '2024-01-31';
const TO = '2025-04-30';
/** First and last second of a day, the second after midnight, noon: every month end and window edge is among them. */
const TIMES = ['00:00:00', '00:00:01', '12:00:00', '23:59:59'];

let night: Night;
afterEach(() => night.close());

interface Trade {
  orderNo: string;
  time: string;
  fen: bigint;
}

/** Four records a day, each of another amount, from the day before the range to the day after it. */
function trade(): Trade[] {
  const records: Trade[] = [];
  for (let day = addDays(FROM, -1); day <= addDays(TO, 1); day = addDays(day, 1)) {
    for (const time of TIMES) {
      const orderNo = `D${day.replaceAll('-', '')}T${time.replaceAll(':', '')}`;
      records.push({ orderNo, time: `${day} ${time}`, fen: 1_000n + BigInt(records.length) });
    }
  }
  return records;
}

const isInRange = ({ time }: Trade): boolean => time >= `${FROM} 00:00:00` && time <= `${TO} 23:59:59`;
const isSinceOpening = ({ time }: Trade): boolean => time >= `${FROM} 00:00:00`;

async function openRange(switches: SwitchesPatch, profile: object): Promise<void> {
  night = await Night.open({ now: '2025-05-02 02:00:00', switches, profile });
  const records = trade();
  await night.accounts({ no: 'A1', opening: { fen: 0n, at: `${FROM} 00:00:00` } });
  // What came before the opening is in no balance of ours: the account was emptied.
  night.deposits(
    ...records.map((record) => ({
      payeeAcctNo: 'A1',
      orderNo: record.orderNo,
      amountFen: record.fen,
      depositTime: record.time,
      ...(isSinceOpening(record) ? {} : { creditedFen: 0n }),
    })),
  );
  await night.entries(
    records.filter(isSinceOpening).map((record) => ({
      id: `E-${record.orderNo}`,
      account: 'A1',
      fen: record.fen,
      at: record.time,
      reference: record.orderNo,
    })),
  );
}

/** Number, version and amount of what is stored, without the running day and the one before it. */
async function storedInRange(): Promise<string[]> {
  const rows = await night.db
    .selectFrom('deposit')
    .select(['order_no', 'version', 'amount_fen'])
    .where('deposited_at', '<', '2025-04-30T16:00:00.000Z')
    .orderBy('order_no')
    .execute();
  return rows.map((row) => `${row.order_no} v${row.version} ${row.amount_fen}`);
}

async function movements(): Promise<{ count: number; fen: bigint }> {
  const rows = await night.db.selectFrom('movement').select('delta_fen').execute();
  return { count: rows.length, fen: rows.reduce((sum, row) => sum + row.delta_fen, 0n) };
}

/** The run's windows of one account: each begins where the one before ended, all are verified, none is too long. */
async function expectTiled(runId: string, span: { from: string; to: string }): Promise<number> {
  const windows = await night.db
    .selectFrom('sync_window')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('from_day')
    .execute();
  let next = span.from;
  for (const window of windows) {
    expect(window.from_day, 'no gap and no overlap').toBe(next);
    expect(window.state).toBe('verified');
    expect(window.distinct_count).toBe(window.total);
    expect(daysBetween({ from: window.from_day, to: window.to_day })).toBeLessThanOrEqual(31);
    next = window.to_day;
  }
  expect(next).toBe(span.to);
  return windows.length;
}

describe('a backfill from 31 January of a leap year over fifteen months', () => {
  const worlds: [name: string, switches: SwitchesPatch, endInclusive: 'unknown' | 'yes' | 'no'][] = [
    [
      'end date part of the answer, not known, newest first',
      { endInclusive: true, depositOrder: 'newest' },
      'unknown',
    ],
    [
      'end date part of the answer, known, oldest first',
      { endInclusive: true, depositOrder: 'oldest' },
      'yes',
    ],
    [
      'end date not part of the answer, not known, oldest first',
      { endInclusive: false, depositOrder: 'oldest' },
      'unknown',
    ],
    [
      'end date not part of the answer, known, newest first',
      { endInclusive: false, depositOrder: 'newest' },
      'no',
    ],
    [
      'end date part of the answer, not known, another order at each call',
      { endInclusive: true, depositOrder: 'unstable' },
      'unknown',
    ],
    [
      'end date not part of the answer, not known, another order at each call',
      { endInclusive: false, depositOrder: 'unstable' },
      'unknown',
    ],
  ];

  test.each(worlds)('U44, U45: %s: every record exactly once', async (_name, switches, endInclusive) => {
    await openRange(switches, { deposits: { endInclusive } });
    const outcome = await night.backfill(FROM, TO);
    expect(findingsOf(outcome)).toEqual([]);
    expect(outcome.result.run.verdict).toBe('reconciled');
    const expected = trade().filter(isInRange);
    expect(expected).toHaveLength(1_824);
    expect(await storedInRange()).toEqual(
      expected.map((record) => `${record.orderNo} v1 ${record.fen}`).toSorted(),
    );
    const sinceOpening = trade().filter(isSinceOpening);
    expect(await movements()).toEqual({
      count: 1_828,
      fen: sinceOpening.reduce((sum, record) => sum + record.fen, 0n),
    });
    expect(outcome.result.collected.deposits).toBe(1_824);
    await expectTiled(outcome.result.run.id, { from: FROM, to: '2025-05-03' });
  });

  test('U44: a profile that says "yes" to a platform that means "no" loses last days and is not green', async () => {
    await openRange({ endInclusive: false, depositOrder: 'newest' }, { deposits: { endInclusive: 'yes' } });
    const { result } = await night.backfill(FROM, TO);
    expect(result.run.verdict).toBe('breaks');
    const lost = result.breaks.filter((found) => found.class === 'ledger_only');
    // One last day of four records in each of the windows up to the range's end.
    expect(lost).toHaveLength(4 * 15);
    expect(lost.map((found) => found.reference)).toContain('D20240228T235959');
    const [account] = result.accounts;
    const lostFen = lost.reduce((sum, found) => sum - found.differenceFen, 0n);
    // The day after the range is lost as well, so that the balance is not rolled back over its four records.
    expect(account).toMatchObject({ unexplainedFen: lostFen + 11_318n, differenceFen: 11_318n });
  });

  test.each(['newest', 'oldest', 'unstable'] as const)(
    'P1: a record that arrives between two pages is read once, %s first: the window is read again',
    async (depositOrder) => {
      await openRange({ endInclusive: true, depositOrder }, {});
      const time = '2024-02-10 08:00:00';
      night.sandbox.seedArrival({
        afterPages: 1,
        deposit: { payeeAcctNo: 'A1', orderNo: 'ARRIVED', amountFen: 77n, depositTime: time },
      });
      await night.entries([{ id: 'E-ARRIVED', account: 'A1', fen: 77n, at: time, reference: 'ARRIVED' }]);
      const outcome = await night.backfill(FROM, TO);
      expect(findingsOf(outcome)).toEqual([]);
      expect(outcome.result.run.verdict).toBe('reconciled');
      const stored = await storedInRange();
      expect(stored).toHaveLength(1_825);
      expect(stored).toContain('ARRIVED v1 77');
      await expectTiled(outcome.result.run.id, { from: FROM, to: '2025-05-03' });
      const { passes } = await night.db
        .selectFrom('sync_window')
        .select(({ fn }) => fn.sum<string>('passes').as('passes'))
        .executeTakeFirstOrThrow();
      const { windows } = await night.db
        .selectFrom('sync_window')
        .select(({ fn }) => fn.countAll<bigint>().as('windows'))
        .executeTakeFirstOrThrow();
      if (depositOrder !== 'unstable') expect(BigInt(passes)).toBe(windows + 1n);
    },
  );
});
