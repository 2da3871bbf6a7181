/** The deposit listing: types, and pages whose records come, go and shift (DEP-11, DEP-12, U28, U45). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { DepositSeed } from '../../src/sandbox/world/seed-schema.ts';
import type { SwitchesPatch } from '../../src/sandbox/control/switches.ts';
import { deposits, isRefusal, orderNos, rows, sandboxAtNoon } from './caller.ts';
import type { Members } from './caller.ts';
import { fc, runs } from '../helpers/properties.ts';

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
      { numRuns: runs(100) },
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
