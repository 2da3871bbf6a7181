/** An acceptance that arrives after its attempt was ended holds the order and is shown to a person (2.3 a, M4). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import type { SettleOutcome } from '../../../jobs/night/settle/settle-step.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import { HOUR_MS } from '../../../src/core/time.ts';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import { zone } from '../../helpers/night.ts';
import { anAnswer } from '../../helpers/settlements/settle-worlds.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false, settleQueueMs: 1_800_000 });
});
afterEach(() => world.close());

const accepted = () => anAnswer('ACK_SUCCESS', { answeredAt: world.orders.night.clock.wall() });

/** The payee has the money of both orders of the batch; only the first one is retried. */
function stepped(runId: string, over: Partial<SettlePorts> = {}, digest?: string): Promise<SettleOutcome> {
  const approve = digest === undefined ? undefined : { digest, by: 'Li' };
  return world.step({ runId, only: { outOrderNo: 'B1-1' }, approve }, over);
}

/** B1-1 was sent at 02:00 by a process that hung. @returns its request */
async function sentAndHung(order: Parameters<SettleWorld['failed']>[1] = {}): Promise<string> {
  await world.failed('B1', order, {});
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  world.moveTo('02 02:00:00');
  const { book } = await world.ports();
  const hangs = { ...book, saveAnswer: () => Promise.reject(new Error('hangs')) };
  await expect(stepped('run-1', { book: hangs })).rejects.toThrow('hangs');
  await world.restart();
  const [{ reqId = '' } = {}] = await (await world.ports()).book.listOpen();
  return reqId;
}

/** Another one ended it as failed. @returns its request */
async function endedMeanwhile(order: Parameters<SettleWorld['failed']>[1] = {}): Promise<string> {
  const reqId = await sentAndHung(order);
  const { book } = await world.ports();
  await book.close(reqId, { outcome: 'FAIL', at: world.orders.night.clock.wall(), note: '' });
  return reqId;
}

test('the order is not sent again, and only a person ends it', async () => {
  const reqId = await endedMeanwhile();
  const { book } = await world.ports();
  await book.saveAnswer(reqId, accepted());
  world.moveTo('02 03:30:00');
  const first = await stepped('run-2');
  expect([settledLines(first), leftLines(first)]).toEqual([['B1-1 1 AWAITING'], ['B1-1 open_attempt']]);
  world.moveTo('04 03:30:00');
  const later = await stepped('run-3');
  expect([settledLines(later), world.sends()]).toEqual([['B1-1 1 AWAITING'], 1]);
  world.sandbox.liftFaults();
  expect(settledLines(await stepped('run-4'))).toEqual(['B1-1 1 SUCCESS']);
});

test('where another attempt was sent since, what queries show ends that one, once the first was ended', async () => {
  const reqId = await endedMeanwhile();
  world.moveTo('02 02:15:00');
  expect(settledLines(await stepped('run-2'))).toEqual(['B1-1 2 PROCESSING']);
  const { book } = await world.ports();
  await book.saveAnswer(reqId, accepted());
  world.sandbox.liftFaults();
  world.moveTo('02 03:40:00');
  const both = await stepped('run-3');
  expect(settledLines(both)).toEqual(['B1-1 1 AWAITING', 'B1-1 2 AWAITING']);
  expect(settleText(both, zone)).toContain('another attempt was sent since: it may be paid twice');
  // It was.
  expect(world.paid('B1-1')).toBe(2);
  const digest = both.settlements[0]?.awaiting?.digest ?? '';
  const ended = await stepped('run-4', {}, digest);
  expect(settledLines(ended)).toEqual(['B1-1 1 FAIL', 'B1-1 2 AWAITING']);
  world.moveTo('02 04:50:00');
  expect([settledLines(await stepped('run-5')), world.sends()]).toEqual([['B1-1 2 SUCCESS'], 2]);
});

