/**
 * The port behind which units are handed out: each job to one worker at a time, again when that one died, no more than
 * so often. Who holds a job proves it in the transaction that depends on it.
 */
import type { Transaction } from 'kysely';
import type { Tables } from '../schema/schema.ts';

/** The kinds of units there are, each with a queue of its own. */
export const UNIT_KINDS = ['deposits', 'orders', 'balances'] as const;
export type UnitKindName = (typeof UNIT_KINDS)[number];

/** So often a unit is begun before it is given up: what kills its worker must not kill all of them all night. */
export const TRIES_MAX = 5;

/** A job as it was handed to this process, and to no other as long as it is kept. */
export interface Handed {
  kind: UnitKindName;
  jobId: string;
  unitId: string;
  /** Which of its handings this is. */
  attempt: number;
}

export interface GivenUp {
  kind: UnitKindName;
  unitId: string;
  reason: string;
}

export interface UnitQueue {
  /** Hands out each of these units once, under the number that is given with it. */
  put(
    trx: Transaction<Tables>,
    kind: UnitKindName,
    units: readonly { jobId: string; unitId: string }[],
  ): Promise<void>;
  take(kind: UnitKindName): Promise<Handed | undefined>;
  /** Tells that its worker lives. @returns false when it is another's by now, or nobody's */
  keep(handed: Handed, trx?: Transaction<Tables>): Promise<boolean>;
  /** Ends it, in that transaction. @returns false when it is another's by now, or nobody's: nothing was ended */
  end(handed: Handed, trx: Transaction<Tables>): Promise<boolean>;
  /** It could not be done here; another try follows, or it is given up. */
  fail(handed: Handed, reason: string): Promise<void>;
  /** Whoever has them may end nothing of them any more. */
  withdraw(trx: Transaction<Tables>, kind: UnitKindName, jobIds: readonly string[]): Promise<void>;
  /** What was given up and not taken back yet. */
  listGivenUp(): Promise<GivenUp[]>;
  /** What was given up is remembered no longer. */
  forgetGivenUp(trx: Transaction<Tables>, unitIds: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
