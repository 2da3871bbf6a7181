/**
 * What our looks leave open is weighed from all sides, what no look found held nothing, and what a stable bracket
 * saw is in its balance (docs/reconciliation.md 3.8, 10).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { closingsOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;

beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 0n }));
});
afterEach(() => night.close());

type Outcome = Awaited<ReturnType<Trade['night']>>;
const accountP = ({ result }: Outcome) => result.accounts[0];
const of = (outcome: Outcome, kind: string) =>
  findingsOf(outcome).filter((line) => line.startsWith(`${kind} `));

/** Items of that class in the standing version of any day. */
async function standing(kind: string): Promise<string[]> {
  const rows = await night.db
    .selectFrom('finding')
    .innerJoin('run', 'run.run_id', 'finding.run_id')
    .select(['to_day', 'account_no', 'difference_fen', 'class'])
    .where('superseded_by', 'is', null)
    .execute();
  return rows
    .filter((row) => row.class === kind)
    .map((row) => `${row.to_day} ${row.account_no} ${row.difference_fen}`);
}

test('an order seen open that ends near the cut and is in no books is a candidate on either side of it', async () => {
  trade.withdrawals({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 500n,
    submittedAt: '2026-03-02 23:00:00',
    finalAt: '2026-03-03 23:59:00',
  });
  await trade.night('2026-03-02');
  const second = await trade.night('2026-03-03');
  expect(accountP(second)).toMatchObject({ verdict: 'unverified', unexplainedFen: 0n });
  expect(accountP(second)?.assumptions).not.toContainEqual(expect.stringContaining('was assumed'));
  expect(accountP(second)?.candidates).toEqual([
    { assume: 'withdrawal W1 before the cut', differenceFen: -500n },
    { assume: 'withdrawal W1 after the cut', differenceFen: 0n },
  ]);
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual(['platform_only P W1 -500']);
  expect(closingsOf(third)).toEqual(['P 99500', 'Q 0']);
});

test('an order that was registered after the balance it is in is weighed between cut and balance as well', async () => {
  night.sandbox.seedWithdrawals([
    {
      outOrderNo: 'W1',
      acctNo: 'P',
      amountFen: 500n,
      submittedAt: '2026-03-02 23:50:00',
      finalAt: '2026-03-03 00:30:00',
    },
  ]);
  await trade.night('2026-03-02');
  const registered = { kind: 'withdrawal' as const, outOrderNo: 'W1', payer: 'P', fen: 500n };
  trade.registers({ ...registered, submittedAt: '2026-03-02 23:50:00' });
  const second = await trade.night('2026-03-03');
  expect(second.result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
  const restated = await night.night('2026-03-02');
  expect(accountP(restated)?.candidates).toHaveLength(2);
  // Before the cut or after it: it is in the balance that lacked it, as the next balance confirms.
  expect(of(second, 'unexplained')).toEqual([]);
  expect(findingsOf(second)).toEqual(['platform_only P W1 -500']);
});

test.each(['withdrawal', 'transfer'] as const)(
  'a %s that was not found at a look held nothing then: a restated day has no false frozen break',
  async (kind) => {
    const sentAt = '2026-03-03 12:00:00';
    const [finalAt, submittedAt] = ['2026-03-06 12:00:00', '2026-03-02 23:00:00'];
    if (kind === 'withdrawal') {
      night.sandbox.seedWithdrawals([
        { outOrderNo: 'X1', acctNo: 'P', amountFen: 500n, submittedAt: sentAt, visibleFrom: sentAt, finalAt },
      ]);
    } else {
      night.sandbox.seedTransfers([
        {
          outBatchNo: 'B1',
          payerAcctNo: 'P',
          submittedAt: sentAt,
          visibleFrom: sentAt,
          orders: [{ outOrderNo: 'X1', payeeAcctNo: 'Q', amountFen: 500n, finalAt }],
        },
      ]);
    }
    trade.registers({
      kind,
      outBatchNo: 'B1',
      outOrderNo: 'X1',
      payer: 'P',
      payee: 'Q',
      fen: 500n,
      submittedAt,
    });
    expect(of(await trade.night('2026-03-02'), 'unknown_not_found')).toEqual(['unknown_not_found P X1 0']);
    const second = await trade.night('2026-03-03');
    expect(of(second, 'in_flight')).toEqual(['in_flight P X1 0']);
    await night.night('2026-03-02');
    expect(await standing('frozen')).toEqual([]);
  },
);

test('a deposit stamped after the balance that was seen within its bracket is in it, at midnight and at night', async () => {
  night.deposits(
    {
      payeeAcctNo: 'P',
      amountFen: 700n,
      orderNo: 'D1',
      depositTime: '2026-03-03 02:10:00',
      bookedAt: '2026-03-03 01:59:00',
      visibleFrom: '2026-03-03 01:59:00',
    },
    {
      payeeAcctNo: 'P',
      amountFen: 30n,
      orderNo: 'D2',
      depositTime: '2026-03-04 00:10:00',
      bookedAt: '2026-03-03 23:59:59',
      visibleFrom: '2026-03-03 23:59:59',
    },
  );
  trade.books('P deposit D1 700 2026-03-03 02:10', 'P deposit D2 30 2026-03-04 00:10');
  const first = await trade.night('2026-03-02');
  expect([findingsOf(first), closingsOf(first)]).toEqual([[], ['P 100000', 'Q 0']]);
  await trade.snapshot('2026-03-04');
  const second = await trade.night('2026-03-03');
  expect([findingsOf(second), closingsOf(second)]).toEqual([[], ['P 100700', 'Q 0']]);
  const third = await trade.night('2026-03-04');
  expect([findingsOf(third), closingsOf(third)]).toEqual([[], ['P 100730', 'Q 0']]);
  expect(await standing('unexplained')).toEqual([]);
});

test('a batch registered by its number alone, and given time to appear, is on its way until it is shown', async () => {
  await night.profile({ inflight: { unknownGraceMinutes: 240 } });
  const submittedAt = '2026-03-03 12:00:00';
  const orders = [{ outOrderNo: 'T9', payeeAcctNo: 'Q', amountFen: 100n }];
  night.sandbox.seedTransfers([{ outBatchNo: 'B9', payerAcctNo: 'P', submittedAt, orders }]);
  trade.books('P transfer_out T9 -100 2026-03-03 12:00', 'Q transfer_in T9 100 2026-03-03 12:00');
  trade.registers({
    kind: 'transfer',
    outBatchNo: 'B9',
    outOrderNo: '',
    payer: 'P',
    fen: 100n,
    submittedAt: '2026-03-02 23:30:00',
  });
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual(['in_flight P B9 0']);
  const second = await trade.night('2026-03-03');
  expect([findingsOf(second), accountP(second)?.verdict]).toEqual([[], 'reconciled']);
  expect(
    await night.db.selectFrom('break').select(['item_key', 'cleared_cause', 'cleared_by']).execute(),
  ).toEqual([{ item_key: 'line:transfer:B9', cleared_cause: 'record', cleared_by: 'B9' }]);
});
