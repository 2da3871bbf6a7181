/** The sandbox's state: one object that is made by a scenario, changed by calls and thrown away by a reset. */
import type { Fen } from '../core/fen.ts';
import type { Profile } from '../core/profile.ts';
import type { Instant, Zone } from '../core/time.ts';
import type { EndpointName } from '../platform/contract.ts';
import type { Book } from './book.ts';
import type { SandboxClock } from './clock.ts';
import type { Credential, RsaKeyring } from './credentials.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { LocalTime } from './local-time.ts';
import type { ApplicationShelf } from './openings/application-shelf.ts';
import type { DecisionPlan } from './openings/decision-plan.ts';
import type { OrderShelf } from './orders/order-shelf.ts';
import type { OutcomePlan } from './orders/outcome-plan.ts';
import type { PushPlan } from './pushes.ts';
import type { Seeded } from './random.ts';
import type { ReqIds } from './req-ids.ts';
import type { RequestLog } from './request-log.ts';
import type { Deposit, Shelf } from './shelf.ts';
import type { SmsCodes } from './sms-codes.ts';
import type { SandboxSwitches } from './switches.ts';
import type { VoucherPress } from './vouchers/press.ts';
import type { VoucherPlan } from './vouchers/voucher-plan.ts';

export interface BankCard {
  bankAccountNo: string;
  bankAccountName: string;
  mobile: string;
  instBranchCode: string;
  accountType: 'E' | 'P';
  whiteType: 'IN' | 'OUT';
}

/** `0` closed, `1` activated, `2` pending activation (ACC-04); others may be seeded (VER-03). */
export type AccountState = string;

export interface Account {
  merchant: string;
  accountNo: string;
  eleAcctNo: string;
  /** By the sandbox's clock, as the bound card and the identity: a change of the subject's data changes them. */
  readonly name: string;
  role: 'FQ' | 'JS';
  /** Business licence number, or identity number of an individual (OPN-01). */
  readonly subjectId: string;
  /** Before it the account does not exist; those that were seeded have always been there. */
  openedAtMs: number;
  autoSettle: boolean;
  /** In the order of their instants; the first counts from the beginning. */
  states: { atMs: number; state: AccountState }[];
  replacedBy: { accountNo: string; atMs: number } | undefined;
  readonly bindCard: BankCard;
  whiteCards: readonly BankCard[];
  /** Bank accounts a failed settlement may be retried to, besides the bound one (STL-04); no endpoint shows them. */
  settleCards: readonly BankCard[];
  openReqNo: string;
  remark: string;
  paymentPassword: boolean;
  passwordFree: boolean;
  balance: Book;
  frozen: Book;
  shelf: Shelf;
  /** Deposits that failed: they exist, are never listed and move nothing (DEP-08). */
  failedDeposits: Deposit[];
  /** A balance that moves during a run: each query of the account first adds this much, so many times. */
  drift: { fen: Fen; queriesLeft: number };
}

/** A deposit that is booked after so many more pages of the account's listing have been answered. */
export interface Arrival {
  accountNo: string;
  pagesLeft: number;
  book: () => void;
}

export interface World {
  readonly clock: SandboxClock;
  readonly profile: Profile;
  readonly zone: Zone;
  readonly localTime: LocalTime;
  readonly seed: number;
  readonly random: Seeded;
  readonly channelCode: string;
  readonly paths: ReadonlyMap<string, EndpointName>;
  readonly credentials: readonly Credential[];
  readonly rsa: RsaKeyring;
  readonly faults: FaultPlan;
  readonly log: RequestLog;
  readonly accounts: Map<string, Account>;
  readonly arrivals: Arrival[];
  readonly orders: OrderShelf;
  readonly outcomes: OutcomePlan;
  readonly applications: ApplicationShelf;
  readonly decisions: DecisionPlan;
  readonly pushes: PushPlan;
  readonly smsCodes: SmsCodes;
  readonly press: VoucherPress;
  readonly vouchers: VoucherPlan;
  readonly reqIds: ReqIds;
  /** Calls of the running second, for the limit of calls a second. */
  readonly calls: { second: number; count: number };
  switches: SandboxSwitches;
  /** What reading has changed so far: a drift, an arrival, a plan that was used (state/). */
  readEffects: number;
  /** The instant at which it was built. */
  readonly startedAt: Instant;
  /** Numbers given out so far, for order numbers that a seed leaves open. */
  numbersGiven: number;
}

/** The account of that merchant with this number; another merchant's account does not exist (ENV-28). */
export function findAccount(world: World, merchant: string, accountNo: string): Account | undefined {
  const account = world.accounts.get(accountNo);
  const isThere = account?.merchant === merchant && isOpen(account, world.clock.nowMs());
  return isThere ? account : undefined;
}

/** The account of that merchant that this opening made (ACC-07, U22). */
export function findAccountOpenedBy(world: World, merchant: string, openReqNo: string): Account | undefined {
  for (const account of world.accounts.values()) {
    if (account.openReqNo === openReqNo && findAccount(world, merchant, account.accountNo)) return account;
  }
  return undefined;
}

export function isOpen({ openedAtMs }: Account, ms: number): boolean {
  return openedAtMs <= ms;
}

/** The number of the account that has taken its place by then (OPN-04). */
export function replacementAt({ replacedBy }: Account, ms: number): string | undefined {
  return replacedBy && replacedBy.atMs <= ms ? replacedBy.accountNo : undefined;
}

export function stateAt(account: Account, ms: number): AccountState {
  return account.states.findLast((change) => change.atMs <= ms)?.state ?? '1';
}
