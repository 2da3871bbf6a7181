import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weighTiming } from '../../src/reconcile/timing.ts';
import type { Place, TimingItem, TimingQuestion } from '../../src/reconcile/timing-search.ts';

const anItem = (item: Partial<TimingItem> & { key: string; deltaFen: bigint }): TimingItem => ({
  debitFen: item.deltaFen < 0n ? -item.deltaFen : 0n,
  usual: 'before',
  places: ['before', 'after'],
  bookedSide: 'before',
  lineFen: { before: 0n, notBefore: -item.deltaFen },
  notBeforeItem: undefined,
  ...item,
});

const asked = (question: Partial<TimingQuestion>): TimingQuestion => ({
  unexplainedFen: 0n,
  closingFen: 10_000n,
  frozenFen: undefined,
  openFen: 0n,
  mayHold: () => false,
  items: [],
  model: 'auto',
  knownModel: undefined,
  ...question,
});

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

test('3.4: when nothing explains the balance everything stays where it usually counts', () => {
  const items = [anItem({ key: 'W1', deltaFen: -500n })];
  const answer = weighTiming(asked({ unexplainedFen: 77n, frozenFen: 0n, items }));
  expect(answer.unexplainedFen).toBe(77n);
  expect([...answer.places]).toEqual([['W1', 'before']]);
  expect([...answer.certain]).toEqual([]);
  expect(answer.rivals).toEqual([]);
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

test('3.4: an order seen open before the cut is put where the books have it; the balance is the same either way', () => {
  const places: Place[] = ['between', 'before'];
  const item = anItem({ key: 'W1', deltaFen: -500n, usual: 'between', places });
  expect(weighTiming(asked({ items: [item] })).closingFen).toBe(9_500n);
  expect(weighTiming(asked({ items: [{ ...item, bookedSide: 'after' }] })).closingFen).toBe(10_000n);
});

test('3.4: what the books lack is not put off to the next day by an assumption', () => {
  const item = anItem({
    key: 'W1',
    deltaFen: -500n,
    usual: 'between',
    places: ['between', 'before'],
    bookedSide: undefined,
    lineFen: { before: -500n, notBefore: 0n },
  });
  expect([...weighTiming(asked({ items: [item] })).places]).toEqual([['W1', 'before']]);
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
