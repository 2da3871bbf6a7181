/** Windows of a platform that answers what was not asked, what cannot be read, or nothing that ends (P9, P17, N11). */
import { describe, expect, test } from 'vitest';

import { readWindow } from '../../../src/platform/deposit-walk.ts';
import { answerFrom, depositsOf } from './deposit-world.ts';
import { FAST, MARCH, summary, TODAY, walk, walkWorld } from './deposit-walking.ts';
import {
  clientOf,
  profileOf,
  refusalText,
  servePlatform,
  SHANGHAI,
  successText,
} from '../platform-server.ts';

describe('what a platform should not do', () => {
  test('P17: records outside the asked dates are told apart and not counted inside', async () => {
    const stray = {
      orderNo: 'OUT',
      depositTime: '2026-03-02 00:00:00',
      amount: 5,
      other: { depositTime: '2025-01-01 00:00:00' },
    };
    const { read, pages } = await walkWorld({ deposits: [...depositsOf('2026-03-02', 2), stray] });
    expect(summary(read)).toMatchObject({ total: 3, insideCount: 2, insideSumFen: 300n, verified: true });
    expect(pages.flatMap(({ outside }) => outside)).toMatchObject([{ orderNo: 'OUT' }]);
    expect(read).toMatchObject({ pass: { outside: 1 } });
  });

  test('P9: unreadable records are handed on, counted, and block nothing', async () => {
    const bad = (orderNo: string, other: Record<string, unknown>) => ({
      orderNo,
      depositTime: '2026-03-02 00:00:00',
      amount: 7,
      other,
    });
    const deposits = [
      ...depositsOf('2026-03-02', 1),
      bad('BAD1', { amount: 1.5 }),
      bad('BAD2', { depositTime: '2026-02-30 00:00:00' }),
      bad('', { amount: 8 }),
      bad('', { amount: 9 }),
    ];
    const { read, pages } = await walkWorld({ deposits });
    expect(summary(read)).toMatchObject({ total: 5, insideCount: 1, insideSumFen: 100n, verified: true });
    expect(read).toMatchObject({ pass: { insideUnreadable: 4, distinct: 5 } });
    const references = pages.flatMap(({ unreadable }) => unreadable.map(({ reference }) => reference));
    expect(references.filter((reference) => /^BAD[12]$/.test(reference))).toHaveLength(2);
    expect(new Set(references).size).toBe(4);
  });

  test('a refusal is handed on, and nothing is read again', async () => {
    const { read, requests } = await walk(() => refusalText('E5', '日期范围错误'));
    expect(read).toMatchObject({ settled: false, refused: { kind: 'refused', code: 'E5' }, passes: 1 });
    expect(requests).toHaveLength(1);
  });

  test('N11: a page other than the asked one is not taken for it', async () => {
    const { read } = await walk(() =>
      successText({ total: 1, page: 2, pageSize: 100, depositList: [{ orderNo: 'A' }] }),
    );
    expect(summary(read)).toBe('page 1 was asked, page 2 came');
  });

  test('a list that ends before its total does', async () => {
    const { read, requests } = await walk(
      ({ biz }) => successText({ total: 10_000, page: biz['page'], pageSize: 100, depositList: [] }),
      { profile: { deposits: { maxRereads: 0 } } },
    );
    expect(summary(read)).toBe('0 distinct records, total 10000');
    expect(requests).toHaveLength(1);
  });

  test('a total beyond all reason is not paged through', async () => {
    const { read, requests } = await walk(({ biz }) =>
      successText({
        total: 1_000_000_000,
        page: biz['page'],
        pageSize: 100,
        depositList: [{ orderNo: 'A' }],
      }),
    );
    expect(read).toMatchObject({ settled: false, total: 1_000_000_000, passes: 1 });
    expect(requests).toHaveLength(1);
  });

  test('a caller that fails to keep a page stops the reading', async () => {
    await using platform = await servePlatform(answerFrom({ deposits: depositsOf('2026-03-02', 205) }));
    const profile = profileOf(FAST);
    await using client = clientOf(platform.url, { profile });
    const reading = { client, profile, zone: SHANGHAI, accountNo: '100001', span: MARCH, today: TODAY };
    const onPage = () => Promise.reject(new Error('disk full'));
    await expect(readWindow({ ...reading, onPage })).rejects.toThrow('disk full');
    expect(platform.requests).toHaveLength(1);
  });
});
