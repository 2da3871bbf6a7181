/** On the summary: breaks, timing items and items for attention by class, gross and net. */
import type { Fen } from '../../../src/core/fen.ts';
import { formulaText } from '../../../src/excel/address.ts';
import { overflowCell, textCell } from '../../../src/excel/cell.ts';
import type { Row } from '../../../src/excel/cell.ts';
import type { StyleName } from '../../../src/excel/style.ts';
import { liveCount, liveMoney } from '../live-cell.ts';
import type { ItemClass, ItemList } from '../../read/read-items.ts';
import { isLive } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import { BREAK_COLUMN, breakRange } from '../breaks.ts';
import { OPEN_ITEM_COLUMN, openItemRange } from '../open-items.ts';
import { headerRow, titleRow } from '../section.ts';
import type { Section } from '../section.ts';

type Block = Exclude<ItemList, 'cleared'>;

/** The cell below the counts of the breaks' classes. */
export const BREAKS_TOTAL = 'recon_breaks_count';

export function classSections(report: Report): Record<'breaks' | 'timing' | 'attention', Section> {
  const { summary: w } = report.words;
  const section = (list: Block, words: { title: string; empty: string; name: string }): Section =>
    classSection(report, { list, ...words });
  return {
    breaks: section('break', { title: w.breaksByClass, empty: w.noBreaks, name: 'recon_breaks' }),
    timing: section('open', { title: w.timingByClass, empty: w.noTiming, name: 'recon_timing' }),
    attention: section('attention', {
      title: w.attentionByClass,
      empty: w.noAttention,
      name: 'recon_attention',
    }),
  };
}

/** `sizeFen`: gross differences; of timing items their amounts, because what is in flight differs by nothing. */
interface ClassSum {
  count: number;
  sizeFen: Fen;
  netFen: Fen;
}

function classSection(
  report: Report,
  of: { list: Block; title: string; empty: string; name: string },
): Section {
  const { words } = report;
  const w = words.summary;
  const sums = sumByClass(report, of.list);
  if (sums.size === 0) return { rows: [titleRow(of.title), [overflowCell(of.empty, 'note')]] };
  const live = isLive(report, of.list === 'open' ? 'openItems' : 'breaks');
  const first = 3;
  const rows = [...sums].map(([itemClass, sum]) => classRow(report, { list: of.list, itemClass, sum, live }));
  const total = [...sums.values()].reduce((all, one) => ({
    count: all.count + one.count,
    sizeFen: all.sizeFen + one.sizeFen,
    netFen: all.netFen + one.netFen,
  }));
  const totalRow = first + rows.length;
  return {
    names: [
      { name: `${of.name}_count`, row: totalRow, column: 2 },
      { name: `${of.name}_net`, row: totalRow, column: 4 },
    ],
    rows: [
      titleRow(of.title),
      headerRow([w.className, w.count, of.list === 'open' ? w.amount : w.gross, w.net], [1, 2, 3]),
      ...rows,
      totalCells(report, { list: of.list, total, live }),
    ],
  };
}

/** The classes of the breaks in the order of their table, with how many there are. */
export function breakClasses(report: Report): { itemClass: ItemClass; count: number }[] {
  return [...sumByClass(report, 'break')].map(([itemClass, { count }]) => ({ itemClass, count }));
}

/** The classes a list has, those with the most items first. */
function sumByClass(report: Report, list: Block): Map<ItemClass, ClassSum> {
  const sums = new Map<ItemClass, ClassSum>();
  for (const item of report.items) {
    if (item.list !== list) continue;
    const known = sums.get(item.class) ?? { count: 0, sizeFen: 0n, netFen: 0n };
    sums.set(item.class, {
      count: known.count + item.count,
      sizeFen: known.sizeFen + (list === 'open' ? item.amountFen : item.grossFen),
      netFen: known.netFen + item.netFen,
    });
  }
  const byWeight = ([one, a]: [ItemClass, ClassSum], [other, b]: [ItemClass, ClassSum]): number =>
    b.count - a.count || (one < other ? -1 : 1);
  return new Map([...sums].toSorted(byWeight));
}

function ranges(report: Report, list: Block): Record<'classes' | 'differences' | 'sizes' | 'ids', string> {
  const columns = list === 'open' ? OPEN_ITEM_COLUMN : BREAK_COLUMN;
  const range = (column: number): string =>
    list === 'open' ? openItemRange(report, column) : breakRange(report, column, list);
  return {
    classes: range(columns.class),
    differences: range(columns.difference),
    sizes: range(list === 'open' ? OPEN_ITEM_COLUMN.amount : BREAK_COLUMN.difference),
    ids: range(columns.breakId),
  };
}

function classRow(
  report: Report,
  of: { list: Block; itemClass: ItemClass; sum: ClassSum; live: boolean },
): Row {
  const { classes, differences, sizes } = ranges(report, of.list);
  const name = report.words.classes[of.itemClass];
  const isClass = `${classes},${formulaText(name)}`;
  const size = `SUMIFS(${sizes},${isClass},${sizes},">0")-SUMIFS(${sizes},${isClass},${sizes},"<0")`;
  return [
    textCell(name, 'line'),
    liveCount(of.live, `COUNTIFS(${isClass})`, of.sum.count, 'count'),
    liveMoney(of.live, size, of.sum.sizeFen, 'money'),
    liveMoney(of.live, `SUMIFS(${differences},${isClass})`, of.sum.netFen, 'money'),
  ];
}

/** The totals are taken from the lists and not from the rows above, so that a class left out would show. */
function totalCells(report: Report, of: { list: Block; total: ClassSum; live: boolean }): Row {
  const { differences, sizes, ids } = ranges(report, of.list);
  const style: StyleName = 'totalMoney';
  const size = `SUMIFS(${sizes},${sizes},">0")-SUMIFS(${sizes},${sizes},"<0")`;
  return [
    textCell(report.words.common.total, 'totalText'),
    liveCount(of.live, `COUNTA(${ids})`, of.total.count),
    liveMoney(of.live, size, of.total.sizeFen, style),
    liveMoney(of.live, `SUM(${differences})`, of.total.netFen, style),
  ];
}
