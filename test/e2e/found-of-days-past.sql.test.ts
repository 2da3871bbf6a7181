/** What a night that is made again finds of its day, and the nights after it did not know, is open until something ends it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NightOutcome } from '../helpers/findings.ts';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;
beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 1_000n, Q: 1_000n }));
});
afterEach(() => night.close());

/** The lines that are not ended, in the tables: `class account reference id first day`. */
async function openLines(): Promise<string[]> {
  const rows = await night.db
    .selectFrom('break')
    .selectAll()
    .where('item_key', 'like', 'line:%')
    .where('status', '=', 'open')
    .orderBy('item_key')
    .orderBy('account_no')
    .execute();
  return rows.map((row) => [row.class, row.account_no, row.reference, row.break_id, row.first_day].join(' '));
}

/** Two nights that know nothing of it, and on the day after them the first of both once more. */
async function madeAgain(tell: () => Promise<unknown>): Promise<NightOutcome> {
  await trade.night('2026-03-02');
  await trade.night('2026-03-03');
  await trade.until('2026-03-04 10:00:00');
  await tell();
  return night.night('2026-03-02');
}

const SENT = '2026-03-02 09:00:00';
const W = { kind: 'withdrawal', outOrderNo: 'W', payer: 'P', fen: 100n, submittedAt: SENT } as const;
const BOOKED_W = {
  reference: 'W',
  at: '2026-03-02 09:05:00',
  id: 'E',
  account: 'P',
  kind: 'withdrawal',
} as const;

test('an order that was registered late and that the platform does not know', async () => {
  await madeAgain(() => night.orders(W));
  const first = await openLines();
  expect(first).toEqual([expect.stringMatching(/^unknown_not_found P W B\w+ 2026-03-02$/)]);
  await trade.night('2026-03-04');
  expect(await openLines()).toEqual(first);
});

test('entries that were booked late, of an order under way', async () => {
  const orders = [{ outOrderNo: 'T', payeeAcctNo: 'Q', amountFen: 100n, state: 'PROCESSING' }];
  night.sandbox.seedTransfers([{ outBatchNo: 'B', payerAcctNo: 'P', submittedAt: SENT, orders }]);
  const booked = { reference: 'T', outBatchNo: 'B', at: '2026-03-02 09:05:00' };
  await madeAgain(() =>
    night.entries([
      { ...booked, id: 'E1', account: 'P', kind: 'transfer_out', fen: -100n },
      { ...booked, id: 'E2', account: 'Q', kind: 'transfer_in', fen: 100n },
    ]),
  );
  const first = await openLines();
  expect(first.map((line) => line.replace(/ B\w+/, ''))).toEqual([
    'pending P T 2026-03-02',
    'pending Q T 2026-03-02',
  ]);
  await trade.night('2026-03-04');
  expect(await openLines()).toEqual(first);
});

test.each([
  { became: 'pending', change: { status: 'pending' }, left: ['pending P D 2026-03-02'] },
  { became: 'late', change: { at: '2026-03-04 09:00:00' }, left: [] },
] as const)('an entry that agreed and is $became since', async ({ became, change, left }) => {
  const entry = { id: 'E', account: 'P', reference: 'D', fen: 100n, at: '2026-03-02 10:05:00' };
  night.deposits({ payeeAcctNo: 'P', orderNo: 'D', amountFen: 100n, depositTime: '2026-03-02 10:00:00' });
  await trade.until('2026-03-02 12:00:00');
  await night.entries([entry]);
  const { result } = await madeAgain(() => night.entries([{ ...entry, ...change }]));
  expect(result.timing).toMatchObject([{ class: became, reference: 'D' }]);
  const first = await openLines();
  expect(first).toHaveLength(1);
  await trade.night('2026-03-04');
  const next = await openLines();
  expect(next).toEqual(first.slice(0, left.length));
  expect(next.map((line) => line.replace(/ B\w+/, ''))).toEqual(left);
});

