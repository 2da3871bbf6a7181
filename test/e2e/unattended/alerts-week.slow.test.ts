/**
 * A week of nights with nobody there: one with a break, one whose settlement failed and waits for a person, one with the
 * platform down, one that crashed, one that was missed, one without its ledger. What a receiver with a secret and a
 * mailbox were told of each, and that a good night says nothing unless it puts an earlier word right.
 */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runNight } from '../../../jobs/commands/nightly.ts';
import { say } from '../../../jobs/breaks/work-on-breaks.ts';
import { tell } from '../../../jobs/alerts/watch-night.ts';
import type { AlertDocument } from '../../../jobs/alerts/alert-document.ts';
import { findBreaks } from '../../../src/store/runs/breaks.ts';
import { addDays } from '../../../src/core/time.ts';
import { Death, Fate, mortal } from '../../helpers/mortal-process.ts';
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';
import { openMailServer, openReceiver, shownMail } from '../../jobs/alerts/receivers.ts';
import type { MailServer, Receiver } from '../../jobs/alerts/receivers.ts';
import { faultsOfAnswer } from '../../schemas/validator.ts';

const MONDAY = '2026-03-02';
/** Each plays several nights with their workbooks. */
const LONG = { timeout: 240_000 };

let night: Night;
let trade: Trade;
let receiver: Receiver;
let mail: MailServer;

beforeEach(async () => {
  receiver = await openReceiver();
  mail = await openMailServer();
  ({ night, trade } = await openTrade(
    MONDAY,
    { P: 1_000_000n, Q: 5_000n },
    { autoSettle: ['Q'], workbooks: 'each', profile: { company: { name: '示例科技有限公司' } } },
  ));
  night.clock.bePatient(10);
  Object.assign(night.settings, {
    REPORT_LOCALE: 'zh-CN',
    ALERT_WEBHOOK_URL: receiver.url,
    ALERT_WEBHOOK_SECRET: 'shared-secret',
    ALERT_MAIL_URL: `smtp://${mail.url}`,
    ALERT_MAIL_FROM: 'recon@company.example',
    ALERT_MAIL_TO: 'cfo@company.example',
    ALERT_MAIL_ATTACH: 'yes',
    ALERT_FILES_URL: 'https://files.company.example/recon/',
  });
});
afterEach(async () => {
  await night.close();
  await receiver.close();
  await mail.close();
});

/** What came since, each with a signature that holds. */
let heard = 0;
async function news(): Promise<AlertDocument[]> {
  const came = receiver.received.slice(heard);
  heard = receiver.received.length;
  const documents: AlertDocument[] = [];
  for (const { headers, body } of came) {
    const hmac = createHmac('sha256', 'shared-secret').update(
      `${String(headers['x-recon-timestamp'])}.${body}`,
    );
    expect(headers['x-recon-signature']).toBe(`sha256=${hmac.digest('hex')}`);
    const document = JSON.parse(body) as AlertDocument;
    expect(await faultsOfAnswer('alert', document)).toEqual([]);
    documents.push(document);
  }
  return documents;
}

/** The night of that day as the cron calls it, and what is told at its end. */
async function playNight(day: string): Promise<AlertDocument[]> {
  await trade.until(`${addDays(day, 1)} 02:00:00`);
  const job = await night.process();
  try {
    await runNight(job, day).catch((error: unknown) => job.log.error({ event: 'night.failed', error }));
  } finally {
    await tell(job);
    await job.close();
  }
  return news();
}

async function tellAt(time: string): Promise<AlertDocument[]> {
  night.moveTo(time);
  const job = await night.process();
  await tell(job);
  await job.close();
  return news();
}

const said = (documents: readonly AlertDocument[]): string[][] =>
  documents.map(({ title, lines }) => [title, ...lines]);

test('a break is told once, with what waits for an approval, and that it is gone', LONG, async () => {
  heard = 0;
  // Monday: all is well, and nobody is told.
  expect(await playNight('2026-03-02')).toEqual([]);

  // Tuesday: the platform has a deposit that the books do not have.
  night.deposits({
    payeeAcctNo: 'P',
    orderNo: 'D1',
    amountFen: 128_800n,
    depositTime: '2026-03-03 09:00:00',
    payerName: '张三丰',
  });
  const withBreak = await playNight('2026-03-03');
  expect(said(withBreak)).toEqual([
    [
      '2026-03-03 对账：有差异 1 笔，共 1,288.00 元',
      '平台有企业无：1 笔，1,288.00 元',
      '处理：在报告“差异”表逐笔填写，或 recon breaks list',
    ],
  ]);
  expect(withBreak[0]).toMatchObject({
    kind: 'verdict',
    severity: 'warning',
    day: '2026-03-03',
    runId: 'nightly-2026-03-03-v1',
    verdict: 'breaks',
    company: '示例科技有限公司',
    count: 1,
    sumFen: 128_800,
    workbook: {
      path: 'reports/2026-03-03/v1/reconciliation-2026-03-03.xlsx',
      url: 'https://files.company.example/recon/reports/2026-03-03/v1/reconciliation-2026-03-03.xlsx',
    },
  });
  const [mailed] = mail.mails.map(shownMail);
  expect(mailed?.subject).toBe('2026-03-03 对账：有差异 1 笔，共 1,288.00 元');
  expect(mailed?.attachments).toEqual(['reconciliation-2026-03-03.xlsx']);
  const workbook = await readFile(
    path.join(night.home, 'reports/2026-03-03/v1/reconciliation-2026-03-03.xlsx'),
  );
  expect(mail.mails[0]?.raw.replaceAll('\r\n', '')).toContain(workbook.toString('base64'));
  // A preparer proposes to write it off, and the next night asks for the other one.
  const [open] = await findBreaks(night.db, { withClosed: false }, '2026-03-04');
  await say(
    { db: night.db, clock: night.clock },
    {
      selection: { breakIds: [open?.break_id ?? ''] },
      saying: { kind: 'write-off', reason: '小额尾差', expires: '2026-12-31' },
      speaker: { by: '李娜', today: '2026-03-04' },
    },
  );
  expect(said(await playNight('2026-03-03'))).toEqual([
    [
      '待复核：核销申请 1 笔，共 1,288.00 元',
      '处理：recon breaks list --proposed 查看，recon breaks approve 复核',
    ],
  ]);
  // It is told once: neither the same night again nor another look says more.
  expect(await playNight('2026-03-03')).toEqual([]);
  expect(await tellAt('2026-03-04 07:00:00')).toEqual([]);
  // Booked, and the night run once more: who was told otherwise is told.
  trade.books('P deposit D1 128800 2026-03-03 09:30');
  expect(said(await playNight('2026-03-03'))).toEqual([['2026-03-03 对账：已对平，共 2 个账户']]);
});

