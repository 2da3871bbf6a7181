/**
 * Puts transfers, refunds and withdrawals into the sandbox as they were, are or will be (CTL): all of a call or
 * none. Those submitted in the sandbox's future cannot be found before that instant.
 */
import { WrongInput } from '../../core/errors.ts';
import { Bookings } from '../world/bookings.ts';
import type { Caller } from '../protocol/sandbox-keys.ts';
import { nextNumber } from '../world/numbers.ts';
import { checked, timeMs } from '../world/seed-schema.ts';
import { requireAccount } from '../world/seed.ts';
import { stateAt } from '../world/account.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { goneAtMs, orderMeaning } from './life.ts';
import { transferSeedSchema, withdrawalSeedSchema } from './order-schema.ts';
import type { SeededTransfer, SeededWithdrawal, TransferSeed, WithdrawalSeed } from './order-schema.ts';
import type { TransferBatch, TransferOrder, Withdrawal } from './order.ts';
import {
  bookRefund,
  bookTransfer,
  bookWithdrawal,
  planRefund,
  planTransfer,
  planWithdrawal,
  showingOf,
} from './plan.ts';
import { receivingCard } from './receiving-card.ts';
import { bookSettlement } from './settlement.ts';
import { pushBatch } from './transfer-pushes.ts';

/**
 * @throws WrongInput for a fault in any of them, a number that is taken, an account that is not there, or one
 *   whose available balance would fall below zero at any time; then nothing has changed
 */
export function seedTransfers(world: World, seeds: readonly TransferSeed[]): void {
  const batches = allOrNone(world, (seeding) =>
    seeds.map((seed, place) =>
      planSeededBatch(world, checked(transferSeedSchema, seed, `transfer ${place + 1}`), seeding),
    ),
  );
  for (const batch of batches) {
    world.orders.addBatch(batch);
    pushBatch(world, batch);
  }
}

/** @throws WrongInput as seedTransfers does; then nothing has changed */
export function seedWithdrawals(world: World, seeds: readonly WithdrawalSeed[]): void {
  const withdrawals = allOrNone(world, (seeding) =>
    seeds.map((seed, place) =>
      planSeededWithdrawal(world, checked(withdrawalSeedSchema, seed, `withdrawal ${place + 1}`), seeding),
    ),
  );
  for (const withdrawal of withdrawals) world.orders.addWithdrawal(withdrawal);
}

interface Seeding {
  bookings: Bookings;
  numbers: FreeNumbers;
}

/** Plans, then books; a fault gives back the numbers that were drawn. */
function allOrNone<T>(world: World, plan: (seeding: Seeding) => T): T {
  const { numbersGiven } = world;
  try {
    const bookings = new Bookings();
    const planned = plan({ bookings, numbers: new FreeNumbers(world) });
    bookOrRefuse(bookings);
    return planned;
  } catch (error) {
    world.numbersGiven = numbersGiven;
    throw error;
  }
}

function planSeededBatch(world: World, seed: SeededTransfer, seeding: Seeding): TransferBatch {
  const { outBatchNo, payerAcctNo, extParam, note, notifyUrl } = seed;
  const submittedAtMs = timeMs(world.zone, seed.submittedAt);
  const payer = openAccount(world, payerAcctNo, submittedAtMs);
  const { merchant } = payer;
  seeding.numbers.takeBatch(merchant, outBatchNo);
  const batchNo = seed.batchNo ?? nextNumber(world, 'TB', submittedAtMs);
  const orders = seed.orders.map((order) => {
    const { outOrderNo } = order;
    seeding.numbers.takeOrder('transfer', { merchant, outOrderNo, batch: outBatchNo });
    return planSeededOrder(world, order, { payer, submittedAtMs, bookings: seeding.bookings });
  });
  for (const refund of seed.refunds) refundSeeded(world, refund, { orders, payer, seeding });
  return {
    merchant,
    outBatchNo,
    batchNo,
    payerAcctNo,
    submittedAtMs,
    extParam,
    note,
    orders,
    showing: showingOf(world, seed, submittedAtMs),
    notify: notifyUrl === undefined ? undefined : { url: notifyUrl, caller: usualCaller(world, merchant) },
  };
}

function planSeededOrder(
  world: World,
  seed: SeededTransfer['orders'][number],
  of: { payer: Account; submittedAtMs: number; bookings: Bookings },
): TransferOrder {
  const { outOrderNo, amountFen, payeeAcctNo, body, extParam, finalAt, ...outcome } = seed;
  const payee = openAccount(world, payeeAcctNo, of.submittedAtMs);
  const order = planTransfer(
    world,
    {
      outOrderNo,
      orderNo: seed.orderNo ?? nextNumber(world, 'TO', of.submittedAtMs),
      amountFen,
      payeeAcctNo,
      body,
      extParam,
    },
    {
      outcome: { ...outcome, ...delayUntil(world, finalAt, of.submittedAtMs) },
      startMs: of.submittedAtMs,
      payee,
    },
  );
  const parties = { payer: of.payer, payee };
  bookTransfer(world, of.bookings, order, parties);
  for (const settlement of order.settlements) {
    bookSettlement(world, of.bookings, { order, settlement, ...parties });
  }
  return order;
}

