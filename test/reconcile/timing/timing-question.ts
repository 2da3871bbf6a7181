import type { TimingItem, TimingQuestion } from '../../../src/reconcile/timing/timing-question.ts';

/** Lies where the books have it unless a test says otherwise. */
export const anItem = (item: Partial<TimingItem> & { key: string; deltaFen: bigint }): TimingItem => ({
  debitFen: item.deltaFen < 0n ? -item.deltaFen : 0n,
  isSeenBefore: true,
  usual: 'before',
  likely: [item.usual ?? 'before'],
  places: ['before', 'after'],
  bookedSide: 'before',
  lineFen: { before: 0n, notBefore: -item.deltaFen },
  crossingFen: { opening: 0n, since: 0n },
  notBeforeItem: undefined,
  ...item,
});

export const asked = (question: Partial<TimingQuestion>): TimingQuestion => ({
  unexplainedFen: 0n,
  toldFen: undefined,
  closingFen: 10_000n,
  frozenFen: undefined,
  openFen: 0n,
  mayHold: () => false,
  items: [],
  openingDifferenceFen: undefined,
  takesLeast: false,
  isBetween: false,
  model: 'auto',
  knownModel: undefined,
  ...question,
});
