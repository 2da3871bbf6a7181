/** Alerts are stored before they are sent, tried again with growing pauses, and given up where people see it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { raise } from '../../../jobs/alerts/raise.ts';
import type { Told } from '../../../jobs/alerts/raise.ts';
import { sendDue } from '../../../jobs/alerts/send.ts';
import { tellMissed, tellOfInbox, tellOfPull, watchedNight } from '../../../jobs/alerts/watch-night.ts';
import type { InboxFile } from '../../../jobs/inbox/take-inbox.ts';
import { BooksNotPulled, LockHeld, Stopped } from '../../../src/core/errors.ts';
import { raiseLate } from '../../../jobs/alerts/other-alerts.ts';
import { metricsRoutes } from '../../../jobs/daemon/metrics.ts';
import { fastify } from 'fastify';
import { underLease } from '../../../jobs/context/under-lease.ts';
import { addMs } from '../../../src/core/time.ts';
import { listAlerts, retryGivenUp } from '../../../src/store/alerts/alerts.ts';
import { Night } from '../../helpers/night.ts';
import type { Process } from '../../helpers/night.ts';
import { openReceiver } from './receivers.ts';
import type { Receiver } from './receivers.ts';

let night: Night;
let job: Process;
let robot: Receiver;
let own: Receiver;
let takes: boolean;

beforeEach(async () => {
  takes = true;
  robot = await openReceiver((_got, to) =>
    to.end(takes ? '{"errcode":0}' : '{"errcode":45009,"errmsg":"too often"}'),
  );
  own = await openReceiver();
  night = await Night.open({ now: '2026-03-11 02:30:00' });
  Object.assign(night.settings, {
    ALERT_WECOM_URL: `${robot.url}/send?key=K1`,
    ALERT_WEBHOOK_URL: own.url,
    ALERT_WEBHOOK_SECRET: 's3cret-of-hook',
  });
  job = await night.process();
});
afterEach(async () => {
  await job.close();
  await night.close();
  await robot.close();
  await own.close();
});

const told = (title: string): Told => ({
  kind: 'missed',
  severity: 'critical',
  title,
  lines: ['first', 'second'],
});

async function deliveries(): Promise<string[]> {
  const alerts = await listAlerts(night.db, { state: undefined, limit: 50 });
  return alerts
    .flatMap(({ document, deliveries: of }) =>
      of.map(
        ({ channel, state, tries }) =>
          `${(document as { title: string }).title} ${channel} ${state} ${tries}`,
      ),
    )
    .toSorted();
}

test('a cause is told once, on each way that is set, in the order in which causes came', async () => {
  await raise(job, 'cause-1', told('one'));
  await raise(job, 'cause-2', told('two'));
  await raise(job, 'cause-1', told('one, in other words'));
  await sendDue(job);
  await sendDue(job);
  const texts = robot.received.map(
    ({ body }) => (JSON.parse(body) as { text: { content: string } }).text.content,
  );
  expect(texts).toEqual(['one\nfirst\nsecond', 'two\nfirst\nsecond']);
  expect(own.received).toHaveLength(2);
});

test('a way that fails waits with all that it has and delays no other; pauses grow; in the end it is given up', async () => {
  takes = false;
  await raise(job, 'cause-1', told('one'));
  await raise(job, 'cause-2', told('two'));
  await sendDue(job);
  expect(await deliveries()).toEqual([
    'one webhook sent 1',
    'one wecom due 1',
    'two webhook sent 1',
    'two wecom due 0',
  ]);
  const pauses: number[] = [];
  for (let minute = 0, last = 0; minute < 24 * 60 && pauses.length < 20; minute++) {
    const before = robot.received.length;
    night.clock.moveTo(addMs(job.clock.wall(), 60_000));
    // Only the first is looked at: the second would be tried in the same rounds.
    await night.db
      .updateTable('alert_delivery')
      .set({ state: 'sent' })
      .where('channel', '=', 'wecom')
      .where('tries', '=', 0)
      .execute();
    await sendDue(job);
    if (robot.received.length > before) {
      pauses.push(minute - last);
      last = minute;
    }
  }
  expect(pauses.length).toBe(11);
  expect(pauses.every((pause, at) => at === 0 || pause >= (pauses[at - 1] ?? 0))).toBe(true);
  expect(await deliveries()).toContain('one wecom given_up 12');
  const [alert] = (await listAlerts(night.db, { state: 'given_up', limit: 5 })).map(
    ({ deliveries: of }) => of,
  );
  expect(alert?.find(({ channel }) => channel === 'wecom')?.reason).toBe(
    'the robot took no message: errcode 45009 too often',
  );
  const server = fastify();
  metricsRoutes(job, () => ({ nights: 0, snapshots: 0 }))(server);
  const { body } = await server.inject('/metrics');
  expect(body).toContain('recon_alert_deliveries{channel="wecom",state="given_up"} 1');
  await server.close();
  takes = true;
  expect(await retryGivenUp(night.db, job.clock.wall())).toBe(1);
  await sendDue(job);
  expect(await deliveries()).toContain('one wecom sent 1');
});

test('two that send at once tell nothing twice: one of them leaves it to the other', async () => {
  await raise(job, 'cause-1', told('one'));
  await underLease(job, 'alerts', async () => expect(await sendDue(job)).toEqual([]));
  expect(robot.received).toEqual([]);
  await sendDue(job);
  expect(robot.received).toHaveLength(1);
});

test('what a cause quotes is masked: secrets by their value, personal numbers by their form', async () => {
  const lines = ['s3cret-of-hook was refused for 6222021234567890123', '手机 13812345678'];
  await raise(job, 'cause-1', { ...told('card 6222021234567890123'), lines });
  await sendDue(job);
  const all = [...robot.received, ...own.received].map(({ body }) => body).join('\n');
  expect(all).not.toMatch(/s3cret-of-hook|6222021234567890123|13812345678/);
});

test('a night that fails is told once a day, one that is locked or stopped is not, and the error goes on', async () => {
  const night10 = (failure: Error) => watchedNight(job, '2026-03-10', () => Promise.reject(failure));
  await expect(night10(new LockHeld('another run holds the lock run'))).rejects.toThrow('another run');
  await expect(night10(new Stopped('cannot write /var/x: no space is left on the disk'))).rejects.toThrow(
    'no space',
  );
  await expect(night10(new Stopped('cannot write /var/y: no space is left on the disk'))).rejects.toThrow(
    'no space',
  );
  await sendDue(job);
  expect(own.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
    {
      kind: 'run_failed',
      severity: 'critical',
      day: '2026-03-10',
      title: '2026-03-10 reconciliation: the run failed, there is no conclusion yet',
      lines: [
        'Cause: cannot write /var/x: no space is left on the disk',
        'To do: mend the cause, then recon nightly --day 2026-03-10',
      ],
    },
  ]);
});

test('a night without the books of the database is told as that, once a reason, and not as a night that failed', async () => {
  const without = async (reason: string): Promise<void> => {
    const error = new BooksNotPulled(reason);
    await tellOfPull(job, { day: '2026-03-10', error });
    await expect(watchedNight(job, '2026-03-10', () => Promise.reject(error))).rejects.toThrow(reason);
  };
  await without('ledger.sql no longer yields 1 entry');
  await without('ledger.sql no longer yields 1 entry');
  await without('cannot read db:5432/erp');
  await sendDue(job);
  const told = { kind: 'pull', severity: 'warning', day: '2026-03-10' };
  const title = "2026-03-10 reconciliation: the books of the company's database were not taken in";
  const lines = (cause: string) => [
    `Cause: ${cause}`,
    'To do: mend the cause (recon ledger pull --dry-run shows it all), then recon nightly --day 2026-03-10',
  ];
  expect(own.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
    { ...told, title, lines: lines('ledger.sql no longer yields 1 entry') },
    { ...told, title, lines: lines('cannot read db:5432/erp') },
  ]);
});

test('files that were refused and days that were missed are one message each', async () => {
  const file = (name: string, outcome: InboxFile['outcome']) =>
    ({ file: name, outcome, movedTo: null }) as InboxFile;
  const files = [
    file('ledger/a.csv', 'failed'),
    file('b.csv', 'misplaced'),
    file('c.csv', 'waiting'),
    file('d.csv', 'done'),
  ];
  await tellOfInbox(job, files);
  await tellOfInbox(job, files);
  await tellMissed(job, { from: '2026-01-01', through: '2026-01-20' });
  await sendDue(job);
  const said = own.received.map(({ body }) => JSON.parse(body) as { title: string; lines: string[] });
  expect(said.map(({ title, lines }) => [title, ...lines])).toEqual([
    [
      'Inbox: 2 files not taken in',
      'faults, not taken in: ledger/a.csv',
      'in the wrong place: b.csv',
      'To do: the faults stand in .faults.txt under failed; mend and deliver again',
    ],
    [
      '2026-01-01 to 2026-01-20 reconciliation: 20 days missed, to be run by hand',
      'To do: recon backfill --from 2026-01-01 --to 2026-01-20',
    ],
  ]);
});

test('what fails to be told fails no night', async () => {
  await night.db.schema.alterTable('alert').renameTo('alert_away').execute();
  try {
    await expect(watchedNight(job, '2026-03-10', () => Promise.resolve('proven'))).resolves.toBe('proven');
    await tellMissed(job, { from: '2026-01-01', through: '2026-01-20' });
    expect(job.log.lines.map(({ event }) => event)).toContain('alerts.failed');
  } finally {
    await night.db.schema.alterTable('alert_away').renameTo('alert').execute();
  }
});

test('before the first night nobody is late', async () => {
  night.moveTo('2026-03-11 23:00:00');
  await raiseLate(job);
  expect(await deliveries()).toEqual([]);
});

test('a message that is too long for a robot is cut between characters', async () => {
  await raise(job, 'cause-1', {
    ...told('标'.repeat(490)),
    lines: Array.from({ length: 30 }, () => '行'.repeat(100)),
  });
  await sendDue(job);
  const { content } = (JSON.parse(robot.received[0]?.body ?? '') as { text: { content: string } }).text;
  expect(Buffer.byteLength(content)).toBeLessThanOrEqual(2_048);
  expect(content).toMatch(/行…$/);
});
