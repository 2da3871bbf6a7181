import { expect, test } from 'vitest';
import { sumsOfHolds } from '../../../src/reconcile/timing/possible-holds.ts';

const hundreds = (count: number): bigint[] => Array.from({ length: count }, () => 100n);

test('thirteen that may hold 100 each explain no frozen 150, and a frozen 1,300', () => {
  const mayHold = sumsOfHolds(hundreds(13));
  expect([150n, 1_300n, 1_400n, 0n, -100n].map(mayHold)).toEqual([false, true, false, false, false]);
});

test('of thirty amounts it is told exactly which sums they have', () => {
  const amounts = Array.from({ length: 30 }, (_, at) => 3n ** BigInt(at));
  const mayHold = sumsOfHolds(amounts);
  expect(mayHold((amounts[0] ?? 0n) + (amounts[29] ?? 0n))).toBe(true);
  expect(mayHold(2n * (amounts[29] ?? 0n)), 'no sum has one of them twice').toBe(false);
});

test('of more than can be told apart none explains a frozen amount silently', () => {
  const mayHold = sumsOfHolds(hundreds(31));
  expect([100n, 150n, 3_100n].map(mayHold)).toEqual([false, false, false]);
});
