/** OPN-F01…F44 and LIM-13: each member of subjectInfo, dropped and with bad values, in an otherwise valid opening. */
import assert from 'node:assert/strict';

import type { Bench } from '../bench.ts';
import type { Members } from '../caller.ts';
import { checksBeforehand } from '../client-checks.ts';
import type { Desk } from '../desk.ts';
import {
  AGENT,
  applied,
  applyBiz,
  aSubject,
  changeBiz,
  COMPANY,
  INITIATOR,
  opened,
  PERSON,
} from '../opening-flow.ts';
import { both } from '../rule.ts';
import type { Rule, Rules } from '../rule.ts';

/** Whose opening shows it: a company, a person, an initiator, a company with another agent. */
type Applicant = 'company' | 'person' | 'initiator' | 'agent';

interface Row {
  name: string;
  of: Applicant;
  /** Whether an opening without it is refused. */
  needed: boolean;
  bad: readonly unknown[];
  good: readonly unknown[];
}

const row = (
  name: string,
  of: Applicant,
  needed: boolean,
  bad: readonly unknown[] = [],
  good: readonly unknown[] = [],
): Row => ({ name, of, needed, bad, good });

const DATES = ['2026/01/01', '20260101', '2026-02-30'];
const ADDRESSES = ['no address', 'ftp://files.example.com/a.png'];
const LONG = ['长期', '2040-01-01'];
const LIST = JSON.stringify(['https://files.example.com/a.png']);

const ROWS: Readonly<Record<string, Row>> = {
  'OPN-F01': row('entPerFlag', 'company', true, ['X', 'e']),
  'OPN-F02': row('entType', 'company', false, ['04'], ['02', '03']),
  'OPN-F03': row('eleAcctType', 'company', true, ['2']),
  'OPN-F04': row('idCardName', 'company', true),
  'OPN-F05': row('idCardNo', 'person', true),
  'OPN-F06': row('idCardPhone', 'company', true),
  'OPN-F07': row('idCard1Img', 'company', true, ADDRESSES),
  'OPN-F08': row('idCard2Img', 'company', true, ADDRESSES),
  'OPN-F09': row('idCardEffectBegin', 'company', true, DATES),
  'OPN-F10': row('idCardEffectEnd', 'company', true, [...DATES, 'long'], LONG),
  'OPN-F11': row('address', 'company', true),
  'OPN-F12': row('settAccountType', 'company', true, ['X'], ['E', 'P']),
  'OPN-F13': row('settAccountNo', 'company', true),
  'OPN-F14': row('settAccountName', 'company', true),
  'OPN-F15': row('settAccountBankBranchCode', 'company', true),
  'OPN-F16': row('settAccountBankBranchName', 'company', true),
  'OPN-F17': row('settAccountPhone', 'person', true),
  'OPN-F18': row('bindAcctInnerFlag', 'company', false, ['2'], ['0', '1']),
  'OPN-F19': row('profession', 'person', true),
  'OPN-F20': row('licenseNo', 'company', true),
  'OPN-F21': row('licenseName', 'company', true),
  'OPN-F22': row('licenseEffectBegin', 'company', true, DATES),
  'OPN-F23': row('licenseEffectEnd', 'company', true, [...DATES, 'long'], LONG),
  'OPN-F24': row('licenseAddress', 'company', true),
  'OPN-F25': row('licenseImg', 'company', true, ADDRESSES),
  'OPN-F26': row('regCapital', 'company', false, [], ['1000000']),
  'OPN-F27': row('regCapCurr', 'company', false, ['USD'], ['CNY']),
  'OPN-F28': row('industryTpCd', 'company', false, [], ['F5181']),
  'OPN-F29': row('agentUseCorpInfoFlag', 'company', true, ['2'], ['1']),
  'OPN-F30': row('ctlUseCorpInfoFlag', 'company', false, [], ['1', '9']),
  'OPN-F31': row('befUseCorpInfoFlag', 'company', false, [], ['1', '9']),
  'OPN-F32': row('agentIdNo', 'agent', true),
  'OPN-F33': row('agentVisaDate', 'agent', true, DATES),
  'OPN-F34': row('agentLostDate', 'agent', true, [...DATES, 'long'], LONG),
  'OPN-F35': row('agentPhone', 'agent', true),
  'OPN-F36': row('agentIdCard1Img', 'agent', true, ADDRESSES),
  'OPN-F37': row('agentIdCard2Img', 'agent', true, ADDRESSES),
  'OPN-F38': row('authLetterImg', 'agent', true, ADDRESSES),
  'OPN-F40': row('businessScenario', 'initiator', true, ['6', '0'], ['1', '5']),
  'OPN-F41': row('businessSceneDesc', 'initiator', true),
  'OPN-F42': row('extensionData', 'company', false, ['{"a":"https://files.example.com/a.png"}', 'x'], [LIST]),
  'OPN-F43': row('modifyType', 'company', false, [], ['1', '9']),
  'OPN-F44': row('companyAccountLicenseImg', 'company', false, [], ['https://files.example.com/a.png']),
};

