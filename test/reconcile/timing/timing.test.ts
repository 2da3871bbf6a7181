import { expect, test } from 'vitest';
import { weighTiming } from '../../../src/reconcile/timing/timing.ts';
import type { Place, TimingItem, TimingQuestion } from '../../../src/reconcile/timing/timing-question.ts';
import { anItem, asked } from './timing-question.ts';
import { fc } from '../../helpers/properties.ts';

const placesOf = (question: TimingQuestion): Record<string, Place> =>
  Object.fromEntries(weighTiming(question).places);

test('3.4: a withdrawal that the balance does not show yet counts after it, and is the only explanation', () => {
  const question = asked({ unexplainedFen: 500n, items: [anItem({ key: 'W1', deltaFen: -500n })] });
  const answer = weighTiming(question);
  expect(placesOf(question)).toEqual({ W1: 'after' });
  expect(answer.unexplainedFen).toBe(0n);
  expect(answer.openFen).toBe(500n);
  expect(answer.rivals).toEqual([]);
});

test('3.4: of three withdrawals exactly one pair explains the balance', () => {
  const items = [
    anItem({ key: 'W1', deltaFen: -100n }),
    anItem({ key: 'W2', deltaFen: -250n }),
    anItem({ key: 'W3', deltaFen: -700n }),
  ];
  expect(placesOf(asked({ unexplainedFen: 800n, items }))).toEqual({
    W1: 'after',
    W2: 'before',
    W3: 'after',
  });
});

test('3.4: two of the same amount both explain it and differ in their lines: candidates, nothing decided', () => {
  const items = [anItem({ key: 'W1', deltaFen: -500n }), anItem({ key: 'W2', deltaFen: -500n })];
  const answer = weighTiming(asked({ unexplainedFen: 500n, items }));
  expect(answer.rivals.map(({ places }) => [...places])).toEqual([
    [
      ['W1', 'after'],
      ['W2', 'before'],
    ],
    [
      ['W1', 'before'],
      ['W2', 'after'],
    ],
  ]);
});

test('3.4: of two of the same amount the books decide when only one choice leaves no line', () => {
  const items = [
    anItem({ key: 'W1', deltaFen: -500n }),
    anItem({ key: 'W2', deltaFen: -500n, lineFen: { before: -500n, notBefore: 0n } }),
  ];
  const answer = weighTiming(asked({ unexplainedFen: 500n, items }));
  expect(answer.rivals).toEqual([]);
  expect([...answer.places]).toEqual([
    ['W1', 'before'],
    ['W2', 'after'],
  ]);
});

test('3.4: what all explanations have in common is certain, though they differ in the rest', () => {
  const items = [
    anItem({ key: 'W1', deltaFen: -500n }),
    anItem({ key: 'W2', deltaFen: -500n }),
    anItem({ key: 'W3', deltaFen: -70n }),
    anItem({ key: 'W4', deltaFen: -3n }),
  ];
  const answer = weighTiming(asked({ unexplainedFen: 570n, items, model: 'frozen' }));
  expect(answer.rivals).toHaveLength(2);
  expect([...answer.certain]).toEqual([
    ['W3', 'outside'],
    ['W4', 'inside'],
  ]);
});

test('U23: a payer’s balance that both models explain is certain of nothing, the payee’s tells when it moved', () => {
  const payer = weighTiming(asked({ items: [anItem({ key: 'T', deltaFen: -6_000n })] }));
  expect(payer).toMatchObject({ model: 'frozen', unexplainedFen: 0n, rivals: [] });
  expect([...payer.places]).toEqual([['T', 'before']]);
  expect([...payer.certain]).toEqual([]);
  const received = anItem({ key: 'T', deltaFen: 6_000n, debitFen: 0n });
  const payee = weighTiming(asked({ unexplainedFen: -6_000n, items: [received] }));
  expect([...payee.certain]).toEqual([['T', 'outside']]);
  const told = weighTiming(asked({ items: [anItem({ key: 'T', deltaFen: -6_000n, places: ['after'] })] }));
  expect(told).toMatchObject({ model: 'debited', unexplainedFen: 0n, heldFen: 6_000n });
});

test('3.4: when nothing explains the balance nothing is decided; the last resort takes what leaves least', () => {
  const items = [anItem({ key: 'W1', deltaFen: -500n })];
  const question = asked({ unexplainedFen: 77n, frozenFen: undefined, items });
  const answer = weighTiming(question);
  expect([...answer.certain]).toEqual([]);
  expect(answer.rivals.map(({ places, unexplainedFen }) => [...places.values(), unexplainedFen])).toEqual([
    ['before', 77n],
    ['after', -423n],
  ]);
  const least = weighTiming({ ...question, takesLeast: true });
  expect(least).toMatchObject({ unexplainedFen: 77n, rivals: [] });
  expect([...least.places]).toEqual([['W1', 'before']]);
});

