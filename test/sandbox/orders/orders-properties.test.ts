/**
 * Random calls, right and wrong, in random worlds: the sandbox never crashes, a refusal changes nothing (ERR-06),
 * no account ever holds less than nothing (ACC-09), and money is neither made nor lost but by payouts and fees.
 */
import { expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { OutcomeSeed } from '../../../src/sandbox/orders/order-schema.ts';
import type { SwitchesPatch } from '../../../src/sandbox/control/switches.ts';
import { sandboxAtNoon } from '../caller.ts';
import type { Answered, Members } from '../caller.ts';
import { call, everything } from './orders-caller.ts';
import { fc, runs } from '../../helpers/properties.ts';

const ACCOUNTS = ['P', 'Q', 'R', 'X'] as const;
const OPENING_FEN = 50_000;

const corrupt = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    1e15,
    1e300,
    '1e3',
    '007',
    true,
    [],
    {},
    '[]',
    '{}',
    '"',
    '附'.repeat(40),
  ),
  fc.constantFrom('O-0', 'B-0', 'W-0', 'P', 'Q', 'nobody', 'x'.repeat(33), 'O-0,O-1', '{"smsCode":1}'),
  fc.jsonValue({ maxDepth: 2 }),
);
/** A member of the request, or of the first order in it, that is replaced. */
const spoiling = fc.option(fc.record({ at: fc.nat(30), value: corrupt, inOrder: fc.boolean() }), {
  nil: undefined,
  freq: 3,
});

const account = fc.constantFrom(...ACCOUNTS);
const number = fc.nat(30);
const amount = fc.integer({ min: 1, max: 20_000 });
const fee = fc.record({ feeType: fc.constantFrom('ORDER' as const, 'ACCOUNT' as const), feeFen: fc.nat(60) });
const bearer = fc.constantFrom('payer', 'payee', 'self', 'external', 'acct:X', 'acct:nobody');
const delayMs = fc.constantFrom(0, 1, 60_000, 86_400_000);
const course = fc.record(
  {
    state: fc.constantFrom('SUCCESS', 'FAIL', 'CLOSE', 'PROCESSING', 'XYZ'),
    delayMs,
    feeType: fc.constantFrom('ORDER' as const, 'ACCOUNT' as const),
    feeFen: fc.nat(60),
  },
  { requiredKeys: [] },
);
const returning = fc.option(fc.record({ state: fc.constant('SUCCESS'), returnAfterMs: delayMs }), {
  nil: {},
  freq: 2,
});
const settle = fc.option(
  fc.tuple(course, returning).map(([a, b]) => ({ ...a, ...b })),
  { nil: null },
);

const outcome: fc.Arbitrary<OutcomeSeed> = fc.oneof(
  fc.tuple(course, settle).map(([of, settling]) => ({ kind: 'transfer' as const, ...of, settle: settling })),
  fc.tuple(course, returning).map(([of, back]) => ({ kind: 'withdrawal' as const, ...of, ...back })),
  fc.record({
    kind: fc.constant('refund' as const),
    state: fc.constantFrom('REFUND' as const, 'FAIL' as const),
    delayMs,
  }),
);
const switches: fc.Arbitrary<SwitchesPatch> = fc.record(
  {
    inflightModel: fc.constantFrom('frozen' as const, 'debited' as const),
    transferFeeBearer: bearer,
    withdrawFeeBearer: bearer,
    settleFeeBearer: bearer,
    transferFee: fee,
    withdrawFee: fee,
    settleFee: fee,
    transferDelayMs: delayMs,
    settleDelayMs: delayMs,
    refundAmountRule: fc.constantFrom('amount' as const, 'realAmount' as const),
    refundFeeReturned: fc.boolean(),
    shortBalance: fc.constantFrom('refuse' as const, 'fail' as const),
    unknownPayee: fc.constantFrom('refuse' as const, 'fail' as const),
    duplicate: fc.constantFrom('refuse' as const, 'returnFirst' as const),
    passwordFree: fc.boolean(),
    orderListAs: fc.constantFrom('string' as const, 'array' as const),
    numbersAs: fc.constantFrom('number' as const, 'string' as const),
  },
  { requiredKeys: [] },
);

type Act = { plan?: OutcomeSeed; advanceMs?: number; endpoint?: string; biz?: Members; refundOf?: number };

