/** What the sheet of retried settlements says, in both languages. */
import type { AttemptResult } from '../../src/settlements/settle-list.ts';

export interface SettlementWords {
  outcomes: Readonly<Record<AttemptResult | 'ALL', string>>;
  outcome: string;
  counts: string;
  amounts: string;
  payer: string;
  payee: string;
  payeeName: string;
  orderNo: string;
  amount: string;
  fee: string;
  attempt: string;
  reqId: string;
  plannedAt: string;
  sentAt: string;
  closedAt: string;
  remark: string;
  note: string;
  attemptsTitle: string;
  attemptsEmpty: string;
  olderTitle: string;
  olderEmpty: string;
  failedTitle: string;
  failedEmpty: string;
  notRetried: string;
  states: Readonly<Record<Exclude<SettlingState, 'done'>, string>>;
}

export const settlementWordsZh: SettlementWords = {
  outcomes: {
    SUCCESS: '成功',
    FAIL: '失败',
    PROCESSING: '处理中',
    AWAITING: '待人工确认',
    UNKNOWN: '结果未知',
    RETURNED: '已退票',
    NOT_SENT: '未发出',
    ALL: '合计',
  },
  outcome: '结果',
  counts: '笔数',
  amounts: '金额',
  payer: '付款账户',
  payee: '结算账户',
  payeeName: '结算户名',
  orderNo: '企业订单号',
  amount: '结算金额',
  fee: '手续费',
  attempt: '第几次',
  reqId: '请求编号',
  plannedAt: '计划时间',
  sentAt: '发出时间',
  closedAt: '确定时间',
  remark: '附言',
  note: '说明',
  attemptsTitle: '上次对账以来的重试',
  attemptsEmpty: '没有重试。',
  olderTitle: '更早发出、结果仍未确定的重试',
  olderEmpty: '没有。',
  failedTitle: '结算失败、尚待处理的订单',
  failedEmpty: '没有结算失败的订单。',
  notRetried: '未重试',
  states: {
    off: '本次运行不重试结算。',
    busy: '另一进程正在重试结算，本次未重试。',
    held: '此前是否发出过重试无法确定（数据库曾被恢复、移动或复制），等待期内不重试。',
    needs_approval:
      '失败笔数或金额超过上限，或当日恢复过数据库，需人工批准后重试（recon settle --approve）。',
    failed: '结算重试中途出错，未全部完成；原因见运行日志，下次继续。',
  },
};

export const settlementWordsEn: SettlementWords = {
  outcomes: {
    SUCCESS: 'Succeeded',
    FAIL: 'Failed',
    PROCESSING: 'Under way',
    AWAITING: 'For a person',
    UNKNOWN: 'Unknown',
    RETURNED: 'Returned by bank',
    NOT_SENT: 'Not sent',
    ALL: 'Total',
  },
  outcome: 'Outcome',
  counts: 'Count',
  amounts: 'Amount',
  payer: 'Payer account',
  payee: 'Settled account',
  payeeName: 'Name of settled account',
  orderNo: 'Company order no.',
  amount: 'Settlement amount',
  fee: 'Fee',
  attempt: 'Attempt',
  reqId: 'Request no.',
  plannedAt: 'Planned',
  sentAt: 'Sent',
  closedAt: 'Certain since',
  remark: 'Remark',
  note: 'Note',
  attemptsTitle: 'Retries since the run before',
  attemptsEmpty: 'Nothing was retried.',
  olderTitle: 'Sent earlier, outcome still not certain',
  olderEmpty: 'None.',
  failedTitle: 'Orders whose settlement failed and is still open',
  failedEmpty: 'No settlement has failed.',
  notRetried: 'Not retried',
  states: {
    off: 'This run retries no settlements.',
    busy: 'Another process was retrying settlements; this run did not.',
    held: 'What was sent before is not certain (the database was restored, moved or copied); nothing is retried until the wait is over.',
    needs_approval:
      'More failed than is retried unseen, or the database was restored that day; retried once approved (recon settle --approve).',
    failed: 'The retry came to no end; the log says why, and the next run goes on from there.',
  },
};

export type SettlingState = 'done' | 'off' | 'busy' | 'held' | 'needs_approval' | 'failed';
