/** What the client itself refuses to send fails alone: it is no sign that the platform is away (N1, STL-02, VCH-03). */
import { afterEach, expect, test } from 'vitest';
import { WrongRequest } from '../../src/core/errors.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import { lines } from '../helpers/company/order-answers.ts';
import { OrderNight } from '../helpers/company/order-night.ts';
import { register } from '../helpers/company/order-registering.ts';
import { VoucherNight } from '../helpers/company/voucher-night.ts';
import { settledLines, SettleWorld } from './settle/settle-world.ts';

let world: { close(): Promise<void> };
afterEach(() => world.close());

/** More than the unanswered questions in a row after which the platform is taken to be away. */
const MANY = 60;

/** Texts of blanks, each another one. */
function blank(place: number): string {
  return ' '.repeat(place + 1);
}

test('N1: numbers that cannot be asked for, however many, do not pass for a platform that is away', async () => {
  const order = await OrderNight.open();
  world = order;
  order.withdrawal('W1');
  const blanks = Array.from({ length: MANY }, (_, place) => blank(place));
  await register(
    order.night.db,
    ...blanks.map((no) => ({ kind: 'withdrawal', out_order_no: no, payer_account_no: 'P' }) as const),
  );
  await order.registerWithdrawals('W1');
  expect(await order.collect()).toMatchObject({ failed: MANY, withdrawals: MANY + 1, changed: 1 });
  const failures = await lines(order.night.db, 'order_due', ['failure']);
  expect(failures.filter((failure) => failure.startsWith('not asked: '))).toEqual([]);
  expect(order.asked('account/queryWithdraw')).toBe(1);
});

test('VCH-03: vouchers that cannot be asked for are said and not counted as unanswered; the others are filed', async () => {
  const vouchers = await VoucherNight.open();
  world = vouchers;
  await vouchers.deposits('2026-03-01', 'D1');
  await vouchers.night.db
    .insertInto('voucher_due')
    .values({
      account_no: 'P',
      kind: 'withdrawal',
      number: '\u3000',
      order_no: 'N1',
      moved_at: '2026-03-01T02:00:00.000Z',
      month: '2026-03',
    })
    .execute();
  expect(await vouchers.fetch()).toMatchObject({ due: 2, answered: 2, unanswered: 0 });
  expect(await vouchers.dues()).toEqual(['deposit D1 filed', 'withdrawal \u3000 due']);
  expect(await lines(vouchers.night.db, 'voucher_due', ['reason'])).toContain(
    '"\u3000" cannot be asked for: outOrderNo is empty (VCH-03, VCH-04)',
  );
});

test('STL-02, STL-03: a settlement that the client refuses to send is closed as not sent; the next one is retried', async () => {
  const settling = await SettleWorld.open();
  world = settling.orders;
  await settling.failed('B1', {}, {});
  const { client } = await settling.ports();
  const [refused] = await lines(settling.orders.night.db, 'transfer_order', ['out_order_no', 'order_no']);
  const callIntended: PlatformClient['callIntended'] = (endpoint, request, intent) =>
    'orderNo' in request && refused === `B1-1 ${request.orderNo}`
      ? Promise.reject(
          new WrongRequest('order/settle: nothing was sent, the request is wrong:', ['remark is not taken']),
        )
      : client.callIntended(endpoint, request, intent);
  const outcome = await settling.step({}, { client: { ...clientParts(client), callIntended } });
  expect(settledLines(outcome)).toEqual(['B1-1 1 NOT_SENT', 'B1-2 1 SUCCESS']);
  expect(outcome.settlements[0]?.note).toBe('the request is wrong: remark is not taken');
  expect(settling.sends()).toBe(1);
  expect(await settling.attempts()).toEqual(['B1-1 1 CLOSED NOT_SENT', 'B1-2 1 CLOSED SUCCESS']);
});

/** Its methods as they are; the class keeps its parts to itself. */
function clientParts(client: PlatformClient): PlatformClient {
  return {
    call: client.call.bind(client),
    callIntended: client.callIntended.bind(client),
    callRaw: client.callRaw.bind(client),
    counters: () => client.counters(),
    clockOffsetMs: () => client.clockOffsetMs(),
    habit: () => client.habit(),
  };
}
