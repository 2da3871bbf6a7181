/**
 * An order that nobody registered counts on the day of the books; when the registry states its instant later, the
 * movement moves there and the days it leaves and enters are restated (docs/reconciliation.md 3.8, 11).
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

const unexplained = (outcome: Awaited<ReturnType<Trade['night']>>) =>
  findingsOf(outcome).filter((line) => line.startsWith('unexplained'));

/** Every amount that any standing version of any day leaves unexplained, and every break that is open. */
async function leftOver(): Promise<string[]> {
  const amounts = await night.db
    .selectFrom('run_account')
    .innerJoin('run', 'run.run_id', 'run_account.run_id')
    .select(['to_day', 'account_no', 'unexplained_fen', 'opening_difference_fen'])
    .where('superseded_by', 'is', null)
    .orderBy('to_day')
    .orderBy('account_no')
    .execute();
  const breaks = await night.db
    .selectFrom('break')
    .select(['class', 'account_no', 'difference_fen'])
    .where('status', '=', 'open')
    .execute();
  return [
    ...amounts
      .filter((row) => row.unexplained_fen !== 0n || row.opening_difference_fen !== 0n)
      .map((row) => `${row.to_day} ${row.account_no} ${row.unexplained_fen} ${row.opening_difference_fen}`),
    ...breaks.map((row) => `${row.class} ${row.account_no} ${row.difference_fen}`),
  ];
}

test('a withdrawal dated by the books and registered afterwards leaves no pair where the platform paid it a day later', async () => {
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W1', acctNo: 'P', amountFen: 500n, submittedAt: '2026-03-03 00:20:00' },
  ]);
  trade.books('P withdrawal W1 -500 2026-03-02 23:50');
  const first = await trade.night('2026-03-02');
  expect([findingsOf(first), closingsOf(first)]).toEqual([[], ['P 99500', 'Q 0']]);
  trade.registers({
    kind: 'withdrawal',
    outOrderNo: 'W1',
    payer: 'P',
    fen: 500n,
    submittedAt: '2026-03-03 00:20:00',
  });
  const second = await trade.night('2026-03-03');
  expect(second.result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
  expect([findingsOf(second), closingsOf(second)]).toEqual([[], ['P 99500', 'Q 0']]);
  expect(second.result.accounts[0]).toMatchObject({ openingFen: 100_000n, movementsFen: -500n });
  expect(await leftOver()).toEqual([]);
});

test('a withdrawal booked a day late and registered afterwards leaves no pair on the day it was paid and the day it was booked', async () => {
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W1', acctNo: 'P', amountFen: 500n, submittedAt: '2026-03-02 10:00:00' },
  ]);
  trade.books('P withdrawal W1 -500 2026-03-03 09:00');
  expect(unexplained(await trade.night('2026-03-02'))).toEqual(['unexplained P P -500']);
  await trade.night('2026-03-03');
  trade.registers({
    kind: 'withdrawal',
    outOrderNo: 'W1',
    payer: 'P',
    fen: 500n,
    submittedAt: '2026-03-02 10:00:00',
  });
  const third = await trade.night('2026-03-04');
  expect(third.result.restated.map(({ day }) => day)).toEqual(['2026-03-02', '2026-03-03']);
  expect([findingsOf(third), closingsOf(third)]).toEqual([[], ['P 99500', 'Q 0']]);
  expect(await leftOver()).toEqual([]);
});

test('a transfer that only the books dated moves on both its accounts when it is registered', async () => {
  night.sandbox.seedTransfers([
    {
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-02 10:00:00',
      orders: [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 700n }],
    },
  ]);
  trade.books('P transfer_out T1 -700 2026-03-03 09:00 B1', 'Q transfer_in T1 700 2026-03-03 09:00 B1');
  expect(unexplained(await trade.night('2026-03-02'))).toEqual([
    'unexplained P P -700',
    'unexplained Q Q 700',
  ]);
  await trade.night('2026-03-03');
  trade.registers({
    kind: 'transfer',
    outBatchNo: 'B1',
    outOrderNo: 'T1',
    payer: 'P',
    payee: 'Q',
    fen: 700n,
    submittedAt: '2026-03-02 10:00:00',
  });
  const third = await trade.night('2026-03-04');
  expect([findingsOf(third), closingsOf(third)]).toEqual([[], ['P 99300', 'Q 700']]);
  expect(await leftOver()).toEqual([]);
});

test('an order that counted from our first look moves when the registry says when it was sent', async () => {
  const sentAt = '2026-03-02 10:00:00';
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'P', amountFen: 500n, submittedAt: sentAt }]);
  const told = { kind: 'withdrawal' as const, outOrderNo: 'W1', payer: 'P', fen: 500n };
  await night.orders({ ...told, submittedAt: '' });
  expect(closingsOf(await trade.night('2026-03-02'))).toEqual(['P 100000', 'Q 0']);
  await night.orders({ ...told, submittedAt: sentAt });
  trade.books('P withdrawal W1 -500 2026-03-02 10:05');
  const second = await trade.night('2026-03-03');
  expect([findingsOf(second), closingsOf(second)]).toEqual([[], ['P 99500', 'Q 0']]);
  expect(second.result.accounts[0]).toMatchObject({ openingFen: 99_500n, movementsFen: 0n });
  expect(await leftOver()).toEqual([]);
});
