/** ACC-01…09: what an account is and holds. */
import assert from 'node:assert/strict';

import { BOUND_CARD, CARD_IN, CARD_OUT, CLOSED, FOREIGN, PAYEE, PAYER, PAYER_FEN } from '../bench.ts';
import type { Bench } from '../bench.ts';
import type { Members } from '../caller.ts';
import { answerOf, kindOf } from '../client-calls.ts';
import type { Desk } from '../desk.ts';
import type { Rules } from '../rule.ts';
import { anOrder, paid, payBiz, refundBiz, requireMembers, seedDeposits, withdrawBiz } from '../trade.ts';
import type { AccountInfo } from '../../../src/platform/contract.ts';
import { envelopeText } from '../../platform/platform-server.ts';

const info = async (bench: Bench, accountNo = PAYER): Promise<Members> =>
  (await bench.accepts('acct/queryInfo', { accountNo })).biz;

/** What the client makes of an account that is answered so. */
async function read(desk: Desk, bizData: string): Promise<AccountInfo> {
  const { client } = await desk.answering(() => envelopeText({ code: '000000', bizData }));
  return answerOf<'acct/queryInfo'>(await client.call('acct/queryInfo', { accountNo: PAYER }));
}

const CARD_MEMBERS = [
  'bankAccountNo',
  'bankAccountName',
  'mobile',
  'instBranchCode',
  'accountType',
  'whiteType',
];

