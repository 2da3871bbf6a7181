/** What a proof is asked: which days and accounts, by which rules, and what is known of them before. */
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant, Zone } from '../../core/time.ts';
import type { PostingRules } from '../post/posting-rules.ts';
import type { ProofSpan } from './scope.ts';
import type { FailedAccount } from './apart-from-failing.ts';

/** The run that finds, and the days it is about. */
export interface FindingRun {
  runId: string;
  job: 'nightly' | 'backfill';
  fromDay: Day;
  toDay: Day;
  at: Instant;
  zone: Zone;
  span: ProofSpan;
}

/** What the profile says of proofs. */
export interface ProofRules {
  observedMinutes: number;
  /** A list of deposits that does not settle leaves its days unread; otherwise it stands, and is unverified. */
  listsAreVerified: boolean;
  agingDays: number;
  /** How long an order that was sent is given to appear on the platform. */
  unknownGraceMinutes: number;
  inflightModel: 'auto' | 'frozen' | 'debited';
  posting: PostingRules;
}

export interface ProofAccount {
  accountNo: string;
  replacedBy?: string | undefined;
  activeTo?: Instant | undefined;
  opening: { at: Instant; fen: Fen } | undefined;
}

export interface ProofRequest extends FindingRun {
  accounts: readonly ProofAccount[];
  rules: ProofRules;
  /** The ledger source that is complete only to an instant before the cut, where there is one. */
  ledgerIncomplete: string | undefined;
  /** Accounts that stay unread, with the reason: nobody has asked for them since. */
  stillUnread?: ReadonlyMap<string, string> | undefined;
  /** Accounts of the run that are left out, because their proof failed. */
  failed?: readonly FailedAccount[];
}