test(
  'a settlement fails on Wednesday, and so does its retry; by Thursday nobody can say whether it was paid',
  LONG,
  async () => {
    heard = 0;
    expect(await playNight('2026-03-03')).toEqual([]);
    trade.books('P transfer_out T1 -10000 2026-03-04 09:05', 'Q transfer_in T1 10000 2026-03-04 09:05');
    const fails = { state: 'FAIL', delayMs: 60_000, remark: '账户状态异常' } as const;
    trade.transfers({
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-04 09:00:00',
      orders: [
        { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n, settle: { ...fails, retries: [fails] } },
      ],
    });
    const settling = [await playNight('2026-03-04'), await playNight('2026-03-05')];
    expect(settling.map(said)).toEqual([
      [],
      [
        [
          '2026-03-05 对账：账已对平，另有 1 项须关注',
          '须关注：结算失败 1 项',
          '处理：在报告“差异”表逐笔填写，或 recon breaks list',
        ],
        [
          '待人工判断：结算 1 笔，共 100.00 元，是否已付不明',
          '处理：recon settle --dry-run 查看，按其提示批准',
        ],
      ],
    ]);
  },
);

test('nights without a verdict', LONG, async () => {
  heard = 0;
  expect(await playNight('2026-03-02')).toEqual([]);
  // Tuesday: the platform does not answer.
  night.sandbox.addFault({ kind: 'http_status', status: 502, times: null });
  const down = await playNight('2026-03-03');
  night.sandbox.liftFaults();
  // Wednesday: the process dies in the middle of its night, and tells nothing.
  await trade.until('2026-03-05 02:00:00');
  const job = await night.process();
  const dying = mortal(job, new Fate({ atCall: 40, when: 'after' }));
  await expect(runNight(dying, '2026-03-04')).rejects.toThrow(Death);
  await job.close();
  // Of a process that was killed the lease is free; this one only could not give it back.
  await night.db.deleteFrom('lease').execute();
  const crashed = [
    ...(await news()),
    ...(await tellAt('2026-03-05 05:59:00')),
    ...(await tellAt('2026-03-05 06:00:00')),
  ];
  // Thursday: nothing runs at all.
  const missed = await tellAt('2026-03-06 06:30:00');
  // Friday: the ledger is complete up to Friday only.
  await trade.until('2026-03-07 01:00:00');
  await night.entries([], { completeTo: '2026-03-06 00:00:00' });
  const noLedger = await playNight('2026-03-06');
  const later = await night
    .entries([], { completeTo: '2026-03-07 00:00:00' })
    .then(() => playNight('2026-03-06'));
  const isLate = (day: string): string[][] => [
    [
      `${day} 对账：到 06:00 仍无结论`,
      '处理：recon doctor；查看日志',
      `处理：排除原因后运行 recon nightly --day ${day}`,
    ],
  ];
  expect(said(down)).toEqual([
    [
      '2026-03-03 对账：数据不完整，2 个账户没有结论',
      '数据不完整：2 个账户，有充值区间未能完整读取 – query/deposit: unreadable answer (HTTP 502, application/json; charset=utf-8)',
      '处理：排除原因后运行 recon nightly --day 2026-03-03',
    ],
  ]);
  expect(said(crashed)).toEqual(isLate('2026-03-04'));
  expect(said(missed)).toEqual(isLate('2026-03-05'));
  expect(said(noLedger)).toEqual([
    [
      '2026-03-06 对账：当日账簿未到，没有结论（erp 只到 2026-03-05）',
      '数据不完整：2 个账户，企业账尚未完整到截止时点',
      '处理：送达账簿后运行 recon nightly --day 2026-03-06',
    ],
  ]);
  expect(said(later)).toEqual([['2026-03-06 对账：已对平，共 2 个账户']]);
  expect(mail.mails.map((one) => shownMail(one).subject)).toEqual(
    [down, crashed, missed, noLedger, later].flat().map(({ title }) => title),
  );
});
