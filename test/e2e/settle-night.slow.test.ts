/** Failed settlements in the night: retried after the cut, booked once from the state, reported with their attempts. */
import { afterEach, describe, expect, test } from 'vitest';
import type { NightOutcome } from '../helpers/findings.ts';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { closingsOf, movementsOf, openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const DAY = '2026-03-02';
const HOUR_MS = 3_600_000;
const B1 = { outBatchNo: 'B1', payerAcctNo: 'P', submittedAt: '2026-03-02 09:00:00' } as const;
const T1 = { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n } as const;
const FAILS = { state: 'FAIL', delayMs: 60_000, remark: '账户状态异常' } as const;

async function open(options: { profile?: Record<string, unknown> } = {}): Promise<void> {
  ({ night, trade } = await openTrade(
    DAY,
    { P: 100_000n, Q: 5_000n },
    { autoSettle: ['Q'], ...(options.profile && { profile: options.profile }) },
  ));
  night.clock.bePatient(10);
  trade.books('P transfer_out T1 -10000 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05');
}

const settlementsOf = ({ result }: NightOutcome): string[] =>
  result.settlements.map(({ reference, attempt, outcome }) => `${reference} ${attempt} ${outcome}`);

/** Calls of order/settle the platform saw. */
const sent = (): number =>
  night.sandbox.requests().filter(({ path }) => path.endsWith('/order/settle')).length;

describe('a settlement that failed', () => {
  test('STL-01, STL-11: it is retried in the night of yesterday, after the cut; the money leaves once, on the day of the retry', async () => {
    await open();
    trade.transfers({
      ...B1,
      orders: [{ ...T1, settle: { ...FAILS, retries: [{ state: 'SUCCESS', delayMs: 0 }] } }],
    });
    trade.books('Q settlement T1 -10000 2026-03-03 02:30');
    const first = await trade.settlingNight(DAY);
    expect(settlementsOf(first)).toEqual(['T1 1 SUCCESS']);
    expect(closingsOf(first)).toEqual(['P 90000', 'Q 15000']);
    expect(first.result.run.verdict).toBe('reconciled');
    const second = await trade.settlingNight('2026-03-03');
    expect(settlementsOf(second)).toEqual([]);
    expect(findingsOf(second)).toEqual([]);
    expect(closingsOf(second)).toEqual(['P 90000', 'Q 5000']);
    expect(second.result.run.verdict).toBe('reconciled');
    expect(sent()).toBe(1);
  });

  test('STL-14: one that takes hours is under way in its night and certain in the next; both reports say what was known then', async () => {
    await open();
    const retries = [{ state: 'SUCCESS', delayMs: 5 * HOUR_MS }] as const;
    trade.transfers({ ...B1, orders: [{ ...T1, settle: { ...FAILS, retries: [...retries] } }] });
    trade.books('Q settlement T1 -10000 2026-03-03 07:30');
    const first = await trade.settlingNight(DAY);
    expect(settlementsOf(first)).toEqual(['T1 1 PROCESSING']);
    const second = await trade.settlingNight('2026-03-03');
    expect(settlementsOf(second)).toEqual(['T1 1 SUCCESS']);
    expect(second.result.run.verdict).toBe('reconciled');
    expect(closingsOf(second)).toEqual(['P 90000', 'Q 5000']);
    expect(sent()).toBe(1);
  });

  test('E6, STL-15: failed, failed again, then settled: three attempts at most, one movement', async () => {
    // Else what was under way in its night may be the settlement that failed, and a person ends it.
    await open({ profile: { settle: { viewLagSeconds: 0 } } });
    const retries = [FAILS, { state: 'SUCCESS', delayMs: 0 }];
    trade.transfers({ ...B1, orders: [{ ...T1, settle: { ...FAILS, retries } }] });
    trade.books('Q settlement T1 -10000 2026-03-04 02:30');
    expect(settlementsOf(await trade.settlingNight(DAY))).toEqual(['T1 1 PROCESSING']);
    const second = await trade.settlingNight('2026-03-03');
    expect(settlementsOf(second)).toEqual(['T1 1 PROCESSING']);
    expect(second.result.settlements[0]?.note).toBe('a query says that it failed');
    expect(findingsOf(second)).toEqual(['settle_failed Q T1 0']);
    await trade.until('2026-03-04 03:00:00');
    await night.settle({ mode: 'retry' });
    await trade.until('2026-03-04 03:20:00');
    const byHand = await night.settle({ mode: 'retry' });
    expect(byHand.settlements.map(({ attemptNo, outcome }) => `${attemptNo} ${outcome}`)).toEqual([
      '2 SUCCESS',
    ]);
    const third = await trade.settlingNight('2026-03-04');
    expect(settlementsOf(third)).toEqual(['T1 1 FAIL', 'T1 2 SUCCESS']);
    expect(third.result.run.verdict).toBe('reconciled');
    expect((await movementsOf(night)).filter((line) => line.includes('settlement'))).toEqual([
      'Q settlement:T1:3 -10000',
    ]);
    expect(sent()).toBe(2);
  });

  test('U37: the fee that only the answer to the retry shows is booked with it, beside or inside', async () => {
    await open();
    trade.transfers({
      ...B1,
      orders: [
        {
          ...T1,
          settle: { ...FAILS, retries: [{ state: 'SUCCESS', delayMs: 0, feeFen: 20n, feeType: 'ACCOUNT' }] },
        },
        {
          outOrderNo: 'T2',
          payeeAcctNo: 'Q',
          amountFen: 3_000n,
          settle: { ...FAILS, retries: [{ state: 'SUCCESS', delayMs: 0, feeFen: 15n, feeType: 'ORDER' }] },
        },
      ],
    });
    // In its time a look right after the retry seems to come before it.
    night.sandbox.clock.advance(-2_000);
    trade.books('P transfer_out T2 -3000 2026-03-02 09:05', 'Q transfer_in T2 3000 2026-03-02 09:05');
    trade.books(
      'Q settlement T1 -10000 2026-03-03 02:30',
      'Q fee T1 -20 2026-03-03 02:30',
      'Q settlement T2 -3000 2026-03-03 02:30',
    );
    expect(settlementsOf(await trade.settlingNight(DAY))).toEqual(['T1 1 SUCCESS', 'T2 1 SUCCESS']);
    const second = await trade.settlingNight('2026-03-03');
    expect(findingsOf(second)).toEqual([]);
    expect(second.result.run.verdict).toBe('reconciled');
    expect(closingsOf(second)).toEqual(['P 87000', 'Q 4980']);
    expect((await movementsOf(night)).filter((line) => line.includes('settlement'))).toEqual([
      'Q settlement:T1:2 -10000',
      'Q settlement:T2:2 -3000 (15)',
      'Q settlement_fee:T1:2 -20 (20)',
    ]);
  });
});

describe('what settles nothing', () => {
  test('a night of an older day, a backfill and --no-settle send nothing and say so', async () => {
    await open();
    trade.transfers({ ...B1, orders: [{ ...T1, settle: FAILS }] });
    await trade.until('2026-03-04 02:00:00');
    const older = await night.settlingNight(DAY);
    expect(settlementsOf(older)).toEqual([]);
    expect(findingsOf(older)).toEqual(['settle_failed Q T1 0']);
    await night.backfill(DAY, '2026-03-03');
    await night.night('2026-03-03');
    expect(sent()).toBe(0);
  });

  test('a dry run asks the account alone, sends nothing, and shows the plan that would be carried out', async () => {
    await open();
    trade.transfers({ ...B1, orders: [{ ...T1, settle: FAILS }] });
    await trade.night(DAY);
    const before = night.sandbox.requests().length;
    const plan = await night.settle({ mode: 'dry-run' });
    const asked = night.sandbox.requests().slice(before);
    expect(plan.plan).toMatchObject([
      { outOrderNo: 'T1', payeeAccountNo: 'Q', amountFen: 10_000n, attemptNo: 1 },
    ]);
    expect(plan.digest).toMatch(/^[0-9a-f]{16}$/);
    expect(asked.map(({ path }) => path.split('/virtualBank/')[1])).toEqual(['acct/queryInfo']);
  });
});

test('a night that is run again after its retry stays one night: unchanged facts make no new version, nothing is sent twice', async () => {
  await open();
  trade.transfers({
    ...B1,
    orders: [{ ...T1, settle: { ...FAILS, retries: [{ state: 'SUCCESS', delayMs: 0 }] } }],
  });
  const first = await trade.settlingNight(DAY);
  expect(first.result.run.version).toBe(1);
  const again = await night.settlingNight(DAY);
  expect(sent()).toBe(1);
  expect(again.result.run.verdict).toBe('reconciled');
  expect(closingsOf(again)).toEqual(['P 90000', 'Q 15000']);
});

test('M10: more than the breaker allows waits for the approval of exactly that plan', async () => {
  await open({ profile: { settle: { breaker: { orders: 1, fen: 100_000_000 } } } });
  const settle = { ...FAILS, retries: [{ state: 'SUCCESS', delayMs: 0 }] };
  trade.transfers({
    ...B1,
    orders: [
      { ...T1, settle },
      { outOrderNo: 'T2', payeeAcctNo: 'Q', amountFen: 3_000n, settle },
    ],
  });
  trade.books('P transfer_out T2 -3000 2026-03-02 09:05', 'Q transfer_in T2 3000 2026-03-02 09:05');
  const first = await trade.settlingNight(DAY);
  expect(settlementsOf(first)).toEqual([]);
  expect(sent()).toBe(0);
  const { digest } = await night.settle({ mode: 'dry-run' });
  const wrong = await night.settle({ mode: 'retry', approve: { digest: '0123456789abcdef', by: 'Zhang' } });
  expect(wrong.breaker).toMatchObject({ tripped: true, approved: false, approvalDiffers: true });
  expect(sent()).toBe(0);
  const approved = await night.settle({ mode: 'retry', approve: { digest, by: 'Zhang' } });
  expect(approved.settlements.map(({ outOrderNo, outcome }) => `${outOrderNo} ${outcome}`)).toEqual([
    'T1 SUCCESS',
    'T2 SUCCESS',
  ]);
  expect(sent()).toBe(2);
  const rows = await night.db.selectFrom('settle_approval').selectAll().execute();
  expect(rows).toMatchObject([{ approved_by: 'Zhang', orders: 2, amount_fen: 13_000n }]);
});
