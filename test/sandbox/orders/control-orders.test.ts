/** CTL: transfers, withdrawals, outcomes and pushes over the control surface. */
import { expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { Members } from '../caller.ts';
import {
  money,
  PAYEE,
  PAYER,
  queryBatch,
  queryWithdrawal,
  sandboxWithOrders,
  withdraw,
} from './orders-caller.ts';

function post(sandbox: Sandbox, path: string, body: unknown): { status: number; document: Members } {
  const request = {
    method: 'POST',
    path: `/control${path}`,
    contentType: 'application/json',
    body: JSON.stringify(body),
  };
  const reply = sandbox.control(request);
  return { status: reply.status, document: JSON.parse(reply.body) as Members };
}

function get(sandbox: Sandbox, path: string): Members {
  const reply = sandbox.control({ method: 'GET', path: `/control${path}`, contentType: '', body: '' });
  return JSON.parse(reply.body) as Members;
}

const ORDER = {
  outOrderNo: 'O-1',
  payeeAcctNo: PAYEE,
  amountFen: '10000',
  feeFen: 30,
  settle: { delayMs: 60_000 },
};
const TRANSFER = {
  outBatchNo: 'B-1',
  payerAcctNo: PAYER,
  submittedAt: '2026-03-01 11:00:00',
  orders: [ORDER],
  notifyUrl: 'http://127.0.0.1:9/push',
};
const WITHDRAWAL = {
  outOrderNo: 'W-1',
  acctNo: PAYER,
  amountFen: 500,
  submittedAt: '2026-03-01 11:30:00',
  returnAfterMs: 1_000,
};

test('what is seeded can be asked for, and is shown as it truly is', () => {
  const sandbox = sandboxWithOrders();
  expect(post(sandbox, '/transfers', { transfers: [TRANSFER] }).document).toEqual({ done: true });
  expect(post(sandbox, '/withdrawals', { withdrawals: [WITHDRAWAL] }).document).toEqual({ done: true });
  expect(queryBatch(sandbox, 'B-1').biz['state']).toBe('SUCCESS');
  expect(queryWithdrawal(sandbox, 'W-1')['state']).toBe('FAIL');
  expect(get(sandbox, '/transfers')['transfers']).toMatchObject([
    {
      outBatchNo: 'B-1',
      submittedAt: '2026-03-01T03:00:00.000Z',
      notifyUrl: 'http://127.0.0.1:9/push',
      orders: [
        {
          amountFen: 10_000,
          realFen: 9_970,
          life: [{ at: '2026-03-01T03:00:00.000Z', state: 'SUCCESS' }],
          settlements: [
            {
              amountFen: 9_970,
              reqId: '',
              life: [
                { at: '2026-03-01T03:00:00.000Z', state: 'PROCESSING' },
                { at: '2026-03-01T03:01:00.000Z', state: 'SUCCESS' },
              ],
            },
          ],
        },
      ],
    },
  ]);
  expect(get(sandbox, '/withdrawals')['withdrawals']).toMatchObject([
    {
      outOrderNo: 'W-1',
      bankAccountNo: `BANK${PAYER}`,
      payment: 'corporate',
      life: [{ state: 'SUCCESS' }, { state: 'FAIL' }],
    },
  ]);
});

test('effects on an account are named by what they were and of which order', () => {
  const sandbox = sandboxWithOrders();
  post(sandbox, '/transfers', { transfers: [TRANSFER] });
  const accounts = get(sandbox, '/accounts')['accounts'] as Members[];
  const effects = accounts.map(({ effects }) =>
    (effects as Members[]).map(({ kind, deltaFen, reference }) => [kind, deltaFen, reference]),
  );
  expect(effects).toEqual([
    [['transfer_out', -10_000, 'O-1']],
    [
      ['transfer_in', 9_970, 'O-1'],
      ['settlement', -9_970, 'O-1'],
    ],
    [],
  ]);
});

test('outcomes are planned, listed and dropped', () => {
  const sandbox = sandboxWithOrders();
  const outcomes = [
    { kind: 'withdrawal', state: 'FAIL' },
    { kind: 'refund', times: null, delayMs: 5 },
  ];
  expect(post(sandbox, '/outcomes', { outcomes }).document).toEqual({ nos: [1, 2] });
  expect(withdraw(sandbox).biz['state']).toBe('FAIL');
  expect(get(sandbox, '/outcomes')['outcomes']).toEqual([
    { no: 2, left: null, outcome: { kind: 'refund', times: null, delayMs: 5 } },
  ]);
  post(sandbox, '/outcomes/drop', {});
  expect(get(sandbox, '/outcomes')['outcomes']).toEqual([]);
});

test('pushes are logged with every try, and repeated', async () => {
  const sandbox = sandboxWithOrders();
  post(sandbox, '/transfers', { transfers: [TRANSFER] });
  await sandbox.deliverPushes(() => Promise.resolve({ status: 200, body: 'success' }));
  const pushed = {
    no: 1,
    outBatchNo: 'B-1',
    outOrderNo: '',
    eventAt: '2026-03-01T03:00:00.000Z',
    acknowledged: true,
  };
  expect(get(sandbox, '/pushes')['pushes']).toMatchObject([{ ...pushed, attempts: [{ status: 200 }] }]);
  expect(post(sandbox, '/pushes/repeat', { no: 1 }).status).toBe(200);
  expect(post(sandbox, '/pushes/repeat', { no: 2 }).status).toBe(400);
  await sandbox.deliverPushes(() => Promise.resolve({ status: 500, body: '' }));
  expect(get(sandbox, '/pushes')['pushes']).toMatchObject([
    { ...pushed, attempts: [{ status: 200 }, { status: 500 }] },
  ]);
});

test.each<[string, unknown, string]>([
  ['/transfers', { transfers: [{ ...TRANSFER, orders: [] }] }, 'orders'],
  ['/transfers', { transfers: [{ ...TRANSFER, orders: [{ ...ORDER, amountFen: 1.5 }] }] }, 'amountFen'],
  ['/withdrawals', { withdrawals: [{ ...WITHDRAWAL, acctNo: 'nobody' }] }, 'no account nobody'],
  ['/outcomes', { outcomes: [{ kind: 'deposit' }] }, 'kind'],
  ['/switches', { transferFeeBearer: 'acct:' }, 'transferFeeBearer'],
  ['/switches', { transferFee: { feeType: 'ORDER', feeFen: -1 } }, 'transferFee'],
])('a fault in what was given to %s is named: %o', (path, body, named) => {
  const { status, document } = post(sandboxWithOrders(), path, body);
  expect(status).toBe(400);
  expect(JSON.stringify(document)).toContain(named);
});

test('switches of fees take fen in every form', () => {
  const sandbox = sandboxWithOrders();
  const fee = { feeType: 'ORDER', feeFen: '30' };
  expect(post(sandbox, '/switches', { withdrawFee: fee }).document['withdrawFee']).toEqual({
    feeType: 'ORDER',
    feeFen: 30,
  });
  sandbox.setSwitches({ settleFee: { feeType: 'ACCOUNT', feeFen: 20n } });
  expect(get(sandbox, '/switches')['settleFee']).toEqual({ feeType: 'ACCOUNT', feeFen: 20 });
});

test('reset takes orders, outcomes, codes and pushes with it', () => {
  const sandbox = sandboxWithOrders();
  post(sandbox, '/transfers', { transfers: [TRANSFER] });
  post(sandbox, '/outcomes', { outcomes: [{ kind: 'batch' }] });
  post(sandbox, '/reset', {});
  expect(get(sandbox, '/transfers')['transfers']).toEqual([]);
  expect(get(sandbox, '/outcomes')['outcomes']).toEqual([]);
  expect(get(sandbox, '/pushes')['pushes']).toEqual([]);
  sandbox.seedAccounts([{ accountNo: PAYER, balanceFen: 1 }]);
  expect(money(sandbox, PAYER)).toEqual([1, 0]);
});
