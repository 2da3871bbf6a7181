import { expect, test } from 'vitest';
import { amountSlip } from '../../reports/sheets/amount-slip.ts';

test.each([
  [459_000n, 495_000n, 'transposed'],
  [-345_600n, -354_600n, 'transposed'],
  [120_000n, 210_000n, 'transposed'],
  [12_300n, 123_000n, 'shifted'],
  [1_230_000n, 12_300n, 'shifted'],
  [12_300n, 12_800n, 'oneDigit'],
  [5_000n, -5_000n, 'otherSign'],
  [12_300n, 13_400n, undefined],
  [12_345n, 54_321n, undefined],
  [100n, 1_000_000n, undefined],
  [12_300n, -13_200n, undefined],
  [500n, 5n, 'shifted'],
] as const)('%s and %s: %s', (one, other, slip) => {
  expect(amountSlip(one, other)).toBe(slip);
  expect(amountSlip(other, one)).toBe(slip);
});
