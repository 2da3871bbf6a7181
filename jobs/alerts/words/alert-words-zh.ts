/** What alerts say in Chinese. */
import { termsZh } from '../../../reports/words/terms-zh.ts';
import type { AlertWords } from './alert-words.ts';

export const alertWordsZh: AlertWords = {
  terms: termsZh,
  more: '……其余见报告',
  titles: {
    breaks: (day, { count, yuan }) => `${day} 对账：有差异 ${count} 笔，共 ${yuan} 元`,
    attention: (day, count) => `${day} 对账：账已对平，另有 ${count} 项须关注`,
    incomplete: (day, accounts) => `${day} 对账：数据不完整，${accounts} 个账户没有结论`,
    noLedger: (day, ledgers) =>
      `${day} 对账：当日账簿未到，没有结论${ledgers === '' ? '' : `（${ledgers}）`}`,
    unverified: (day, accounts) => `${day} 对账：${accounts} 个账户无法验证，不能视为对平`,
    green: (day, accounts) => `${day} 对账：已对平，共 ${accounts} 个账户`,
    failed: (day) => `${day} 对账：运行失败，尚无结论`,
    failedAfter: (day) => `${day} 对账：结论已出，但后续步骤失败`,
    late: ({ day, by }) => `${day} 对账：到 ${by} 仍无结论`,
    missed: ({ from, through, days }) => `${from} 至 ${through} 对账：${days} 天漏跑，须人工补跑`,
    inbox: (files) => `收件目录：${files} 个文件没有入账`,
    pull: (day) => `${day} 对账：公司数据库的账未能取入`,
    settlement: (day, { count, yuan }) => `${day} 结算重试：${count} 笔失败，共 ${yuan} 元`,
    writeOffs: ({ count, yuan }) => `待复核：核销申请 ${count} 笔，共 ${yuan} 元`,
    plan: ({ orders }) => `待批准：结算重试 ${orders} 笔，未批准前不会发出`,
    awaiting: ({ count, yuan }) => `待人工判断：结算 ${count} 笔，共 ${yuan} 元，是否已付不明`,
    test: (channel) => `测试消息（${channel}）：收到即表示通道可用`,
  },
  lines: {
    found: (name, { count, yuan }) => `${name}：${count} 笔，${yuan} 元`,
    timing: ({ count, yuan }) => `未达账项：${count} 笔，${yuan} 元，预计自动核销`,
    attention: (name, count) => `须关注：${name} ${count} 项`,
    accounts: ({ verdict, count, why }) => `${verdict}：${count} 个账户${why === '' ? '' : `，${why}`}`,
    breaksBeside: ({ count, yuan }) => `已发现差异 ${count} 笔，共 ${yuan} 元`,
    ledger: ({ source, completeTo }) => `${source} 只到 ${completeTo}`,
    cause: (text) => `原因：${text}`,
    file: ({ file, outcome }) => `${outcome}：${file}`,
    outcomes: { failed: '有错误，未入账', misplaced: '放错位置' },
    doBreaks: '处理：在报告“差异”表逐笔填写，或 recon breaks list',
    doAgain: (day) => `处理：排除原因后运行 recon nightly --day ${day}`,
    doLedger: (day) => `处理：送达账簿后运行 recon nightly --day ${day}`,
    doBackfill: ({ from, through }) => `处理：recon backfill --from ${from} --to ${through}`,
    doInbox: '处理：错误清单在 failed 目录的 .faults.txt 中，改正后重新送达',
    doPull: (day) =>
      `处理：排除原因（recon ledger pull --dry-run 可查看全部），再运行 recon nightly --day ${day}`,
    doSettle: '处理：recon settle --dry-run 查看，按其提示批准',
    doApproveWriteOffs: '处理：recon breaks list --proposed 查看，recon breaks approve 复核',
    doLook: '处理：recon doctor；查看日志',
    test: '由 recon alerts test 发出，无须处理',
  },
};
