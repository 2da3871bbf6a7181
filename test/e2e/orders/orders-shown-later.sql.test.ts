/**
 * An order that the platform does not know for days and then shows: the day before, proven again, tells of it what it
 * told, and its break goes on or ends by the night that sees it (docs/reconciliation.md 3.8, 3.11).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderLine } from '../../helpers/company/company-files.ts';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 1_000n, Q: 0n }));
});
afterEach(() => night.close());

const KINDS = ['withdrawal', 'transfer'] as const;
const ORDERS = [
  ...KINDS,
  'withdrawal by the platform’s number',
  'transfer by the platform’s numbers',
] as const;
const BATCHES = ['batch', 'batch by the platform’s number'] as const;
const SENT = '2026-03-07 09:00:00';

/** By its own number, by the platform's, or a batch by its number alone: what it is registered by, and told under. */
const NAMES = {
  withdrawal: { outOrderNo: 'X' },
  'withdrawal by the platform’s number': { outOrderNo: '', orderNo: 'NX' },
  transfer: { outBatchNo: 'B', outOrderNo: 'X', payee: 'Q' },
  'transfer by the platform’s numbers': { batchNo: 'NB', outOrderNo: '', orderNo: 'NX', payee: 'Q' },
  batch: { outBatchNo: 'B', outOrderNo: '' },
  'batch by the platform’s number': { batchNo: 'NB', outOrderNo: '' },
} as const;
type Named = keyof typeof NAMES;

function kindOf(named: Named): (typeof KINDS)[number] {
  return named.startsWith('withdrawal') ? 'withdrawal' : 'transfer';
}

function toldAs(named: Named): string | undefined {
  const { outOrderNo, orderNo = '', outBatchNo = '', batchNo }: Partial<OrderLine> = NAMES[named];
  return outOrderNo || orderNo || outBatchNo || batchNo;
}

/** Registered as sent on the 2nd, or as sent later since; on the platform from the 7th on. */
async function sendLate(
  named: Named,
  life: { finalAt: string; state?: string },
  restated?: string,
): Promise<string | undefined> {
  const of = { amountFen: 100n, orderNo: 'NX', outOrderNo: 'X', ...life };
  if (kindOf(named) === 'withdrawal') {
    night.sandbox.seedWithdrawals([{ acctNo: 'P', submittedAt: SENT, ...of }]);
  } else {
    const orders = [{ payeeAcctNo: 'Q', ...of }];
    night.sandbox.seedTransfers([
      { outBatchNo: 'B', batchNo: 'NB', payerAcctNo: 'P', submittedAt: SENT, orders },
    ]);
  }
  for (const submittedAt of ['2026-03-02 12:00:00', restated ?? []].flat()) {
    trade.registers({ kind: kindOf(named), payer: 'P', fen: 100n, submittedAt, ...NAMES[named] });
  }
  await trade.night('2026-03-02');
  const before = await trade.night('2026-03-06');
  expect(findingsOf(before)).toEqual([`state P ${toldAs(named)} 0`]);
  return before.result.breaks[0]?.id;
}

/** It is credited on the day after its own, which is proven again. */
const DEPOSIT = {
  payeeAcctNo: 'P',
  orderNo: 'D',
  amountFen: 7n,
  depositTime: '2026-03-06 23:00:00',
  bookedAt: '2026-03-07 10:00:00',
};

test.each(ORDERS)('a %s that moved and is in no books keeps its break', async (kind) => {
  const id = await sendLate(kind, { finalAt: '2026-03-07 11:00:00' });
  const { result } = await trade.night('2026-03-07');
  expect(result.restated).toEqual([]);
  expect(result.breaks.filter(({ accountNo }) => accountNo === 'P')).toMatchObject([
    { id, class: 'platform_only', reference: 'X', differenceFen: -100n, firstSeen: '2026-03-02' },
  ]);
});

test.each(ORDERS)('so it does where the day before has a new version', async (kind) => {
  const id = await sendLate(kind, { finalAt: '2026-03-07 11:00:00' });
  night.deposits(DEPOSIT);
  const { result } = await trade.night('2026-03-07');
  expect(result.restated).toEqual([{ day: '2026-03-06', version: 2 }]);
  expect(result.breaks.find(({ reference }) => reference === 'X')).toMatchObject({
    id,
    firstSeen: '2026-03-02',
  });
  const before = await night.night('2026-03-06');
  expect(before.result.breaks.map((one) => [one.id, one.reference])).toContainEqual([id, toldAs(kind)]);
});

test.each(ORDERS)('a %s that is under way goes on as the item it was, as old as it was', async (kind) => {
  const id = await sendLate(kind, { finalAt: '2026-03-20 11:00:00' });
  const next = await trade.night('2026-03-07');
  expect(next.result.run.verdict).toBe('breaks');
  expect(findingsOf(next)).toEqual(['state P X 0']);
  const rows = await night.db.selectFrom('break').select(['break_id', 'status']).execute();
  expect(rows).toEqual([{ break_id: id, status: 'open' }]);
});

