/** Business data as the document wants them, of all 17 endpoints, of few accounts and numbers so that they meet. */
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { Members } from './caller.ts';
import { control } from './state/state-twins.ts';

export const ACCOUNTS = ['P', 'Q', 'R'] as const;

/** What a request is made of; the same choices ask differently as the sandbox's state goes on. */
export interface Choices {
  endpoint: string;
  /** Of orders, batches and applications: few, so that they meet. */
  no: number;
  other: number;
  account: (typeof ACCOUNTS)[number];
  amount: number;
  flag: boolean;
}

/** What the document asks for at that endpoint; whether it is accepted depends on what there is. */
export function validBiz(sandbox: Sandbox, chosen: Choices): Members {
  const { endpoint, no, other, account, amount, flag } = chosen;
  const code = newestCode(sandbox);
  const order = { outOrderNo: `O-${other}`, body: '货款', amount: String(amount), payeeAcctNo: account };
  switch (endpoint) {
    case 'acct/sendMsg/SANDBOX':
      return { reqNo: scene(no).of(sandbox, account), outReqNo: `S-${no}`, sceneType: scene(no).name };
    case 'acct/addApply':
      return {
        ifCode: 'SANDBOX',
        outReqNo: `A-${no}`,
        acctRole: flag ? 'FQ' : 'JS',
        subjectInfo: subject(other, flag || no % 2 === 0),
        ...(flag ? { notifyUrl: 'http://127.0.0.1:9/opening' } : {}),
      };
    case 'acct/auditApply':
      return {
        ...code,
        reqNo: newest(sandbox, 'openings', 'reqNo'),
        outReqNo: newest(sandbox, 'openings', 'outReqNo'),
      };
    case 'acct/auditApplyResult':
      return { reqNo: newest(sandbox, 'openings', 'reqNo') };
    case 'acct/reviseApply':
      return {
        ifCode: 'SANDBOX',
        outReqNo: `A-${no}`,
        ...(flag ? { subjectInfo: subject(other, true) } : {}),
      };
    case 'acct/changeApply':
      return {
        recordId: newest(sandbox, 'openings', 'recordId'),
        outReqNo: `C-${no}`,
        subjectInfo: { ...subject(other, flag), modifyType: '1|2' },
      };
    case 'acct/changeConfirm':
      return { ...code, reqNo: newest(sandbox, 'changes', 'reqNo') };
    case 'acct/changeApplyResult':
      return { outReqNo: `C-${no}` };
    case 'acct/queryInfo':
      return { accountNo: account };
    case 'division/pay':
      return {
        outBatchNo: `B-${no}`,
        payerAcctNo: 'P',
        num: 1,
        amount,
        currency: 'CNY',
        clientIp: '10.0.0.1',
        orderList: JSON.stringify([order]),
        ...(flag ? { notifyUrl: 'http://127.0.0.1:9/push', remark: '附言', extParam: 'e' } : {}),
      };
    case 'division/query':
      return { outBatchNo: `B-${no}` };
    case 'division/refund':
      return refundBiz(sandbox, { chosen, code });
    case 'account/withdraw':
      return {
        outOrderNo: `W-${no}`,
        acctNo: account,
        amount,
        ...(flag ? { channelExtra: '{}', remark: '提' } : {}),
      };
    case 'account/queryWithdraw':
      return { outOrderNo: `W-${no}` };
    case 'query/deposit':
      return { startDate: '2026-02-10', endDate: '2026-03-09', payeeAcctNo: account, page: 1, pageSize: 10 };
    case 'get/transFiles':
      return flag ? { transType: '3', outOrderNo: `O-${other}` } : { transType: '2', outOrderNo: `W-${no}` };
    default:
      return { outOrderNo: `O-${other}`, remark: '再付一次' };
  }
}

function scene(no: number): { name: string; of: (sandbox: Sandbox, account: string) => unknown } {
  if (no < 2) return { name: 'OPEN', of: (sandbox) => newest(sandbox, 'openings', 'reqNo') };
  if (no < 3) return { name: 'MODIFY', of: (sandbox) => newest(sandbox, 'changes', 'reqNo') };
  return { name: 'REFUND', of: (_sandbox, account) => `RQ${account}` };
}

function refundBiz(sandbox: Sandbox, { chosen, code }: { chosen: Choices; code: Members }): Members {
  const { outBatchNo, outOrderNo } = orderToRefund(sandbox, chosen);
  return { outBatchNo, outOrderNos: outOrderNo, channelExtra: JSON.stringify(code), remark: '退' };
}

/** One that there is, with the number of its batch. */
export function orderToRefund(sandbox: Sandbox, { no }: Choices): Members {
  const batches = control(sandbox, 'GET', '/transfers')['transfers'] as Members[];
  const orders = batches.flatMap(({ outBatchNo, orders: list }) =>
    (list as Members[]).map((order): Members => ({ ...order, outBatchNo })),
  );
  return (
    orders[no % Math.max(1, orders.length)] ?? { outBatchNo: 'B-0', outOrderNo: 'O-0', payeeAcctNo: 'Q' }
  );
}

/** Of the newest opening or change that the control surface shows; a number nobody knows when there is none. */
export function newest(sandbox: Sandbox, kind: 'openings' | 'changes', name: string): unknown {
  const list = control(sandbox, 'GET', `/${kind}`)[kind];
  const last = Array.isArray(list) ? (list.at(-1) as Members | undefined) : undefined;
  return last?.[name] ?? 'N-0';
}

function newestCode(sandbox: Sandbox): Members {
  const { smsCode, smsFlowNo } = sandbox.smsCodes().at(-1) ?? { smsCode: '000000', smsFlowNo: 'F-0' };
  return { smsCode, smsFlowNo };
}

const IMAGE = 'https://example.invalid/image.png';

/** SubjectInfo of an enterprise or of an individual, with all that either may need. */
function subject(no: number, isEnterprise: boolean): Members {
  const person = {
    idCardName: '测甲',
    idCardNo: `99999919800101000${no}`,
    idCardPhone: '19900000000',
    idCard1Img: IMAGE,
    idCard2Img: IMAGE,
    idCardEffectBegin: '2020-01-01',
    idCardEffectEnd: '长期',
    address: '示例路 1 号',
    settAccountNo: `99990000000000${no}`,
    settAccountName: '测甲',
    settAccountBankBranchCode: '999000000001',
    settAccountBankBranchName: '示例支行',
    settAccountPhone: '19900000000',
    eleAcctType: '1',
  };
  if (!isEnterprise) return { entPerFlag: 'P', profession: '1', ...person };
  return {
    entPerFlag: 'E',
    entType: '02',
    ...person,
    settAccountType: 'E',
    licenseNo: `99TEST0000000000${no}X`,
    licenseName: '示例有限公司',
    licenseEffectBegin: '2020-01-01',
    licenseEffectEnd: '长期',
    licenseAddress: '示例路 1 号',
    licenseImg: IMAGE,
    agentUseCorpInfoFlag: '1',
    businessScenario: '1',
    businessSceneDesc: '货款',
  };
}
