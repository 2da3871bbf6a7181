/** What the roll-up of a month says beside the words of all workbooks, as a type and in both languages. */
import type { ClearingCause } from '../../src/store/schema/schema.ts';
import type { Locale } from '../words/terms.ts';
import type { MonthList } from './read-month-items.ts';

export type MonthTie =
  | 'rollForward'
  | 'platformClosing'
  | 'ledgerClosing'
  | 'difference'
  | 'nights'
  | 'breaks'
  | 'breaksAtEnd'
  | 'days'
  | 'accounts'
  | 'opening'
  | 'statement';

export interface MonthWords {
  title: string;
  sheets: Record<'summary' | 'statement' | 'rollForward' | 'nights' | 'items', string>;
  month: string;
  /** Days that no run has proven. */
  unproven: (days: string) => string;
  whole: string;
  closingRun: string;
  openingRun: string;
  noOpeningRun: string;
  openingSigned: string;
  ownSigned: string;
  notSigned: string;
  signedBy: (what: { period: string; by: string }) => string;
  /** Of runs that the roll-up shows and that are none of those that were signed. */
  signedWithout: (what: { period: string; runs: string }) => string;
  accountsAtEnd: string;
  ties: Record<MonthTie, string>;
  /** Statements: what a difference consists of at the end. */
  statement: Record<'unexplained' | 'opening', string> & {
    rest: (count: string) => string;
    absent: (what: { account: string; day: string }) => string;
  };
  /** Roll-forward. */
  side: string;
  platform: string;
  ledger: string;
  provenTo: string;
  openingDay: string;
  carried: string;
  signed: string;
  /** Where the last figures of an account are of an earlier day. */
  notProven: string;
  atEndBalance: string;
  differenceAtEnd: string;
  rollForwardNote: string;
  /** Nights. */
  day: string;
  run: string;
  notGreen: string;
  platformTotal: string;
  ledgerTotal: string;
  opened: string;
  closed: string;
  open: string;
  counted: string;
  attention: string;
  timing: string;
  noRun: string;
  beginning: string;
  /** Breaks. */
  lists: Record<MonthList, string>;
  empty: Record<MonthList, string>;
  flow: string;
  atStart: string;
  atEnd: string;
  closedDay: string;
  cause: string;
  causes: Record<ClearingCause, string>;
}

const zh: MonthWords = {
  title: '月度对账汇总',
  sheets: {
    summary: '月度汇总',
    statement: '月末余额调节表',
    rollForward: '月度滚动',
    nights: '每夜',
    items: '本月差异',
  },
  month: '月份',
  unproven: (days) => `以下日子没有完整的核对，本月不能算已核对：${days}`,
  whole: '本月每一天都核对过',
  closingRun: '期末运行',
  openingRun: '期初运行',
  noOpeningRun: '本月之前没有核对',
  openingSigned: '期初的签核',
  ownSigned: '本月的签核',
  notSigned: '没有签核',
  signedBy: ({ period, by }) => `${period}，${by}`,
  signedWithout: ({ period, runs }) =>
    `注意：${period} 签核的内容不含 ${runs}；与签核时是否相同，用 recon verify 核对。`,
  accountsAtEnd: '期末账户（按结论）',
  ties: {
    rollForward: '月度滚动每行相符（不符的行数为 0）',
    platformClosing: '平台期末余额合计 = 最后一夜合计',
    ledgerClosing: '企业账期末余额合计 = 最后一夜合计',
    difference: '平台合计 − 企业账合计 = 最后一夜差额合计',
    nights: '每夜：期初未结 + 各夜新增 − 各夜了结 = 最后一夜未结',
    breaks: '本月差异：期初未结 + 本月新增 − 本月了结 = 期末未结',
    breaksAtEnd: '本月差异表期末未结 = 最后一夜未结',
    days: '本月每一天都有完整的核对',
    accounts: '每个账户都核对至月末',
    opening: '期初余额 = 上期签核的期末余额',
    statement: '月末余额调节表：差额未被说明的账户数为 0',
  },
  statement: {
    unexplained: '其中：最后一夜的余额不明差异',
    opening: '其中：此前余留的差异（期初差异）',
    rest: (count) => `其余 ${count} 笔，见最后一夜工作簿的“未达账项”表和“差异”表`,
    absent: ({ account, day }) => `${account}：最后一夜不含该账户，最近核对至 ${day}，本表不列。`,
  },
  side: '一方',
  platform: '平台',
  ledger: '企业账',
  provenTo: '核对至',
  openingDay: '期初日',
  carried: '补记以前',
  signed: '上期签核',
  notProven: '未核对至月末',
  atEndBalance: '期末余额',
  differenceAtEnd: '期末差额',
  rollForwardNote:
    '期初是本月第一次核对的期初；“补记以前”是已核对过的日子后来补记或更正的金额。没有核对至月末的账户不计入合计，也不算相符。',
  day: '日期',
  run: '运行',
  notGreen: '未对平账户',
  platformTotal: '平台余额合计',
  ledgerTotal: '企业账合计',
  opened: '新增差异',
  closed: '了结差异',
  open: '推算未结',
  counted: '清点未结',
  attention: '待关注',
  timing: '未达账项',
  noRun: '没有核对',
  beginning: '期初',
  lists: { break: '差异（本月内曾经未结）', attention: '月末待关注', timing: '月末未达账项' },
  empty: { break: '本月没有差异。', attention: '月末没有待关注事项。', timing: '月末没有未达账项。' },
  flow: '差异',
  atStart: '期初未结',
  atEnd: '期末未结',
  closedDay: '了结日',
  cause: '了结方式',
  causes: {
    entry: '分录',
    record: '平台记录',
    adjustment: '调整分录',
    restatement: '重述',
    reading: '读取',
    statement: '登记',
    sign_off: '重新签核',
  },
};

