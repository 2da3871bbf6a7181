/** The volume's transfers and withdrawals: the same ones in the sandbox and in the company's files. */
import { expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import { createSandbox } from '../../../src/sandbox/server/create-sandbox.ts';
import { volumeLedger, volumeOrdersCsv } from '../../../src/sandbox/scenarios/volume.ts';
import type { Members } from '../caller.ts';
import {
  anOrder,
  call,
  expectRefused,
  money,
  ordersOf,
  pay,
  queryBatch,
  refund,
  smsCode,
  withdraw,
} from '../orders/orders-caller.ts';

const VOLUME = {
  accounts: 4,
  depositsPerAccount: 20,
  transferBatches: 60,
  ordersPerBatch: 5,
  withdrawals: 200,
  from: '2026-02-01',
  days: 28,
};
const OPTIONS = { ...VOLUME, seed: 4, timeZone: 'Asia/Shanghai' };
/** The first instant after the last day. */
const NIGHT = '2026-02-28T16:00:00.000Z';
const ACCOUNTS = ['4100000000', '4100000001', '4100000002', '4100000003'];

function sandboxAt(now: string): Sandbox {
  return createSandbox({ now, seed: 4, scenario: { name: 'volume', ...VOLUME } });
}

function registry(): Members[] {
  const [header = '', ...lines] = [...volumeOrdersCsv(OPTIONS)].map((line) => line.trimEnd());
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',').entries();
    return Object.fromEntries([...cells].map(([place, cell]) => [names[place] ?? '', cell]));
  });
}

test('the registry names every order of the sandbox, with its amount, parties and platform numbers', () => {
  const rows = registry();
  expect(rows).toHaveLength(60 * 5 + 200);
  const sandbox = sandboxAt(NIGHT);
  const transfers = rows.filter(({ kind }) => kind === 'transfer');
  for (const row of transfers.slice(100, 140)) {
    const batch = queryBatch(sandbox, row['out_batch_no']);
    expect(batch.biz).toEqual(call(sandbox, 'division/query', { batchNo: row['batch_no'] }).biz);
    const order = ordersOf(batch).find(({ outOrderNo }) => outOrderNo === row['out_order_no']);
    expect(order).toMatchObject({
      orderNo: row['order_no'],
      amount: Number(row['amount_fen']),
      payeyAcctNo: row['payer_account_no'],
      payeeAcctNo: row['payee_account_no'],
    });
  }
  for (const row of rows.filter(({ kind }) => kind === 'withdrawal').slice(0, 40)) {
    const asked = call(sandbox, 'account/queryWithdraw', { orderNo: row['order_no'] });
    const known = {
      outOrderNo: row['out_order_no'],
      acctNo: row['payer_account_no'],
      amount: Number(row['amount_fen']),
    };
    expect(asked.biz).toMatchObject(known);
  }
});

test('an order exists from its submission on', () => {
  const [first] = registry();
  const submittedAt = `${String(first?.['submitted_at']).replace(' ', 'T')}+08:00`;
  const sandbox = sandboxAt(new Date(Date.parse(submittedAt) - 1).toISOString());
  expect(queryBatch(sandbox, 'VB00000000').ok).toBe(false);
  sandbox.clock.advance(1);
  expect(queryBatch(sandbox, 'VB00000000').ok).toBe(true);
});

test('numbers beyond the last, of another form or another company do not exist', () => {
  const sandbox = sandboxAt(NIGHT);
  for (const number of [
    'VB00000060',
    'VB0000001',
    'VB000000010',
    'VB00000001K',
    'VB00000001K01',
    'TBV00000001',
    'VBx',
    '',
  ]) {
    expect(queryBatch(sandbox, number).ok).toBe(false);
  }
  const other = { apiKey: 'ak_sandbox_other' };
  expect(call(sandbox, 'division/query', { outBatchNo: 'VB00000001' }, other).ok).toBe(false);
});

