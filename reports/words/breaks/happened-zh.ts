/** What happened, in Chinese. */
import { bracketed } from './happened.ts';
import type { Happened, HappenedWords } from './happened.ts';

const MARKS = { open: '（', between: '，', close: '）' };
/** Number, counterparty and time of a record. */
const record = ({ number, counterparty, at }: Happened): string =>
  bracketed([number, counterparty, at], MARKS);
const entry = ({ number, entry: entryId, counterparty, at }: Happened): string =>
  bracketed([entryId, number, counterparty, at], MARKS);
const numbers = ({ number, entry: entryId }: Happened): string => bracketed([number, entryId], MARKS);
const both = (facts: Happened): string => `平台 ${facts.platform}，企业账 ${facts.ledger}${numbers(facts)}`;
const order = (facts: Happened): string => `订单${record(facts)}`;
const platformHas = (facts: Happened): string =>
  `平台${facts.isReceived ? '收到' : '付出'} ${facts.size}${record(facts)}`;
const ledgerHas = (facts: Happened): string =>
  `企业账${facts.isReceived ? '记收' : '记付'} ${facts.size}${entry(facts)}`;
const oneSide = (facts: Happened): string => (facts.platform === '' ? ledgerHas(facts) : platformHas(facts));

export const happenedZh: HappenedWords = {
  tell: {
    platform_only: (facts) => `${platformHas(facts)}，企业账没有`,
    ledger_only: (facts) => `${ledgerHas(facts)}，平台没有`,
    amount: (facts) => `${both(facts)}，金额不同`,
    fee: (facts) =>
      `${both(facts)}，${facts.isPlatformMore ? `企业账多记手续费 ${facts.difference}` : `手续费 ${facts.difference} 未入账`}`,
    state: (facts) =>
      facts.ledger === ''
        ? `平台${facts.state}${record(facts)}`
        : `${ledgerHas(facts)}，平台：${facts.state}`,
    duplicate: (facts) =>
      `平台一笔 ${facts.platform}，企业账合计记了 ${facts.ledger}${numbers(facts)}，疑似重复入账`,
    account: (facts) => `${oneSide(facts)}，记错账户`,
    ambiguous: (facts) => `${oneSide(facts)}，与另一侧几笔相同金额无法一一对应`,
    fee_invariant: (facts) => `平台这一笔的金额、手续费与实际金额互相矛盾${record(facts)}`,
    batch_children: (facts) => `划付批次与其订单不一致${record(facts)}`,
    frozen: (facts) =>
      `平台冻结 ${facts.platform}，在途订单占用 ${facts.ledger === '' ? '0.00' : facts.ledger}`,
    unexplained: (facts) =>
      `平台余额${facts.isPlatformMore ? '多' : '少'}了 ${facts.difference}，没有任何记录可以说明`,
    opening: (facts) => `双方期初相差 ${facts.difference}（${facts.isPlatformMore ? '平台多' : '企业账多'}）`,
    record_changed: (facts) => `平台更改了已完结的记录${record(facts)}，现为 ${facts.platform}`,
    record_vanished: (facts) => `平台不再列出这笔记录${record(facts)}，原为 ${facts.platform}`,
    state_regression: (facts) => `${order(facts)}已有结果，平台又改为：${facts.state}`,
    bad_record: (facts) => `平台的记录无法解读，未计入${record(facts)}`,
    period_changed: (facts) =>
      facts.number === ''
        ? `前期核对所依据的数字后来变了，相差 ${facts.difference}`
        : `已签核的 ${facts.number} ${facts.platform === '' ? '企业账' : '平台记录'}后来变了，相差 ${facts.difference}，需重新签核`,
    empty_suspect: () => '平台的查询结果为空，与企业账或余额矛盾',
    settle_failed: (facts) => `自动提现失败${record(facts)}，金额 ${facts.platform}，钱仍在收款方账户上`,
    unknown_state: (facts) => `${order(facts)}的状态词平台文档中没有`,
    voucher_missing: (facts) => `平台仍未提供凭证${record(facts)}`,
    in_flight: (facts) => `${order(facts)}在途`,
    pending: (facts) => `${oneSide(facts)}，另一侧尚未完成`,
    late: (facts) => `${oneSide(facts)}，另一侧在截止时点之后入账`,
    unknown_not_found: (facts) => `已登记，平台查无此单${record(facts)}`,
  },
  withRemark: (told, remark) => `${told}。${remark}`,
};