const orders = fc.array(fc.record({ no: number, payee: account, amount }), { minLength: 1, maxLength: 3 });
const payment = fc
  .record({ no: number, payer: fc.constantFrom('P', 'P', 'P', 'Q', 'X'), orders })
  .map((of): Act => ({
    endpoint: 'division/pay',
    biz: {
      outBatchNo: `B-${of.no}`,
      payerAcctNo: of.payer,
      num: of.orders.length,
      amount: of.orders.reduce((sum, order) => sum + order.amount, 0),
      currency: 'CNY',
      clientIp: '10.0.0.1',
      orderList: of.orders.map((order) => ({
        outOrderNo: `O-${order.no}`,
        body: '货款',
        amount: String(order.amount),
        payeeAcctNo: order.payee,
      })),
    },
  }));
const withdrawal = fc.record({ no: number, acctNo: account, amount }).map((of): Act => ({
  endpoint: 'account/withdraw',
  biz: { outOrderNo: `W-${of.no}`, acctNo: of.acctNo, amount: of.amount },
}));
/** A refund of one of the orders there are by then. */
const refunding = fc.nat(40).map((refundOf): Act => ({ endpoint: 'division/refund', refundOf }));
const query = fc
  .record({ no: number, endpoint: fc.constantFrom('division/query', 'account/queryWithdraw') })
  .map((of): Act => ({
    endpoint: of.endpoint,
    biz: of.endpoint === 'division/query' ? { outBatchNo: `B-${of.no}` } : { outOrderNo: `W-${of.no}` },
  }));
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: payment },
  { weight: 3, arbitrary: withdrawal },
  { weight: 3, arbitrary: refunding },
  { weight: 1, arbitrary: query },
  { weight: 2, arbitrary: outcome.map((plan): Act => ({ plan })) },
  { weight: 2, arbitrary: fc.constantFrom(1, 60_000, 86_400_000).map((advanceMs): Act => ({ advanceMs })) },
);

function newWorld(patch: SwitchesPatch): Sandbox {
  const sandbox = sandboxAtNoon({ switches: { payerRoles: ['FQ', 'JS'], ...patch } });
  sandbox.seedAccounts(
    ACCOUNTS.map((accountNo) => ({ accountNo, balanceFen: OPENING_FEN, autoSettle: accountNo === 'R' })),
  );
  return sandbox;
}

/** A code for refunds that belongs to nobody in particular. */
function freshCode(sandbox: Sandbox): string {
  call(sandbox, 'acct/sendMsg/SANDBOX', { reqNo: 'SANDBOX', outReqNo: 'S', sceneType: 'REFUND' });
  const { smsCode, smsFlowNo } = sandbox.smsCodes().at(-1) ?? { smsCode: '', smsFlowNo: '' };
  return JSON.stringify({ smsCode, smsFlowNo });
}

function spoil(biz: Members, how: { at: number; value: unknown; inOrder: boolean } | undefined): Members {
  if (!how) return biz;
  const list = biz['orderList'];
  const target = how.inOrder && Array.isArray(list) ? (list[0] as Members) : biz;
  const names = Object.keys(target);
  target[names[how.at % names.length] ?? ''] = how.value;
  return biz;
}

function refundBiz(sandbox: Sandbox, nth: number): Members {
  const [, batches] = everything(sandbox) as [
    unknown,
    { transfers: { outBatchNo: string; orders: Members[] }[] },
  ];
  const all = batches.transfers.flatMap(({ outBatchNo, orders: list }) =>
    list.map(({ outOrderNo }) => ({ outBatchNo, outOrderNos: outOrderNo })),
  );
  return { ...all[nth % Math.max(1, all.length)], channelExtra: freshCode(sandbox) };
}

function carryOut(
  sandbox: Sandbox,
  { endpoint, biz, refundOf }: Act,
  how: Parameters<typeof spoil>[1],
): void {
  if (endpoint === undefined) return;
  const whole = refundOf === undefined ? structuredClone(biz ?? {}) : refundBiz(sandbox, refundOf);
  const sent = spoil(whole, how);
  if (Array.isArray(sent['orderList'])) sent['orderList'] = JSON.stringify(sent['orderList']);
  const before = everything(sandbox);
  const answer: Answered = call(sandbox, endpoint, sent);
  if (answer.ok) return;
  expect(answer.envelope['msg']).not.toBe('');
  expect(everything(sandbox)).toEqual(before);
}

