/**
 * A month of ordinary transfers with their settlements and refunds, and of withdrawals, booked by the company as
 * they went. Nearly all of them begin and end within a day; the few that do not are there on purpose.
 */
import type { Fen } from '../../core/fen.ts';
import { addDays, daysBetween } from '../../core/time.ts';
import type { Day } from '../../core/time.ts';
import type { Seeded } from '../world/random.ts';
import type { DemoAccount } from './demo-accounts.ts';
import { isWeekend, timeOn } from './demo-month.ts';
import { orderEntries, refundEntries, withdrawalEntries } from './demo-order-books.ts';
import { refund, sendBatch, sendWithdrawal } from './demo-orders.ts';
import type { OrderPlan, SentOrder, SentWithdrawal, WithdrawalPlan } from './demo-orders.ts';
import type { DemoDraft } from './demo-draft.ts';

/** Whoever sends orders does so early enough that their settlements are booked the same day. */
const OFFICE_HOURS = [9, 10, 10, 11, 13, 14, 14, 15, 16, 17];

/** Orders of a batch; the service takes up to 20 (DIV-18). */
const BATCH_SIZES = [2, 3, 4, 5, 6, 8, 9, 11, 14, 17, 20];

/** One order in so many fails. */
const FAILS = 22;
const FAILURES = [
  { state: 'FAIL', note: '收款账户状态异常' },
  { state: 'FAIL', note: '超过单日收款限额' },
  { state: 'CLOSE', note: '商户撤销' },
] as const;

/** One refundable order in so many is refunded, so many days later. */
const REFUNDED = 17;
const REFUND_DAYS = { min: 2, max: 9 };

/** One withdrawal in so many fails. */
const WITHDRAWAL_FAILS = 5;

export function ordinaryOrders(draft: DemoDraft): void {
  const sent: SentOrder[] = [];
  for (const [place, day] of draft.days.entries()) {
    for (const account of draft.accounts) {
      if (isDue(account.batchEvery, place)) sent.push(...batchesOn(draft, account, day));
      if (isDue(account.withdrawEvery, place)) withdrawalOn(draft, account, day);
    }
  }
  refundsOf(draft, sent);
  fullBatch(draft);
  forgottenToRegister(draft);
  overNight(draft);
  afterMidnight(draft);
}

function isDue(every: number, place: number): boolean {
  return every > 0 && place % every === every - 1;
}

/** Who pays most sends a second batch now and then; on weekends hardly anything is sent. */
function batchesOn(draft: DemoDraft, payer: DemoAccount, day: Day): SentOrder[] {
  const { random } = draft;
  if (isWeekend(day) && random.whole({ min: 1, max: 4 }) > 1) return [];
  const count = payer.batchEvery === 1 && random.whole({ min: 1, max: 3 }) === 1 ? 2 : 1;
  return Array.from({ length: count }, () => {
    const orders = Array.from({ length: random.pick(BATCH_SIZES) }, () => ordinaryOrder(draft));
    return booked(draft, sendBatch(draft, { payer, at: timeOn(random, day, OFFICE_HOURS), orders }));
  }).flat();
}

function booked(draft: DemoDraft, orders: SentOrder[]): SentOrder[] {
  for (const order of orders) draft.ledger.push(...orderEntries(draft, order));
  return orders;
}

function bookedWithdrawal(draft: DemoDraft, plan: WithdrawalPlan): SentWithdrawal {
  const withdrawal = sendWithdrawal(draft, plan);
  draft.ledger.push(...withdrawalEntries(draft, withdrawal));
  return withdrawal;
}

/** An order to anybody who is paid. */
export function ordinaryOrder(draft: DemoDraft, over: Partial<OrderPlan> = {}): OrderPlan {
  const { random } = draft;
  const amountFen = orderAmount(random);
  const fails = over.state === undefined && random.whole({ min: 1, max: FAILS }) === 1;
  return {
    payee: random.pick(payeesOf(draft)),
    amountFen,
    ...orderFee(random, amountFen),
    ...(fails && random.pick(FAILURES)),
    seconds: random.whole({ min: 3, max: 600 }),
    settleSeconds: random.whole({ min: 300, max: 7_200 }),
    ...over,
  };
}

function payeesOf(draft: DemoDraft): DemoAccount[] {
  return draft.accounts.filter(({ part, seed }) => seed.role === 'JS' && part !== 'silent');
}

/** Accounts that keep what they are paid. */
function keepersOf(draft: DemoDraft): DemoAccount[] {
  return payeesOf(draft).filter(({ part, seed }) => part === 'clean' && !seed.autoSettle);
}

/** Amounts end in a 1…8 that a planted amount never has. */
function orderAmount(random: Seeded): Fen {
  const size = random.whole({ min: 1, max: 20 });
  const [min, max] = size <= 14 ? [500, 15_000] : size <= 19 ? [15_000, 60_000] : [60_000, 250_000];
  return BigInt(random.whole({ min, max })) * 10n + BigInt(random.whole({ min: 1, max: 8 }));
}

function orderFee(random: Seeded, amountFen: Fen): { feeFen: Fen; feeType: 'ORDER' | 'ACCOUNT' } {
  const kind = random.whole({ min: 1, max: 10 });
  if (kind <= 5) return { feeFen: 0n, feeType: 'ORDER' };
  if (kind <= 8) return { feeFen: 1n + (amountFen * 3n) / 1_000n, feeType: 'ORDER' };
  return { feeFen: random.pick([20n, 50n]), feeType: 'ACCOUNT' };
}

