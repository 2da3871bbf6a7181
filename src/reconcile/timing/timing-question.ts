/** What is asked of an account whose orders may lie on either side of a balance, and what may be answered. */
import type { Fen } from '../../core/fen.ts';

/**
 * opening: before the opening, whose amount holds it; before: before the cut; between: after the cut, but in the
 * balance; after: not in the balance.
 */
export type Place = 'opening' | 'before' | 'between' | 'after';

export interface TimingItem {
  key: string;
  /** What it changes the account by; 0 for an order that failed. */
  deltaFen: Fen;
  /** What it held on the account while it was open. */
  debitFen: Fen;
  /** A look had shown it by then: outside the balance it held that for certain. */
  isSeenBefore: boolean;
  /** Where it counts unless something speaks against it; what the question's figures are reckoned with. */
  usual: Place;
  /** Where it counts by what is known of itself, else by the books; all of its places where nothing tells. */
  likely: readonly Place[];
  /** What its bounds allow, at least one, in order of preference; never both `opening` and `after`. */
  places: readonly Place[];
  /** The side of the cut on which the books have it; undefined where they do not have it at all. */
  bookedSide: 'before' | 'after' | undefined;
  /** What differs from the books when it counts before the cut, and when it does not. */
  lineFen: { before: Fen; notBefore: Fen };
  /** What of it lies across the opening of the books: where it counts before the opening, and where it counts since. */
  crossingFen: { opening: Fen; since: Fen };
  /** Key of the item that cannot come after this one: the transfer of a settlement or refund. */
  notBeforeItem: string | undefined;
}

export type InflightModel = 'frozen' | 'debited';

export interface TimingQuestion {
  /** Balance less what was expected with every item at its first place, under the frozen model. */
  unexplainedFen: Fen;
  /** What is told as unexplained already; undefined: nothing is told. */
  toldFen: Fen | undefined;
  /** The account's closing with every item at its first place, under the frozen model. */
  closingFen: Fen;
  /** Undefined where the platform states none. */
  frozenFen: Fen | undefined;
  /** Held by orders that were certainly open. */
  openFen: Fen;
  /** Whether a frozen amount beyond those may be held by what our looks leave open. */
  mayHold: (fen: Fen) => boolean;
  items: readonly TimingItem[];
  /** By how much the books begin lower than the platform; undefined where they do not state with how much. */
  openingDifferenceFen: Fen | undefined;
  /** Where no one placement alone explains the balance, what leaves least is taken: the last resort. */
  takesLeast: boolean;
  /** The balance lies between two proofs: nobody is shown what it leaves frozen. */
  isBetween: boolean;
  /** The profile's model, or auto; and what fitted last time. */
  model: InflightModel | 'auto';
  knownModel: InflightModel | undefined;
}

export interface Assignment {
  model: InflightModel;
  places: ReadonlyMap<string, Place>;
  openFen: Fen;
  unexplainedFen: Fen;
  closingFen: Fen;
}

/** More cannot be weighed (docs/reconciliation.md 3.4). */
export const ITEMS_MAX = 20;
