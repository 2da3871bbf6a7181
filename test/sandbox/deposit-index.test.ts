/** The parts under the listing: places of records, texts of times, what a balance is at an instant. */
import { expect, test } from 'vitest';

import { instantOf, Zone } from '../../src/core/time.ts';
import { Book } from '../../src/sandbox/world/book.ts';
import { LocalTime } from '../../src/sandbox/world/local-time.ts';
import { Seeded } from '../../src/sandbox/world/random.ts';
import { DepositIndex } from '../../src/sandbox/world/deposit-index.ts';
import type { Deposit } from '../../src/sandbox/world/deposit-index.ts';
import { fc, runs } from '../helpers/properties.ts';

function depositAt(depositedAtMs: number, orderNo: string): Deposit {
  const nobody = {
    payerAcctNo: '',
    payerName: '',
    payerBankNo: '',
    payeeBankNo: '',
    remark: '',
    errCode: '',
  };
  return { ...nobody, orderNo, amountFen: 1n, feeFen: 0n, realFen: 1n, feeType: 'ORDER', depositedAtMs };
}

test('any page of plain and special records is what sorting and cutting the whole list would give', () => {
  const record = fc.record({
    atMs: fc.integer({ min: 0, max: 30 }),
    special: fc.boolean(),
    visibleFromMs: fc.nat(40),
  });
  const window = fc.record({
    fromMs: fc.nat(30),
    toMs: fc.nat(31),
    nowMs: fc.nat(40),
    skip: fc.nat(12),
    take: fc.nat(12),
  });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 40 }), window, (records, asked) => {
      const shelf = new DepositIndex();
      const visible = records.map(({ atMs, special, visibleFromMs }, nth) => {
        const deposit = depositAt(atMs, `D${nth}`);
        shelf.add(special ? { ...deposit, visibleFromMs, vanishesAtMs: Infinity, patches: [] } : deposit);
        return { atMs, visibleFromMs: special ? visibleFromMs : atMs };
      });
      const times = visible
        .filter(
          (seen) => seen.atMs >= asked.fromMs && seen.atMs < asked.toMs && seen.visibleFromMs <= asked.nowMs,
        )
        .map((seen) => seen.atMs)
        .toSorted((a, b) => a - b);
      const list = (order: 'oldest' | 'newest') => shelf.list({ ...asked, order }, new Seeded(1));
      const page = (order: 'oldest' | 'newest') =>
        list(order).deposits.map((deposit) => deposit.depositedAtMs);
      expect(list('oldest').total).toBe(times.length);
      expect(page('oldest')).toEqual(times.slice(asked.skip, asked.skip + asked.take));
      expect(page('newest')).toEqual(times.toReversed().slice(asked.skip, asked.skip + asked.take));
    }),
    { numRuns: runs(500) },
  );
});

test('a balance is its opening and every effect up to the instant, in whatever order they were added', () => {
  const effect = fc.record({ atMs: fc.nat(20), deltaFen: fc.bigInt({ min: -50n, max: 50n }) });
  fc.assert(
    fc.property(fc.array(effect, { maxLength: 30 }), fc.integer({ min: -1, max: 21 }), (effects, ms) => {
      const book = new Book(100n);
      for (const { atMs, deltaFen } of effects) book.add({ atMs, deltaFen, kind: 'test', reference: '' });
      let expected = 100n;
      for (const { atMs, deltaFen } of effects) if (atMs <= ms) expected += deltaFen;
      expect(book.atMs(ms)).toBe(expected);
    }),
  );
});

test.each(['Asia/Shanghai', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'])(
  'the quick text of a time in %s is the exact one',
  (name) => {
    const zone = new Zone(name);
    const localTime = new LocalTime(zone);
    const ms = fc.integer({
      min: Date.parse('1990-01-01T00:00:00Z'),
      max: Date.parse('2100-01-01T00:00:00Z'),
    });
    fc.assert(
      fc.property(ms, (at) => {
        expect(localTime.text(at)).toBe(zone.localText(instantOf(at)));
      }),
    );
  },
);

test('equal seeds draw equally, and a shuffle keeps every item', () => {
  const items = Array.from({ length: 50 }, (_, nth) => nth);
  expect(new Seeded(5).shuffled(items)).toEqual(new Seeded(5).shuffled(items));
  expect(new Seeded(5).shuffled(items)).not.toEqual(new Seeded(6).shuffled(items));
  expect(new Seeded(5).shuffled(items).toSorted((a, b) => a - b)).toEqual(items);
});