function moneyNow(sandbox: Sandbox): number {
  let sum = 0;
  for (const accountNo of ACCOUNTS) {
    const { balance, frozen, availableBalance } = call(sandbox, 'acct/queryInfo', { accountNo }).biz;
    expect(Number(availableBalance)).toBe(Number(balance) - Number(frozen));
    expect(Math.min(Number(availableBalance), Number(frozen))).toBeGreaterThanOrEqual(0);
    sum += Number(balance);
  }
  return sum;
}

test('ERR-06, ACC-09, ENV-24: never a crash, never a trace of a refusal, never less than nothing', () => {
  fc.assert(
    fc.property(switches, fc.array(fc.tuple(act, spoiling), { maxLength: 15 }), (patch, acts) => {
      const sandbox = newWorld(patch);
      for (const [todo, how] of acts) {
        if (todo.plan) sandbox.planOutcomes([todo.plan]);
        if (todo.advanceMs !== undefined) sandbox.clock.advance(todo.advanceMs);
        carryOut(sandbox, todo, how);
        moneyNow(sandbox);
      }
      for (let day = 0; day < 4; day++) {
        sandbox.clock.advance(86_400_000);
        moneyNow(sandbox);
      }
    }),
    { numRuns: runs(250) },
  );
});

interface Ended {
  amountFen: number;
  feeFen: number;
  feeType: string;
  life: { state: string }[];
}

/** What an order takes out of all accounts together, by the last word said of it. */
function lostTo(
  order: Ended,
  of: { bearer: string; held: boolean; payout: boolean; debited: boolean },
): number {
  const last = order.life.at(-1)?.state ?? '';
  const outsideFee = order.feeType === 'ACCOUNT' ? order.feeFen : 0;
  if (last === 'FAIL' || last === 'CLOSE') return 0;
  if (last !== 'SUCCESS') return of.debited ? order.amountFen + (of.held ? outsideFee : 0) : 0;
  const insideFee = order.feeType === 'ORDER' && !of.payout ? order.feeFen : 0;
  return (of.payout ? order.amountFen : 0) + insideFee + (of.bearer === 'external' ? 0 : outsideFee);
}

function isHeld(bearer: string, own: readonly string[]): boolean {
  return own.includes(bearer);
}

test('conservation: the accounts lose payouts and fees, and not one fen else', () => {
  fc.assert(
    fc.property(switches, fc.array(act, { minLength: 5, maxLength: 25 }), (patch, acts) => {
      const sandbox = newWorld(patch);
      for (const todo of acts) {
        if (todo.plan) sandbox.planOutcomes([todo.plan]);
        if (todo.advanceMs !== undefined) sandbox.clock.advance(todo.advanceMs);
        carryOut(sandbox, todo, undefined);
      }
      sandbox.clock.advance(10 * 86_400_000);
      const [, batches, withdrawals] = everything(sandbox) as [
        unknown,
        {
          transfers: {
            orders: (Ended & { settlements: Ended[]; refunds: (Ended & { whole: boolean })[] })[];
          }[];
        },
        { withdrawals: Ended[] },
      ];
      const { inflightModel, transferFeeBearer, withdrawFeeBearer, settleFeeBearer, refundFeeReturned } =
        sandbox.switches();
      const debited = inflightModel === 'debited';
      let lost = 0;
      for (const order of batches.transfers.flatMap((batch) => batch.orders)) {
        const held = isHeld(transferFeeBearer, ['payer', 'self']);
        lost += lostTo(order, { bearer: transferFeeBearer, held, payout: false, debited });
        for (const refund of order.refunds) {
          const isBack = refund.life.at(-1)?.state === 'REFUND' && refundFeeReturned;
          if (isBack)
            lost -= order.feeType === 'ACCOUNT' && transferFeeBearer === 'external' ? 0 : order.feeFen;
        }
        const settleHeld = isHeld(settleFeeBearer, ['payee', 'self']);
        for (const settlement of order.settlements) {
          lost += lostTo(settlement, { bearer: settleFeeBearer, held: settleHeld, payout: true, debited });
        }
      }
      for (const order of withdrawals.withdrawals) {
        const held = isHeld(withdrawFeeBearer, ['payer', 'payee', 'self']);
        lost += lostTo(order, { bearer: withdrawFeeBearer, held, payout: true, debited });
      }
      expect(moneyNow(sandbox)).toBe(ACCOUNTS.length * OPENING_FEN - lost);
    }),
    { numRuns: runs(250) },
  );
});
