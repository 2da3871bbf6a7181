/** At the end of the summary: charts for who would rather look than read, and the cells they are drawn from. */
import { yuanText } from '../../../src/core/fen.ts';
import type { Fen } from '../../../src/core/fen.ts';
import { columnRange, fixedAddress, formulaText, onSheet } from '../../../src/excel/address.ts';
import { dayCell, moneyCell, overflowCell, textCell } from '../../../src/excel/cell.ts';
import type { Row } from '../../../src/excel/cell.ts';
import type { Chart, ChartSeries } from '../../../src/excel/chart.ts';
import { isLive } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import { AGE_BUCKETS } from '../../words/terms.ts';
import { BREAK_COLUMN, breakRange } from '../breaks.ts';
import { liveCount } from '../live-cell.ts';
import { headerRow, titleRow } from '../section.ts';
import { breakClasses } from './summary-classes.ts';

/** Rows a chart lies over. */
const CHART_ROWS = 24;
/** Two charts side by side, a gap between them. */
const LEFT = { column: 1, endColumn: 5 };
const RIGHT = { column: 6, endColumn: 10 };
/** A line needs two points. */
const NIGHTS_MIN = 2;

export interface ChartBlock {
  rows: readonly Row[];
  /** Rows of two lines, by their place in the block from 1. */
  tall: readonly number[];
  charts: readonly Chart[];
}

function hasNights({ history }: Report): boolean {
  return history.nights.length >= NIGHTS_MIN;
}

function hasBreaks({ ages }: Report): boolean {
  return ages.length > 0;
}

export function hasCharts(report: Report): boolean {
  return hasBreaks(report) || hasNights(report);
}

/** `firstRow`: where the block begins; `classesRow`: where the first class of breaks stands on the summary. */
export function chartBlock(report: Report, at: { firstRow: number; classesRow: number }): ChartBlock {
  const { words } = report;
  if (!hasCharts(report)) return { rows: [], tall: [], charts: [] };
  const rows: Row[] = [titleRow(words.summary.charts)];
  const charts: Chart[] = [];
  const tall: number[] = [];
  const room = (): number => {
    const row = at.firstRow + rows.length;
    for (let line = 0; line < CHART_ROWS; line += 1) rows.push([]);
    return row;
  };
  const breaksRow = hasBreaks(report) ? room() : 0;
  const nightsRow = hasNights(report) ? room() : 0;
  rows.push(titleRow(words.summary.chartData));
  if (hasBreaks(report)) {
    charts.push(classChart(report, { row: breaksRow, classesRow: at.classesRow }));
    charts.push(ageChart(report, { row: breaksRow, firstRow: at.firstRow + rows.length + 1 }));
    rows.push(...ageRows(report), []);
  }
  if (hasNights(report)) {
    charts.push(...nightCharts(report, { row: nightsRow, headerRow: at.firstRow + rows.length }));
    tall.push(rows.length + 1);
    rows.push(...nightRows(report));
  }
  return { rows, tall, charts };
}

function placeAt(half: typeof LEFT, row: number): Chart['place'] {
  return { ...half, row, endRow: row + CHART_ROWS - 1 };
}

/** Cells of one column of the summary. */
function cells(report: Report, span: { column: number; firstRow: number; rows: number }): string {
  return columnRange(report.words.sheets.summary, span);
}

function nameAt(report: Report, place: { row: number; column: number }, text: string): ChartSeries['name'] {
  return { reference: onSheet(report.words.sheets.summary, fixedAddress(place)), text };
}

function classChart(report: Report, { row, classesRow }: { row: number; classesRow: number }): Chart {
  const { words } = report;
  const classes = breakClasses(report);
  const span = { firstRow: classesRow, rows: classes.length };
  return {
    kind: 'bars',
    title: words.summary.breaksByClass,
    format: '#,##0',
    place: placeAt(LEFT, row),
    categories: {
      reference: cells(report, { column: 1, ...span }),
      texts: classes.map(({ itemClass }) => words.classes[itemClass]),
    },
    series: [
      {
        name: nameAt(report, { row: classesRow - 1, column: 2 }, words.summary.count),
        numbers: {
          reference: cells(report, { column: 2, ...span }),
          values: classes.map(({ count }) => String(count)),
        },
      },
    ],
  };
}

