/** On the summary: how far the work on breaks and items for attention is, by status, by owner and by age. */
import { personKey } from '../../../src/core/config/config-people.ts';
import type { Fen } from '../../../src/core/fen.ts';
import { formulaText } from '../../../src/excel/address.ts';
import { moneyCell, numberCell, overflowCell, textCell } from '../../../src/excel/cell.ts';
import type { Cell, Row } from '../../../src/excel/cell.ts';
import { isLive } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import type { WorkSum } from '../../read/read-work.ts';
import { BREAK_COLUMN, breakRange } from '../breaks.ts';
import { maskedText } from '../../words/masked-text.ts';
import { liveCount, liveMoney } from '../live-cell.ts';
import { headerRow, titleRow } from '../section.ts';
import type { Section } from '../section.ts';
import { AGE_BUCKETS, WORK_STATUSES } from '../../words/terms.ts';
import type { AgeBucket, WorkProgress } from '../../words/terms.ts';
import type { WorkStatus } from '../../../src/store/schema/schema.ts';

/** More people than this are summed in one row. */
const OWNERS_MAX = 8;

interface Sum {
  count: number;
  grossFen: Fen;
  oldestDays: number;
}

export function workSections(report: Report): Record<'byStatus' | 'byOwner' | 'byAge', Section> {
  const { work, words } = report;
  const { work: title, workByOwner, workByAge, noWork } = words.summary;
  const none = (of: string): Section => ({ rows: [titleRow(of), [overflowCell(noWork, 'note')]] });
  if (work.length === 0) return { byStatus: none(title), byOwner: none(workByOwner), byAge: none(workByAge) };
  return { byStatus: byStatus(report), byOwner: byOwner(report), byAge: byAge(report) };
}

function byStatus(report: Report): Section {
  const { work, words } = report;
  const w = words.summary;
  const rows = WORK_STATUSES.flatMap((status): Row[] => {
    const own = work.filter((sum) => sum.status === status);
    return own.length === 0 ? [] : [statusRow(report, status, sumOf(own))];
  });
  const all = sumOf(work);
  const total: Row = [
    textCell(words.common.total, 'totalText'),
    numberCell(all.count, 'totalCount'),
    moneyCell(all.grossFen, 'totalMoney'),
    numberCell(all.oldestDays, 'totalCount'),
  ];
  const header = headerRow([words.breaks.status, w.count, w.gross, w.oldestDays], [1, 2, 3]);
  return { rows: [titleRow(w.work), header, ...rows, total] };
}

/** Count and amount follow what is chosen on the sheet of breaks. */
function statusRow(report: Report, status: WorkStatus, { count, grossFen, oldestDays }: Sum): Row {
  const live = isLive(report, 'breaks');
  const name = report.words.breaks.statuses[status];
  const over = (formula: (range: (column: number) => string) => string): string =>
    (['break', 'attention'] as const)
      .map((list) => formula((column) => breakRange(report, column, list)))
      .join('+');
  const isOf = (range: (column: number) => string): string =>
    `${range(BREAK_COLUMN.status)},${formulaText(name)}`;
  const sums = over((range) => {
    const amounts = range(BREAK_COLUMN.difference);
    return (
      `SUMIFS(${amounts},${isOf(range)},${amounts},">0")` +
      `-SUMIFS(${amounts},${isOf(range)},${amounts},"<0")`
    );
  });
  return [
    textCell(name, 'line'),
    liveCount(
      live,
      over((range) => `COUNTIFS(${isOf(range)})`),
      count,
      'count',
    ),
    liveMoney(live, sums, grossFen, 'money'),
    numberCell(oldestDays),
  ];
}