test.each([0, 1])(
  'each may be ended by a person before the other (%i), where looks tell of a refund',
  async (at) => {
    const retries = [{ state: 'FAIL' as const, delayMs: 0 }];
    const reqId = await endedMeanwhile({ settle: { state: 'FAIL', retries } });
    world.moveTo('02 02:15:00');
    await stepped('run-2');
    await (await world.ports()).book.saveAnswer(reqId, accepted());
    world.sandbox.liftFaults();
    const set = { settleState: 'FAIL', state: 'REFUND', refundAmount: 10_000 };
    world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
    world.moveTo('02 03:40:00');
    await stepped('run-3');
    world.moveTo('02 03:41:00');
    const shown = await stepped('run-4');
    const ended = await stepped('run-5', {}, shown.settlements[at]?.awaiting?.digest);
    const other = ended.settlements[1 - at];
    const last = await stepped('run-6', {}, other?.awaiting?.digest);
    const outcomes = [ended.settlements[at], other, last.settlements[0]].map((one) => one?.outcome);
    expect(outcomes).toEqual(['FAIL', 'AWAITING', 'FAIL']);
  },
);

test('where queries showed something under way since, it awaits a person at each call, who may end it', async () => {
  const reqId = await endedMeanwhile();
  world.moveTo('02 02:15:00');
  await stepped('run-2');
  const { book } = await world.ports();
  await book.saveAnswer(reqId, accepted());
  shows('PROCESSING');
  world.moveTo('02 03:40:00');
  await stepped('run-3');
  shows('FAIL');
  const first = async (time: string, digest?: string) => {
    world.moveTo(time);
    const outcome = await stepped(`run at ${time}`, {}, digest);
    return { text: settledLines(outcome)[0], digest: outcome.settlements[0]?.awaiting?.digest ?? '' };
  };
  expect((await first('02 05:00:00')).text).toBe('B1-1 1 AWAITING');
  expect((await world.reported())[0]).toBe('B1-1 1 AWAITING');
  const { text, digest } = await first('02 05:10:00');
  expect(text).toBe('B1-1 1 AWAITING');
  expect(await first('02 05:20:00')).toEqual({ text, digest });
  expect(await first('02 05:30:00')).toEqual({ text, digest });
  expect((await first('02 05:40:00', digest)).text).toBe('B1-1 1 FAIL');
  expect(world.sends()).toBe(2);
});

/** What queries show of its settlement from now on. */
function shows(settleState: string): void {
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState } });
}

test('nor do queries end the one that was sent since as failed: they may show what became of the one before', async () => {
  world.sandbox.setSwitches({ settleQueueMs: 0 });
  const slow = { state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS };
  const retries = [{ state: 'FAIL' as const, delayMs: 4 * HOUR_MS }, slow, slow];
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  const reqId = await endedMeanwhile({ settle: { state: 'FAIL', retries } });
  world.moveTo('02 02:15:00');
  expect(settledLines(await stepped('run-2'))).toEqual(['B1-1 2 PROCESSING']);
  const { book } = await world.ports();
  await book.saveAnswer(reqId, accepted());
  shows('PROCESSING');
  world.moveTo('02 04:00:00');
  await stepped('run-3');
  // The result of the first; that of the second appears once there is one (STL-14).
  shows('FAIL');
  // A platform that freezes nothing for what is under way.
  const set = { balance: 60_000, frozen: 0 };
  world.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', times: 100, set });
  world.moveTo('02 07:00:00');
  await stepped('run-4');
  world.moveTo('02 07:01:00');
  const both = await stepped('run-5');
  expect(settledLines(both)).toEqual(['B1-1 1 AWAITING', 'B1-1 2 AWAITING']);
  expect(settleText(both, zone)).toContain('what queries show may be of that');
  // As is so: the first was not paid.
  const digest = both.settlements[0]?.awaiting?.digest ?? '';
  expect(settledLines(await stepped('run-6', {}, digest))).toEqual(['B1-1 1 FAIL', 'B1-1 2 AWAITING']);
  world.moveTo('02 07:20:00');
  expect(leftLines(await stepped('run-7'))).toEqual(['B1-1 open_attempt']);
  world.sandbox.liftFaults();
  world.moveTo('04 08:00:00');
  expect(settledLines(await stepped('run-8'))).toEqual(['B1-1 2 SUCCESS']);
  expect([world.sends(), world.paid('B1-1')]).toEqual([2, 1]);
});