test('most succeed, some fail, some stay under way, some are refunded', () => {
  const many = { ...VOLUME, transferBatches: 1_000 };
  const sandbox = createSandbox({ now: NIGHT, seed: 4, scenario: { name: 'volume', ...many } });
  const states = new Map<unknown, number>();
  for (let batch = 0; batch < 1_000; batch++) {
    for (const { state } of ordersOf(queryBatch(sandbox, `VB${String(batch).padStart(8, '0')}`))) {
      states.set(state, (states.get(state) ?? 0) + 1);
    }
  }
  const share = (state: string): number => (states.get(state) ?? 0) / 5_000;
  expect(share('SUCCESS')).toBeGreaterThan(0.9);
  expect(share('FAIL')).toBeGreaterThan(0.02);
  expect(share('PROCESSING')).toBeGreaterThan(0.005);
  expect(share('REFUND')).toBeGreaterThan(0.002);
});

test('the ledger is worth what the sandbox holds; what is under way is frozen', () => {
  const sums = new Map<string, bigint>();
  for (const { accountNo, amountFen } of volumeLedger({ ...OPTIONS, differences: 0 })) {
    sums.set(accountNo, (sums.get(accountNo) ?? 0n) + amountFen);
  }
  const sandbox = sandboxAt(NIGHT);
  let frozen = 0;
  for (const accountNo of ACCOUNTS) {
    const [balance, held] = money(sandbox, accountNo);
    expect(balance).toBe(Number(sums.get(accountNo)));
    frozen += held;
  }
  expect(frozen).toBeGreaterThan(0);
  sandbox.clock.set('2026-01-31T15:59:59.000Z');
  const openings = [...volumeLedger({ ...OPTIONS, differences: 0 })].filter(({ kind }) => kind === 'opening');
  expect(openings.map(({ accountNo, amountFen }) => [accountNo, Number(amountFen)])).toEqual(
    ACCOUNTS.map((accountNo) => [accountNo, money(sandbox, accountNo)[0]]),
  );
});

test('computed orders can be refunded, and keep it; new ones stand beside them', () => {
  const sandbox = sandboxAt(NIGHT);
  const [order] = ordersOf(queryBatch(sandbox, 'VB00000003'));
  const [payer, payee] = [String(order?.['payeyAcctNo']), String(order?.['payeeAcctNo'])];
  const before = [money(sandbox, payer)[0], money(sandbox, payee)[0]];
  expect(order).toMatchObject({ outOrderNo: 'VO00000003K00', state: 'SUCCESS' });
  const channelExtra = JSON.stringify(smsCode(sandbox, { reqNo: `RQ${payee}` }));
  const of = { outBatchNo: 'VB00000003', outOrderNos: 'VO00000003K00' };
  expect(refund(sandbox, of, { channelExtra }).biz['state']).toBe('PART_REFUND');
  const amount = Number(order?.['amount']);
  expect([money(sandbox, payer)[0], money(sandbox, payee)[0]]).toEqual([
    (before[0] ?? 0) + amount,
    (before[1] ?? 0) - amount,
  ]);
  const again = JSON.stringify(smsCode(sandbox, { reqNo: `RQ${payee}` }));
  expectRefused(sandbox, () => refund(sandbox, of, { channelExtra: again }));
  sandbox.setSwitches({ payerRoles: ['JS'] });
  const paid = pay(sandbox, [anOrder({ amount: '1', payeeAcctNo: payee })], { payerAcctNo: payer });
  expect(paid.biz['state']).toBe('SUCCESS');
});

test('U26: numbers of computed orders are used', () => {
  const sandbox = sandboxAt(NIGHT);
  sandbox.setSwitches({ payerRoles: ['JS'] });
  const payerAcctNo = '4100000000';
  const one = (over: Members): Members => anOrder({ amount: '1', payeeAcctNo: '4100000001', ...over });
  expectRefused(sandbox, () => pay(sandbox, [one({ outOrderNo: 'VO00000003K00' })], { payerAcctNo }));
  expectRefused(sandbox, () => pay(sandbox, [one({})], { payerAcctNo, outBatchNo: 'VB00000003' }));
  expectRefused(sandbox, () => withdraw(sandbox, { acctNo: payerAcctNo, outOrderNo: 'VW00000003' }));
});