test('3.4: the frozen amount tells where an order is, also where a loss keeps the balance from being explained', () => {
  const items = [anItem({ key: 'W1', deltaFen: -500n })];
  const answer = weighTiming(asked({ unexplainedFen: 77n, frozenFen: 500n, items, knownModel: 'frozen' }));
  expect(answer).toMatchObject({ unexplainedFen: -423n, openFen: 500n, rivals: [] });
});

test('3.4: however many orders leave the balance as it is, two that explain it are two', () => {
  const failed = Array.from({ length: 12 }, (_, at) =>
    anItem({ key: `F${at}`, deltaFen: 0n, lineFen: { before: 0n, notBefore: 0n } }),
  );
  const items = [...failed, anItem({ key: 'W1', deltaFen: -500n }), anItem({ key: 'W2', deltaFen: -500n })];
  const answer = weighTiming(asked({ unexplainedFen: 500n, items, model: 'frozen' }));
  expect(answer.rivals).toHaveLength(2);
});

test('3.4: a settlement never precedes its transfer', () => {
  const transfer = anItem({ key: 'T', deltaFen: 900n, debitFen: 0n });
  const settlement = anItem({ key: 'S', deltaFen: -900n, notBeforeItem: 'T' });
  const answer = weighTiming(asked({ unexplainedFen: 900n, items: [transfer, settlement] }));
  // Only "transfer in, settlement out" leaves nothing: the balance would be 900 higher than expected.
  expect([...answer.places]).toEqual([
    ['T', 'before'],
    ['S', 'after'],
  ]);
  const impossible = weighTiming(
    asked({ unexplainedFen: -900n, model: 'frozen', items: [transfer, settlement] }),
  );
  expect(impossible.unexplainedFen).not.toBe(0n);
});

test('3.5: a settlement whose transfer is itself outside the balance holds nothing there', () => {
  const transfer = anItem({ key: 'T', deltaFen: 900n, debitFen: 0n });
  const settlement = anItem({ key: 'S', deltaFen: -900n, notBeforeItem: 'T' });
  const answer = weighTiming(asked({ frozenFen: 0n, items: [transfer, settlement] }));
  expect(answer).toMatchObject({ unexplainedFen: 0n, frozenDueFen: 0n, openFen: 0n });
  const under = weighTiming(asked({ frozenFen: 900n, unexplainedFen: 900n, items: [transfer, settlement] }));
  expect(under).toMatchObject({ unexplainedFen: 0n, frozenDueFen: 900n, openFen: 900n });
});

test('3.4: an order seen open before the cut is put where the books have it; the balance is the same either way', () => {
  const places: Place[] = ['between', 'before'];
  const item = anItem({ key: 'W1', deltaFen: -500n, usual: 'between', places });
  expect(weighTiming(asked({ items: [item] })).closingFen).toBe(9_500n);
  expect(weighTiming(asked({ items: [{ ...item, bookedSide: 'after' }] })).closingFen).toBe(10_000n);
});

test('3.8: an order in the balance that the books lack and nobody saw at the cut may lie on either side of it', () => {
  const item = anItem({
    key: 'W1',
    deltaFen: -500n,
    usual: 'between',
    places: ['between', 'before'],
    bookedSide: undefined,
    lineFen: { before: -500n, notBefore: 0n },
  });
  const answer = weighTiming(asked({ items: [item] }));
  expect(answer.rivals.map(({ places, closingFen }) => [...places.values(), closingFen])).toEqual([
    ['before', 9_500n],
    ['between', 10_000n],
  ]);
  // What the books have of others does not decide it.
  const booked = anItem({ key: 'W2', deltaFen: -70n, places: ['before', 'after'] });
  expect(weighTiming(asked({ items: [item, booked] })).rivals).toHaveLength(2);
});

test('3.8: a settlement is not divided from its transfer against their order', () => {
  const unbooked = { places: ['before', 'between'] as const, bookedSide: undefined };
  const transfer = anItem({ key: 'T', deltaFen: 900n, debitFen: 0n, ...unbooked });
  const settlement = anItem({ key: 'S', deltaFen: -900n, notBeforeItem: 'T', ...unbooked });
  const answer = weighTiming(asked({ items: [transfer, settlement] }));
  expect(answer.rivals.map(({ places }) => [...places.values()])).toEqual([
    ['before', 'before'],
    ['before', 'between'],
  ]);
});

test('a failed order that may have been open still explains what was frozen', () => {
  const failed = anItem({
    key: 'F',
    deltaFen: 0n,
    debitFen: 300n,
    usual: 'after',
    places: ['after', 'before'],
    lineFen: { before: 0n, notBefore: 0n },
  });
  expect(weighTiming(asked({ frozenFen: 300n, items: [failed] }))).toMatchObject({
    frozenDueFen: 300n,
    rivals: [],
  });
  expect(weighTiming(asked({ frozenFen: 0n, items: [failed] }))).toMatchObject({
    frozenDueFen: 0n,
    rivals: [],
  });
});