/** Whole orders go back from those who kept the money, some days later; one of them on the last day. */
function refundsOf(draft: DemoDraft, sent: readonly SentOrder[]): void {
  const { random } = draft;
  const [lastDay = ''] = draft.days.slice(-1);
  const refundable = sent.filter(({ doneAt, payee }) => doneAt !== undefined && !payee.seed.autoSettle);
  const daysLeft = (order: SentOrder): number =>
    daysBetween({ from: order.sentAt.slice(0, 10), to: lastDay });
  const onLastDay = refundable.findLast(
    (order) => daysLeft(order) >= REFUND_DAYS.min && order.payer.part === 'clean',
  );
  for (const [place, order] of refundable.entries()) {
    const wanted = random.whole(REFUND_DAYS);
    const isChosen = place % REFUNDED === REFUNDED - 1 && wanted < daysLeft(order);
    if (!isChosen && order !== onLastDay) continue;
    const days = order === onLastDay ? daysLeft(order) : wanted;
    const at = timeOn(random, addDays(order.sentAt.slice(0, 10), days), OFFICE_HOURS);
    refund(order, at, 60_000);
    draft.ledger.push(...refundEntries(draft, order, at));
  }
}

function withdrawalOn(draft: DemoDraft, account: DemoAccount, day: Day): void {
  const { random } = draft;
  const fails = random.whole({ min: 1, max: WITHDRAWAL_FAILS }) === 1;
  bookedWithdrawal(draft, {
    account,
    at: timeOn(random, day, OFFICE_HOURS),
    amountFen: BigInt(random.whole({ min: 500, max: 16_000 })) * 100n,
    ...random.pick([
      { feeFen: 0n, feeType: 'ORDER' },
      { feeFen: 200n, feeType: 'ORDER' },
      { feeFen: 500n, feeType: 'ACCOUNT' },
    ] as const),
    ...(fails && { state: 'FAIL', note: '收款银行户名不符' }),
    seconds: random.whole({ min: 60, max: 3_600 }),
  });
}

/** As many orders as a batch may have, three of which fail. */
function fullBatch(draft: DemoDraft): void {
  const day = draft.days[9] ?? '';
  const orders = Array.from({ length: 20 }, (_, place) =>
    ordinaryOrder(draft, place % 7 === 3 ? FAILURES[0] : { state: 'SUCCESS' }),
  );
  booked(draft, sendBatch(draft, { payer: mainPayer(draft), at: `${day} 15:00:05`, orders }));
}

/** What only the books name is asked for as well: a batch and a withdrawal that nobody registered. */
function forgottenToRegister(draft: DemoDraft): void {
  const [keeper] = keepersOf(draft).slice(-1);
  if (!keeper) throw new Error('Bug: nobody keeps what he is paid');
  const orders = [1, 2, 3].map(() => ordinaryOrder(draft, { state: 'SUCCESS', payee: keeper }));
  const at = `${draft.days[14] ?? ''} 11:20:00`;
  booked(draft, sendBatch(draft, { payer: mainPayer(draft), at, orders, registered: false }));
  const withdrawal = { account: keeper, amountFen: 300_000n, seconds: 900, registered: false };
  bookedWithdrawal(draft, { ...withdrawal, at: `${draft.days[17] ?? ''} 16:05:00` });
}

/** Under way when the first night looks and done when the second does. */
function overNight(draft: DemoDraft): void {
  const [dayBefore = ''] = draft.days.slice(-2);
  const payer = mainPayer(draft);
  const [keeper] = keepersOf(draft);
  if (!keeper) throw new Error('Bug: nobody keeps what he is paid');
  const slow = ordinaryOrder(draft, { payee: keeper, state: 'SUCCESS', seconds: 11 * 3_600, feeFen: 0n });
  const quick = ordinaryOrder(draft, { payee: keeper, state: 'SUCCESS' });
  const [first] = booked(
    draft,
    sendBatch(draft, { payer, at: `${dayBefore} 22:10:30`, orders: [slow, quick] }),
  );
  const withdrawal = bookedWithdrawal(draft, {
    account: keeper,
    at: `${dayBefore} 21:32:00`,
    amountFen: 880_000n,
    seconds: 12 * 3_600,
  });
  for (const [account, order] of [
    [payer, first],
    [keeper, withdrawal],
  ] as const) {
    draft.planted.push({
      class: 'in_flight',
      accountNo: account.accountNo,
      reference: order?.outOrderNo ?? '',
      differenceFen: 0n,
      foundBy: dayBefore,
      until: dayBefore,
      note: 'under way over the night, done and booked the next morning',
    });
  }
}

/** Between midnight and the night's hour: in the balance that is read, and not of the day that is proven. */
function afterMidnight(draft: DemoDraft): void {
  const [lastDay = ''] = draft.days.slice(-1);
  const [keeper] = keepersOf(draft);
  if (!keeper) throw new Error('Bug: nobody keeps what he is paid');
  for (const day of [lastDay, addDays(lastDay, 1)]) {
    const soon = { state: 'SUCCESS', seconds: 20, settleSeconds: 600 } as const;
    const orders = [ordinaryOrder(draft, soon), ordinaryOrder(draft, { ...soon, payee: keeper })];
    booked(draft, sendBatch(draft, { payer: mainPayer(draft), at: `${day} 00:12:00`, orders }));
    const withdrawal = { account: keeper, amountFen: 150_000n, feeFen: 500n, feeType: 'ACCOUNT' } as const;
    bookedWithdrawal(draft, { ...withdrawal, at: `${day} 00:40:00`, seconds: 120 });
  }
}

function mainPayer(draft: DemoDraft): DemoAccount {
  const payer = draft.accounts.find(({ part, seed }) => part === 'clean' && seed.role === 'FQ');
  if (!payer) throw new Error('Bug: nobody pays');
  return payer;
}