const en: MonthWords = {
  title: 'Monthly roll-up',
  sheets: {
    summary: 'Month',
    statement: 'Month-end statement',
    rollForward: 'Month roll-forward',
    nights: 'Nights',
    items: 'Breaks of the month',
  },
  month: 'Month',
  unproven: (days) => `No complete proof of these days, so the month does not count as reconciled: ${days}`,
  whole: 'Every day of the month was proven',
  closingRun: 'Closing run',
  openingRun: 'Opening run',
  noOpeningRun: 'nothing was proven before the month',
  openingSigned: 'Sign-off of the opening',
  ownSigned: 'Sign-off of the month',
  notSigned: 'not signed off',
  signedBy: ({ period, by }) => `${period}, ${by}`,
  signedWithout: ({ period, runs }) =>
    `Note: what was signed off of ${period} does not hold ${runs}; recon verify tells whether it differs.`,
  accountsAtEnd: 'Accounts at the end, by verdict',
  ties: {
    rollForward: 'Every row of the roll-forward agrees (0 rows differ)',
    platformClosing: 'Platform closings in all = those of the last night',
    ledgerClosing: 'Ledger closings in all = those of the last night',
    difference: 'Platform less ledger in all = difference of the last night',
    nights: 'Nights: open at the start + opened − closed = open after the last night',
    breaks: 'Breaks: open at the start + opened − closed = open at the end',
    breaksAtEnd: 'Breaks open at the end = open after the last night',
    days: 'Every day of the month has a complete proof',
    accounts: 'Every account is proven to the end of the month',
    opening: 'Openings = closings signed off before',
    statement: 'Month-end statement: 0 accounts differ by more than is accounted for',
  },
  statement: {
    unexplained: 'of which unexplained in the last night',
    opening: 'of which left from before (opening difference)',
    rest: (count) => `${count} more: see open items and breaks in the workbook of the last night`,
    absent: ({ account, day }) =>
      `${account}: the last night is not about it; it was last looked at for ${day} and is not listed here.`,
  },
  side: 'Side',
  platform: 'Platform',
  ledger: 'Ledger',
  provenTo: 'Proven to',
  openingDay: 'Opens on',
  carried: 'Booked into before',
  signed: 'Signed before',
  notProven: 'not proven to the end',
  atEndBalance: 'Closing',
  differenceAtEnd: 'Difference at end',
  rollForwardNote:
    'The opening is that of the first proof of the month; “booked into before” is what came later into days that were proven. Accounts that are not proven to the end of the month are in no sum and never agree.',
  day: 'Day',
  run: 'Run',
  notGreen: 'Not reconciled',
  platformTotal: 'Platform in all',
  ledgerTotal: 'Ledger in all',
  opened: 'Opened',
  closed: 'Closed',
  open: 'Open (added up)',
  counted: 'Open (counted)',
  attention: 'Attention',
  timing: 'Timing items',
  noRun: 'not proven',
  beginning: 'Beginning',
  lists: {
    break: 'Breaks (open at some time of the month)',
    attention: 'For attention at the end of the month',
    timing: 'Timing items at the end of the month',
  },
  empty: {
    break: 'No breaks in the month.',
    attention: 'Nothing asks for attention at the end of the month.',
    timing: 'No timing items at the end of the month.',
  },
  flow: 'Breaks',
  atStart: 'Open at start',
  atEnd: 'Open at end',
  closedDay: 'Closed on',
  cause: 'Closed by',
  causes: {
    entry: 'entry',
    record: 'record',
    adjustment: 'adjustment',
    restatement: 'restatement',
    reading: 'reading',
    statement: 'statement',
    sign_off: 'sign-off',
  },
};

const MONTH_WORDS: Readonly<Record<Locale, MonthWords>> = { 'zh-CN': zh, en };

export function monthWordsOf(locale: Locale): MonthWords {
  return MONTH_WORDS[locale];
}
