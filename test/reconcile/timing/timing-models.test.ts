/** U23: whether amounts in flight are frozen or debited already. */
import { describe, expect, test } from 'vitest';
import { weighTiming } from '../../../src/reconcile/timing/timing.ts';
import { anItem, asked } from './timing-question.ts';

test('U23: with 5,000 open, a frozen amount of 5,000 and an untouched balance are the frozen model', () => {
  const answer = weighTiming(asked({ openFen: 5_000n, frozenFen: 5_000n }));
  expect(answer).toMatchObject({
    model: 'frozen',
    isModelProven: true,
    unexplainedFen: 0n,
    frozenDueFen: 5_000n,
  });
});

test('U23: with 5,000 open, nothing frozen and a balance lower by 5,000 are the debited model', () => {
  const answer = weighTiming(asked({ openFen: 5_000n, frozenFen: 0n, unexplainedFen: -5_000n }));
  expect(answer).toMatchObject({
    model: 'debited',
    isModelProven: true,
    unexplainedFen: 0n,
    closingFen: 15_000n,
    frozenDueFen: 0n,
  });
});

test('U23: a balance lower by the open debits while they are frozen as well is a loss or a frozen break, never both fine', () => {
  const answer = weighTiming(asked({ openFen: 5_000n, frozenFen: 5_000n, unexplainedFen: -5_000n }));
  expect(answer.unexplainedFen !== 0n || answer.frozenDueFen !== 5_000n).toBe(true);
});

test('U23: interest under the frozen model stays the interest; no model is invented for it', () => {
  const answer = weighTiming(asked({ openFen: 5_000n, frozenFen: 5_000n, unexplainedFen: 1_234n }));
  expect(answer).toMatchObject({ model: 'frozen', unexplainedFen: 1_234n, frozenDueFen: 5_000n });
});

test('U23: a model that the profile states is not questioned', () => {
  const answer = weighTiming(
    asked({ openFen: 5_000n, frozenFen: 0n, unexplainedFen: -5_000n, model: 'frozen' }),
  );
  expect(answer).toMatchObject({ model: 'frozen', unexplainedFen: -5_000n });
});

test('3.5: what a refund may have held explains a frozen amount, and is not demanded where nothing is frozen', () => {
  const mayHold = (fen: bigint): boolean => fen === 260n;
  expect(weighTiming(asked({ frozenFen: 260n, mayHold }))).toMatchObject({
    frozenDueFen: 260n,
    openFen: 260n,
  });
  expect(weighTiming(asked({ frozenFen: 0n, mayHold }))).toMatchObject({ frozenDueFen: 0n, openFen: 0n });
  expect(weighTiming(asked({ frozenFen: 100n, mayHold }))).toMatchObject({ frozenDueFen: 0n });
});

describe('an order that is registered before any look has shown it', () => {
  const registered = anItem({ key: 'W1', deltaFen: -700n, isSeenBefore: false });

  test('need not hold anything outside the balance: no amount is invented to make a frozen one fit', () => {
    const answer = weighTiming(asked({ frozenFen: 0n, unexplainedFen: 700n, items: [registered] }));
    expect(answer).toMatchObject({
      unexplainedFen: 0n,
      openFen: 0n,
      frozenDueFen: 0n,
      rivals: [],
      isBalanceDecided: true,
      isModelProven: false,
    });
    expect([...answer.places]).toEqual([['W1', 'after']]);
  });

  test('holds its amount there where the frozen amount says so', () => {
    const answer = weighTiming(asked({ frozenFen: 700n, unexplainedFen: 700n, items: [registered] }));
    expect(answer).toMatchObject({ unexplainedFen: 0n, openFen: 700n, frozenDueFen: 700n });
  });

  test('explains no part of what is lacking', () => {
    const answer = weighTiming(asked({ frozenFen: 100n, unexplainedFen: 700n, items: [registered] }));
    expect(answer).toMatchObject({ openFen: 700n, frozenDueFen: 700n });
  });

  test('once a look has shown it, a frozen amount that lacks it contradicts the balance', () => {
    const seen = { ...registered, isSeenBefore: true };
    const answer = weighTiming(asked({ frozenFen: 0n, unexplainedFen: 700n, items: [seen] }));
    expect(answer.rivals).toHaveLength(2);
  });
});