const smallFen = fc.bigInt({ min: -40n, max: 40n });

test('3.4: whatever is chosen leaves nothing unexplained whenever any choice does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ deltaFen: smallFen, usual: fc.constantFrom<Place>('before', 'after') }), {
        maxLength: 8,
      }),
      fc.nat(255),
      fc.constantFrom(0n, 0n, 13n),
      (drawn, truth, strayFen) => {
        const items = drawn.map(({ deltaFen, usual }, at) =>
          anItem({ key: `I${at}`, deltaFen, usual, debitFen: 0n, places: ['before', 'after'] }),
        );
        // What the balance shows if bit n says that item n lies outside it.
        let unexplainedFen = strayFen;
        items.forEach(({ deltaFen, usual }, at) => {
          const isOutside = (truth & (1 << at)) !== 0;
          if (isOutside && usual === 'before') unexplainedFen -= deltaFen;
          if (!isOutside && usual === 'after') unexplainedFen += deltaFen;
        });
        const answer = weighTiming(asked({ unexplainedFen, items }));
        const sums = subsets(items, unexplainedFen);
        expect(answer.unexplainedFen === 0n).toBe(sums.some((fen) => fen === 0n));
        if (answer.unexplainedFen !== 0n) {
          const least = sums.map(abs).reduce((a, b) => (b < a ? b : a));
          expect(abs(answer.unexplainedFen)).toBe(least);
        }
      },
    ),
  );
});

/** What each of the 2^n choices leaves, by going through them one item after the other. */
function subsets(items: readonly TimingItem[], unexplainedFen: bigint): bigint[] {
  let sums = [unexplainedFen];
  for (const { deltaFen, usual } of items) {
    sums = sums.flatMap((sum) => [sum, usual === 'before' ? sum + deltaFen : sum - deltaFen]);
  }
  return sums;
}

function abs(fen: bigint): bigint {
  return fen < 0n ? -fen : fen;
}

test('twenty orders that may lie on either side are weighed', () => {
  const items = Array.from({ length: 20 }, (_, at) =>
    anItem({ key: `W${at}`, deltaFen: -(2n ** BigInt(at)) }),
  );
  const answer = weighTiming(asked({ unexplainedFen: 2n ** 19n + 5n, items }));
  const outside = [...answer.places].filter(([, place]) => place === 'after').map(([key]) => key);
  expect(outside).toEqual(['W0', 'W2', 'W19']);
  expect(answer.rivals).toEqual([]);
});

test('a balance that was told to lack an amount lacks it still beside an order that came to be known since', () => {
  const order = { places: ['after', 'before', 'between'], usual: 'after', isSeenBefore: false } as const;
  for (const fen of [700n, 99n]) {
    const items = [anItem({ key: 'W1', deltaFen: -fen, debitFen: 0n, bookedSide: 'after', ...order })];
    const question = { unexplainedFen: -300n, frozenFen: 0n, items };
    expect(weighTiming(asked({ ...question, toldFen: -300n }))).toMatchObject({
      unexplainedFen: -300n,
      rivals: [],
    });
    expect(weighTiming(asked(question)).rivals).not.toEqual([]);
    // Another record has come since: what is left is another amount, and the order stays where it counts.
    expect(weighTiming(asked({ ...question, toldFen: -200n }))).toMatchObject({
      unexplainedFen: -300n,
      rivals: [],
    });
  }
});

test('what was told gives way to what the order explains', () => {
  const items = [
    anItem({ key: 'W1', deltaFen: -300n, debitFen: 0n, usual: 'after', places: ['after', 'before'] }),
  ];
  const question = { unexplainedFen: -300n, toldFen: -300n, frozenFen: 0n, items };
  expect(weighTiming(asked(question))).toMatchObject({ unexplainedFen: 0n, isExplained: true, rivals: [] });
});

test('what was told stays where an order that counts in the balance explains it against the frozen amount', () => {
  const items = [
    anItem({ key: 'W1', deltaFen: -60n, debitFen: 60n, usual: 'before', places: ['before', 'after'] }),
  ];
  const question = { unexplainedFen: 0n, frozenFen: 60n, items };
  expect(weighTiming(asked({ ...question, toldFen: -60n }))).toMatchObject({
    unexplainedFen: -60n,
    rivals: [],
  });
  for (const toldFen of [undefined, 0n, -50n])
    expect(weighTiming(asked({ ...question, toldFen })).rivals).toHaveLength(2);
});

test('an order that counts in the balance stays there though what was told would be left without it', () => {
  const items = [
    anItem({ key: 'W1', deltaFen: -60n, debitFen: 0n, usual: 'before', places: ['before', 'after'] }),
  ];
  const question = { unexplainedFen: -40n, toldFen: -100n, frozenFen: 0n, items };
  expect(weighTiming(asked(question))).toMatchObject({ unexplainedFen: -40n, rivals: [] });
});