test('what failed by the end of the day after is ended there', async () => {
  const sent = { acctNo: 'P', amountFen: 100n, submittedAt: SENT, finalAt: '2026-03-03 12:00:00' };
  night.sandbox.seedWithdrawals([{ ...sent, outOrderNo: 'W', state: 'FAIL' }]);
  await trade.until('2026-03-03 10:00:00');
  await night.orders(W);
  await night.snapshot();
  await trade.night('2026-03-03');
  const { result } = await night.night('2026-03-02');
  expect(result.timing).toMatchObject([{ class: 'in_flight', reference: 'W' }]);
  expect(await openLines()).toEqual([]);
});

const PROCESSING = { acctNo: 'P', amountFen: 100n, submittedAt: SENT, outOrderNo: 'W', state: 'PROCESSING' };
const OTHER = { id: 'O', account: 'Q', kind: 'transfer_in', fen: 1n, at: '2026-03-02 09:06:00' } as const;

test.each([
  { became: 'withdrawn', seed: PROCESSING, lines: [OTHER] },
  {
    became: 'withdrawn, and its order done',
    seed: { ...PROCESSING, state: 'SUCCESS', finalAt: '2026-03-03 15:00:00' },
    lines: [OTHER],
  },
  { became: 'pending', seed: PROCESSING, lines: [OTHER, { ...BOOKED_W, fen: -100n, status: 'pending' }] },
  {
    became: 'dated anew',
    seed: PROCESSING,
    lines: [OTHER, { ...BOOKED_W, fen: -100n, at: '2026-03-03 12:00:00' }],
  },
] as const)(
  'an entry of an order under way that nobody registered and that is $became: its line stays the same, though the day before is proven again',
  async ({ seed, lines }) => {
    night.sandbox.seedWithdrawals([seed]);
    await trade.until('2026-03-02 12:00:00');
    await night.entries([{ ...BOOKED_W, fen: -100n }, OTHER]);
    await trade.night('2026-03-02');
    const lineOfW = async () =>
      (await openLines()).filter((line) => line.includes(' P W ')).map((line) => line.replace(/^\S+ /, ''));
    const first = await lineOfW();
    expect(first).toEqual([expect.stringMatching(/^P W B\w+ 2026-03-02$/)]);
    night.deposits({
      payeeAcctNo: 'Q',
      orderNo: 'D',
      amountFen: 7n,
      depositTime: '2026-03-02 23:00:00',
      visibleFrom: '2026-03-03 13:00:00',
    });
    await trade.until('2026-03-03 14:00:00');
    await night.entries(lines, { replace: true, days: ['2026-03-02', '2026-03-03'] });
    const { result } = await trade.night('2026-03-03');
    expect(result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
    expect(await lineOfW()).toEqual(first);
  },
);

/** What is wrong with the account itself: `class id first day`. */
const OF_ACCOUNT = ['frozen', 'empty_suspect'];
const toldOfAccount = ({ result: { breaks } }: NightOutcome): string[] =>
  breaks.flatMap((one) => (OF_ACCOUNT.includes(one.class) ? `${one.class} ${one.id} ${one.firstSeen}` : []));

test('a frozen amount that another profile does not explain', async () => {
  const fee = { feeFen: 5n, feeType: 'ACCOUNT' } as const;
  trade.withdrawals({
    acctNo: 'P',
    outOrderNo: 'W',
    amountFen: 100n,
    ...fee,
    submittedAt: SENT,
    state: 'PROCESSING',
  });
  const first = toldOfAccount(
    await madeAgain(() => night.profile({ fees: { bearer: { withdraw: 'external' } } })),
  );
  expect(first).toEqual([expect.stringMatching(/^frozen B\w+ 2026-03-02$/)]);
  expect(toldOfAccount(await trade.night('2026-03-04'))).toEqual(first);
  await night.profile({});
  const { result } = await trade.night('2026-03-05');
  expect(result.closed).toEqual([
    { id: first[0]?.split(' ')[1], cause: 'reading', clearedBy: result.run.id },
  ]);
});

test('a deposit that was booked late on a day of which none is listed', async () => {
  const entry = { id: 'E', account: 'P', reference: 'D', fen: 100n, at: '2026-03-02 10:05:00' };
  const first = toldOfAccount(await madeAgain(() => night.entries([entry])));
  expect(first).toEqual([expect.stringMatching(/^empty_suspect B\w+ 2026-03-02$/)]);
  expect(toldOfAccount(await trade.night('2026-03-04'))).toEqual(first);
});
