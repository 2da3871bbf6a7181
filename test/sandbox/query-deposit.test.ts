/** DEP, LIM-10, LIM-11: the deposit listing as a caller meets it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../src/sandbox/create-sandbox.ts';
import type { DepositSeed } from '../../src/sandbox/seed-schema.ts';
import type { SwitchesPatch } from '../../src/sandbox/switches.ts';
import { ask, deposits, isRefusal, orderNos, rows, sandboxAtNoon } from './caller.ts';
import type { Members } from './caller.ts';

/** At the end of March, with one account and these deposits. */
function sandboxWith(seeds: readonly Partial<DepositSeed>[], switches: SwitchesPatch = {}): Sandbox {
  const sandbox = sandboxAtNoon({ switches });
  sandbox.seedAccounts([{ accountNo: '100001', eleAcctNo: 'E100001', name: '甲公司' }]);
  const usual = { payeeAcctNo: '100001', amountFen: 100, depositTime: '2026-03-01 10:00:00' };
  sandbox.seedDeposits(seeds.map((seed) => ({ ...usual, ...seed })));
  return sandbox;
}

describe('parameters', () => {
  const asked = (over: Members) => deposits(sandboxWith([]), over);

  test.each([
    '2026/03/01',
    '20260301',
    '2026-02-30',
    '2026-3-1',
    '',
    undefined,
    null,
    20260301,
    '2026-03-01 00:00:00',
  ])('DEP-01, ERR-04: %o is no startDate and no endDate', (date) => {
    expect(asked({ startDate: date }).envelope['msg']).toContain('date range error');
    expect(asked({ endDate: date }).envelope['msg']).toContain('date range error');
  });

  test.each([
    ['2026-03-01', '2026-03-01', true],
    ['2026-03-02', '2026-03-01', false],
    ['2026-01-01', '2026-02-01', true],
    ['2026-01-01', '2026-02-02', false],
    ['2026-01-31', '2026-02-28', true],
    ['2026-01-31', '2026-03-01', false],
    ['2024-01-31', '2024-02-29', true],
    ['2024-01-31', '2024-03-01', false],
    ['2025-12-15', '2026-01-15', true],
    ['2025-12-15', '2026-01-16', false],
  ])('DEP-02, DEP-03, LIM-10: from %s to %s is taken: %s', (startDate, endDate, taken) => {
    const reply = asked({ startDate, endDate });
    expect(reply.ok).toBe(taken);
    expect(isRefusal(reply)).toBe(!taken);
  });

  test('DEP-04: the account is required and matched whole', () => {
    const sandbox = sandboxWith([{}]);
    expect(deposits(sandbox).biz['total']).toBe(1);
    expect(deposits(sandbox, { payeeAcctNo: '10000' }).biz).toMatchObject({ total: 0, depositList: [] });
    expect(isRefusal(deposits(sandbox, { payeeAcctNo: undefined }))).toBe(true);
    expect(isRefusal(deposits(sandbox, { payeeAcctNo: '' }))).toBe(true);
  });

  test.each([
    [{ pageSize: 1 }, true],
    [{ pageSize: 100 }, true],
    [{ pageSize: 0 }, false],
    [{ pageSize: 101 }, false],
    [{ pageSize: -1 }, false],
    [{ pageSize: 1.5 }, false],
    [{ pageSize: 'ten' }, false],
    [{ page: 1 }, true],
    [{ page: 0 }, false],
    [{ page: 1.5 }, false],
    [{ page: [1] }, false],
  ])('DEP-05, ENV-24, LIM-11: %o is taken: %s', (paging, taken) => {
    expect(asked(paging).ok).toBe(taken);
  });

  test('U28: a page written as text is taken or refused as the switch says', () => {
    expect(asked({ page: '1', pageSize: '5' }).biz).toMatchObject({ page: 1, pageSize: 5 });
    expect(isRefusal(deposits(sandboxWith([], { strictTypes: true }), { page: '1' }))).toBe(true);
  });
});

