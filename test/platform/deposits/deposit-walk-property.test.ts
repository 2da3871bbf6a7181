/** In whatever world: a window that settles holds what the platform held, and a tally depends on content alone. */
import { describe, expect, test } from 'vitest';

import { parseJson } from '../../../src/core/json.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { windowOf } from '../../../src/core/window.ts';
import type { PlatformClient } from '../../../src/platform/client.ts';
import type { DepositPage, DepositRecord } from '../../../src/platform/contract.ts';
import { DECODERS } from '../../../src/platform/decode.ts';
import { DepositTally } from '../../../src/platform/deposit-tally.ts';
import { aRecord } from './deposit-record.ts';
import { DigestSum } from '../../../src/platform/digest-sum.ts';
import { readWindow } from '../../../src/platform/deposit-walk.ts';
import { depositsOf, pageFrom } from './deposit-world.ts';
import type { Asked, DepositWorld } from './deposit-world.ts';
import { profileOf, SHANGHAI } from '../platform-server.ts';
import { fc, runs } from '../../helpers/properties.ts';

const SPAN = { from: '2026-03-01', to: '2026-03-03' };

/** A client without a network: the same world, decoded by the same decoders, a thousand times faster. */
function clientOfWorld(world: DepositWorld): Pick<PlatformClient, 'call'> {
  let requestNo = 0;
  const call = (_endpoint: string, request: object): Promise<unknown> => {
    requestNo += 1;
    const bizText = JSON.stringify(pageFrom(world, request as Asked, requestNo));
    world.afterRequest?.(requestNo);
    const decoding = { profile: profileOf(), zone: SHANGHAI };
    const answer = DECODERS['query/deposit'](parseJson(bizText) as JsonObject, decoding);
    const facts = {
      bizText,
      signed: true,
      timestamp: undefined,
      timestampSigned: true,
      reqId: 'r',
      requestedAt: '',
    };
    return Promise.resolve({ kind: 'accepted', answer, ...facts });
  };
  return { call } as Pick<PlatformClient, 'call'>;
}