test.each(BATCHES)('so are the orders of a %s', async (kind) => {
  await sendLate(kind, { finalAt: '2026-03-20 11:00:00' });
  expect(findingsOf(await trade.night('2026-03-07'))).toEqual(['state P X 0']);
});

test.each(KINDS)('so is a %s that the books have by then, whatever is stated of it since', async (kind) => {
  trade.books(`P ${kind === 'transfer' ? 'transfer_out' : kind} X -100 2026-03-07 10:00`);
  const before = await sendLate(kind, { finalAt: '2026-03-20 11:00:00' }, '2026-03-06 12:00:00');
  const { result } = await trade.night('2026-03-07');
  expect(result.breaks).toMatchObject([
    { id: before, class: 'state', reference: 'X', differenceFen: 100n, firstSeen: '2026-03-02' },
  ]);
});

test.each([...ORDERS, ...BATCHES])('the break of a %s that failed is ended by that night', async (kind) => {
  const id = await sendLate(kind, { finalAt: '2026-03-07 11:00:00', state: 'FAIL' });
  night.deposits(DEPOSIT);
  const { result } = await trade.night('2026-03-07');
  expect(result.restated).toEqual([{ day: '2026-03-06', version: 2 }]);
  expect(result.closed).toEqual([
    { id, clearedBy: kind.startsWith('batch') ? toldAs(kind) : 'X', cause: 'record' },
  ]);
  expect(result.accounts.map(({ verdict }) => verdict)).not.toContain('unverified');
});

test.each(ORDERS)(
  'a %s that nobody was registered to pay keeps its break on the account that the platform shows',
  async (named) => {
    const kind = kindOf(named);
    const registered = { kind, ...NAMES[named], payer: '', payee: '', fen: 100n };
    trade.registers({ ...registered, submittedAt: '2026-03-02 12:00:00' });
    const of = { outOrderNo: 'X', orderNo: 'NX', amountFen: 100n, finalAt: '2026-03-07 11:00:00' };
    if (kind === 'withdrawal') {
      night.sandbox.seedWithdrawals([{ acctNo: 'P', submittedAt: SENT, ...of }]);
    } else {
      const batch = { outBatchNo: 'B', batchNo: 'NB', payerAcctNo: 'P', submittedAt: SENT };
      night.sandbox.seedTransfers([{ ...batch, orders: [{ payeeAcctNo: 'Q', ...of }] }]);
    }
    const before = await trade.night('2026-03-06');
    expect(findingsOf(before)).toEqual([`state  ${toldAs(named)} 0`]);
    const { result } = await trade.night('2026-03-07');
    expect(result.closed).toEqual([]);
    expect(result.breaks.find(({ accountNo }) => accountNo === 'P')).toMatchObject({
      id: before.result.breaks[0]?.id,
      class: 'platform_only',
      firstSeen: before.result.breaks[0]?.firstSeen,
    });
  },
);

test('a batch of somebody else’s that is told on who is paid ends by the night that sees it', async () => {
  night.sandbox.seedAccounts([{ accountNo: 'S', balanceFen: 1_000n }]);
  const orders = [{ outOrderNo: 'X', payeeAcctNo: 'Q', amountFen: 100n, finalAt: '2026-03-07 11:00:00' }];
  night.sandbox.seedTransfers([{ outBatchNo: 'B', payerAcctNo: 'S', submittedAt: SENT, orders }]);
  const registered = { kind: 'transfer', outBatchNo: 'B', outOrderNo: '', payer: 'S', payee: 'Q' } as const;
  trade.registers({ ...registered, fen: 100n, submittedAt: '2026-03-02 12:00:00' });
  trade.books('Q transfer_in X 100 2026-03-07 11:00 B');
  const before = await trade.night('2026-03-06');
  expect(findingsOf(before)).toEqual(['state Q B 0']);
  const { result } = await trade.night('2026-03-07');
  expect(result.run.verdict).toBe('reconciled');
  expect(result.closed).toEqual([{ id: before.result.breaks[0]?.id, clearedBy: 'B', cause: 'record' }]);
});

test('the run’s own break goes to the account that the platform shows, though a backfill of another one came first', async () => {
  const registered = { kind: 'withdrawal', outOrderNo: 'X', payer: '', fen: 100n } as const;
  trade.registers({ ...registered, submittedAt: '2026-03-02 12:00:00' });
  const before = await trade.night('2026-03-06');
  const of = { outOrderNo: 'X', amountFen: 100n, finalAt: '2026-03-07 11:00:00' };
  night.sandbox.seedWithdrawals([{ acctNo: 'P', submittedAt: SENT, ...of }]);
  await trade.until('2026-03-08 01:00:00');
  const backfill = await night.backfill('2026-03-02', '2026-03-07', ['Q']);
  expect([backfill.result.run.verdict, backfill.result.closed]).toEqual(['breaks', []]);
  const { result } = await trade.night('2026-03-07');
  expect(result.breaks.map(({ accountNo, id, firstSeen }) => `${accountNo} ${id} ${firstSeen}`)).toEqual([
    `P ${before.result.breaks[0]?.id} ${before.result.breaks[0]?.firstSeen}`,
  ]);
});
