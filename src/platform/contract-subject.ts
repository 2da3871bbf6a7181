/** Opening and change data (SubjectInfo, OPN-F01…F44) and the "exactly one of" type (ENV-27). */

/** Exactly one of the two members, never both. */
export type OneOf<A extends string, B extends string> =
  ({ [K in A]: string } & { [K in B]?: never }) | ({ [K in B]: string } & { [K in A]?: never });

export interface SubjectInfo {
  entPerFlag: 'E' | 'P';
  entType?: '01' | '02' | '03';
  eleAcctType: '1';
  idCardName: string;
  idCardNo: string;
  idCardPhone: string;
  idCard1Img: string;
  idCard2Img: string;
  idCardEffectBegin: string;
  /** A date, or 长期. */
  idCardEffectEnd: string;
  address: string;
  settAccountType?: 'E' | 'P';
  settAccountNo: string;
  settAccountName: string;
  settAccountBankBranchCode: string;
  settAccountBankBranchName: string;
  settAccountPhone?: string;
  bindAcctInnerFlag?: '0' | '1';
  profession?: string;
  licenseNo?: string;
  licenseName?: string;
  licenseEffectBegin?: string;
  licenseEffectEnd?: string;
  licenseAddress?: string;
  licenseImg?: string;
  regCapital?: string;
  regCapCurr?: string;
  industryTpCd?: string;
  agentUseCorpInfoFlag?: '0' | '1';
  ctlUseCorpInfoFlag?: '0' | '1';
  befUseCorpInfoFlag?: '0' | '1';
  /** The member's name is an assumption (U15). */
  agentName?: string;
  agentIdNo?: string;
  agentVisaDate?: string;
  agentLostDate?: string;
  agentPhone?: string;
  agentIdCard1Img?: string;
  agentIdCard2Img?: string;
  authLetterImg?: string;
  agentReuseReasonDesc?: string;
  businessScenario?: '1' | '2' | '3' | '4' | '5';
  businessSceneDesc?: string;
  /** JSON text of an array of URLs. */
  extensionData?: string;
  /** Change only: `1`…`5` joined by `|`. */
  modifyType?: string;
  companyAccountLicenseImg?: string;
}
