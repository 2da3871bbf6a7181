/** What `recon explain` and `recon accounts show` say, in both languages. Names of things are those of the workbook. */
import type { LedgerKind, MatchTable } from '../../src/store/schema/schema.ts';
import type { Locale } from './terms.ts';

/** What a movement is called: its kind, and a fee that is a movement of its own by what it belongs to. */
export type MovementWord = Exclude<LedgerKind, 'opening' | 'adjustment' | 'fee'>;

export interface ExplainWords {
  record: string;
  account: string;
  batch: string;
  registeredOnly: string;
  entry: string;
  break: string;
  movementKinds: Readonly<Record<MovementWord, string>>;
  feeOf: (kind: string) => string;
  entryKinds: Readonly<Record<LedgerKind, string>>;
  outcomes: Readonly<Record<MatchTable['outcome'], string>>;
  entryStates: Readonly<Record<'current' | 'former' | 'withdrawn', string>>;
  amountAndFee: (what: { amount: string; fee: string }) => string;
  kind: string;
  at: string;
  number: string;
  state: string;
  counterparty: string;
  parties: (what: { payer: string; payee: string }) => string;
  stored: string;
  storedAs: (what: { version: string; seenAt: string }) => string;
  formerly: (what: { version: string; amount: string; day: string; run: string }) => string;
  answer: string;
  answerIs: (what: { endpoint: string; reqId: string; at: string; place: string }) => string;
  whole: string;
  notFoundInAnswer: string;
  signed: string;
  unsigned: string;
  answerGone: string;
  answerPruned: (day: string) => string;
  digest: string;
  registration: string;
  byProgram: string;
  byFile: (file: string) => string;
  attempts: string;
  vouchers: string;
  movements: string;
  countsAt: string;
  amount: string;
  fee: string;
  provenBy: string;
  notProvenYet: string;
  cell: string;
  rowOf: (row: string) => string;
  noWorkbook: string;
  matching: string;
  unmatched: string;
  rule: string;
  outcome: string;
  entries: string;
  bookedAt: string;
  source: string;
  fileRow: (what: { file: string; row: string }) => string;
  rowUnknown: string;
  version: string;
  orders: string;
  proof: string;
  figures: string;
  figure: string;
  inResult: string;
  sums: string;
  ledgerSums: string;
  count: string;
  firstMovements: string;
  balance: string;
  takenAt: string;
  daysRead: string;
  records: string;
  sealed: string;
  found: string;
  none: string;
  opensAt: string;
  continues: (run: string) => string;
  days: string;
  chainBroken: string;
  goOn: (number: string) => string;
}

export const explainWordsZh: ExplainWords = {
  record: '平台记录',
  account: '账户',
  batch: '划付批次',
  registeredOnly: '已登记、平台尚未显示的订单',
  entry: '企业账分录',
  break: '差异与未达账项',
  movementKinds: {
    deposit: '充值',
    transfer_out: '划付（付出）',
    transfer_in: '划付（收入）',
    settlement: '结算',
    refund_in: '退款（收回）',
    refund_out: '退款（退出）',
    withdrawal: '提现',
  },
  feeOf: (kind) => `${kind}手续费`,
  entryKinds: {
    opening: '期初',
    deposit: '充值',
    transfer_in: '划付（收入）',
    transfer_out: '划付（付出）',
    withdrawal: '提现',
    settlement: '结算',
    refund_in: '退款（收回）',
    refund_out: '退款（退出）',
    fee: '手续费',
    adjustment: '调整分录',
  },
  outcomes: {
    equal: '一致',
    amount: '金额不符',
    fee: '手续费不符',
    duplicate: '重复入账',
    pending: '分录未过账',
  },
  entryStates: { current: '在账', former: '旧版本', withdrawn: '已撤出' },
  amountAndFee: ({ amount, fee }) => `${amount} 元，手续费 ${fee} 元`,
  kind: '业务',
  at: '时间',
  number: '业务编号',
  state: '状态',
  counterparty: '对方',
  parties: ({ payer, payee }) => `${payer} 付 ${payee}`,
  stored: '库内记录',
  storedAs: ({ version, seenAt }) => `第 ${version} 版，最近读取 ${seenAt}`,
  formerly: ({ version, amount, day, run }) => `第 ${version} 版 ${amount} 元，于 ${day} 被 ${run} 更新`,
  answer: '平台应答',
  answerIs: ({ endpoint, reqId, at, place }) => `${endpoint}，请求编号 ${reqId}，${at}，位置 ${place}`,
  whole: '整个应答',
  notFoundInAnswer: '未能定位',
  signed: '签名已验证',
  unsigned: '无签名',
  answerGone: '应答原文已不在库',
  answerPruned: (day) => `应答原文已按保存期限于 ${day} 清理`,
  digest: 'SHA-256',
  registration: '企业登记',
  byProgram: '由企业程序登记',
  byFile: (file) => `由文件 ${file} 登记`,
  attempts: '结算重试',
  vouchers: '凭证',
  movements: '变动',
  countsAt: '计入时点',
  amount: '金额',
  fee: '手续费',
  provenBy: '证明',
  notProvenYet: '尚未证明',
  cell: '工作簿位置',
  rowOf: (row) => `${row} 所在行`,
  noWorkbook: '尚无工作簿',
  matching: '匹配',
  unmatched: '未与任何分录匹配',
  rule: '匹配依据',
  outcome: '结果',
  entries: '分录',
  bookedAt: '记账时间',
  source: '来源',
  fileRow: ({ file, row }) => `文件 ${file} 第 ${row} 行`,
  rowUnknown: '（未记录）',
  version: '版本',
  orders: '订单',
  proof: '证明',
  figures: '各项数字',
  figure: '项目',
  inResult: 'result.json',
  sums: '变动合计（平台）',
  ledgerSums: '分录合计（企业账）',
  count: '笔数',
  firstMovements: '变动明细（最早的若干笔，全部见工作簿）',
  balance: '余额读取',
  takenAt: '读取时间',
  daysRead: '完整读取的日期',
  records: '记录数',
  sealed: '封存',
  found: '本次发现',
  none: '无',
  opensAt: '期初时点',
  continues: (run) => `承接 ${run} 的期末`,
  days: '日期',
  chainBroken: '未承接',
  goOn: (number) => `逐笔追溯：recon explain ${number}`,
};

