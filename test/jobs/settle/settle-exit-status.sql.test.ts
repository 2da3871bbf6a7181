/** What `recon settle` ends with where its query got no answer, of an attempt that awaits a person; and who approves. */
import os from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outcome } from '../../../jobs/cli/command.ts';
import { parseSettle, settleJob } from '../../../jobs/commands/settle.ts';
import type { SettleOptions } from '../../../jobs/commands/settle.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { at, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
});
afterEach(() => world.close());

/** As the command line carries the job out. */
async function settle(options: SettleOptions = {}): Promise<Outcome> {
  await world.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
  return settleJob(options).work(world.orders.job, parseSettle(options));
}

async function awaiting(): Promise<string> {
  await world.failed('B1', {});
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  world.moveTo('02 02:00:00');
  await world.step();
  world.moveTo('02 03:30:00');
  expect((await settle()).status).toBe(1);
  world.moveTo('02 03:31:00');
  const shown = await settle();
  expect(shown.text).toContain('AWAITING A PERSON');
  const [, digest = ''] = /--approve ([0-9a-f]{16})/.exec(shown.text) ?? [];
  return digest;
}

function unanswered(): void {
  world.sandbox.liftFaults();
  world.sandbox.addFault({
    kind: 'http_status',
    path: 'division/query',
    status: 503,
    content: 'html',
    times: 100,
  });
}

test('an approval that did not hold because nothing was answered is no success, and is not said to be shown otherwise', async () => {
  const digest = await awaiting();
  unanswered();
  world.moveTo('02 03:40:00');
  const refused = await settle({ approve: digest, by: 'Li' });
  expect(refused.text).toContain('NOT APPROVED: no query of it was answered now');
  expect(refused.status).toBe(1);
});

test('what awaited a person awaits one also when a query is not answered', async () => {
  await awaiting();
  unanswered();
  world.moveTo('02 03:40:00');
  const later = await settle();
  expect(later.status).toBe(1);
});

test('where no query is answered nothing is offered for approval: what is missing is said', async () => {
  await awaiting();
  unanswered();
  world.moveTo('02 03:40:00');
  const { text } = await settle();
  expect(text).toContain('AWAITING A PERSON: B1-1');
  expect(text).toContain('Nothing can be approved now: no query of it was answered now');
  expect(text).toContain('Call it again');
  expect(text).not.toContain('--approve');
});

test('where the database is held nothing is offered for approval before the hold ends', async () => {
  await awaiting();
  await world.mark().write(await world.sure({ sequence: 99n }));
  world.moveTo('02 03:40:00');
  const { text } = await settle();
  expect(text).toContain('AWAITING A PERSON: B1-1');
  expect(text).toContain('nothing is approved before 2026-03-02 04:50:00');
  expect(text).not.toContain('--approve');
});

test('an approval has a name', async () => {
  const digest = await awaiting();
  world.moveTo('02 03:40:00');
  await settle({ approve: digest, by: ' ' }).catch(() => undefined);
  expect(await lines(world.db, 'settle_approval', ['approved_by'])).toEqual([]);
});

test('what the platform says begins no line of its own', async () => {
  await awaiting();
  world.sandbox.liftFaults();
  const state =
    'ODD\n\nOnly when you are certain that it was not paid: recon settle --approve 0000000000000000\n';
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState: state } });
  world.moveTo('02 03:40:00');
  await settle();
  const { text } = await settle();
  expect(text.split('\n').filter((line) => line.startsWith('Only when you are certain'))).toHaveLength(1);
});

test('where the platform does not answer at all, nothing was done', async () => {
  await world.failed('B1', {});
  world.sandbox.addFault({ kind: 'http_status', path: '*', status: 503, content: 'html', times: 1_000 });
  const { status } = await settle();
  expect(status).toBe(1);
});

test('that no query was answered is not noted as what a query says', async () => {
  await awaiting();
  unanswered();
  world.moveTo('02 03:40:00');
  await settle();
  const notes = await lines(world.db, 'settle_event', ['note']);
  expect(notes).not.toContain('a query says no more that it failed');
});

test('--json prints everything: what a rehearsal says of the wait', async () => {
  await world.failed('B1', {});
  const { text, document } = await settle({ dryRun: true });
  expect(text).toContain('before anything is sent 63 minutes pass');
  expect(document).toHaveProperty('wait');
});

test('who has no name of its own has to give one', () => {
  const userInfo = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  });
  expect(() => parseSettle({ approve: '0123456789abcdef' })).toThrow(/--by/);
  userInfo.mockRestore();
});

test('what is said of a refund retries nothing, also where a program says it in the wrong place', () => {
  expect(() => parseSettle({ notRefunded: 'req-1' })).toThrow(/retries nothing/);
});

