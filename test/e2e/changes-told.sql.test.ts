/** A record that changed is told once at least, whichever look noticed it and whatever became of its run (P3). */
import { afterEach, expect, test } from 'vitest';
import { reconcileRange } from '../../jobs/night/night.ts';
import type { NightOutcome } from '../helpers/findings.ts';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

/** A deposit and a transfer of 2 March change on 4 March at noon. */
async function world() {
  const { trade, ...opened } = await openTrade('2026-03-02', { P: 100_000n, Q: 0n });
  night = opened.night;
  const at = '2026-03-04 12:00:00';
  night.deposits({
    payeeAcctNo: 'P',
    orderNo: 'D1',
    amountFen: 900n,
    creditedFen: 900n,
    depositTime: '2026-03-02 10:00:00',
    changes: [{ at, set: { payerName: 'Somebody else' } }],
  });
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-02 09:00:00',
    orders: [
      {
        outOrderNo: 'T1',
        payeeAcctNo: 'Q',
        amountFen: 12_000n,
        listed: { set: { amount: 10_000, realAmount: 10_000 } },
        changes: [{ at, set: { amount: 12_000, realAmount: 12_000 } }],
      },
      { outOrderNo: 'T2', payeeAcctNo: 'Q', amountFen: 500n, finalAt: '2026-03-04 20:00:00' },
    ],
  });
  trade.books(
    'P deposit D1 900 2026-03-02 10:05',
    'P transfer_out T1 -12000 2026-03-02 09:05',
    'Q transfer_in T1 12000 2026-03-02 09:05',
    'P transfer_out T2 -500 2026-03-04 20:05',
    'Q transfer_in T2 500 2026-03-04 20:05',
  );
  expect(findingsOf(await trade.night('2026-03-02'))).toContain('amount P T1 2000');
  return trade;
}

const CHANGED = ['record_changed P D1 0', 'record_changed P T1 0'];

test('by the night, when a snapshot of the afternoon noticed it, and not again', async () => {
  const trade = await world();
  await trade.night('2026-03-03');
  await trade.until('2026-03-04 14:00:00');
  await night.snapshot();
  const next = await trade.night('2026-03-04');
  expect([next.result.run.verdict, ...findingsOf(next).toSorted()]).toEqual(['breaks', ...CHANGED]);
  expect(findingsOf(await trade.night('2026-03-05'))).toEqual([]);
});

test('by the next night, when the one that read it died before its proof', async () => {
  const trade = await world();
  await trade.until('2026-03-05 02:00:00');
  const process = await night.process();
  const dying: typeof process = {
    ...process,
    platform: async () =>
      new Proxy(await process.platform(), {
        get: (of, name) => {
          const value: unknown = Reflect.get(of, name);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]) => {
            if (name === 'call' && given[0] === 'acct/queryInfo') throw new Error('out of memory');
            return (value as (...all: unknown[]) => unknown).apply(of, given);
          };
        },
      }),
  };
  await expect(
    reconcileRange(dying, { job: 'nightly', fromDay: '2026-03-04', toDay: '2026-03-04', accounts: [] }),
  ).rejects.toThrow('out of memory');
  await process.close();
  const next = await trade.night('2026-03-05');
  expect(await night.db.selectFrom('deposit_version').select('replaced_day').execute()).toEqual([
    { replaced_day: '2026-03-04' },
  ]);
  expect(findingsOf(next).toSorted()).toEqual(CHANGED);
});

/** The breaks that say so, with what they are and since when. */
const changesIn = ({ result }: NightOutcome): string[] =>
  result.breaks.flatMap((one) =>
    one.class === 'record_changed' ? [`${one.reference} ${one.id} ${one.firstSeen}`] : [],
  );

const DEPOSIT = { payeeAcctNo: 'P', orderNo: 'D', amountFen: 900n, depositTime: '2026-03-02 10:00:00' };

test('by the night that notices it, when the platform dates it behind the cut of that night, and not again', async () => {
  const { trade, ...opened } = await openTrade('2026-03-02', { P: 100_000n });
  night = opened.night;
  night.deposits(
    { ...DEPOSIT, vanishesAt: '2026-03-03 20:00:00' },
    { ...DEPOSIT, depositTime: '2026-03-04 00:10:00', creditedFen: 0n },
  );
  trade.books('P deposit D 900 2026-03-02 10:05');
  await trade.night('2026-03-02');
  const next = await trade.night('2026-03-03');
  expect([next.result.run.verdict, changesIn(next).length]).toEqual(['breaks', 1]);
  expect(changesIn(await trade.night('2026-03-04'))).toEqual([]);
});

test('as the break that it is, when it changes once more and is dated behind the cut of the night that told it', async () => {
  const { trade, ...opened } = await openTrade('2026-03-02', { P: 100_000n });
  night = opened.night;
  const changes = [{ at: '2026-03-03 20:00:00', set: { payerName: 'Somebody else' } }];
  night.deposits({ ...DEPOSIT, changes });
  trade.books('P deposit D 800 2026-03-02 10:05');
  await trade.night('2026-03-02');
  const told = changesIn(await trade.night('2026-03-03'));
  expect(told).toHaveLength(1);
  const set = { depositTime: '2026-03-05 00:10:00' };
  night.sandbox.addFault({ kind: 'record', path: 'query/deposit', set, times: null });
  await trade.night('2026-03-04');
  const last = await trade.night('2026-03-05');
  expect(last.result.restated.map(({ day }) => day)).toContain('2026-03-03');
  expect(changesIn(last)).toEqual(told);
});

test('with the fee and what was credited, where they are others now', async () => {
  const { trade, ...opened } = await openTrade('2026-03-02', { P: 100_000n });
  night = opened.night;
  const change = (set: Record<string, string | number>) => [{ at: '2026-03-03 12:00:00', set }];
  night.deposits(
    { ...DEPOSIT, changes: change({ amount: 930, fee: 30 }) },
    { ...DEPOSIT, orderNo: 'E', changes: change({ realAmount: 890, fee: 10 }) },
    { ...DEPOSIT, orderNo: 'F', changes: change({ remark: 'another' }) },
  );
  trade.books(...['D', 'E', 'F'].map((no) => `P deposit ${no} 900 2026-03-02 10:05`));
  await trade.night('2026-03-02');
  await trade.night('2026-03-03');
  const told = await night.db
    .selectFrom('finding')
    .select(['reference', 'note'])
    .where('class', '=', 'record_changed')
    .orderBy('reference')
    .execute();
  const was = 'was 900 fen, dated 2026-03-02 10:00:00';
  expect(told.map(({ reference, note }) => `${reference} ${note}`)).toEqual([
    `D ${was}; fee was 0 fen and is 30 now`,
    `E ${was}; realAmount was 900 fen and is 890 now; fee was 0 fen and is 10 now`,
    `F ${was}`,
  ]);
});