/** Both were taken: the first is paid at five and sent back, the second is paid a day later, and shown only then (STL-14). */
async function bothTaken(): Promise<() => Promise<void>> {
  world.sandbox.setSwitches({ settleQueueMs: 0 });
  const back = { state: 'SUCCESS' as const, delayMs: 3 * HOUR_MS, returnAfterMs: 2 * HOUR_MS };
  const slow = { state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS };
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  const reqId = await endedMeanwhile({ settle: { state: 'FAIL', retries: [back, slow, slow] } });
  world.moveTo('02 02:15:00');
  expect(settledLines(await stepped('run-2'))).toEqual(['B1-1 2 PROCESSING']);
  return async () => (await world.ports()).book.saveAnswer(reqId, accepted());
}

/** What is shown of both from then on; the balance is that of both orders and of another one. */
async function shownAt(time: string, settleState: string, digest?: string): Promise<SettleOutcome> {
  shows(settleState);
  const set = { balance: 60_000, frozen: 0 };
  world.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', times: 100, set });
  world.moveTo(`02 ${time}`);
  return stepped(`run at ${time}`, {}, digest);
}

test('nor does one that shows it paid end the one that was sent since, as long as the first is open', async () => {
  await (
    await bothTaken()
  )();
  const seen = settledLines(await shownAt('05:10:00', 'SUCCESS'));
  await shownAt('08:20:00', 'FAIL');
  const shown = await shownAt('08:21:00', 'FAIL');
  // As is so: the first came back.
  const digest = shown.settlements[0]?.awaiting?.digest ?? '';
  seen.push(...settledLines(await shownAt('08:22:00', 'FAIL', digest)));
  const later = await shownAt('10:00:00', 'FAIL');
  seen.push(...settledLines(later), ...leftLines(later));
  world.sandbox.liftFaults();
  world.moveTo('04 08:00:00');
  seen.push(...settledLines(await stepped('run-8')));
  expect([world.sends(), world.paid('B1-1')]).toEqual([2, 2]);
  const [both, ended] = [
    ['B1-1 1 AWAITING', 'B1-1 2 AWAITING'],
    ['B1-1 1 FAIL', 'B1-1 2 AWAITING'],
  ];
  expect(seen).toEqual([...both, ...ended, 'B1-1 2 AWAITING', 'B1-1 open_attempt', 'B1-1 2 SUCCESS']);
});

test('nor by a view of before the first had ended', async () => {
  await (
    await bothTaken()
  )();
  const shown = await shownAt('07:30:00', 'SUCCESS');
  const digest = shown.settlements[0]?.awaiting?.digest ?? '';
  const seen = settledLines(await shownAt('07:31:00', 'SUCCESS', digest));
  seen.push(...settledLines(await shownAt('07:40:00', 'SUCCESS')));
  for (const time of ['08:20:00', '08:21:00', '10:00:00']) await shownAt(time, 'FAIL');
  world.sandbox.liftFaults();
  world.moveTo('04 08:00:00');
  seen.push(...settledLines(await stepped('run-8')));
  expect([world.sends(), world.paid('B1-1')]).toEqual([2, 2]);
  expect(seen).toEqual(['B1-1 1 FAIL', 'B1-1 2 AWAITING', 'B1-1 2 PROCESSING', 'B1-1 2 SUCCESS']);
});

