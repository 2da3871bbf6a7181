import { expect, test } from 'vitest';
import { measure } from '../../src/excel/column.ts';
import type { Column } from '../../src/excel/column.ts';

interface Moment {
  at: string;
}

const columns: readonly Column<Moment>[] = [
  { kind: 'time', title: 'At', value: ({ at }) => at },
  { kind: 'day', title: 'On', value: ({ at }) => at.slice(0, 10) },
];
const rows = [{ at: '2026-03-01T00:00:00.000Z' }];

test('moments and days have their room without rows too: another list below may share the columns', () => {
  const [time = 0, day = 0] = measure(columns, { rows: [], top: [] });
  expect(time).toBeGreaterThanOrEqual('2026-03-01 10:00:00'.length);
  expect(day).toBeGreaterThanOrEqual('2026-03-01'.length);
  expect(measure(columns, { rows, top: [] })).toEqual([time, day]);
});
