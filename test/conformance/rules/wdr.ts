/** WDR-01…15: withdrawals to a bank account and their query. */
import assert from 'node:assert/strict';

import { BOUND_CARD, CARD_IN, CARD_OUT, CLOSED, FOREIGN, OTHER, PAYEE, PAYER, PAYER_FEN } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Answered, Members } from '../caller.ts';
import { answerOf, kindOf, WITHDRAW } from '../client-calls.ts';
import type { Rules } from '../rule.ts';
import { paid, requireMembers, withdrawBiz } from '../trade.ts';

const withdrawn = async (bench: Bench, over: Members = {}): Promise<Answered> =>
  await bench.accepts('account/withdraw', withdrawBiz(bench, over));

async function refusesWithdrawals(bench: Bench, cases: Readonly<Record<string, Members>>): Promise<void> {
  const bodies = Object.entries(cases).map(([name, over]) => [name, withdrawBiz(bench, over)]);
  await bench.refusesEach('account/withdraw', Object.fromEntries(bodies) as Members);
}

/** What the sandbox knows of the newest withdrawal: its bank account and the kind of payment. */
async function newest(bench: Bench): Promise<Members> {
  const all = (await bench.control('/withdrawals'))['withdrawals'] as Members[];
  return all.at(-1) ?? {};
}

const ANSWER_MEMBERS = [
  'outOrderNo',
  'orderNo',
  'acctNo',
  'state',
  'amount',
  'fee',
  'feeType',
  'realAmount',
  'note',
];