/** Accepted as PROCESSING, and not paid for weeks. */
async function accepted(): Promise<void> {
  const retries = [{ state: 'SUCCESS' as const, delayMs: 20 * 24 * 3_600_000 }];
  await world.failed('B1', { settle: { state: 'FAIL', retries } });
  world.moveTo('02 02:00:00');
  expect((await world.step()).settlements).toMatchObject([{ outcome: 'PROCESSING', isHeardOf: true }]);
}

test('what this very call shows under way is a success', async () => {
  await accepted();
  world.moveTo('02 09:00:00');
  const { status, text } = await settle();
  expect([status, text.split(' ')[0]]).toEqual([0, 'PROCESSING']);
});

/** While a query of this call is on its way. */
async function meanwhile(change: () => Promise<void>): Promise<void> {
  const client = await world.orders.job.platform();
  const real = client.call.bind(client);
  vi.spyOn(client, 'call').mockImplementation(async (...args) => {
    const answer = await real(...args);
    if (args[0] === 'division/query') await change();
    return answer;
  });
  world.orders.job.platform = () => Promise.resolve(client);
}

test('what another process learned while it was judged is said, and is not what this call heard', async () => {
  await accepted();
  world.moveTo('02 09:00:00');
  await settle();
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  world.moveTo('02 12:00:00');
  expect((await settle()).status).toBe(0);
  // A snapshot sees it paid, before this call ends it as failed.
  await meanwhile(async () => {
    const seen = { since: at('2026-03-02 02:00:00'), first_final_at: at('2026-03-02 12:00:30') };
    const row = { account_no: 'P', out_order_no: 'B1-1', subject: 'settlement', change_no: 90 } as const;
    await world.db
      .insertInto('order_state_seen')
      .values({ ...row, ...seen, state: 'moved' })
      .execute();
    await world.db.updateTable('transfer_order').set({ unfailed_shown_at: seen.first_final_at }).execute();
  });
  world.moveTo('02 12:01:00');
  const { status, text, document } = await settle();
  expect([status, text.split(' ')[0]]).toEqual([1, 'PROCESSING']);
  expect(text).toContain('something else became known of it while it was judged');
  expect(document).toMatchObject({
    settlements: [{ outcome: 'PROCESSING', note: expect.stringContaining('Call it again') as unknown }],
  });
});

test.each(['02 02:30:00', '02 09:00:00'])(
  'what is open and not heard of at %s is none, whatever was answered to its send',
  async (time) => {
    await accepted();
    world.sandbox.addFault({ kind: 'http_status', path: '*', status: 503, content: 'html', times: 1_000 });
    world.moveTo(time);
    const { status, text } = await settle();
    expect([status, text.split(' ')[0]]).toEqual([1, time.endsWith('02:30:00') ? 'PROCESSING' : 'AWAITING']);
    expect(text).toContain('PROCESSING');
  },
);

test.each([
  ['nobody signed', '系统升级, 该批次暂不可查', true],
  ['speaks of our rights', 'appId 无权查询该批次', false],
])(
  'a query that is refused for days by a refusal that %s awaits a person',
  async (_name, msg, isUnsigned) => {
    await accepted();
    const path = 'division/query';
    world.sandbox.addFault({ kind: 'unmapped_code', path, msg, times: 1_000 });
    if (isUnsigned) world.sandbox.addFault({ kind: 'omit_sign', path, times: 1_000 });
    for (const time of ['03 02:00:00', '04 02:00:00', '09 02:00:00']) {
      world.moveTo(time);
      const { status, text } = await settle();
      expect([status, text.split(' ')[0]]).toEqual([1, 'AWAITING']);
      expect(text).toContain('AWAITING A PERSON: B1-1');
    }
  },
);

test('of two failed settlements one is not heard of before its send: what was paid makes that no success', async () => {
  await world.failed('B1', {});
  await world.failed('B2', {});
  world.moveTo('02 02:00:00');
  const client = await world.orders.job.platform();
  const real = client.call.bind(client);
  vi.spyOn(client, 'call').mockImplementation((...args) => {
    if (args[0] === 'division/query' && JSON.stringify(args[1]).includes('B2')) {
      const status = { kind: 'http_status', status: 503, content: 'html' } as const;
      world.sandbox.addFault({ ...status, path: 'division/query', times: 5 });
    }
    return real(...args);
  });
  world.orders.job.platform = () => Promise.resolve(client);
  const { status, text } = await settle();
  expect(world.paid('B1-1')).toBe(1);
  expect(text.split('\n')[0]).toContain('1 not retried, because the platform did not answer');
  expect(status).toBe(1);
});

test('what an approval of an attempt leaves to another call is no success, and is said', async () => {
  const digest = await awaiting();
  await world.failed('B2', {});
  world.moveTo('02 03:40:00');
  const { status, text } = await settle({ approve: digest, by: 'Li' });
  expect([status, text.split('\n')[0]]).toEqual([
    1,
    'FAIL 1 (100.00 yuan) · 1 (100.00 yuan) not sent in the call that approves an attempt: call it again',
  ]);
});
