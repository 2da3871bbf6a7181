/** Openings and changes as a caller of the document sends them, valid unless `over` says otherwise. */
import assert from 'node:assert/strict';

import type { Bench } from './bench.ts';
import type { Answered, Members } from './caller.ts';
import type { HappyCall } from './happy-calls.ts';

const IMAGE = 'https://files.example.com/image.png';

/** A company; of agent and settlement account only what is always needed. */
export const COMPANY: Members = {
  entPerFlag: 'E',
  entType: '02',
  eleAcctType: '1',
  idCardName: '王法人',
  idCardNo: '110101199003070134',
  idCardPhone: '13812345678',
  idCard1Img: IMAGE,
  idCard2Img: IMAGE,
  idCardEffectBegin: '2020-01-01',
  idCardEffectEnd: '2040-01-01',
  address: '上海市浦东新区一号',
  settAccountType: 'E',
  settAccountNo: '6222000000000101',
  settAccountName: '甲公司',
  settAccountBankBranchCode: '102290000001',
  settAccountBankBranchName: '上海分行',
  licenseNo: '91310000MA1FL00001',
  licenseName: '甲公司',
  licenseEffectBegin: '2020-01-01',
  licenseEffectEnd: '2040-01-01',
  licenseAddress: '上海市浦东新区一号',
  licenseImg: IMAGE,
  agentUseCorpInfoFlag: '1',
};

export const PERSON: Members = {
  ...Object.fromEntries(Object.entries(COMPANY).filter(([name]) => !/^(?:licen|agent|entType)/.test(name))),
  entPerFlag: 'P',
  settAccountType: 'P',
  settAccountPhone: '13812345678',
  profession: '01',
};

/** Another than the legal representative. */
export const AGENT: Members = {
  agentUseCorpInfoFlag: '0',
  agentName: '李代办',
  agentIdNo: '110101199003071479',
  agentVisaDate: '2020-01-01',
  agentLostDate: '2040-01-01',
  agentPhone: '13912345678',
  agentIdCard1Img: IMAGE,
  agentIdCard2Img: IMAGE,
  authLetterImg: IMAGE,
};

export const INITIATOR: Members = { businessScenario: '1', businessSceneDesc: '电商' };

/** Data of a subject nobody has used yet. */
export function aSubject(bench: Bench, over: Members = {}): Members {
  const no = bench.newNumber('');
  if (over['entPerFlag'] === 'P') return { ...PERSON, idCardNo: `P${no}`, ...over };
  return { ...COMPANY, licenseNo: `91310000MA${no}`, ...over };
}

export function applyBiz(bench: Bench, subjectInfo: unknown = aSubject(bench), over: Members = {}): Members {
  return { ifCode: bench.channelCode, outReqNo: bench.newNumber('AP'), acctRole: 'JS', subjectInfo, ...over };
}

/** An application that is accepted. */
export async function applied(bench: Bench, subject?: Members, over: Members = {}): Promise<Answered> {
  return await bench.accepts('acct/addApply', applyBiz(bench, subject ?? aSubject(bench), over));
}

/** The confirmation of an application, with a fresh code. */
export async function auditBiz(bench: Bench, { biz }: Answered, over: Members = {}): Promise<Members> {
  const { reqNo, outReqNo } = biz;
  const code = await bench.smsCode({ reqNo, outReqNo, sceneType: 'OPEN' });
  return { reqNo, outReqNo, ...code, ...over };
}

export async function audited(bench: Bench, application: Answered): Promise<Answered> {
  return await bench.accepts('acct/auditApply', await auditBiz(bench, application));
}

export async function resultOf(bench: Bench, { biz }: Answered): Promise<Members> {
  return (await bench.accepts('acct/auditApplyResult', { reqNo: biz['reqNo'] })).biz;
}

/** Plans how the next openings or changes go. */
export async function decide(bench: Bench, ...decisions: Members[]): Promise<void> {
  await bench.control('/decisions', { decisions });
}

/** An account that has been opened: what auditApplyResult says of it. */
export async function opened(bench: Bench, subject?: Members, over: Members = {}): Promise<Members> {
  const application = await applied(bench, subject, over);
  await audited(bench, application);
  const result = await resultOf(bench, application);
  assert.equal(result['state'], 2, JSON.stringify(result));
  return result;
}

/** An application that has been rejected before it was signed. */
export async function rejected(bench: Bench, remark = '资料不清'): Promise<Answered> {
  await decide(bench, { kind: 'opening', firstState: 7, result: 'rejectedByReview', remark });
  return await applied(bench);
}

/** What is always sent of a change (U16). */
const ALWAYS = { eleAcctType: '1', address: COMPANY['address'] };

export function changeBiz(bench: Bench, recordId: unknown, subject: Members, over: Members = {}): Members {
  const ofCompany = subject['entPerFlag'] === 'P' ? {} : { entPerFlag: 'E', entType: '02' };
  const subjectInfo = { ...ALWAYS, ...ofCompany, ...subject };
  return { recordId, outReqNo: bench.newNumber('CH'), subjectInfo, ...over };
}

/** Agreement re-signing, the change that needs nothing. */
export const RESIGN: Members = { modifyType: '5' };

export const NEW_CARD: Members = {
  modifyType: '4',
  settAccountNo: '6222000000000202',
  settAccountType: 'E',
  settAccountName: '甲公司',
  settAccountBankBranchCode: '102290000002',
  settAccountBankBranchName: '北京分行',
  bindAcctInnerFlag: '1',
};

export async function changeApplied(bench: Bench, recordId: unknown, subject = RESIGN): Promise<Answered> {
  return await bench.accepts('acct/changeApply', changeBiz(bench, recordId, subject));
}

export async function confirmBiz(bench: Bench, { biz }: Answered, over: Members = {}): Promise<Members> {
  const { reqNo, outReqNo } = biz;
  const code = await bench.smsCode({ reqNo, outReqNo, sceneType: 'MODIFY' });
  return { reqNo, ...code, ...over };
}

export async function confirmed(bench: Bench, change: Answered): Promise<Answered> {
  return await bench.accepts('acct/changeConfirm', await confirmBiz(bench, change));
}

export async function changeResultOf(bench: Bench, { biz }: Answered): Promise<Members> {
  return (await bench.accepts('acct/changeApplyResult', { reqNo: biz['reqNo'] })).biz;
}

/** One valid call of each of the seven paths. */
export async function openAndChange(bench: Bench): Promise<HappyCall[]> {
  const calls: HappyCall[] = [];
  const call = async (path: string, biz: Members): Promise<Answered> => {
    const answered = await bench.accepts(path, biz);
    calls.push({ path, answered });
    return answered;
  };
  const application = await call('acct/addApply', applyBiz(bench));
  await call('acct/auditApply', await auditBiz(bench, application));
  const result = await call('acct/auditApplyResult', { reqNo: application.biz['reqNo'] });
  const { reqNo } = (await rejected(bench)).biz;
  await call('acct/reviseApply', { ifCode: bench.channelCode, reqNo });
  const change = await call('acct/changeApply', changeBiz(bench, result.biz['recordId'], RESIGN));
  await call('acct/changeConfirm', await confirmBiz(bench, change));
  await call('acct/changeApplyResult', { reqNo: change.biz['reqNo'] });
  return calls;
}
