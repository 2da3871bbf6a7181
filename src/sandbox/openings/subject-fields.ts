/** The members of SubjectInfo: when each is needed and what it looks like (OPN-F01…F44). */
import type { World } from '../world/world.ts';
import type { Subject } from './application.ts';
import type { Form } from './subject-form.ts';

/** What SubjectInfo is sent for; some members are needed, or looked at, in one of them only. */
export type Occasion = 'opening' | 'resubmit' | 'change';

export interface Presented {
  subject: Subject;
  occasion: Occasion;
  role: 'FQ' | 'JS';
  /** How often the agent has been used, this time included (OPN-F39). */
  agentUses: number;
  switches: World['switches'];
}

export interface FieldRule {
  name: string;
  needed: (presented: Presented) => boolean;
  form: Form | ((presented: Presented) => Form);
  /** Where it means nothing it is not looked at. */
  only?: Occasion;
}

const always = (): boolean => true;
const never = (): boolean => false;
const ofE = ({ subject }: Presented): boolean => subject['entPerFlag'] === 'E';
const ofP = ({ subject }: Presented): boolean => subject['entPerFlag'] === 'P';
const ofInitiator = ({ role }: Presented): boolean => role === 'FQ';
/** U15: the document names no condition for the licence. */
const ofLicence = (presented: Presented): boolean => ofE(presented) && presented.switches.requireLicense;
/** U13, U14: the document demands the kind of enterprise from the second submission on. */
const ofE2 = (presented: Presented): boolean => ofE(presented) && presented.occasion !== 'opening';
const ofCompany = (presented: Presented): boolean => ofE(presented) && presented.subject['entType'] !== '03';
/** The agent is another than the legal representative (OPN-F32…F38). */
const ofAgent = (presented: Presented): boolean =>
  presented.occasion !== 'change' && hasOwnAgent(presented.subject, presented.switches);
const ofBusyAgent = ({ occasion, agentUses, switches }: Presented): boolean =>
  occasion !== 'change' && agentUses > switches.agentUsesMax;

export function hasOwnAgent(
  subject: Subject,
  { notReusedFlag }: Pick<World['switches'], 'notReusedFlag'>,
): boolean {
  return subject['entPerFlag'] === 'E' && subject['agentUseCorpInfoFlag'] === notReusedFlag;
}

const reuse = ({ switches }: Presented): Form => ['1', switches.notReusedFlag];
const entType = ({ occasion, switches }: Presented): Form =>
  occasion === 'opening' ? switches.openingEntTypes : ['01', '02', '03'];

function field(
  name: string,
  needed: FieldRule['needed'],
  form: FieldRule['form'] = 'text',
  only?: Occasion,
): FieldRule {
  return { name, needed, form, ...(only ? { only } : {}) };
}

/** In the order of the document; the agent's name, whose member it does not show, is read beside them (U15). */
export const SUBJECT_FIELDS: readonly FieldRule[] = [
  field('entPerFlag', always, ['E', 'P']),
  field('entType', ofE2, entType),
  field('eleAcctType', always, ['1']),
  field('idCardName', always),
  field('idCardNo', always),
  field('idCardPhone', always),
  field('idCard1Img', always, 'url'),
  field('idCard2Img', always, 'url'),
  field('idCardEffectBegin', always, 'day'),
  field('idCardEffectEnd', always, 'dayOrLong'),
  field('address', always),
  field('settAccountType', ofCompany, ['E', 'P']),
  field('settAccountNo', always),
  field('settAccountName', always),
  field('settAccountBankBranchCode', always),
  field('settAccountBankBranchName', always),
  field('settAccountPhone', ofP),
  field('bindAcctInnerFlag', never, ['0', '1']),
  field('profession', ofP),
  field('licenseNo', ofE),
  field('licenseName', ofLicence),
  field('licenseEffectBegin', ofLicence, 'day'),
  field('licenseEffectEnd', ofLicence, 'dayOrLong'),
  field('licenseAddress', ofLicence),
  field('licenseImg', ofLicence, 'url'),
  field('regCapital', never),
  field('regCapCurr', never, ['CNY']),
  field('industryTpCd', never),
  field('agentUseCorpInfoFlag', ofE, reuse),
  field('ctlUseCorpInfoFlag', never, reuse, 'change'),
  field('befUseCorpInfoFlag', never, reuse, 'change'),
  field('agentIdNo', ofAgent),
  field('agentVisaDate', ofAgent, 'day'),
  field('agentLostDate', ofAgent, 'dayOrLong'),
  field('agentPhone', ofAgent),
  field('agentIdCard1Img', ofAgent, 'url'),
  field('agentIdCard2Img', ofAgent, 'url'),
  field('authLetterImg', ofAgent, 'url'),
  field('agentReuseReasonDesc', ofBusyAgent),
  field('businessScenario', ofInitiator, ['1', '2', '3', '4', '5']),
  field('businessSceneDesc', ofInitiator),
  field('extensionData', never, 'urls'),
  field('modifyType', never, 'text', 'change'),
  field('companyAccountLicenseImg', never),
];
