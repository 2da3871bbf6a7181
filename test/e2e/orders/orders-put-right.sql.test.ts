/**
 * An order that was registered for another payer by mistake is told on that payer until a file puts it right, and no
 * longer: whatever the platform shows by then (docs/reconciliation.md 3.11).
 */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { registerOnceMore } from '../../helpers/company/order-registering.ts';
import { putRight } from '../../helpers/company/put-right.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const REGISTERED = '2026-03-02 23:00:00';
const SENT = '2026-03-03 12:00:00';
const ORDERS = {
  transfer: { kind: 'transfer', outBatchNo: 'B9', outOrderNo: 'T9', payee: 'R' },
  withdrawal: { kind: 'withdrawal', outOrderNo: 'W9' },
} as const;
const kinds = ['transfer', 'withdrawal'] as const;

async function open(profile: object = {}): Promise<void> {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 100_000n, R: 0n }, { profile }));
}

const registered = (kind: (typeof kinds)[number], payer: string) =>
  ({ ...ORDERS[kind], payer, fen: 100n, submittedAt: REGISTERED }) as const;

/** The platform pays it from Q, and so do the books. */
function isPaidByQ(kind: (typeof kinds)[number], submittedAt = SENT): void {
  if (kind === 'transfer') {
    const orders = [{ outOrderNo: 'T9', payeeAcctNo: 'R', amountFen: 100n }];
    night.sandbox.seedTransfers([{ outBatchNo: 'B9', payerAcctNo: 'Q', submittedAt, orders }]);
    const at = submittedAt.slice(0, 16);
    trade.books(`Q transfer_out T9 -100 ${at}`, `R transfer_in T9 100 ${at}`);
    return;
  }
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W9', acctNo: 'Q', amountFen: 100n, submittedAt }]);
  trade.books(`Q withdrawal W9 -100 ${submittedAt.slice(0, 16)}`);
}