function byOwner(report: Report): Section {
  const w = report.words.summary;
  const owners = [...Map.groupBy(report.work, ({ owner }) => personKey(owner)).values()]
    .map((own) => ({ owner: own[0]?.owner ?? '', ...sumOf(own) }))
    .toSorted((one, other) => other.count - one.count || (one.owner < other.owner ? -1 : 1));
  const shown = owners.slice(0, OWNERS_MAX);
  const rest = owners.slice(OWNERS_MAX);
  const named = shown.map(({ owner, ...sum }): Row =>
    ownerRow(owner === '' ? w.nobody : maskedText(report, owner), sum),
  );
  const others = rest.length === 0 ? [] : [ownerRow(w.otherOwners(String(rest.length)), sumOf(rest))];
  const header = headerRow([report.words.breaks.owner, w.count, w.gross, w.oldestDays], [1, 2, 3]);
  return { rows: [titleRow(w.workByOwner), header, ...named, ...others] };
}

function ownerRow(name: string, { count, grossFen, oldestDays }: Sum): Row {
  return [textCell(name), numberCell(count), moneyCell(grossFen), numberCell(oldestDays)];
}

/** How far a break is, in one of three columns. */
const PROGRESS: Readonly<Record<WorkStatus, WorkProgress>> = {
  open: 'untouched',
  expired: 'untouched',
  assigned: 'inProgress',
  explained: 'inProgress',
  resolved: 'done',
  written_off: 'done',
};
const COLUMNS: readonly WorkProgress[] = ['untouched', 'inProgress', 'done'];

/** Up to which age each bucket goes, and from which; what formulas compare with. */
const BOUNDS: Readonly<Record<AgeBucket, readonly string[]>> = {
  days0: ['<=1'],
  days2: ['>=2', '<=7'],
  days8: ['>=8', '<=30'],
  days31: ['>=31'],
};

function byAge(report: Report): Section {
  const { words } = report;
  const w = words.summary;
  const row = (name: string, buckets: readonly AgeBucket[], isTotal: boolean): Row => [
    textCell(name, isTotal ? 'totalText' : 'line'),
    ...COLUMNS.map((progress) => ageCell(report, { progress, buckets, isTotal })),
  ];
  return {
    rows: [
      titleRow(w.workByAge),
      headerRow([words.openItems.bucket, ...COLUMNS.map((progress) => w.progress[progress])], [1, 2, 3]),
      ...AGE_BUCKETS.map((bucket) => row(words.ageBuckets[bucket], [bucket], false)),
      row(words.common.total, AGE_BUCKETS, true),
      [overflowCell(w.progressNote, 'note')],
    ],
  };
}

function ageCell(
  report: Report,
  of: { progress: WorkProgress; buckets: readonly AgeBucket[]; isTotal: boolean },
): Cell {
  const { progress, buckets, isTotal } = of;
  const count = report.work
    .filter(({ status, bucket }) => PROGRESS[status] === progress && buckets.includes(bucket))
    .reduce((sum, one) => sum + one.count, 0);
  const counted = WORK_STATUSES.filter((status) => PROGRESS[status] === progress).flatMap((status) =>
    (['break', 'attention'] as const).map((list) => {
      const name = formulaText(report.words.breaks.statuses[status]);
      const bounds = isTotal ? [] : buckets.flatMap((bucket) => BOUNDS[bucket]);
      const ages = breakRange(report, BREAK_COLUMN.age, list);
      const criteria = bounds.map((bound) => `,${ages},${formulaText(bound)}`).join('');
      return `COUNTIFS(${breakRange(report, BREAK_COLUMN.status, list)},${name}${criteria})`;
    }),
  );
  return liveCount(isLive(report, 'breaks'), counted.join('+'), count, isTotal ? 'totalCount' : 'count');
}

function sumOf(sums: readonly (Sum | WorkSum)[]): Sum {
  return {
    count: sums.reduce((count, sum) => count + sum.count, 0),
    grossFen: sums.reduce((fen, sum) => fen + sum.grossFen, 0n),
    oldestDays: Math.max(...sums.map((sum) => sum.oldestDays)),
  };
}
