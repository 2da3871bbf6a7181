/** The sandbox's state: one object that is made by a scenario, changed by calls and thrown away by a reset. */
import type { Fen } from '../core/fen.ts';
import type { Profile } from '../core/profile.ts';
import type { Zone } from '../core/time.ts';
import type { EndpointName } from '../platform/contract.ts';
import type { Book } from './book.ts';
import type { SandboxClock } from './clock.ts';
import type { Credential, RsaKeyring } from './credentials.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { LocalTime } from './local-time.ts';
import type { OrderShelf } from './orders/order-shelf.ts';
import type { OutcomePlan } from './orders/outcome-plan.ts';
import type { PushPlan } from './pushes.ts';
import type { Seeded } from './random.ts';
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
  name: string;
  role: 'FQ' | 'JS';
  /** Business licence number, or identity number of an individual (OPN-01). */
  subjectId: string;
  autoSettle: boolean;
  /** In the order of their instants; the first counts from the beginning. */
  states: { atMs: number; state: AccountState }[];
  replacedBy: string | undefined;
  bindCard: BankCard;
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
  readonly pushes: PushPlan;
  readonly smsCodes: SmsCodes;
  readonly press: VoucherPress;
  readonly vouchers: VoucherPlan;
  /** When each reqId was used, by scope; oldest first (ENV-16). */
  readonly reqIds: Map<string, Map<string, number>>;
  /** Calls of the running second, for the limit of calls a second. */
  readonly calls: { second: number; count: number };
  switches: SandboxSwitches;
  /** Numbers given out so far, for order numbers that a seed leaves open. */
  numbersGiven: number;
}

/** The account of that merchant with this number; another merchant's account does not exist (ENV-28). */
export function findAccount(world: World, merchant: string, accountNo: string): Account | undefined {
  const account = world.accounts.get(accountNo);
  return account?.merchant === merchant ? account : undefined;
}

export function stateAt(account: Account, ms: number): AccountState {
  return account.states.findLast((change) => change.atMs <= ms)?.state ?? '1';
}
