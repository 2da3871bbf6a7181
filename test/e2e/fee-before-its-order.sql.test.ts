/**
 * A fee that the books have before anything tells of which order it is: its break goes on with the order's, or ends with
 * it (docs/reconciliation.md 3.8, 3.11).
 */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

async function openWithFee({ visibleFrom, chargedFen = 15n }: { visibleFrom?: string; chargedFen?: bigint }) {
  ({ night, trade } = await openTrade('2026-03-02', { P: 1_000n }));
  night.sandbox.seedWithdrawals([
    {
      outOrderNo: 'W',
      acctNo: 'P',
      amountFen: 100n,
      submittedAt: '2026-03-03 12:00:00',
      feeFen: chargedFen,
      feeType: 'ACCOUNT',
      ...(visibleFrom !== undefined && { visibleFrom }),
    },
  ]);
  trade.books('P fee W -15 2026-03-02 12:05', 'P withdrawal W -100 2026-03-03 12:05');
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['ledger_only P W 15']);
  return first.result.breaks[0]?.id;
}

test('it ends when the order is known and agrees', async () => {
  const id = await openWithFee({});
  const { result } = await trade.night('2026-03-03');
  expect(result.accounts.map(({ verdict }) => verdict)).toEqual(['reconciled']);
  expect(result.closed.map((each) => each.id)).toEqual([id]);
});

test('it goes on with an order that the platform does not show', async () => {
  const id = await openWithFee({ visibleFrom: '2026-03-05 00:00:00' });
  const { result } = await trade.night('2026-03-03');
  const lines = result.breaks.filter(({ reference }) => reference === 'W');
  expect(lines.map((each) => [each.id, each.class, each.differenceFen])).toEqual([[id, 'ledger_only', 115n]]);
});

test('it goes on with an order that was charged another fee', async () => {
  const id = await openWithFee({ chargedFen: 20n });
  const { result } = await trade.night('2026-03-03');
  expect(result.breaks.map((each) => [each.id, each.class, each.differenceFen])).toEqual([[id, 'fee', -5n]]);
});

test('it keeps its id when the books take back the order that it stood with, and nothing else tells of that', async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 1_000n }));
  const fee = { id: 'F', account: 'P', kind: 'fee', fen: -15n, at: '2026-03-02 12:05:00', reference: 'W' };
  await night.entries([fee, { ...fee, id: 'E', kind: 'withdrawal', fen: -100n }]);
  const [first] = (await trade.night('2026-03-02')).result.breaks;
  expect(first).toMatchObject({ class: 'ledger_only', differenceFen: 115n });
  await night.entries([fee], { replace: true });
  const { result } = await trade.night('2026-03-03');
  expect(result.breaks).toMatchObject([
    { id: first?.id, class: 'ledger_only', reference: 'W', differenceFen: 15n, firstSeen: '2026-03-02' },
  ]);
  expect(result.closed).toEqual([]);
});

test('it goes on with an order that was under way before its fee was known to be of it, night after night', async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 1_000n }));
  trade.withdrawals({
    outOrderNo: 'W',
    acctNo: 'P',
    amountFen: 100n,
    submittedAt: '2026-03-02 12:00:00',
    finalAt: '2026-03-20 12:00:00',
    feeFen: 15n,
    feeType: 'ACCOUNT',
  });
  const fee = { id: 'F', account: 'P', kind: 'fee', fen: -15n, at: '2026-03-02 12:05:00' };
  await night.entries([fee]);
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['ledger_only P F 15', 'in_flight P W 0']);
  const [{ id } = { id: undefined }] = first.result.breaks;
  await night.entries([
    { ...fee, reference: 'W' },
    { ...fee, id: 'E', kind: 'withdrawal', fen: -100n, reference: 'W' },
  ]);
  for (const day of ['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06']) {
    await trade.night(day);
    const open = await night.db
      .selectFrom('break')
      .select(['break_id', 'item_key', 'last_day'])
      .where('last_day', '=', day)
      .execute();
    expect(open).toEqual([{ break_id: id, item_key: 'line:withdrawal:W', last_day: day }]);
  }
});
