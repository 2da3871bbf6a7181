/** What a sandbox offers to whoever has it: a server, the control surface, a test. */
import type { ControlReply, ControlRequest, SandboxReply, SandboxRequest } from '../protocol/exchange.ts';
import type { LoggedRequest } from '../protocol/request-log.ts';
import type { ClientRsaKeys, Credential } from '../protocol/sandbox-keys.ts';
import type { SandboxSwitches, SwitchesPatch } from '../control/switches.ts';
import type { FaultSeed } from '../faults/fault-schema.ts';
import type { DecisionSeed } from '../openings/decision-schema.ts';
import type { OutcomeSeed, TransferSeed, WithdrawalSeed } from '../orders/order-schema.ts';
import type { PayerRefund } from '../orders/refunds.ts';
import type { Payout } from '../orders/settlement.ts';
import type { ScenarioChoice } from '../scenarios/scenario.ts';
import type { VoucherSeed } from '../vouchers/voucher-schema.ts';
import type { SandboxClock } from '../world/clock.ts';
import type { LoggedPush, PushSender } from '../world/pushes.ts';
import type { AccountSeed, DepositSeed, MovementSeed } from '../world/seed-schema.ts';
import type { SmsCode } from '../world/sms-codes.ts';

export interface Sandbox {
  readonly clock: SandboxClock;
  readonly credentials: readonly Credential[];
  readonly channelCode: string;
  /** The client's half of the RSA keys, as PEM; made at the first call. */
  clientRsaKeys(): ClientRsaKeys;
  /** One request below the service's prefix. */
  answer(request: SandboxRequest): SandboxReply;
  /** One request of the control surface, which `serve` offers only when asked to (CTL). */
  control(request: ControlRequest): ControlReply;
  seedAccounts(seeds: readonly AccountSeed[]): void;
  /** @returns the orderNos */
  seedDeposits(seeds: readonly DepositSeed[]): string[];
  /** A deposit that is booked once so many more pages of its account have been answered. */
  seedArrival(arrival: { afterPages: number; deposit: DepositSeed }): void;
  seedMovements(seeds: readonly MovementSeed[]): void;
  /** Batches with their orders and refunds, past or to come; all or none. */
  seedTransfers(seeds: readonly TransferSeed[]): void;
  seedWithdrawals(seeds: readonly WithdrawalSeed[]): void;
  /** Decides what the next calls make. @returns the numbers under which the plans can be dropped */
  planOutcomes(outcomes: readonly OutcomeSeed[]): number[];
  /** Decides how the next openings and changes go. @returns the numbers under which the plans can be dropped */
  planDecisions(seeds: readonly DecisionSeed[]): number[];
  /**
   * What banks were really paid by settlements, automatic or retried, or will be: the truth that answers are
   * measured by. Ordered by instant.
   */
  payouts(): readonly Payout[];
  /** What payers truly got back by refunds, or will, in the order in which these were accepted. */
  refunds(): readonly PayerRefund[];
  /** Decides what the next answers with vouchers hold. @returns the numbers under which the plans can be dropped */
  planVouchers(seeds: readonly VoucherSeed[]): number[];
  /** The codes that were sent, with their flow numbers: what a phone would show. */
  smsCodes(): readonly SmsCode[];
  /** Tries every push that is due by now. @returns how many tries that took */
  deliverPushes(send: PushSender): Promise<number>;
  /** When the next try of a push is due, by the sandbox's clock. */
  nextPushMs(): number | undefined;
  pushes(): readonly LoggedPush[];
  /** Tries a push once more, acknowledged or not. @throws WrongInput when there is none of that number */
  repeatPush(no: number): void;
  /** @returns its number, under which it can be lifted */
  addFault(fault: FaultSeed): number;
  liftFaults(no?: number): void;
  setSwitches(patch: SwitchesPatch): void;
  switches(): SandboxSwitches;
  requests(after?: number): readonly LoggedRequest[];
  /** Back to the beginning, or to the beginning of another scenario; the clock too. */
  reset(change?: { scenario?: ScenarioChoice; seed?: number }): void;
}
