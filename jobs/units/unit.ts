/**
 * What a part of a night is, wherever it is done: its kind says how a chunk of the work is done, and whoever does it
 * holds a claim. In the night's own process there is nobody to claim it from.
 */
import type { Transaction } from 'kysely';
import type { Day } from '../../src/core/time.ts';
import type { Tables } from '../../src/store/schema/schema.ts';
import type { UnitKindName } from '../../src/store/units/unit-queue.ts';
import type { Context } from '../context/context.ts';

/** The run that all units of it are of. */
export interface UnitRun {
  runId: string;
  /** The last day of the run: the day on which a change counts as noticed. */
  toDay: Day;
  /** The running day, taken once when the run began. */
  today: Day;
}

export interface Claim {
  /** What is claimed, whoever has it; undefined where it is all of the run's. */
  unitId: string | undefined;
  /** Another one had it before and did not end it: of what it stored anything may be there. */
  isRepeated: boolean;
  /**
   * The last statement of every transaction of the unit: what it wrote counts only while the unit is this process's.
   * @throws ClaimLost when it is another's by now
   */
  keep(trx: Transaction<Tables>): Promise<void>;
}

/** Reaction: leave it. Another process has the unit by now, or the night was ended. */
export class ClaimLost extends Error {}

/** Of work in the night's own process: its lease is the claim. */
export const OWN_WORK: Claim = { unitId: undefined, isRepeated: false, keep: () => Promise.resolve() };

/** What is to be done, page after page: a long list need not be in memory. */
export interface Items<Item extends object> {
  total: number;
  pages: () => AsyncIterable<readonly Item[]>;
}

export function itemsOf<Item extends object>(all: readonly Item[]): Items<Item> {
  return {
    total: all.length,
    pages: async function* () {
      yield await Promise.resolve(all);
    },
  };
}

export async function allOf<Item extends object>(items: Items<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of items.pages()) for (const item of page) all.push(item);
  return all;
}

export interface UnitKind<Item extends object, Made extends object> {
  name: UnitKindName;
  /** Items of a unit that is handed out: many enough that handing out costs nothing, few enough to be done again. */
  itemsMax: number;
  /** Doing it again does no harm. Items and what is made of them are stored as JSON on the way. */
  work(context: Context, run: UnitRun, items: Items<Item>, claim: Claim): Promise<Made>;
  /** Nobody could do it: what that leaves unread is said where the proof looks for it. */
  giveUp(trx: Transaction<Tables>, run: UnitRun, items: readonly Item[], reason: string): Promise<Made>;
}
