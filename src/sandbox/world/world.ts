/** The sandbox's state: one object that is made by a scenario, changed by calls and thrown away by a reset. */
import type { Profile } from '../../core/profile/profile.ts';
import type { Instant, Zone } from '../../core/time.ts';
import type { EndpointName } from '../../platform/contract.ts';
import { isOpen } from './account.ts';
import type { Account } from './account.ts';
import type { SandboxClock } from './clock.ts';
import type { Credential, RsaKeyring } from '../protocol/sandbox-keys.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { LocalTime } from './local-time.ts';
import type { ApplicationIndex } from '../openings/application-index.ts';
import type { Decision } from '../openings/decision-schema.ts';
import type { OrderIndex } from '../orders/order-index.ts';
import type { Outcome } from '../orders/order-schema.ts';
import type { PlanList } from './plan-list.ts';
import type { PushPlan } from './pushes.ts';
import type { Seeded } from './random.ts';
import type { ReqIds } from '../protocol/req-ids.ts';
import type { RequestLog } from '../protocol/request-log.ts';
import type { SmsCodes } from './sms-codes.ts';
import type { SandboxSwitches } from '../control/switches.ts';
import type { PlannedVoucher } from '../vouchers/voucher-schema.ts';

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
  readonly orders: OrderIndex;
  readonly outcomes: PlanList<Outcome>;
  readonly applications: ApplicationIndex;
  readonly decisions: PlanList<Decision>;
  readonly pushes: PushPlan;
  readonly smsCodes: SmsCodes;
  readonly vouchers: PlanList<PlannedVoucher>;
  /** How often each order's voucher was asked for. */
  readonly voucherAsks: Map<string, number>;
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
