/**
 * An order that the platform refuses to show is one item of its account, or of the run when nobody knows the account,
 * with its number; it keeps nothing else from being proven, and an answer ends it (docs/reconciliation.md 3.8, 8).
 */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

/** The platform's words for an unknown number are nothing the profile knows; its patience is three days. */
const PROFILE = {
  errors: { classes: [] },
  recheck: { batchDays: 3, batchSchedule: [1, 3], withdrawDays: 1 },
};

async function open(profile: object = PROFILE): Promise<void> {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 0n }, { profile }));
  trade.withdrawals({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 500n,
    submittedAt: '2026-03-02 10:00:00',
  });
  trade.books('P withdrawal W1 -500 2026-03-02 10:01');
}

const batch = (over: object = {}) => ({
  kind: 'transfer' as const,
  outBatchNo: 'BX',
  outOrderNo: 'TX',
  payer: '',
  fen: 700n,
  submittedAt: '2026-03-02 11:00:00',
  ...over,
});
const withdrawal = (over: object = {}) => ({
  ...batch(),
  kind: 'withdrawal' as const,
  outOrderNo: 'WX',
  ...over,
});

const verdicts = ({ result }: Awaited<ReturnType<Trade['night']>>) => [
  result.run.verdict,
  ...result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`),
];
const openBreaks = () =>
  night.db
    .selectFrom('break')
    .select(['account_no', 'class', 'severity', 'reference', 'first_day', 'break_id'])
    .where('status', '=', 'open')
    .execute();
const askedFor = (no: string) =>
  night.sandbox.requests().filter(({ body }) => JSON.stringify(body).includes(no)).length;

test.each([
  ['batch', batch(), 'BX'],
  ['withdrawal', withdrawal(), 'WX'],
])(
  'a %s without a payer that is refused in unknown words is one item of the run, and accounts are proven beside it',
  async (_kind, line, no) => {
    await open();
    trade.registers(line);
    const first = await trade.night('2026-03-02');
    expect(verdicts(first)).toEqual(['breaks', 'P reconciled', 'Q reconciled']);
    expect(findingsOf(first)).toEqual([`state  ${no} 0`]);
    const [known] = await openBreaks();
    const second = await trade.night('2026-03-03');
    expect(verdicts(second)).toEqual(['breaks', 'P reconciled', 'Q reconciled']);
    expect(second.result.breaks).toMatchObject([{ id: known?.break_id, ageDays: 1, accountNo: '' }]);
  },
);

test('once its payer is named it is the same break of that account, as old as it was', async () => {
  await open();
  trade.registers(batch());
  await trade.night('2026-03-02');
  const [known] = await openBreaks();
  await night.orders(batch({ payer: 'P', payee: 'Q' }));
  const second = await trade.night('2026-03-03');
  expect(verdicts(second)).toEqual(['breaks', 'P breaks', 'Q reconciled']);
  expect(second.result.breaks).toMatchObject([
    { id: known?.break_id, accountNo: 'P', firstSeen: '2026-03-02', ageDays: 1 },
  ]);
  expect(second.result.closed).toEqual([]);
  expect(await openBreaks()).toHaveLength(1);
});

test('not found and without a payer, it is the same break of the payer who is named later', async () => {
  await open({ agingDays: 1 });
  trade.registers(batch());
  await trade.night('2026-03-02');
  const [known] = await openBreaks();
  await night.orders(batch({ payer: 'P', payee: 'Q' }));
  await trade.night('2026-03-03');
  const third = await trade.night('2026-03-04');
  expect(third.result.breaks).toMatchObject([
    { id: known?.break_id, accountNo: 'P', firstSeen: '2026-03-02', ageDays: 2 },
  ]);
});

test('what is registered with its payer and refused keeps payer and payee from being proven for its time alone', async () => {
  await open();
  trade.registers(batch({ payer: 'P', payee: 'Q' }));
  for (const day of ['2026-03-02', '2026-03-03'])
    expect(verdicts(await trade.night(day))).toEqual(['incomplete', 'P incomplete', 'Q incomplete']);
  const third = await trade.night('2026-03-04');
  expect(verdicts(third)).toEqual(['breaks', 'P breaks', 'Q reconciled']);
  expect(findingsOf(third)).toEqual(['state P BX 0']);
});

test('what never gets a believable answer and is nobody’s holds up all accounts for agingDays, and is one break then', async () => {
  await open({ agingDays: 1 });
  trade.registers(withdrawal());
  night.sandbox.addFault({
    kind: 'drop_before',
    path: 'account/queryWithdraw',
    about: 'WX',
    times: null,
  });
  for (const day of ['2026-03-02', '2026-03-03'])
    expect(verdicts(await trade.night(day))).toEqual(['incomplete', 'P incomplete', 'Q incomplete']);
  const third = await trade.night('2026-03-04');
  expect(verdicts(third)).toEqual(['breaks', 'P reconciled', 'Q reconciled']);
  expect(findingsOf(third)).toEqual(['state  WX 0']);
  const moved = { outOrderNo: 'WX', acctNo: 'P', amountFen: 700n } as const;
  night.sandbox.seedWithdrawals([{ ...moved, submittedAt: '2026-03-05 12:00:00' }]);
  const fourth = await trade.night('2026-03-05');
  expect(findingsOf(fourth)).toEqual(['state  WX 0', 'unexplained P P -700']);
  night.sandbox.liftFaults();
  const fifth = await trade.night('2026-03-06');
  // Registered on the 2nd, it held nothing on the platform before the 5th, when the amount went.
  expect(findingsOf(fifth)).toEqual(['platform_only P WX -700']);
});

test('it heals when the platform shows it after all', async () => {
  await open();
  trade.registers(batch({ payer: 'P', payee: 'Q' }));
  for (const day of ['2026-03-02', '2026-03-03']) await trade.night(day);
  expect(findingsOf(await trade.night('2026-03-04'))).toEqual(['state P BX 0']);
  night.sandbox.seedTransfers([
    {
      outBatchNo: 'BX',
      payerAcctNo: 'P',
      submittedAt: '2026-03-05 11:00:00',
      orders: [{ outOrderNo: 'TX', payeeAcctNo: 'Q', amountFen: 700n }],
    },
  ]);
  trade.books('P transfer_out TX -700 2026-03-05 11:00', 'Q transfer_in TX 700 2026-03-05 11:00');
  const healed = await trade.night('2026-03-05');
  expect([findingsOf(healed), await openBreaks()]).toEqual([[], []]);
  expect(verdicts(healed)).toEqual(['reconciled', 'P reconciled', 'Q reconciled']);
});

test('what the company was refused as well is for attention alone, at once, and is not asked for again', async () => {
  await open();
  trade.registers(batch({ payer: 'P', outcome: 'refused' }), withdrawal({ outcome: 'refused' }));
  const first = await trade.night('2026-03-02');
  expect(verdicts(first)).toEqual(['reconciled', 'P reconciled', 'Q reconciled']);
  expect(findingsOf(first)).toEqual(['state  WX 0', 'state P BX 0']);
  expect((await openBreaks()).map(({ severity }) => severity)).toEqual(['attention', 'attention']);
  const asked = askedFor('BX') + askedFor('WX');
  expect(asked).toBeGreaterThan(0);
  expect(findingsOf(await trade.night('2026-03-03'))).toEqual(['state  WX 0', 'state P BX 0']);
  expect(askedFor('BX') + askedFor('WX')).toBe(asked);
});

test('marked refused later it stops being a break; a platform that does not answer is still no proof of anything', async () => {
  await open();
  trade.registers(withdrawal());
  expect(verdicts(await trade.night('2026-03-02'))[0]).toBe('breaks');
  await night.orders(withdrawal({ outcome: 'refused' }));
  expect(verdicts(await trade.night('2026-03-03'))[0]).toBe('reconciled');
  await night.orders(withdrawal({ outOrderNo: 'WY', submittedAt: '2026-03-04 09:00:00' }));
  night.sandbox.addFault({ kind: 'drop_before', path: 'account/queryWithdraw', times: null });
  expect(verdicts(await trade.night('2026-03-04'))).toEqual(['incomplete', 'P incomplete', 'Q incomplete']);
});

test('without a payer and not found it is on its way, and then a break, of the run', async () => {
  await open({ agingDays: 1 });
  trade.registers(batch());
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['unknown_not_found  TX 0']);
  expect(verdicts(first)).toEqual(['reconciled_with_timing', 'P reconciled', 'Q reconciled']);
  await trade.night('2026-03-03');
  const third = await trade.night('2026-03-04');
  expect(third.result.breaks).toMatchObject([
    { class: 'state', reference: 'TX', platformFen: null, ledgerFen: null, differenceFen: 0n },
  ]);
});
