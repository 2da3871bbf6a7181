/** What asking for batches and withdrawals brought, as it is handed to be saved. */
import type { Day, Instant, Zone } from '../core/time.ts';
import type { AnswerEvidence } from '../store/deposits/answers.ts';
import type { UnitKey } from '../store/orders/order-due.ts';
import type { RecheckRules } from './order-due-next.ts';
import type { LookTime, OrderObservation, TransferObservation } from './order-observations.ts';

/** Known only when the answer is taken together with its batch, the registry and the list of what is due. */
type FoundLater = 'accountNo' | 'submittedAt' | 'notFoundAt' | 'answerSha256' | 'signed';

/** A transfer order as its batch lists it; its own number and its payer are empty where they are not stated. */
export type ListedOrder = Omit<TransferObservation, FoundLater | 'outBatchNo' | 'statedNo' | 'beside'> & {
  payerAccountNo: string;
};

export interface BatchLook {
  outBatchNo: string;
  batchNo: string;
  state: string;
  extParam: string;
  note: string;
  orders: readonly ListedOrder[];
}

export type WithdrawalLook = Omit<OrderObservation, FoundLater | 'remarks'> & { accountNo: string };

export type LookMoments = Omit<LookTime, 'day'>;

interface Asked {
  unit: UnitKey;
  /** It was found under this other number; from now on it is asked for by that. */
  foundAs?: UnitKey;
  /**
   * When an answer had come that cannot be taken, in place of this one or at a try before it: it may have shown anything of
   * the orders of its batch.
   */
  unread?: LookMoments;
  /** The claim under which it was asked for; undefined: under none. */
  claimFence?: bigint | undefined;
}

interface Found extends Asked {
  moments: LookMoments;
  evidence: Omit<AnswerEvidence, 'accountNo'>;
}

export type OrderAnswer =
  | (Found & { kind: 'batch'; batch: BatchLook })
  | (Found & { kind: 'withdrawal'; withdrawal: WithdrawalLook })
  /** The platform does not know the number; that is no failure of the order (P14). */
  | (Asked & { kind: 'not_found'; moments: LookMoments })
  /**
   * No answer at all, or one that does not show the order; `refusedAt`: when it was answered so, or found to be
   * nothing that can be asked; `isAboutUs`: for what we did, not for what was asked. The reason is for people and
   * masked.
   */
  | (Asked & {
      kind: 'failed';
      reason: string;
      isUnanswered?: boolean;
      refusedAt?: Instant;
      isAboutUs?: boolean;
      /** The platform's, where it refused: the reason may name another trace each time. */
      code?: string;
    });

export interface OrderSave {
  runId: string;
  /** The day for which things count as noticed, and the running day by which the next look is planned. */
  day: Day;
  today: Day;
  zone: Zone;
  rules: RecheckRules;
  /** Whether this run's list of what it asked is kept; a snapshot leaves that of the night alone. */
  keepsList: boolean;
  answers: readonly OrderAnswer[];
}

export interface OrdersSaved {
  /** Orders listed in the answers. */
  transferOrders: number;
  withdrawals: number;
  /** Orders that are new or of which something changed. */
  changed: number;
  /** What could not be read, or turned out to say nothing that can be kept. */
  failures: readonly { unit: UnitKey; reason: string }[];
  /** Asked for under a claim that is no more in force: another one asked since. What they show changes nothing. */
  overtaken: readonly UnitKey[];
}
