/** What the summary and the statement say of signed periods, as a type and in both languages. */

export interface SignOffWords {
  title: string;
  period: string;
  signedAt: string;
  open: string;
  reason: string;
  run: string;
  digest: string;
  /** Of a period that this workbook is about, signed as another version. */
  otherVersion: (what: { period: string; run: string }) => string;
  /** Of a run that is none of those that were signed of the period around it. */
  notSigned: (period: string) => string;
  /** Of a signed run that was proven anew since, with other figures. */
  restated: (what: { period: string; signedRun: string; run: string }) => string;
  /** On the statement: the last signed period before this one. */
  adjustedLedger: (period: string) => string;
  adjustedPlatform: (period: string) => string;
  openItems: (count: string) => string;
  breaks: (count: string) => string;
  /** The account was no part of it. */
  notPart: string;
}

export const signOffWordsZh: SignOffWords = {
  title: '签核',
  period: '期间',
  signedAt: '签核时间',
  open: '未结事项',
  reason: '带未结事项签核的原因',
  run: '签核的运行',
  digest: '签核摘要',
  otherVersion: ({ period, run }) => `注意：${period} 签核的是 ${run}，本表是另一版。`,
  notSigned: (period) => `注意：${period} 签核的内容不含本表。`,
  restated: ({ period, signedRun, run }) =>
    `注意：${period} 签核的 ${signedRun} 之后已重述为 ${run}；请比较两版，撤回签核后重新签核。`,
  adjustedLedger: (period) => `上次签核（${period}）：调节后企业账面余额`,
  adjustedPlatform: (period) => `上次签核（${period}）：调节后平台余额`,
  openItems: (count) => `其时未达账项 ${count} 笔，差额合计`,
  breaks: (count) => `其时差异 ${count} 笔，差额合计`,
  notPart: '当时不在内',
};

export const signOffWordsEn: SignOffWords = {
  title: 'Sign-off',
  period: 'Period',
  signedAt: 'Signed off at',
  open: 'Open points',
  reason: 'Why it was signed all the same',
  run: 'Signed run',
  digest: 'Digest of the sign-off',
  otherVersion: ({ period, run }) => `Note: of ${period} ${run} was signed off; this is another version.`,
  notSigned: (period) => `Note: what was signed off of ${period} does not hold this run.`,
  restated: ({ period, signedRun, run }) =>
    `Note: ${signedRun}, signed off of ${period}, was restated as ${run}; compare both, take the sign-off back and sign anew.`,
  adjustedLedger: (period) => `Last sign-off (${period}): adjusted ledger balance`,
  adjustedPlatform: (period) => `Last sign-off (${period}): adjusted platform balance`,
  openItems: (count) => `Timing items then: ${count}, differing by`,
  breaks: (count) => `Breaks then: ${count}, differing by`,
  notPart: 'not part of it',
};