describe('readWindow', () => {
  const profile = profileOf({ deposits: { pageSize: 5 } });

  /** What happens after each request: nothing, a record more, or one less. */
  const happenings = fc.array(fc.constantFrom('nothing', 'nothing', 'nothing', 'arrives', 'vanishes'), {
    minLength: 30,
    maxLength: 30,
  });

  async function settledIn(world: DepositWorld, what: readonly string[], pick: readonly number[]) {
    const everything = new Set(world.deposits.map(({ orderNo }) => orderNo));
    world.afterRequest = (requestNo) => {
      const place = (pick[requestNo % pick.length] ?? 0) % (world.deposits.length + 1);
      const orderNo = `N${requestNo}`;
      const minute = String(place % 60).padStart(2, '0');
      if (what[requestNo % 30] === 'vanishes') world.deposits.splice(place, 1);
      if (what[requestNo % 30] !== 'arrives') return;
      world.deposits.splice(place, 0, { orderNo, depositTime: `2026-03-01 00:${minute}:30`, amount: 1 });
      everything.add(orderNo);
    };
    const stored = new Set<string>();
    const read = await readWindow({
      client: clientOfWorld(world),
      profile,
      zone: SHANGHAI,
      accountNo: '100001',
      span: SPAN,
      today: '2026-04-01',
      onPage: ({ inside }) => inside.forEach(({ orderNo }) => stored.add(orderNo)),
    });
    return { read, stored, everything };
  }

  test.each(['newest', 'oldest'] as const)(
    'P1: what settles holds every record, while others arrive and none vanishes (%s first)',
    async (order) => {
      const picks = fc.array(fc.nat({ max: 1_000 }), { minLength: 7, maxLength: 7 });
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: 24 }), happenings, picks, async (count, what, pick) => {
          const calm = what.map((happening) => (happening === 'vanishes' ? 'nothing' : happening));
          const world = { deposits: depositsOf('2026-03-01', count), order };
          const { read, stored } = await settledIn(world, calm, pick);
          const present = world.deposits.map(({ orderNo }) => orderNo);
          // The last happening comes after the last page was made.
          const missing = present.filter((orderNo) => !stored.has(orderNo)).length;
          expect(read.settled ? missing <= 1 : true).toBe(true);
          expect(read.settled && read.pass.insideCount !== read.pass.total).toBe(false);
        }),
        { numRuns: runs(300) },
      );
    },
  );

  test('P4: nothing that was seen is made up, and a settled window has as many as the platform said', async () => {
    const picks = fc.array(fc.nat({ max: 1_000 }), { minLength: 7, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 24 }), happenings, picks, async (count, what, pick) => {
        const world: DepositWorld = { deposits: depositsOf('2026-03-01', count), order: 'newest' };
        const { read, stored, everything } = await settledIn(world, what, pick);
        expect([...stored].every((orderNo) => everything.has(orderNo))).toBe(true);
        expect(read.settled && read.pass.insideCount !== read.pass.total).toBe(false);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('DepositTally', () => {
  const record = fc.record({
    orderNo: fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', '1') }),
    amountFen: fc.bigInt({ min: 0n, max: 3n }),
    hour: fc.nat({ max: 60 }),
  });

  const toRecord = ({
    orderNo,
    amountFen,
    hour,
  }: {
    orderNo: string;
    amountFen: bigint;
    hour: number;
  }): DepositRecord =>
    aRecord({
      orderNo,
      amountFen,
      depositedAt: `2026-03-0${1 + Math.floor(hour / 24)}T${String(hour % 24).padStart(2, '0')}:00:00.000Z`,
    });

  const tallyOf = (records: readonly DepositRecord[]): DepositTally => {
    const window = windowOf(SHANGHAI, { from: '2026-03-01', to: '2026-03-05' });
    const tally = new DepositTally({ zone: SHANGHAI, span: window, asked: window });
    for (let at = 0; at < records.length; at += 3) {
      const page: DepositPage = {
        total: 0,
        page: 1,
        pageSize: 3,
        deposits: records.slice(at, at + 3),
        unreadable: [],
      };
      tally.add(page);
    }
    return tally;
  };

  test('P2: any order and any repetition of equal records tell the same', () => {
    const unique = fc.uniqueArray(record, { selector: ({ orderNo }) => orderNo, maxLength: 20 });
    fc.assert(
      fc.property(unique, fc.infiniteStream(fc.nat()), (rows, chance) => {
        const records = rows.map(toRecord);
        const repeated = [...records, ...records.filter(() => Number(chance.next().value) % 2 === 0)];
        const shuffled = repeated.map((one) => ({ one, key: Number(chance.next().value) }));
        const other = tallyOf(shuffled.toSorted((a, b) => a.key - b.key).map(({ one }) => one));
        const first = tallyOf(records);
        expect([other.total(), other.days(), other.distinct]).toEqual([
          first.total(),
          first.days(),
          first.distinct,
        ]);
        expect([other.duplicates, other.changed]).toEqual([repeated.length - records.length, []]);
      }),
    );
  });

  test('P3: a change of any member of any record changes the digest of its day', () => {
    const one = toRecord({ orderNo: 'a', amountFen: 1n, hour: 0 });
    const digestOf = (changed: Partial<DepositRecord>) => tallyOf([{ ...one, ...changed }]).total().digest;
    const changes: Partial<DepositRecord>[] = [
      {},
      { orderNo: 'b' },
      { amountFen: 2n },
      { feeFen: 1n },
      { realFen: 0n },
      { feeType: 'ACCOUNT' },
      { payerAcctNo: 'x' },
      { payerName: 'x' },
      { payerBankNo: 'x' },
      { payeeAcctNo: 'x' },
      { payeeName: 'x' },
      { payeeBankNo: 'x' },
      { remark: 'x' },
      { errCode: 'x' },
      { depositedAt: '2026-03-01T00:00:01.000Z' },
    ];
    expect(new Set(changes.map(digestOf)).size).toBe(changes.length);
  });

  test('the sum of digests carries from word to word and wraps at 2^128', () => {
    const sum = new DigestSum();
    sum.add('00000000ffffffffffffffffffffffff');
    sum.add('00000000000000000000000000000001');
    expect(sum.hex()).toBe('00000001000000000000000000000000');
    sum.add('ffffffffffffffffffffffffffffffff');
    expect(sum.hex()).toBe('00000000ffffffffffffffffffffffff');
  });

  test('P2: a number that comes again with other content is named', () => {
    const rows = [
      toRecord({ orderNo: 'a', amountFen: 1n, hour: 0 }),
      toRecord({ orderNo: 'a', amountFen: 2n, hour: 0 }),
    ];
    const tally = tallyOf(rows);
    expect([tally.distinct, tally.duplicates, tally.changed]).toEqual([1, 1, ['a']]);
  });
});