function ageChart(report: Report, { row, firstRow }: { row: number; firstRow: number }): Chart {
  const { words } = report;
  const span = { firstRow, rows: AGE_BUCKETS.length };
  return {
    kind: 'columns',
    title: words.summary.breaksByAge,
    format: '#,##0',
    place: placeAt(RIGHT, row),
    categories: {
      reference: cells(report, { column: 1, ...span }),
      texts: AGE_BUCKETS.map((bucket) => words.ageBuckets[bucket]),
    },
    series: [
      {
        name: nameAt(report, { row: firstRow - 1, column: 2 }, words.summary.count),
        numbers: {
          reference: cells(report, { column: 2, ...span }),
          values: AGE_BUCKETS.map((bucket) => String(countOfAge(report, bucket))),
        },
      },
    ],
  };
}

function countOfAge({ ages }: Report, bucket: (typeof AGE_BUCKETS)[number]): number {
  return ages.find((age) => age.bucket === bucket)?.count ?? 0;
}

/** From how many days on a bucket counts, and up to how many. */
const DAYS_OF: Readonly<Record<(typeof AGE_BUCKETS)[number], readonly [number, number]>> = {
  days0: [0, 1],
  days2: [2, 7],
  days8: [8, 30],
  days31: [31, 100_000],
};

function ageRows(report: Report): Row[] {
  const { words } = report;
  const ages = breakRange(report, BREAK_COLUMN.age);
  return [
    headerRow([words.openItems.bucket, words.summary.count], [1]),
    ...AGE_BUCKETS.map((bucket): Row => {
      const [from, upTo] = DAYS_OF[bucket];
      const formula = `COUNTIFS(${ages},${formulaText(`>=${from}`)},${ages},${formulaText(`<=${upTo}`)})`;
      return [
        textCell(words.ageBuckets[bucket], 'line'),
        liveCount(isLive(report, 'breaks'), formula, countOfAge(report, bucket), 'count'),
      ];
    }),
  ];
}

function nightCharts(
  report: Report,
  { row, headerRow: header }: { row: number; headerRow: number },
): Chart[] {
  const { words, history } = report;
  const { accounts, nights } = history;
  const span = { firstRow: header + 1, rows: nights.length };
  const categories = {
    reference: cells(report, { column: 1, ...span }),
    days: nights.map(({ day }) => day),
  };
  const series = (column: number, text: string, fens: readonly (Fen | null)[]): ChartSeries => ({
    name: nameAt(report, { row: header, column }, text),
    numbers: {
      reference: cells(report, { column, ...span }),
      values: fens.map((fen) => (fen === null ? null : yuanText(fen))),
    },
  });
  const balances = accounts.map((account, at) =>
    series(
      at + 2,
      accountTitle(account),
      nights.map((night) => night.balances[at] ?? null),
    ),
  );
  const unexplained = series(
    accounts.length + 2,
    words.summary.unexplainedNights,
    nights.map(({ unexplainedFen }) => unexplainedFen),
  );
  const look = { categories, format: '#,##0' };
  return [
    {
      ...look,
      kind: 'lines',
      title: words.summary.balancesOfDays,
      place: placeAt(LEFT, row),
      series: balances,
    },
    {
      ...look,
      kind: 'columns',
      title: words.summary.unexplainedNights,
      place: placeAt(RIGHT, row),
      series: [unexplained],
      format: '#,##0.00',
    },
  ];
}

function accountTitle({ accountNo, name }: Report['accounts'][number]): string {
  return name === '' ? accountNo : `${accountNo} ${name}`;
}

function nightRows({ words, history }: Report): Row[] {
  const { accounts, nights } = history;
  const titles = [words.openItems.date, ...accounts.map(accountTitle), words.summary.unexplainedNights];
  return [
    headerRow(titles),
    ...nights.map(({ day, balances, unexplainedFen }): Row => [
      dayCell(day),
      ...balances.map((fen) => (fen === null ? overflowCell('—', 'text') : moneyCell(fen))),
      moneyCell(unexplainedFen),
    ]),
  ];
}
