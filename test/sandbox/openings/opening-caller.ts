/** Calls of openings and changes as the document has them, at whatever time the sandbox shows. */
import { expect } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { Answered, Members } from '../caller.ts';
import { call, newNumber } from '../orders/orders-caller.ts';

const IMAGE = 'https://files.example.com/image';

/** SubjectInfo that needs nothing more: a non-legal-person enterprise whose agent is its representative. */
export function anEnterprise(over: Members = {}): Members {
  return {
    entPerFlag: 'E',
    entType: '02',
    eleAcctType: '1',
    idCardName: '张法人',
    idCardNo: '110101198001011234',
    idCardPhone: '13812345678',
    idCard1Img: `${IMAGE}/portrait.jpg`,
    idCard2Img: `${IMAGE}/emblem.jpg`,
    idCardEffectBegin: '2020-01-01',
    idCardEffectEnd: '2040-01-01',
    address: '北京市东城区一号',
    settAccountType: 'E',
    settAccountNo: '6222000000000001',
    settAccountName: '某某商贸',
    settAccountBankBranchCode: '102100000001',
    settAccountBankBranchName: '工行一号支行',
    licenseNo: newNumber('91110000MA'),
    licenseName: '某某商贸',
    licenseEffectBegin: '2020-01-01',
    licenseEffectEnd: '长期',
    licenseAddress: '北京市东城区二号',
    licenseImg: `${IMAGE}/licence.jpg`,
    agentUseCorpInfoFlag: '1',
    ...over,
  };
}

/** What an enterprise with another agent than its representative adds. */
export function anAgent(over: Members = {}): Members {
  return {
    agentUseCorpInfoFlag: '0',
    agentName: '李经办',
    agentIdNo: '110101199001011234',
    agentVisaDate: '2020-01-01',
    agentLostDate: '长期',
    agentPhone: '13900000000',
    agentIdCard1Img: `${IMAGE}/agent-portrait.jpg`,
    agentIdCard2Img: `${IMAGE}/agent-emblem.jpg`,
    authLetterImg: `${IMAGE}/letter.jpg`,
    ...over,
  };
}

/** What an initiator adds. */
export const INITIATOR = { businessScenario: '1', businessSceneDesc: '公域电商' };

export function aPerson(over: Members = {}): Members {
  return {
    entPerFlag: 'P',
    eleAcctType: '1',
    idCardName: '王个人',
    idCardNo: newNumber('11010119900101'),
    idCardPhone: '13712345678',
    idCard1Img: `${IMAGE}/portrait.jpg`,
    idCard2Img: `${IMAGE}/emblem.jpg`,
    idCardEffectBegin: '2020-01-01',
    idCardEffectEnd: '长期',
    address: '上海市一号',
    settAccountNo: '6222000000000009',
    settAccountName: '王个人',
    settAccountBankBranchCode: '102290000001',
    settAccountBankBranchName: '工行上海支行',
    settAccountPhone: '13712345678',
    profession: '1001',
    ...over,
  };
}

/** A whole request; what is `undefined` in `over` is left out. */
export function applyBiz(subjectInfo: unknown = anEnterprise(), over: Members = {}): Members {
  return { ifCode: 'SANDBOX', outReqNo: newNumber('OPEN-'), acctRole: 'JS', subjectInfo, ...over };
}

export function apply(sandbox: Sandbox, subjectInfo?: unknown, over: Members = {}): Answered {
  return call(sandbox, 'acct/addApply', applyBiz(subjectInfo ?? anEnterprise(), over));
}

/** An application that was accepted. */
export function applied(sandbox: Sandbox, subjectInfo?: unknown, over: Members = {}): Members {
  return accepted(apply(sandbox, subjectInfo, over));
}

export function accepted(answer: Answered): Members {
  expect(answer.envelope['msg']).toBe('成功');
  return answer.biz;
}

/** Asks for a code and reads it off the phone. */
export function code(
  sandbox: Sandbox,
  of: Members,
  sceneType = 'OPEN',
): { smsFlowNo: string; smsCode: string } {
  const { reqNo, outReqNo } = of;
  const { smsFlowNo } = accepted(call(sandbox, 'acct/sendMsg/SANDBOX', { reqNo, outReqNo, sceneType }));
  const sent = sandbox.smsCodes().find((known) => known.smsFlowNo === smsFlowNo);
  return { smsFlowNo: String(smsFlowNo), smsCode: sent?.smsCode ?? '' };
}

/** Confirms an opening with a fresh code. */
export function audit(sandbox: Sandbox, { reqNo, outReqNo }: Members, over: Members = {}): Answered {
  const biz = { reqNo, outReqNo, ...('smsCode' in over ? {} : code(sandbox, { reqNo, outReqNo })), ...over };
  return call(sandbox, 'acct/auditApply', biz);
}

export function result(sandbox: Sandbox, { reqNo }: Members): Members {
  return accepted(call(sandbox, 'acct/auditApplyResult', { reqNo }));
}

export function revise(sandbox: Sandbox, { reqNo }: Members, over: Members = {}): Answered {
  return call(sandbox, 'acct/reviseApply', { ifCode: 'SANDBOX', reqNo, ...over });
}

/** Applies, confirms, and gives what the result says. */
export function opened(sandbox: Sandbox, subjectInfo?: unknown, over: Members = {}): Members {
  const opening = applied(sandbox, subjectInfo, over);
  accepted(audit(sandbox, opening));
  return result(sandbox, opening);
}

export function change(
  sandbox: Sandbox,
  { recordId }: Members,
  subjectInfo: unknown,
  over: Members = {},
): Answered {
  return call(sandbox, 'acct/changeApply', { recordId, outReqNo: newNumber('CHG-'), subjectInfo, ...over });
}

/** Confirms a change with a fresh code. */
export function confirm(sandbox: Sandbox, { reqNo, outReqNo }: Members, over: Members = {}): Answered {
  const fresh = 'smsCode' in over ? {} : code(sandbox, { reqNo, outReqNo }, 'MODIFY');
  return call(sandbox, 'acct/changeConfirm', { reqNo, ...fresh, ...over });
}

export function changeResult(sandbox: Sandbox, { reqNo }: Members): Members {
  return accepted(call(sandbox, 'acct/changeApplyResult', { reqNo }));
}

/** Applies and confirms. */
export function changed(sandbox: Sandbox, record: Members, subjectInfo: Members): Members {
  const asked = accepted(change(sandbox, record, subjectInfo));
  accepted(confirm(sandbox, asked));
  return asked;
}

export function info(sandbox: Sandbox, { accountNo }: Members): Members {
  return accepted(call(sandbox, 'acct/queryInfo', { accountNo }));
}

export function get(sandbox: Sandbox, path: string): Members {
  const reply = sandbox.control({ method: 'GET', path: `/control${path}`, contentType: '', body: '' });
  expect(reply.status).toBe(200);
  return JSON.parse(reply.body) as Members;
}

const PLACES = ['/accounts', '/openings', '/changes', '/decisions', '/sms', '/pushes'];

/** The call is refused, and nothing has changed (ERR-06). */
export function expectRefused(sandbox: Sandbox, act: () => Answered): Answered {
  const everything = (): unknown => PLACES.map((path) => get(sandbox, path));
  const before = everything();
  const answer = act();
  const { code: given, msg, bizData } = answer.envelope;
  expect(typeof given).toBe('string');
  expect(given, String(msg)).not.toBe('000000');
  expect(msg).not.toBe('');
  expect(bizData).toBeUndefined();
  expect(everything()).toEqual(before);
  return answer;
}