describe('pages', () => {
  const many = (count: number, from = 0): Partial<DepositSeed>[] =>
    Array.from({ length: count }, (_, nth) => ({
      orderNo: `D${String(nth + from).padStart(4, '0')}`,
      depositTime: `2026-02-${String(1 + (nth % 28)).padStart(2, '0')} 10:${String(nth % 60).padStart(2, '0')}:00`,
    }));
  const february = { startDate: '2026-02-01', endDate: '2026-02-28' };

  test('DEP-05, DEP-06: by default the first page of ten; page and pageSize are echoed', () => {
    const sandbox = sandboxWith(many(25));
    const biz = { ...february, payeeAcctNo: '100001' };
    const first = ask(sandbox, 'query/deposit', biz);
    expect(first.biz).toMatchObject({ total: 25, page: 1, pageSize: 10 });
    expect(rows(first)).toHaveLength(10);
    expect(rows(ask(sandbox, 'query/deposit', { ...biz, page: 3 }))).toHaveLength(5);
  });

  test('DEP-05: beyond the end there is an empty list and the same total', () => {
    const page = deposits(sandboxWith(many(25)), { ...february, page: 2 });
    expect(page.biz).toMatchObject({ total: 25, page: 2, pageSize: 100, depositList: [] });
  });

  test.each([1, 10, 100])('DEP-11: 237 records in pages of %i come once each', (pageSize) => {
    for (const depositOrder of ['newest', 'oldest'] as const) {
      const sandbox = sandboxWith(many(237), { depositOrder });
      const seen: unknown[] = [];
      for (let page = 1; seen.length < 237; page++) {
        const answer = deposits(sandbox, { ...february, page, pageSize });
        expect(answer.biz['total']).toBe(237);
        expect(rows(answer).length).toBeGreaterThan(0);
        seen.push(...orderNos(answer));
      }
      expect(seen).toHaveLength(237);
      expect(seen.map(String).toSorted()).toEqual(many(237).map((seed) => seed.orderNo));
    }
  });

  test('DEP-11: with late, vanished and changed records among them the pages still join up', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 3 })), {
          maxLength: 60,
        }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('newest' as const, 'oldest' as const),
        (plan, pageSize, depositOrder) => {
          const kinds = [{}, { visibleFrom: '2026-03-01 11:00:00' }, { vanishesAt: '2026-03-01 11:30:00' }];
          const special = (kind: number) => kinds[kind] ?? { visibleFrom: '2026-03-01 12:30:00' };
          const seeds = plan.map(([minute, kind], nth) => ({
            orderNo: `D${nth}`,
            depositTime: `2026-03-01 10:${String(minute).padStart(2, '0')}:00`,
            ...special(kind),
          }));
          const sandbox = sandboxWith(seeds, { depositOrder });
          const expected = plan.flatMap(([, kind], nth) => (kind < 2 ? [`D${nth}`] : []));
          const seen: Members[] = [];
          for (let page = 1; page <= Math.ceil(expected.length / pageSize); page++) {
            seen.push(...rows(deposits(sandbox, { page, pageSize })));
          }
          expect(seen.map((row) => String(row['orderNo'])).toSorted()).toEqual(expected.toSorted());
          const times = seen.map((row) => String(row['depositTime']));
          expect(depositOrder === 'oldest' ? times : times.toReversed()).toEqual(times.toSorted());
        },
      ),
      { numRuns: 100 },
    );
  });

  test('U45: an unstable order shuffles at every call, and every call still has each record once', () => {
    const sandbox = sandboxWith(many(50), { depositOrder: 'unstable' });
    const [first, second] = [deposits(sandbox, february), deposits(sandbox, february)];
    expect(orderNos(first)).not.toEqual(orderNos(second));
    expect(new Set(orderNos(first))).toEqual(new Set(orderNos(second)));
    const again = sandboxWith(many(50), { depositOrder: 'unstable' });
    expect(orderNos(deposits(again, february))).toEqual(orderNos(first));
  });

  test('DEP-12: a record that arrives between two pages shifts the rest', () => {
    const sandbox = sandboxWith(many(15), { depositOrder: 'newest' });
    const deposit = {
      payeeAcctNo: '100001',
      orderNo: 'LATE',
      amountFen: 1,
      depositTime: '2026-02-28 23:00:00',
    };
    sandbox.seedArrival({ afterPages: 1, deposit });
    const first = deposits(sandbox, { ...february, pageSize: 10 });
    const second = deposits(sandbox, { ...february, pageSize: 10, page: 2 });
    expect([first.biz['total'], second.biz['total']]).toEqual([15, 16]);
    expect(orderNos(second)[0]).toBe(orderNos(first)[9]);
    expect(orderNos(deposits(sandbox, february))).toContain('LATE');
  });
});
