/** What the sheet of vouchers says, and the link to one on the sheets of records, in both languages. */
import type { VoucherCondition, VoucherKind } from '../../src/store/schema/schema.ts';
import { counted } from '../../src/core/text.ts';

/**
 * What became of the voucher of an order. unreadable: its files are kept as they came, and one of them cannot be
 * opened; not_asked: the platform was not asked for it yet; unavailable: it gives none for this kind of order.
 */
export type VoucherState = 'filed' | 'unreadable' | 'missing' | 'given_up' | 'not_asked' | 'unavailable';

export interface VoucherWords {
  states: Readonly<Record<VoucherState, string>>;
  kinds: Readonly<Record<VoucherKind, string>>;
  conditions: Readonly<Record<Exclude<VoucherCondition, 'whole' | 'rejected'>, string>>;
  state: string;
  kind: string;
  movedAt: string;
  amount: string;
  since: string;
  files: string;
  file: string;
  pages: string;
  page: string;
  remark: string;
  /** A link to an original. */
  original: string;
  pageAt: (where: { version: string; part: string; page: string }) => string;
  withRemark: (what: { condition: string; remark: string }) => string;
  sameFile: (other: { kind: string; number: string }) => string;
  severalFiles: (count: string) => string;
  missingSince: (what: { state: string; day: string }) => string;
  /** The column on the sheets of deposits and orders. */
  column: string;
  all: string;
  check: string;
  orders: string;
  amounts: string;
  noneMissing: string;
  restTitle: string;
  restEmpty: string;
  /** The run archived none. */
  off: string;
  /** On the summary. */
  title: string;
}

export const voucherWordsZh: VoucherWords = {
  states: {
    filed: '已归档',
    unreadable: '无法读取',
    missing: '缺失',
    given_up: '已停止查询',
    not_asked: '尚未查询',
    unavailable: '平台不提供',
  },
  kinds: { deposit: '充值', transfer: '划付', withdrawal: '提现', settlement: '结算' },
  conditions: { encrypted: '文件已加密', damaged: '文件已损坏', hostile: '文件异常，未打开' },
  state: '状态',
  kind: '业务',
  movedAt: '时间',
  amount: '金额',
  since: '缺失起始日',
  files: '份数',
  file: '原件',
  pages: '页数',
  page: '合订本页码',
  remark: '说明',
  original: '凭证',
  pageAt: ({ version, part, page }) => `第 ${version} 版 第 ${part} 册 第 ${page} 页`,
  withRemark: ({ condition, remark }) => `${condition}（${remark}）`,
  sameFile: ({ kind, number }) => `与${kind} ${number} 的文件相同`,
  severalFiles: (count) => `${count} 份`,
  missingSince: ({ state, day }) => `${state}，自 ${day}`,
  column: '凭证',
  all: '全部',
  check: '是否相符',
  orders: '订单数',
  amounts: '金额',
  noneMissing: '没有缺失的凭证。',
  restTitle: '已归档的凭证，以及平台不提供凭证的订单',
  restEmpty: '没有。',
  off: '本次运行没有归档凭证。',
  title: '凭证归档',
};

export const voucherWordsEn: VoucherWords = {
  states: {
    filed: 'Filed',
    unreadable: 'Unreadable',
    missing: 'Missing',
    given_up: 'Given up',
    not_asked: 'Not asked yet',
    unavailable: 'Not provided',
  },
  kinds: { deposit: 'Deposit', transfer: 'Transfer', withdrawal: 'Withdrawal', settlement: 'Settlement' },
  conditions: { encrypted: 'encrypted', damaged: 'damaged', hostile: 'suspicious, not opened' },
  state: 'State',
  kind: 'Kind',
  movedAt: 'Time',
  amount: 'Amount',
  since: 'Missing since',
  files: 'Files',
  file: 'Original',
  pages: 'Pages',
  page: 'Page in the bundle',
  remark: 'Remark',
  original: 'Voucher',
  pageAt: ({ version, part, page }) => `version ${version}, part ${part}, page ${page}`,
  withRemark: ({ condition, remark }) => `${condition}: ${remark}`,
  sameFile: ({ kind, number }) => `the same file as that of ${kind} ${number}`,
  severalFiles: (count) => counted(count, 'file'),
  missingSince: ({ state, day }) => `${state} since ${day}`,
  column: 'Voucher',
  all: 'All',
  check: 'Agrees',
  orders: 'Orders',
  amounts: 'Amount',
  noneMissing: 'No voucher is missing.',
  restTitle: 'Vouchers filed, and orders for which the platform provides none',
  restEmpty: 'None.',
  off: 'This run archived no vouchers.',
  title: 'Vouchers archived',
};
