/** U23: what orders that no look had shown may leave out of a frozen amount is a sum of whole orders. */
import { expect, test } from 'vitest';
import type { TimingItem } from '../../../src/reconcile/timing/timing-question.ts';
import { weighTiming } from '../../../src/reconcile/timing/timing.ts';
import { anItem, asked } from './timing-question.ts';

/** Registered, seen by no look before the balance, and taken in after it for certain. */
const registered = (amounts: readonly bigint[]): TimingItem[] =>
  amounts.map((fen, at) =>
    anItem({
      key: `W${at}`,
      deltaFen: -fen,
      isSeenBefore: false,
      usual: 'after',
      places: ['after'],
      bookedSide: undefined,
      lineFen: { before: 0n, notBefore: 0n },
    }),
  );

const hundreds = (count: number): bigint[] => Array.from({ length: count }, () => 100n);

test('seven that would hold 100 each leave no 50 out of a frozen amount: the loss is shown', () => {
  const answer = weighTiming(asked({ frozenFen: 650n, items: registered(hundreds(7)) }));
  expect(answer).toMatchObject({ unexplainedFen: 0n, openFen: 700n, frozenDueFen: 700n });
});

test('of forty it is told exactly what they leave out', () => {
  const items = registered(hundreds(40));
  expect(weighTiming(asked({ frozenFen: 1_700n, items }))).toMatchObject({ frozenDueFen: 1_700n });
  expect(weighTiming(asked({ frozenFen: 1_701n, items }))).toMatchObject({
    frozenDueFen: 4_000n,
    isUnseenUndecided: false,
  });
});

test('sixteen of any amounts that may lie on either side are told exactly', () => {
  const items = registered(Array.from({ length: 16 }, (_, at) => 3n ** BigInt(at))).map(
    (item): TimingItem => {
      return { ...item, places: ['before', 'after'] };
    },
  );
  const openFen = (3n ** 16n - 1n) / 2n;
  expect(weighTiming(asked({ frozenFen: openFen - 12n, items }))).toMatchObject({
    frozenDueFen: openFen - 12n,
    isUnseenUndecided: false,
  });
  expect(weighTiming(asked({ frozenFen: openFen - 2n, items }))).toMatchObject({
    frozenDueFen: openFen,
    isUnseenUndecided: false,
  });
});

test('of more than can be decided nothing is explained, and that is said', () => {
  const items = registered(Array.from({ length: 48 }, (_, at) => 3n ** BigInt(at % 30) + BigInt(at)));
  const openFen = items.reduce((sum, { debitFen }) => sum + debitFen, 0n);
  expect(weighTiming(asked({ frozenFen: openFen / 2n, items }))).toMatchObject({
    frozenDueFen: openFen,
    isUnseenUndecided: true,
  });
});

test('a frozen amount that is right is right, however many no look had shown', () => {
  const items = registered(Array.from({ length: 48 }, (_, at) => 3n ** BigInt(at % 30) + BigInt(at)));
  const openFen = items.reduce((sum, { debitFen }) => sum + debitFen, 0n);
  expect(weighTiming(asked({ frozenFen: openFen, items }))).toMatchObject({
    frozenDueFen: openFen,
    isUnseenUndecided: false,
  });
});