const SUBJECTS: Readonly<Record<Applicant, Members>> = {
  company: COMPANY,
  person: PERSON,
  initiator: { ...COMPANY, ...INITIATOR },
  agent: { ...COMPANY, ...AGENT },
};

/** Each applicant has an agent of its own: the same one can only be used so often (OPN-F39). */
function subjectOf(bench: Bench, of: Applicant, over: Members): Members {
  const fresh = aSubject(bench, SUBJECTS[of]);
  const identity = of === 'person' ? 'idCardNo' : 'licenseNo';
  const agent = of === 'agent' ? { agentIdNo: bench.newNumber('AG') } : {};
  return { ...fresh, [identity]: bench.newNumber('ID'), ...agent, ...over };
}

const roleOf = (of: Applicant): Members => ({ acctRole: of === 'initiator' ? 'FQ' : 'JS' });

function sandboxOf({ name, of, needed, bad, good }: Row): NonNullable<Rule['sandbox']> {
  return async (bench) => {
    const biz = (over: Members): Members => applyBiz(bench, subjectOf(bench, of, over), roleOf(of));
    await bench.accepts('acct/addApply', biz({}));
    for (const value of good) await bench.accepts('acct/addApply', biz({ [name]: value }));
    if (needed) await bench.refusesEach('acct/addApply', { absent: biz({ [name]: undefined }) });
    else await bench.accepts('acct/addApply', biz({ [name]: undefined }));
    for (const value of bad)
      await bench.refusesEach('acct/addApply', { [String(value)]: biz({ [name]: value }) });
    if (needed) await bench.refusesEach('acct/addApply', { empty: biz({ [name]: '' }) });
  };
}

function clientOf(id: string, { name, of, needed, bad, good }: Row): NonNullable<Rule['client']> {
  return async (desk) => {
    const biz = (over: Members): Members => {
      const subjectInfo = { ...SUBJECTS[of], ...over };
      return { ifCode: 'SANDBOX', outReqNo: 'AP1', subjectInfo, ...roleOf(of) };
    };
    const wrong = Object.fromEntries(bad.map((value) => [String(value), biz({ [name]: value })]));
    const absent = biz({ [name]: undefined });
    await checksBeforehand(desk, {
      endpoint: 'acct/addApply',
      id,
      fine: [biz({}), ...good.map((value) => biz({ [name]: value })), ...(needed ? [] : [absent])],
      wrong: needed ? { ...wrong, absent } : wrong,
    });
  };
}

const FROM_ROWS: Rules = Object.fromEntries(
  Object.entries(ROWS).map(([id, of]) => [id, { sandbox: sandboxOf(of), client: clientOf(id, of) }]),
);

/** What a row says beyond the table. */
const BEYOND: Rules = {
  'OPN-F02': {
    sandbox: async (bench) => {
      await bench.refuses('acct/addApply', applyBiz(bench, aSubject(bench, { entType: '01' })));
    },
    client: async (desk: Desk) => {
      const { client, requests, log } = await desk.accepting({}, { channelCode: 'SANDBOX' });
      const biz = {
        ifCode: 'SANDBOX',
        outReqNo: 'AP1',
        acctRole: 'JS',
        subjectInfo: { ...COMPANY, entType: '01' },
      };
      await client.callRaw('acct/addApply', biz);
      assert.equal(requests.length, 1, '01 is sent');
      assert.ok(
        log.lines.some(({ event }) => event === 'call.odd'),
        'and said to be odd',
      );
    },
  },
  'OPN-F12': {
    sandbox: async (bench) => {
      await applied(bench, aSubject(bench, { entType: '03', settAccountType: undefined }));
    },
  },
  'OPN-F30': { sandbox: (bench) => refusesInChange(bench, { ctlUseCorpInfoFlag: '9' }) },
  'OPN-F31': { sandbox: (bench) => refusesInChange(bench, { befUseCorpInfoFlag: '9' }) },
  'OPN-F40': {
    sandbox: async (bench) => {
      await applied(bench, aSubject(bench, { businessScenario: undefined }));
    },
  },
};

async function refusesInChange(bench: Bench, over: Members): Promise<void> {
  const { recordId } = await opened(bench);
  await bench.refuses('acct/changeApply', changeBiz(bench, recordId, { modifyType: '5', ...over }));
}

/** The same agent five times without a reason, and not six times. */
async function agentIsReused(bench: Bench): Promise<void> {
  const biz = (over: Members = {}): Members => applyBiz(bench, aSubject(bench, { ...AGENT, ...over }));
  for (let use = 1; use <= 5; use++) await bench.accepts('acct/addApply', biz());
  await bench.refuses('acct/addApply', biz());
  await bench.accepts('acct/addApply', biz({ agentIdNo: 'another' }));
  await bench.accepts('acct/addApply', applyBiz(bench));
  await bench.accepts('acct/addApply', biz({ agentReuseReasonDesc: '集团统一代办' }));
}

export const OPN_FIELDS: Rules = {
  ...FROM_ROWS,
  ...Object.fromEntries(Object.entries(BEYOND).map(([id, rule]) => [id, both(FROM_ROWS[id] ?? {}, rule)])),
  'OPN-F39': { sandbox: agentIsReused },
  'LIM-13': { sandbox: agentIsReused },
};