export const explainWordsEn: ExplainWords = {
  record: 'Platform record',
  account: 'Account',
  batch: 'Transfer batch',
  registeredOnly: 'Registered orders that the platform has not shown',
  entry: 'Ledger entry',
  break: 'Breaks and open items',
  movementKinds: {
    deposit: 'Deposit',
    transfer_out: 'Transfer (paid)',
    transfer_in: 'Transfer (received)',
    settlement: 'Settlement',
    refund_in: 'Refund (received)',
    refund_out: 'Refund (paid)',
    withdrawal: 'Withdrawal',
  },
  feeOf: (kind) => `Fee: ${kind}`,
  entryKinds: {
    opening: 'Opening',
    deposit: 'Deposit',
    transfer_in: 'Transfer (received)',
    transfer_out: 'Transfer (paid)',
    withdrawal: 'Withdrawal',
    settlement: 'Settlement',
    refund_in: 'Refund (received)',
    refund_out: 'Refund (paid)',
    fee: 'Fee',
    adjustment: 'Adjustment',
  },
  outcomes: {
    equal: 'Agrees',
    amount: 'Amount differs',
    fee: 'Fee differs',
    duplicate: 'Booked twice',
    pending: 'Entry is pending',
  },
  entryStates: { current: 'In the books', former: 'Former version', withdrawn: 'Withdrawn' },
  amountAndFee: ({ amount, fee }) => `${amount} yuan, fee ${fee} yuan`,
  kind: 'Kind',
  at: 'Time',
  number: 'Reference',
  state: 'State',
  counterparty: 'Counterparty',
  parties: ({ payer, payee }) => `${payer} pays ${payee}`,
  stored: 'Stored record',
  storedAs: ({ version, seenAt }) => `version ${version}, last read ${seenAt}`,
  formerly: ({ version, amount, day, run }) =>
    `version ${version}: ${amount} yuan, replaced ${day} by ${run}`,
  answer: 'Signed answer',
  answerIs: ({ endpoint, reqId, at, place }) => `${endpoint}, request ${reqId}, ${at}, at ${place}`,
  whole: 'the whole answer',
  notFoundInAnswer: 'a place that cannot be told',
  signed: 'signature verified',
  unsigned: 'not signed',
  answerGone: 'the text of the answer is not kept any more',
  answerPruned: (day) => `the text of the answer was pruned on ${day} by policy`,
  digest: 'SHA-256',
  registration: 'Registered',
  byProgram: "by the company's program",
  byFile: (file) => `by the file ${file}`,
  attempts: 'Retried settlement',
  vouchers: 'Vouchers',
  movements: 'Movements',
  countsAt: 'Counts at',
  amount: 'Amount',
  fee: 'Fee',
  provenBy: 'Proof',
  notProvenYet: 'not proven yet',
  cell: 'In the workbook',
  rowOf: (row) => `row of ${row}`,
  noWorkbook: 'no workbook yet',
  matching: 'Matching',
  unmatched: 'matched with no entry',
  rule: 'Rule',
  outcome: 'Outcome',
  entries: 'Entries',
  bookedAt: 'Booked',
  source: 'Source',
  fileRow: ({ file, row }) => `file ${file}, row ${row}`,
  rowUnknown: '(not kept)',
  version: 'Version',
  orders: 'Orders',
  proof: 'Proof',
  figures: 'Figures',
  figure: 'Figure',
  inResult: 'result.json',
  sums: 'Sums of movements (platform)',
  ledgerSums: 'Sums of entries (ledger)',
  count: 'Count',
  firstMovements: 'Movements (the first of them; the workbook has all)',
  balance: 'Reading of the balance',
  takenAt: 'Read at',
  daysRead: 'Days read in full',
  records: 'Records',
  sealed: 'Sealed',
  found: 'Found by this run',
  none: 'none',
  opensAt: 'Opening at',
  continues: (run) => `the closing of ${run}`,
  days: 'Days',
  chainBroken: 'no link',
  goOn: (number) => `To go on: recon explain ${number}`,
};

const WORDS: Readonly<Record<Locale, ExplainWords>> = { 'zh-CN': explainWordsZh, en: explainWordsEn };

export function explainWordsOf(locale: Locale): ExplainWords {
  return WORDS[locale];
}