const verdictsOf = ({ result }: Awaited<ReturnType<Trade['night']>>) =>
  result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`);
const GREEN = ['P reconciled', 'Q reconciled', 'R reconciled'];

/** What became of what was told of P. */
async function endsOnP(): Promise<string[]> {
  const rows = await night.db.selectFrom('break').selectAll().where('account_no', '=', 'P').execute();
  return rows.map((row) => `${row.item_key} ${row.status} ${row.cleared_cause} ${row.cleared_by}`);
}

test.each(kinds)('a %s that the platform shows in the very night after it was put right', async (kind) => {
  await open();
  const [own, { outOrderNo }] = [registered(kind, 'P'), ORDERS[kind]];
  trade.registers(own);
  isPaidByQ(kind);
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([`unknown_not_found P ${outOrderNo} 0`]);
  await trade.until('2026-03-03 10:00:00');
  await putRight(night, registered(kind, 'Q'));
  const second = await trade.night('2026-03-03');
  expect([findingsOf(second), verdictsOf(second)]).toEqual([[], GREEN]);
  expect(await endsOnP()).toEqual([`line:${kind}:${outOrderNo} closed statement ${outOrderNo}`]);
});

test.each(kinds)('a %s that was a break by then', async (kind) => {
  await open({ agingDays: 1 });
  const { outOrderNo } = ORDERS[kind];
  trade.registers(registered(kind, 'P'));
  isPaidByQ(kind, '2026-03-05 12:00:00');
  for (const day of ['2026-03-02', '2026-03-03']) await trade.night(day);
  expect(findingsOf(await trade.night('2026-03-04'))).toEqual([`state P ${outOrderNo} 0`]);
  await trade.until('2026-03-05 10:00:00');
  await putRight(night, registered(kind, 'Q'));
  const last = await trade.night('2026-03-05');
  expect([findingsOf(last), verdictsOf(last)]).toEqual([[], GREEN]);
  expect(await endsOnP()).toEqual([`line:${kind}:${outOrderNo} closed statement ${outOrderNo}`]);
});

test.each(kinds)('a %s that the platform shows before it is put right stays until it is', async (kind) => {
  await open();
  const { outOrderNo } = ORDERS[kind];
  trade.registers(registered(kind, 'P'));
  isPaidByQ(kind);
  await trade.night('2026-03-02');
  const second = await trade.night('2026-03-03');
  const told = kind === 'transfer' ? 'batch_children Q B9 0' : 'account Q W9 0';
  expect(findingsOf(second)).toEqual([told, `unknown_not_found P ${outOrderNo} 0`]);
  expect(verdictsOf(second)[0]).toBe('P unverified');
  await trade.until('2026-03-04 10:00:00');
  await putRight(night, registered(kind, 'Q'));
  const third = await trade.night('2026-03-04');
  expect([findingsOf(third), verdictsOf(third)]).toEqual([[], GREEN]);
  expect(await endsOnP()).toEqual([`line:${kind}:${outOrderNo} closed statement ${outOrderNo}`]);
});

test.each(kinds)('a %s that a program registered once more under the payer that was right', async (kind) => {
  await open();
  const { outOrderNo } = ORDERS[kind];
  trade.registers(registered(kind, 'P'));
  isPaidByQ(kind);
  await trade.night('2026-03-02');
  await registerOnceMore(night.db, {
    kind,
    out_batch_no: kind === 'transfer' ? 'B9' : '',
    out_order_no: outOrderNo,
    payer_account_no: 'Q',
    payee_account_no: kind === 'transfer' ? 'R' : '',
    amount_fen: 100n,
  });
  expect(verdictsOf(await trade.night('2026-03-03'))).toEqual(['P unverified', 'Q breaks', 'R reconciled']);
  await trade.until('2026-03-04 10:00:00');
  await putRight(night, registered(kind, 'Q'));
  const third = await trade.night('2026-03-04');
  expect([findingsOf(third), verdictsOf(third)]).toEqual([[], GREEN]);
  expect(await endsOnP()).toEqual([`line:${kind}:${outOrderNo} closed statement ${outOrderNo}`]);
});

test('what is told of a withdrawal is not ended by a transfer of its number that is registered for another', async () => {
  await open();
  trade.registers(registered('withdrawal', 'P'), {
    ...registered('transfer', 'Q'),
    outOrderNo: 'W9',
  });
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([
    'unknown_not_found P W9 0',
    'unknown_not_found Q W9 0',
  ]);
  await night.db.deleteFrom('order_due').where('kind', '=', 'withdrawal').execute();
  const second = await trade.night('2026-03-03');
  expect(verdictsOf(second)[0]).toBe('P unverified');
  expect(await endsOnP()).toEqual(['line:withdrawal:W9 open null null']);
});

/** The platform's words for an unknown number are nothing the profile knows; its patience is three days. */
const REFUSES = {
  errors: { classes: [] },
  recheck: { batchDays: 3, batchSchedule: [1], withdrawDays: 1 },
};

test.each(kinds)(
  'a %s that the platform refuses to show holds up who is registered for it now',
  async (kind) => {
    await open(REFUSES);
    const { outOrderNo } = ORDERS[kind];
    const reference = kind === 'transfer' ? 'B9' : outOrderNo;
    trade.registers(registered(kind, 'P'));
    expect(verdictsOf(await trade.night('2026-03-02')).slice(0, 2)).toEqual(['P incomplete', 'Q reconciled']);
    await trade.until('2026-03-03 10:00:00');
    await putRight(night, registered(kind, 'Q'));
    const second = await trade.night('2026-03-03');
    expect(verdictsOf(second).slice(0, 2)).toEqual(['P reconciled', 'Q incomplete']);
    expect(findingsOf(await trade.night('2026-03-04'))).toEqual([`state Q ${reference} 0`]);
    expect(await endsOnP()).toEqual([]);
  },
);

test('a withdrawal that was an item of the former payer by then is one of who is registered for it now', async () => {
  await open(REFUSES);
  trade.registers(registered('withdrawal', 'P'));
  for (const day of ['2026-03-02', '2026-03-03']) await trade.night(day);
  expect(findingsOf(await trade.night('2026-03-04'))).toEqual(['state P W9 0']);
  await trade.until('2026-03-05 10:00:00');
  await registerOnceMore(night.db, {
    kind: 'withdrawal',
    out_order_no: 'W9',
    payer_account_no: 'R',
    amount_fen: 100n,
  });
  const otherwise = await trade.night('2026-03-05');
  expect(findingsOf(otherwise)).toEqual(['account P W9 0', 'state P W9 0']);
  await putRight(night, registered('withdrawal', 'Q'));
  const last = await trade.night('2026-03-06');
  expect([findingsOf(last), verdictsOf(last)[0]]).toEqual([['state Q W9 0'], 'P reconciled']);
});
