/** What the retry of settlements keeps of calls that move money by hand, as the protocol needs it. */
import type { Instant } from '../core/time.ts';
import type { OrderKey } from './settle-order.ts';

/** What a call of money names. */
export interface MoneyNamed {
  /** Orders, by any of their numbers. */
  orders: readonly string[];
  /** Accounts that money is withdrawn from. */
  accounts: readonly string[];
}

export interface CallByHand extends MoneyNamed {
  reqId: string;
  endpoint: string;
  reqTime: Instant;
}

/** An attempt that a call would meet; a closed one may be under way all the same. */
export interface OpenForCall {
  outOrderNo: string;
  attemptNo: number;
  state: string;
  payeeAccountNo: string;
}

/** What is stored by now that may keep a call from being sent. */
export interface CallFacts {
  /** Nothing may be sent before, after a restore. */
  holdUntil: Instant | undefined;
  open: readonly OpenForCall[];
}

/** Somebody says that the platform says that it took no refund of that order by that request. */
export interface Denial extends OrderKey {
  reqId: string;
  by: string;
  at: Instant;
}

/**
 * What became of such a word: kept; of a refund that is not waited for; or too early, because what was sent may arrive
 * until then, or be hidden by a view that lags behind, and whoever was asked for it cannot know.
 */
export type Denied = 'noted' | 'unknown' | { notBefore: Instant };

/** Each method is one transaction, done or not done; all but the reading one and `saveNotTaken` need the lease. */
export interface CallStore {
  /**
   * Attempts that are not closed, of an order that the call names or out of an account that it withdraws from, and of such an
   * order those that the platform may have taken as well as another one; by key.
   */
  openMet(named: MoneyNamed): Promise<readonly OpenForCall[]>;
  /**
   * Keeps a call right before it leaves, as taken, unless it turns out not to have left; once more is kept already.
   * @param server the start of the database's server that the memory was judged on; empty where it does not say
   * @param allow is told what is stored then, and throws where that forbids the call: nothing is kept of it
   * @throws Stopped when the lease was lost, or the database is not the one that was trusted
   */
  saveCall(call: CallByHand, server: string, allow: (facts: CallFacts) => void): Promise<void>;
  /** It did not leave. */
  saveNotTaken(reqId: string): Promise<void>;
  /** Its other orders may be refunded all the same, also another payer's that has the same number. */
  saveDenied(denial: Denial): Promise<Denied>;
  /** Those that are dated later than `latest`, as by a clock that was ahead, were refused, and count as sent now. */
  redateCalls(told: { now: Instant; latest: Instant }): Promise<void>;
}