function refundSeeded(
  world: World,
  seed: SeededTransfer['refunds'][number],
  of: { orders: readonly TransferOrder[]; payer: Account; seeding: Seeding },
): void {
  const { outOrderNo, at, amountFen, ...outcome } = seed;
  const order = of.orders.find((known) => known.outOrderNo === outOrderNo);
  if (!order) throw new WrongInput(`refund of ${outOrderNo}: the batch has no such order`);
  const startMs = timeMs(world.zone, at);
  if (startMs < (goneAtMs(order.life, orderMeaning) ?? Infinity)) {
    throw new WrongInput(`refund of ${outOrderNo}: the order has not succeeded by then`);
  }
  const refund = planRefund(world, order, { outcome, startMs, amountFen, reqId: '' });
  order.refunds.push(refund);
  const payee = requireAccount(world, order.payeeAcctNo);
  bookRefund(world, of.seeding.bookings, { order, refund, payer: of.payer, payee });
}

function planSeededWithdrawal(world: World, seed: SeededWithdrawal, seeding: Seeding): Withdrawal {
  const { outOrderNo, acctNo, amountFen, submittedAt, recvAcctNo, finalAt, ...outcome } = seed;
  const startMs = timeMs(world.zone, submittedAt);
  const account = openAccount(world, acctNo, startMs);
  seeding.numbers.takeOrder('withdrawal', { merchant: account.merchant, outOrderNo, batch: '' });
  const card = receivingCard(account, recvAcctNo);
  if (!card) throw new WrongInput(`withdrawal ${outOrderNo}: ${acctNo} may not withdraw to ${recvAcctNo}`);
  const withdrawal = planWithdrawal(
    world,
    {
      merchant: account.merchant,
      outOrderNo,
      orderNo: seed.orderNo ?? nextNumber(world, 'WD', startMs),
      acctNo,
      amountFen,
      card,
    },
    { outcome: { ...outcome, ...delayUntil(world, finalAt, startMs) }, startMs },
  );
  bookWithdrawal(world, seeding.bookings, withdrawal, account);
  return withdrawal;
}

function openAccount(world: World, accountNo: string, ms: number): Account {
  const account = requireAccount(world, accountNo);
  if (stateAt(account, ms) === '0') throw new WrongInput(`account ${accountNo} is closed`);
  return account;
}

function delayUntil(world: World, finalAt: string | undefined, startMs: number): { delayMs?: number } {
  if (finalAt === undefined) return {};
  const delayMs = timeMs(world.zone, finalAt) - startMs;
  if (delayMs < 0) throw new WrongInput(`"${finalAt}": an order cannot end before it is submitted`);
  return { delayMs };
}

function bookOrRefuse(bookings: Bookings): void {
  const short = bookings.book();
  if (short) throw new WrongInput(`account ${short.accountNo}: its available balance would fall below zero`);
}

/** Seeded orders were sent by somebody: by the first credential of their company. */
function usualCaller(world: World, merchant: string): Caller {
  const credential = world.credentials.find((known) => known.merchant === merchant);
  if (!credential) throw new WrongInput(`merchant ${merchant} has no credential to sign its pushes with`);
  return { credential, signType: 'MD5', secretName: 'appSecret' };
}

/** Numbers that are free in the sandbox and not yet taken by what is being seeded (U26). */
class FreeNumbers {
  readonly #world: World;
  readonly #taken = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  takeBatch(merchant: string, outBatchNo: string): void {
    const isKnown = this.#world.orders.batch(merchant, { own: outBatchNo }) !== undefined;
    this.#take(isKnown, `batch ${outBatchNo}`, `${merchant} batch ${outBatchNo}`);
  }

  takeOrder(
    kind: 'transfer' | 'withdrawal',
    of: { merchant: string; outOrderNo: string; batch: string },
  ): void {
    const { orders, switches } = this.#world;
    const within = switches.numberScope === 'batch' ? of.batch : '';
    const isKnown = orders.isOrderNoTaken({ ...of, kind, scope: switches.numberScope });
    this.#take(isKnown, `order ${of.outOrderNo}`, `${of.merchant} order ${within} ${of.outOrderNo}`);
  }

  #take(isKnown: boolean, what: string, key: string): void {
    if (isKnown || this.#taken.has(key)) throw new WrongInput(`${what} exists already`);
    this.#taken.add(key);
  }
}
