/**
 * How something is planted in the demo: on an account of its part, with the two days of the nights at hand, as
 * what the platform did, what the company's books have of it, and what a night has to find.
 */
import type { Day } from '../../core/time.ts';
import type { TransferSeed } from '../orders/order-schema.ts';
import type { DepositSeed } from '../world/seed-schema.ts';
import type { DemoAccount, DemoRole } from './demo-accounts.ts';
import type { DemoDraft, LedgerEntry, Planted } from './demo-draft.ts';
import { deposited, tradeOf } from './demo-month.ts';
import type { Trade } from './demo-month.ts';
import { orderEntries } from './demo-order-books.ts';
import { ordinaryOrder } from './demo-order-month.ts';
import { later, sendBatch, sendWithdrawal } from './demo-orders.ts';
import type { OrderPlan, SentOrder, SentWithdrawal, WithdrawalPlan } from './demo-orders.ts';

export interface Scene {
  draft: DemoDraft;
  account: DemoAccount;
  /** The second night is about the last day, the first about the one before. */
  dayBefore: Day;
  lastDay: Day;
}

export function sceneAt(draft: DemoDraft, part: DemoRole): Scene {
  const account = draft.accounts.find((known) => known.part === part);
  if (!account) throw new Error(`Bug: the demo has no account for ${part}`);
  const [dayBefore = '', lastDay = ''] = draft.days.slice(-2);
  return { draft, account, lastDay, dayBefore };
}

/** By default on the scene's account, found by the second night, and not about an amount. */
export function finds(
  { draft, account, lastDay }: Scene,
  finding: Pick<Planted, 'class' | 'reference' | 'note'> & Partial<Planted>,
): void {
  draft.planted.push({ accountNo: account.accountNo, foundBy: lastDay, differenceFen: 0n, ...finding });
}

/** Something that goes wrong; what is sent to make it stands beside it under the name of its kind. */
interface Plant<Sent> {
  note: string;
  /** What the ledger has of it; by default nothing. @param at some minutes after it was sent */
  books?: (sent: Sent, at: string) => LedgerEntry[];
  /** By default under the number of what was sent. */
  finds: Pick<Planted, 'class'> & Partial<Planted>;
}

function planted<Sent>(
  scene: Scene,
  { note, books, finds: finding }: Plant<Sent>,
  of: { sent: Sent; reference: string; sentAt: string },
): void {
  const { draft } = scene;
  if (books) draft.ledger.push(...books(of.sent, later(draft, of.sentAt, 7 * 60)));
  finds(scene, { reference: of.reference, note, ...finding });
}

/** A deposit to be made on the scene's account. */
export type DepositPlan = Pick<Trade, 'at' | 'payer' | 'amountFen'> & Partial<Trade>;

/** @param seed what the platform does or shows otherwise */
export function sendDeposit(scene: Scene, plan: DepositPlan, seed: Partial<DepositSeed> = {}): Trade {
  const { draft, account } = scene;
  const trade = { ...tradeOf(draft, { accountNo: account.accountNo, ...plan }), ...plan };
  deposited(draft, trade, seed);
  return trade;
}

export function plantDeposit(
  scene: Scene,
  plant: Plant<Trade> & { deposit: DepositPlan; seed?: Partial<DepositSeed> },
): Trade {
  const sent = sendDeposit(scene, plant.deposit, plant.seed);
  planted(scene, plant, { sent, reference: sent.orderNo, sentAt: sent.at });
  return sent;
}

/** An order that the scene's account sends. */
type TransferPlan = Pick<OrderPlan, 'payee' | 'amountFen'> & Partial<OrderPlan> & { at: string };

/**
 * In a batch with another order, which is booked as it should.
 * @param seed what the platform does or shows otherwise of the batch
 */
export function sendTransfer(
  { draft, account: payer }: Scene,
  { at, ...order }: TransferPlan,
  seed: Partial<TransferSeed> = {},
): SentOrder {
  const orders = [{ seconds: 45, ...order }, ordinaryOrder(draft, { state: 'SUCCESS' })];
  const [sent, other] = sendBatch(draft, { payer, at, orders, seed });
  if (!sent || !other) throw new Error('Bug: a batch has the orders it was given');
  draft.ledger.push(...orderEntries(draft, other));
  return sent;
}

export function plantTransfer(scene: Scene, plant: Plant<SentOrder> & { transfer: TransferPlan }): SentOrder {
  const sent = sendTransfer(scene, plant.transfer);
  planted(scene, plant, { sent, reference: sent.outOrderNo, sentAt: sent.sentAt });
  return sent;
}

export function plantWithdrawal(
  scene: Scene,
  plant: Plant<SentWithdrawal> & { withdrawal: Omit<WithdrawalPlan, 'account'> },
): void {
  const { draft, account } = scene;
  const sent = sendWithdrawal(draft, { account, ...plant.withdrawal });
  planted(scene, plant, { sent, reference: sent.outOrderNo, sentAt: sent.sentAt });
}