export const WDR: Rules = {
  'WDR-01': {
    sandbox: async (bench) => {
      const { outOrderNo } = (await withdrawn(bench, { outOrderNo: 'W'.repeat(32) })).biz;
      await refusesWithdrawals(bench, {
        absent: { outOrderNo: undefined },
        '33 characters': { outOrderNo: 'X'.repeat(33) },
        'used already': { outOrderNo },
      });
      await bench.switches({ duplicate: 'returnFirst' });
      assert.equal((await withdrawn(bench, { outOrderNo, amount: 5 })).biz['amount'], 10_000);
      assert.deepEqual(await bench.money(PAYER), [PAYER_FEN - 10_000, 0]);
    },
  },
  'WDR-02': {
    sandbox: (bench) =>
      refusesWithdrawals(bench, {
        absent: { acctNo: undefined },
        'named accountNo': { acctNo: undefined, accountNo: PAYER },
        unknown: { acctNo: 'nobody' },
        foreign: { acctNo: FOREIGN },
        closed: { acctNo: CLOSED },
      }),
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ outOrderNo: 'W1', state: 'SUCCESS' });
      await client.call('account/withdraw', WITHDRAW);
      assert.deepEqual(requests[0]?.biz, { outOrderNo: 'W1', acctNo: PAYER, amount: 10_000 });
    },
  },
  'WDR-03': {
    sandbox: async (bench) => {
      const bad = [0, -1, 1.5, undefined, 'abc'];
      await refusesWithdrawals(bench, Object.fromEntries(bad.map((amount) => [String(amount), { amount }])));
      await withdrawn(bench, { amount: 1 });
    },
  },
  'WDR-04': {
    sandbox: async (bench) => {
      await withdrawn(bench, { recvAcctNo: CARD_OUT, remark: '提现' });
      assert.equal((await newest(bench))['bankAccountNo'], CARD_OUT);
      await withdrawn(bench, { channelExtra: JSON.stringify({ recvAcctNo: CARD_OUT }) });
      assert.equal((await newest(bench))['bankAccountNo'], CARD_OUT);
      await withdrawn(bench, { channelExtra: '' });
      await refusesWithdrawals(bench, {
        'an object': { channelExtra: {} },
        'no JSON': { channelExtra: '{' },
      });
    },
  },
  'WDR-05': {
    sandbox: async (bench) => {
      await withdrawn(bench);
      assert.equal((await newest(bench))['bankAccountNo'], BOUND_CARD);
    },
  },
  'WDR-06': {
    sandbox: async (bench) => {
      await refusesWithdrawals(bench, {
        'another card': { recvAcctNo: '6222999999999999' },
        'whitelisted for payments in': { recvAcctNo: CARD_IN },
        'the same in channelExtra': { channelExtra: JSON.stringify({ recvAcctNo: CARD_IN }) },
      });
      for (const recvAcctNo of [CARD_OUT, BOUND_CARD]) {
        await withdrawn(bench, { recvAcctNo });
        assert.equal((await newest(bench))['bankAccountNo'], recvAcctNo);
      }
    },
  },
  'WDR-07': {
    sandbox: async (bench) => {
      await withdrawn(bench);
      await bench.switches({ passwordFree: false });
      await refusesWithdrawals(bench, {
        'without a code': {},
        invented: { smsCode: '000000', smsFlowNo: 'S-none' },
      });
      await withdrawn(bench, await bench.smsCode({ reqNo: `RQ${PAYER}`, sceneType: 'WHITE_SET' }));
    },
  },
  'WDR-08': {
    sandbox: async (bench) => {
      await withdrawn(bench);
      assert.equal((await newest(bench))['payment'], 'corporate');
      await paid(bench);
      await withdrawn(bench, { acctNo: PAYEE });
      assert.equal((await newest(bench))['payment'], 'personal');
    },
  },
  'WDR-09': {
    sandbox: async (bench) => {
      await bench.plan({ kind: 'withdrawal', feeFen: 50, feeType: 'ORDER', times: null });
      const { biz } = await withdrawn(bench);
      requireMembers(biz, ANSWER_MEMBERS);
      assert.deepEqual([biz['fee'], biz['mchFee']], [50, undefined]);
      await bench.switches({ withdrawFeeName: 'mchFee' });
      const { biz: renamed } = await withdrawn(bench);
      assert.deepEqual([renamed['fee'], renamed['mchFee']], [undefined, 50]);
      await bench.switches({ withdrawFeeName: 'both' });
      const { biz: both } = await withdrawn(bench);
      assert.deepEqual([both['fee'], both['mchFee']], [50, 50]);
    },
    client: async (desk) => {
      for (const fees of [{ fee: 50 }, { mchFee: 50 }, { fee: 50, mchFee: 50 }]) {
        const { client } = await desk.accepting({
          outOrderNo: 'W1',
          state: 'SUCCESS',
          amount: 10_000,
          ...fees,
        });
        assert.equal(
          answerOf<'account/withdraw'>(await client.call('account/withdraw', WITHDRAW)).feeFen,
          50n,
        );
      }
      const { client } = await desk.accepting({ outOrderNo: 'W1', state: 'SUCCESS', fee: 50, mchFee: 51 });
      assert.equal(
        await kindOf(client.call('account/queryWithdraw', { outOrderNo: 'W1' })),
        'AcceptanceUnread',
      );
    },
  },
  'WDR-10': {
    sandbox: async (bench) => {
      assert.equal((await withdrawn(bench)).biz['state'], 'SUCCESS');
    },
    client: async (desk) => {
      for (const state of ['INIT', 'PROCESSING', 'SUCCESS', 'FAIL', 'XYZ', 2]) {
        const { client } = await desk.accepting({ outOrderNo: 'W1', state });
        const answer = answerOf<'account/queryWithdraw'>(
          await client.call('account/queryWithdraw', { outOrderNo: 'W1' }),
        );
        assert.equal(answer.state, String(state));
      }
    },
  },
  'WDR-11': {
    sandbox: async (bench) => {
      await bench.plan({ kind: 'withdrawal', feeFen: 50, feeType: 'ACCOUNT' });
      assert.equal((await withdrawn(bench)).biz['realAmount'], 10_000);
      assert.deepEqual(await bench.money(PAYER), [PAYER_FEN - 10_050, 0]);
      await bench.plan({ kind: 'withdrawal', feeFen: 50, feeType: 'ORDER' });
      assert.equal((await withdrawn(bench)).biz['realAmount'], 9_950);
      assert.deepEqual(await bench.money(PAYER), [PAYER_FEN - 20_050, 0]);
    },
  },
  'WDR-12': {
    sandbox: async (bench) => {
      await paid(bench);
      const all = { acctNo: PAYEE, amount: 10_000 };
      await refusesWithdrawals(bench, { 'one fen more': { ...all, amount: 10_001 } });
      await bench.plan({ kind: 'withdrawal', feeFen: 50, feeType: 'ACCOUNT' });
      await refusesWithdrawals(bench, { 'with a fee beside it': all });
      await bench.switches({ shortBalance: 'fail' });
      const { state, note } = (await withdrawn(bench, all)).biz;
      assert.deepEqual([state, note !== '', await bench.money(PAYEE)], ['FAIL', true, [10_000, 0]]);
      await bench.switches({ shortBalance: 'refuse' });
      await bench.control('/outcomes/drop', {});
      await bench.plan({ kind: 'withdrawal', feeFen: 50, feeType: 'ORDER' });
      await withdrawn(bench, all);
      assert.deepEqual(await bench.money(PAYEE), [0, 0]);
    },
  },
  'WDR-13': {
    harmless: async (caller) => {
      await caller.refuses('account/queryWithdraw', {});
      await caller.refuses('account/queryWithdraw', { outOrderNo: 'no-such-order' });
      await caller.refuses('account/queryWithdraw', { orderNo: 'no-such-order' });
    },
    sandbox: async (bench) => {
      const { outOrderNo, orderNo } = (await withdrawn(bench)).biz;
      const byOwn = await bench.accepts('account/queryWithdraw', { outOrderNo });
      const byPlatform = await bench.accepts('account/queryWithdraw', { orderNo });
      assert.deepEqual(byOwn.biz, byPlatform.biz);
      await bench.refusesEach('account/queryWithdraw', {
        both: { outOrderNo, orderNo },
        'the own as that of the platform': { orderNo: outOrderNo },
      });
      await bench.as(OTHER).refuses('account/queryWithdraw', { outOrderNo });
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ outOrderNo: 'W1', state: 'SUCCESS' });
      await client.call('account/queryWithdraw', { orderNo: 'WD1' });
      assert.deepEqual(requests[0]?.biz, { orderNo: 'WD1' });
    },
  },
  'WDR-14': {
    sandbox: async (bench) => {
      for (const state of ['SUCCESS', 'PROCESSING', 'FAIL', 'INIT', 'XYZ']) {
        await bench.plan({ kind: 'withdrawal', state });
        const { outOrderNo } = (await withdrawn(bench)).biz;
        assert.equal((await bench.accepts('account/queryWithdraw', { outOrderNo })).biz['state'], state);
      }
    },
  },
  'WDR-15': {
    sandbox: async (bench) => {
      await withdrawn(bench, { notifyUrl: 'http://127.0.0.1:9/notify' });
      assert.deepEqual((await bench.control('/pushes'))['pushes'], []);
    },
  },
};
