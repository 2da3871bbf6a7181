/** What happened, told of one item by its class: the words are the language's, the facts are the item's. */
import type { BreakClass, TimingClass } from '../../../src/store/schema/schema.ts';

/** The facts of an item as texts for people; empty where there is none. */
export interface Happened {
  /** The platform's number, else the one the books name; empty where the item is of the account itself. */
  number: string;
  entry: string;
  /** Signed amounts in yuan, as people write them. */
  platform: string;
  ledger: string;
  /** What the side has that has it, without sign. */
  size: string;
  /** Without sign. */
  difference: string;
  /** Whether the side that has it received the amount. */
  isReceived: boolean;
  /** Month, day, hour and minute of what the platform has, else of what the books have. */
  at: string;
  counterparty: string;
  state: string;
  isPlatformMore: boolean;
}

export interface HappenedWords {
  tell: Record<BreakClass | TimingClass, (facts: Happened) => string>;
  /** What happened, and what the proof remarks. */
  withRemark: (told: string, remark: string) => string;
}

/** What stands in brackets behind an amount. */
export function bracketed(
  facts: readonly string[],
  marks: { open: string; between: string; close: string },
): string {
  const given = facts.filter((fact) => fact !== '');
  return given.length === 0 ? '' : `${marks.open}${given.join(marks.between)}${marks.close}`;
}