test('nor is it sent a third time where the one sent since had ended by what was shown of the first', async () => {
  const arrives = await bothTaken();
  const seen = settledLines(await shownAt('05:10:00', 'SUCCESS'));
  await arrives();
  await shownAt('08:20:00', 'FAIL');
  const shown = await shownAt('08:21:00', 'FAIL');
  // As is so: the first came back.
  const digest = shown.settlements[0]?.awaiting?.digest ?? '';
  seen.push(...settledLines(await shownAt('08:22:00', 'FAIL', digest)));
  const later = await shownAt('10:00:00', 'FAIL');
  seen.push(...settledLines(later), ...leftLines(later));
  world.sandbox.liftFaults();
  world.moveTo('04 08:00:00');
  await stepped('run-8');
  expect([world.sends(), world.paid('B1-1')]).toEqual([2, 2]);
  expect(seen).toEqual(['B1-1 2 SUCCESS', 'B1-1 1 FAIL', 'B1-1 max_attempts']);
});

test.each([
  ['it failed', '08:20', 'FAIL'],
  ['it paid, as a view of before the first came back does', '07:30', 'SUCCESS'],
])('nor is it refunded by hand then, where queries show %s', async (_name, time, settleState) => {
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
  const arrives = await bothTaken();
  await shownAt('05:10:00', 'SUCCESS');
  await arrives();
  await shownAt(`${time}:00`, settleState);
  const shown = await shownAt(`${time}:31`, settleState);
  // As is so: the first came back.
  await shownAt(`${time}:32`, settleState, shown.settlements[0]?.awaiting?.digest);
  expect(await world.attempts()).toEqual(['B1-1 1 CLOSED FAIL', 'B1-1 2 CLOSED SUCCESS']);
  const refund = () => world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'B1-1' });
  const refused = 'attempt 2 to settle B1-1 was sent beside one that the platform had taken too';
  await expect(refund()).rejects.toThrow(refused);
  world.moveTo('04 08:00:00');
  expect([world.orders.asked('/division/refund'), world.paid('B1-1')]).toEqual([0, 2]);
});

test('nor where it was ended as sent back, because a view that lagged behind had shown what was paid before it', async () => {
  world.sandbox.setSwitches({ settleQueueMs: 0 });
  const back = { state: 'SUCCESS' as const, delayMs: 6 * HOUR_MS, returnAfterMs: 2 * HOUR_MS };
  const slow = { state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS };
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  const reqId = await sentAndHung({ settle: { state: 'FAIL', retries: [back, slow, slow] } });
  const ended = async (time: string): Promise<SettleOutcome> => {
    await shownAt(`${time}:00`, 'FAIL');
    const shown = await shownAt(`${time}:31`, 'FAIL');
    return shownAt(`${time}:32`, 'FAIL', shown.settlements[0]?.awaiting?.digest);
  };
  const seen = settledLines(await shownAt('02:01:00', 'SUCCESS'));
  seen.push(...settledLines(await ended('03:30')), ...settledLines(await shownAt('04:50:00', 'FAIL')));
  await (await world.ports()).book.saveAnswer(reqId, accepted());
  seen.push(...settledLines(await shownAt('08:10:00', 'SUCCESS')));
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  shows('FAIL');
  world.moveTo('02 10:10:00');
  await world.orders.collect({ runId: 'a night' });
  // As is so: the first came back.
  seen.push(...settledLines(await ended('10:20')), ...settledLines(await shownAt('12:20:00', 'FAIL')));
  world.sandbox.liftFaults();
  world.moveTo('04 18:00:00');
  await stepped('run-8');
  expect([world.sends(), world.paid('B1-1')]).toEqual([2, 2]);
  const first = ['B1-1 1 UNKNOWN', 'B1-1 1 RETURNED', 'B1-1 2 PROCESSING'];
  const both = ['B1-1 1 AWAITING', 'B1-1 2 AWAITING', 'B1-1 1 FAIL', 'B1-1 2 AWAITING'];
  expect(seen).toEqual([...first, ...both, 'B1-1 2 AWAITING']);
});
