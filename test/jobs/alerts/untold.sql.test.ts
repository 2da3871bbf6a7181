/** A night that nobody told of, because who ran it was killed or stopped, is told of by the next who tells anything. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { raise } from '../../../jobs/alerts/raise.ts';
import { sendDue } from '../../../jobs/alerts/send.ts';
import { tell } from '../../../jobs/alerts/watch-night.ts';
import { runNight } from '../../../jobs/commands/nightly.ts';
import { reconcileRange } from '../../../jobs/night/night.ts';
import { noteMissing } from '../../../src/store/intake/ledger-complete.ts';
import { Night, at, zone } from '../../helpers/night.ts';
import type { Process } from '../../helpers/night.ts';
import { openMailServer, openReceiver, shownMail } from './receivers.ts';
import type { MailServer, Receiver } from './receivers.ts';

const DAY = '2026-03-10';

let night: Night;
let job: Process;
let receiver: Receiver;
let mail: MailServer;

beforeEach(async () => {
  receiver = await openReceiver();
  mail = await openMailServer();
  night = await Night.open({ now: '2026-03-11 02:30:00' });
  Object.assign(night.settings, {
    ALERT_WEBHOOK_URL: receiver.url,
    ALERT_WEBHOOK_SECRET: 's3cret-of-hook',
    ALERT_MAIL_URL: `smtp://${mail.url}`,
    ALERT_MAIL_FROM: 'recon@company.example',
    ALERT_MAIL_TO: 'cfo@company.example',
    ALERT_MAIL_ATTACH: 'yes',
  });
  job = await night.process();
  await night.accounts({ no: 'A1', opening: { fen: 0n, at: `${DAY} 00:00:00` } });
  await night.entries([], { completeTo: '2026-03-11 00:00:00' });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: `${DAY} 09:00:00` });
});
afterEach(async () => {
  await job.close();
  await night.close();
  await receiver.close();
  await mail.close();
});

const titles = (): string[] =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { title: string }).title);

const BREAKS = '2026-03-10 reconciliation: 1 break, 5.00 yuan in all';

const request = { job: 'nightly', fromDay: DAY, toDay: DAY, accounts: [] } as const;

test('who was killed when the night was published and before it was told of has kept nothing from anybody', async () => {
  await reconcileRange(job, request);
  await tell(job);
  await tell(job);
  expect(titles()).toEqual([BREAKS]);
});

test('a night that was proven and then not gone on with is told at the hour at which it is late', async () => {
  await reconcileRange(job, request);
  await night.db.updateTable('run').set({ step: 'proven' }).execute();
  night.moveTo('2026-03-11 05:59:00');
  await tell(job);
  expect(titles()).toEqual([]);
  night.moveTo('2026-03-11 06:00:00');
  await tell(job);
  await tell(job);
  expect(titles()).toEqual([BREAKS]);
});

test('a night for which several ledgers are not whole is told with each of them, also one that is whole to no day', async () => {
  await night.db
    .updateTable('ledger_source')
    .set({ complete_to: at('2026-03-10 00:00:00') })
    .execute();
  await noteMissing(night.db, { source: 'pos', tried: ['2026-03-08'], waiting: [], zone });
  await noteMissing(night.db, { source: 'shop', tried: ['2026-03-11'], waiting: [], zone });
  await reconcileRange(job, request);
  await tell(job);
  expect(titles()).toEqual([
    '2026-03-10 reconciliation: the ledger of the day has not come, no conclusion (erp only to 2026-03-09; pos has not come yet: a file of 2026-03-08 failed, waits or was withdrawn)',
  ]);
});

test('a night that failed is told of once, by its failure', async () => {
  await night.db.schema.alterTable('movement').renameTo('movement_away').execute();
  await expect(runNight(job, DAY)).rejects.toThrow();
  await night.db.schema.alterTable('movement_away').renameTo('movement').execute();
  night.moveTo('2026-03-11 06:00:00');
  await tell(job);
  expect(titles()).toEqual(['2026-03-10 reconciliation: the run failed, there is no conclusion yet']);
});

test('a workbook that lies on another machine, or nowhere any more, keeps no mail from being sent', async () => {
  await raise(job, 'cause-1', {
    kind: 'verdict',
    severity: 'warning',
    title: 'there are breaks',
    lines: ['look at them'],
    workbook: { path: 'reports/2026-03-10/v1/reconciliation-2026-03-10.xlsx', bytes: 5n, url: null },
  });
  await sendDue(job);
  const [sent] = mail.mails.map(shownMail);
  expect([sent?.subject, sent?.attachments]).toEqual(['there are breaks', []]);
  expect(sent?.text).toContain('reports/2026-03-10/v1/reconciliation-2026-03-10.xlsx');
});