export const ACC: Rules = {
  'ACC-01': {
    harmless: async (caller) => {
      await caller.refuses('acct/queryInfo', {});
    },
    sandbox: async (bench) => {
      const { openReqNo } = await info(bench);
      assert.equal((await bench.accepts('acct/queryInfo', { reqNo: openReqNo })).biz['accountNo'], PAYER);
      await bench.switches({ queryInfoByReqNo: false });
      await bench.refuses('acct/queryInfo', { reqNo: openReqNo });
      await bench.refuses('acct/queryInfo', { accountNo: '' });
      await bench.accepts('acct/queryInfo', { accountNo: PAYER });
    },
    client: async (desk) => {
      const { client, requests } = await desk.accepting({ openReqNo: 'R1' });
      await client.call('acct/queryInfo', { accountNo: PAYER });
      assert.deepEqual(requests[0]?.biz, { accountNo: PAYER });
    },
  },
  'ACC-02': {
    sandbox: async (bench) => {
      const own = ['openReqNo', 'accountNo', 'eleAcctNo', 'eleAcctName', 'accountState', 'remark'];
      const money = ['balance', 'frozen', 'availableBalance'];
      requireMembers(await info(bench), [...own, ...money, 'bindAcctInfo', 'whiteAcctList']);
    },
    client: async (desk) => {
      const account = await read(desk, '{"openReqNo":"R1"}');
      assert.deepEqual(
        [account.openReqNo, account.balanceFen, account.frozenFen],
        ['R1', undefined, undefined],
      );
    },
  },
  'ACC-03': {
    sandbox: async (bench) => {
      const { balance, frozen, availableBalance } = await info(bench);
      assert.deepEqual([balance, frozen, availableBalance], [PAYER_FEN, 0, PAYER_FEN]);
    },
    client: async (desk) => {
      const whole = await read(desk, '{"balance":"100","frozen":30,"availableBalance":70}');
      assert.deepEqual([whole.balanceFen, whole.frozenFen, whole.availableFen], [100n, 30n, 70n]);
      const wrong = await read(desk, '{"balance":1.5,"frozen":"1e2","availableBalance":"x"}');
      assert.deepEqual(
        [wrong.balanceFen, wrong.frozenFen, wrong.availableFen],
        [undefined, undefined, undefined],
      );
    },
  },
  'ACC-04': {
    sandbox: async (bench) => {
      assert.deepEqual(
        [(await info(bench))['accountState'], (await info(bench, CLOSED))['accountState']],
        ['1', '0'],
      );
      await bench.refuses('account/withdraw', withdrawBiz(bench, { acctNo: CLOSED }));
      await bench.refuses('division/pay', payBiz(bench, [anOrder(bench, { payeeAcctNo: CLOSED })]));
      await bench.control('/movements', { movements: [{ kind: 'state', accountNo: PAYER, state: '2' }] });
      for (const refused of ['account/withdraw', 'division/pay']) {
        const biz = refused === 'division/pay' ? payBiz(bench) : withdrawBiz(bench);
        await bench.refuses(refused, biz);
      }
      assert.equal((await info(bench))['accountState'], '2');
      await bench.switches({ pendingMayOperate: true });
      await bench.accepts('account/withdraw', withdrawBiz(bench));
      await bench.accepts('division/pay', payBiz(bench));
    },
    client: async (desk) => {
      for (const state of ['0', '1', '2', '9']) {
        assert.equal((await read(desk, `{"accountState":"${state}"}`)).accountState, state);
      }
    },
  },
  'ACC-05': {
    sandbox: async (bench) => {
      const card = (await info(bench))['bindAcctInfo'] as Members;
      requireMembers(card, CARD_MEMBERS);
      const { bankAccountNo, bankAccountName, mobile, accountType } = card;
      assert.deepEqual([bankAccountNo, bankAccountName, mobile], [BOUND_CARD, '收付公司', '13812345678']);
      assert.deepEqual([accountType, card['whiteType']], ['E', 'OUT']);
    },
    client: async (desk) => {
      const account = await read(desk, '{"bindAcctInfo":{"bankAccountNo":"6222","accountType":"E"}}');
      assert.deepEqual(account.bindAcctInfo, { bankAccountNo: '6222', accountType: 'E' });
    },
  },
  'ACC-06': {
    sandbox: async (bench) => {
      const cards = (await info(bench))['whiteAcctList'] as Members[];
      assert.deepEqual(
        cards.map(({ bankAccountNo, whiteType }) => [bankAccountNo, whiteType]),
        [
          [CARD_OUT, 'OUT'],
          [CARD_IN, 'IN'],
        ],
      );
    },
    client: async (desk) => {
      const account = await read(desk, '{"whiteAcctList":[{"bankAccountNo":"6222","newMember":{"deep":1}}]}');
      assert.deepEqual(JSON.parse(JSON.stringify(account.whiteAcctList, numbersAsText)), [
        { bankAccountNo: '6222', newMember: { deep: '1' } },
      ]);
    },
  },
  'ACC-07': {
    sandbox: async (bench) => {
      const reqNo = (await info(bench, PAYEE))['openReqNo'];
      const { smsFlowNo } = await bench.smsCode({ reqNo });
      assert.notEqual(smsFlowNo, '');
      await bench.refuses(`acct/sendMsg/${bench.channelCode}`, {
        reqNo: 'RQ-nobody',
        outReqNo: 'X1',
        sceneType: 'REFUND',
      });
    },
  },
  'ACC-08': {
    harmless: async (caller) => {
      await caller.refuses('acct/queryInfo', { accountNo: 'no-such-account' });
    },
    sandbox: async (bench) => {
      await bench.refuses('acct/queryInfo', { accountNo: FOREIGN });
      await bench.refuses('acct/queryInfo', { accountNo: (await info(bench))['eleAcctNo'] });
    },
    client: async (desk) => {
      const { client } = await desk.sandbox();
      assert.equal(await kindOf(client.call('acct/queryInfo', { accountNo: FOREIGN })), 'refused');
    },
  },
  'ACC-09': {
    sandbox: async (bench) => {
      const totals: number[] = [];
      const look = async (): Promise<void> => {
        const [[payer], [payee]] = [await bench.money(PAYER), await bench.money(PAYEE)];
        totals.push(payer + payee);
      };
      await look();
      await bench.plan({ kind: 'transfer', delayMs: 60_000 });
      const underWay = await paid(bench);
      await look();
      assert.deepEqual(await bench.money(PAYER), [PAYER_FEN, 10_000]);
      await bench.advance(60_000);
      await look();
      await bench.accepts('division/refund', await refundBiz(bench, underWay));
      await look();
      await seedDeposits(bench, [{ amountFen: 500 }]);
      await bench.accepts('account/withdraw', withdrawBiz(bench, { acctNo: PAYEE, amount: 500 }));
      await look();
      await bench.refuses('account/withdraw', withdrawBiz(bench, { acctNo: PAYEE, amount: 1 }));
      assert.deepEqual(totals, [PAYER_FEN, PAYER_FEN, PAYER_FEN, PAYER_FEN, PAYER_FEN]);
    },
  },
};

function numbersAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
}
