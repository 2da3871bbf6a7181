import { describe, expect, test } from 'vitest';
import { undivided } from '../../../src/reconcile/balance/unexplained-parts.ts';
import type { UnexplainedPart } from '../../../src/reconcile/balance/unexplained-parts.ts';
import { fc } from '../../helpers/properties.ts';

/** One part a day; `mayBe` names what the placements of undecided orders would leave at its balance. */
const days = (...parts: readonly (bigint | [bigint, ...(readonly bigint[])])[]): UnexplainedPart[] =>
  parts.map((part, at) => {
    const [fen, ...mayBe] = typeof part === 'bigint' ? [part] : part;
    return { toDay: `2026-03-0${at + 1}`, since: `2026-02-0${at + 1}`, until: undefined, fen, mayBe };
  });

const NOTHING_TOLD = () => undefined;

const told = (
  parts: readonly UnexplainedPart[],
  toldFen: (part: UnexplainedPart) => bigint | undefined = NOTHING_TOLD,
) => undivided(parts, toldFen).map(({ toDay, since, fen }) => `${since.slice(-1)}-${toDay.slice(-1)} ${fen}`);

describe('what only an assumption divides', () => {
  test.each([
    // A loss of 500 beside a refund of 300 that lies on either side.
    [days([-200n, -200n, -500n], -300n), ['1-2 -500']],
    [days([-700n, -700n, -1_000n], -300n), ['1-2 -1000']],
    [days([700n, 700n, 1_000n], 300n), ['1-2 1000']],
    // A loss of 200: a placement leaves all of it on one day, the one that leaves least does not.
    [days([100n, 100n, -200n], -300n), ['1-2 -200']],
    // Nothing is left for the later day: it stays where it is.
    [days([-200n, -200n, -500n], 0n), ['1-1 -200']],
    // The later day is divided by assumption again.
    [days([-200n, -200n, -500n], [-300n, -300n, -600n], -50n), ['1-3 -550']],
    [days([-200n, -200n, -500n], 0n, -300n), ['1-3 -500']],
  ])('is one amount, seen on the later day: %#', (parts, expected) => {
    expect(told(parts)).toEqual(expected);
  });

  test.each([
    // Wherever the orders lie, one day has too much and the other too little.
    [days([50_300n, 50_000n, 50_300n, 50_600n], -50_300n), ['1-1 50300', '2-2 -50300']],
    [days([50_000n, 50_000n, 50_300n], -49_000n), ['1-1 50000', '2-2 -49000']],
    [days([-300n, -300n], 300n), ['1-1 -300', '2-2 300']],
  ])('is not netted where every placement leaves errors of opposite sign: %#', (parts, expected) => {
    expect(told(parts)).toEqual(expected);
  });
});

test('amounts that balances divide stay apart, of one sign or of two', () => {
  expect(told(days(-200n, -300n, 0n, 500n))).toEqual(['1-1 -200', '2-2 -300', '4-4 500']);
});

test('an amount that is told already keeps its amount, and takes none of another', () => {
  const parts = days([-200n, -200n, -500n], -300n);
  for (const known of [-200n, -300n])
    expect(told(parts, ({ fen }) => (fen === known ? known : undefined))).toEqual(['1-1 -200', '2-2 -300']);
});

test('an amount is seen on the earlier day where only of that something else is told', () => {
  const parts = days([-200n, -200n, -500n], -300n);
  const toldOn = (...told: readonly string[]) =>
    undivided(parts, ({ toDay }) => (told.includes(toDay) ? -900n : undefined)).map(
      ({ toDay, fen }) => `${toDay} ${fen}`,
    );
  expect(toldOn('2026-03-01')).toEqual(['2026-03-01 -500']);
  expect(toldOn('2026-03-02')).toEqual(['2026-03-02 -500']);
  expect(toldOn('2026-03-01', '2026-03-02')).toEqual(['2026-03-02 -500']);
});

const amount = fc.bigInt({ min: -5n, max: 5n });
const part = fc.record({ fen: amount, others: fc.array(amount, { maxLength: 3 }) });

test('nothing is lost or invented, and what balances divide stays divided', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (drawn) => {
      const parts = days(
        ...drawn.map(({ fen, others }): bigint | [bigint, ...bigint[]] =>
          others.length === 0 ? fen : [fen, fen, ...others],
        ),
      );
      const amounts = undivided(parts, NOTHING_TOLD);
      const sum = (of: readonly { fen: bigint }[]) => of.reduce((total, { fen }) => total + fen, 0n);
      expect(sum(amounts)).toBe(sum(parts));
      expect(amounts.every(({ fen }) => fen !== 0n)).toBe(true);
      // Each amount begins where the one before it ended, or later.
      const spans = amounts.map(({ since, toDay }) => [Number(since.slice(-1)), Number(toDay.slice(-1))]);
      for (const [at, [from = 0, to = 0]] of spans.entries()) {
        expect(from).toBeLessThanOrEqual(to);
        expect(from).toBeGreaterThan(spans[at - 1]?.[1] ?? 0);
      }
      // Where a balance decides, nothing is taken together.
      if (parts.every(({ mayBe }) => mayBe.length === 0))
        expect(amounts.map(({ fen }) => fen)).toEqual(
          parts.filter(({ fen }) => fen !== 0n).map(({ fen }) => fen),
        );
    }),
  );
});
