/**
 * How something is planted in the demo: on an account of its part, with the two days of the nights at hand. A plant
 * says what is sent, what the company's books have of it, and what a night has to find; what no deposit, transfer or
 * withdrawal makes is a function of its scene.
 */
import { addDays } from '../../core/time.ts';
import type { Day } from '../../core/time.ts';
import type { TransferSeed } from '../orders/order-schema.ts';
import type { DepositSeed } from '../world/seed-schema.ts';
import type { DemoAccount, DemoRole } from './demo-accounts.ts';
import type { DemoDraft, LedgerEntry, Planted } from './demo-draft.ts';
import { deposited, tradeOf } from './demo-month.ts';
import type { Trade } from './demo-month.ts';
import { orderEntries } from './demo-order-books.ts';
import { ordinaryOrder } from './demo-order-month.ts';
import { later, refund, sendBatch, sendWithdrawal } from './demo-orders.ts';
import type { OrderPlan, SentOrder, SentWithdrawal, WithdrawalPlan } from './demo-orders.ts';

export interface Scene {
  draft: DemoDraft;
  account: DemoAccount;
  /** The second night is about the last day, the first about the one before. */
  dayBefore: Day;
  lastDay: Day;
}

export function sceneAt(draft: DemoDraft, part: DemoRole): Scene {
  const [dayBefore = '', lastDay = ''] = draft.days.slice(-2);
  return { draft, account: accountOf(draft, part), lastDay, dayBefore };
}

export function accountOf(draft: DemoDraft, part: DemoRole): DemoAccount {
  const account = draft.accounts.find((known) => known.part === part);
  if (!account) throw new Error(`Bug: the demo has no account for ${part}`);
  return account;
}

/** By default on the scene's account, found by the second night, and not about an amount. */
type Finding = Pick<Planted, 'class'> &
  Partial<Omit<Planted, 'accountNo' | 'foundBy'>> & {
    on?: DemoRole;
    /** The first night finds it already. */
    early?: true;
    /** It is about the account or the batch as a whole. */
    about?: 'account' | 'batch';
  };

export function finds(scene: Scene, finding: Finding & Pick<Planted, 'note'>): void {
  const { draft, dayBefore, lastDay } = scene;
  const { on, early, about, reference = '', ...said } = finding;
  const { accountNo } = on ? accountOf(draft, on) : scene.account;
  draft.planted.push({
    accountNo,
    reference: about === 'account' ? accountNo : reference,
    foundBy: early ? dayBefore : lastDay,
    differenceFen: 0n,
    ...said,
  });
}

/** Times of a plan are those of the last day, `09:40:00`, or of so many days before it, `09:40:00 -1`. */
interface Plant<Sent> {
  note: string;
  /** What the ledger has of it; by default nothing. @param at when it is booked, by default seven minutes later */
  books?: (sent: Sent, at: string, scene: Scene) => LedgerEntry[];
  bookedAfterSeconds?: number;
  /** By default under the number of what was sent, with the note of the plant. */
  finds: readonly Finding[];
}

type Planned<Plan> = Omit<Plan, 'payee' | 'account' | 'seconds' | 'seed'> & { at: string; seconds?: number };

export interface DepositPlant extends Plant<Trade> {
  deposit: Pick<Trade, 'at' | 'amountFen'> & Partial<Trade>;
  /** What the platform does or shows otherwise. */
  seed?: (scene: Scene) => Partial<DepositSeed>;
}

export interface TransferPlant extends Plant<SentOrder> {
  transfer: Planned<OrderPlan> & { payee: DemoRole };
  /** Of the order, and of its batch. */
  seed?: (scene: Scene) => NonNullable<OrderPlan['seed']>;
  batch?: Partial<TransferSeed>;
  refunded?: { at: string; waitsMs: number };
}

export interface WithdrawalPlant extends Plant<SentWithdrawal> {
  withdrawal: Planned<WithdrawalPlan>;
  seed?: (scene: Scene) => NonNullable<WithdrawalPlan['seed']>;
}

type Planting = DepositPlant | TransferPlant | WithdrawalPlant | ((scene: Scene) => void);

/** In their order. */
export function plantAll(scene: Scene, plants: readonly Planting[]): void {
  for (const plant of plants) {
    if (typeof plant === 'function') plant(scene);
    else if ('deposit' in plant) book(scene, plant, sendDeposit(scene, plant.deposit, plant.seed?.(scene)));
    else if ('transfer' in plant) plantTransfer(scene, plant);
    else book(scene, plant, withdrawn(scene, plant));
  }
}

/** By the usual payer. */
export function sendDeposit(
  scene: Scene,
  plan: DepositPlant['deposit'],
  seed: Partial<DepositSeed> = {},
): Trade & { sentAt: string } {
  const { draft, account } = scene;
  const [payer] = draft.plantPayers;
  if (!payer) throw new Error('Bug: nobody pays what is planted');
  const sentAt = timeOf(scene, plan.at);
  const of = { accountNo: account.accountNo, payer, ...plan, at: sentAt };
  const trade = { ...tradeOf(draft, of), ...of };
  deposited(draft, trade, seed);
  return { ...trade, sentAt };
}

/** In a batch with another order, which is booked as it should. */
function plantTransfer(scene: Scene, plant: TransferPlant): void {
  const { draft, account: payer } = scene;
  const { transfer, seed = () => ({}), batch = {}, refunded } = plant;
  const { at, ...order } = {
    seconds: 45,
    ...transfer,
    payee: accountOf(draft, transfer.payee),
    seed: seed(scene),
  };
  const orders = [order, ordinaryOrder(draft, { state: 'SUCCESS' })];
  const [sent, other] = sendBatch(draft, { payer, at: timeOf(scene, at), orders, seed: batch });
  if (!sent || !other) throw new Error('Bug: a batch has the orders it was given');
  draft.ledger.push(...orderEntries(draft, other));
  book(scene, plant, sent);
  if (refunded) refund(sent, timeOf(scene, refunded.at), refunded.waitsMs);
}

function withdrawn(scene: Scene, { withdrawal, seed = () => ({}) }: WithdrawalPlant): SentWithdrawal {
  const { draft, account } = scene;
  const at = timeOf(scene, withdrawal.at);
  return sendWithdrawal(draft, { seconds: 0, ...withdrawal, account, at, seed: seed(scene) });
}

/** What the company books of it, and what a night has to find. */
function book<Sent extends { orderNo: string; outOrderNo?: string; outBatchNo?: string; sentAt: string }>(
  scene: Scene,
  { note, books, bookedAfterSeconds = 7 * 60, finds: findings }: Plant<Sent>,
  sent: Sent,
): void {
  const { draft } = scene;
  if (books) draft.ledger.push(...books(sent, later(draft, sent.sentAt, bookedAfterSeconds), scene));
  const { orderNo, outOrderNo = orderNo, outBatchNo = '' } = sent;
  for (const finding of findings) {
    const reference = finding.about === 'batch' ? outBatchNo : outOrderNo;
    finds(scene, { note, reference, ...finding });
  }
}

function timeOf({ lastDay }: Scene, text: string): string {
  const [at = '', days = '0'] = text.split(' ');
  return `${addDays(lastDay, Number.parseInt(days, 10))} ${at}`;
}
