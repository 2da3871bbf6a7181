/** The index of a part: a line a file, each a link to the page where the file begins. */
import type { PlannedOrder, PlannedSlot, SlotPlace } from './bundle-plan.ts';
import type { BundleWords } from './bundle-words.ts';
import { CONTENT_WIDTH, HAIR, HEAD_FILL, MARGIN, NAVY, openCanvas, RED } from '../pdf/canvas.ts';
import type { Canvas } from '../pdf/canvas.ts';
import type { Typefaces } from '../pdf/fonts.ts';
import type { ObjectBody } from '../pdf/object-copy.ts';
import { BOTTOM, drawFrame, TOP } from './page-frame.ts';
import type { FrameTexts } from './page-frame.ts';

export interface IndexLine {
  order: PlannedOrder;
  slot: PlannedSlot;
  place: SlotPlace;
}

/** A link from an area of an index page to a page of the part, from 1. */
export interface PageLink {
  area: readonly [number, number, number, number];
  page: number;
}

export interface IndexPage {
  body: ObjectBody;
  links: PageLink[];
}

const ROW_HEIGHT = 15;
const TABLE_TOP = TOP - 26;
export const LINES_A_PAGE = Math.floor((TABLE_TOP - BOTTOM) / ROW_HEIGHT) - 1;

/** A part without a file still says so, on one page. */
export function countIndexPages(lines: number): number {
  return Math.max(1, Math.ceil(lines / LINES_A_PAGE));
}

/** One page of the index with the lines that stand on it. */
export function indexPage(faces: Typefaces, frame: FrameTexts, lines: readonly IndexLine[]): IndexPage {
  const { words } = frame;
  const canvas = openCanvas(faces);
  drawFrame(canvas, frame);
  const wide = { x: MARGIN, width: CONTENT_WIDTH };
  canvas.text(words.index, { ...wide, y: TOP - 8 }, { size: 14, weight: 'bold', colour: NAVY });
  const columns = columnsOf(words);
  let y = TABLE_TOP - ROW_HEIGHT;
  canvas.box({ x: MARGIN, y, width: CONTENT_WIDTH, height: ROW_HEIGHT, colour: HEAD_FILL });
  drawRow(canvas, columns, { y, cell: (column) => [column.title], isHead: true });
  const links: PageLink[] = [];
  for (const line of lines) {
    y -= ROW_HEIGHT;
    drawRow(canvas, columns, { y, cell: (column) => cellOf(column, line), isHead: false });
    canvas.line({ x: MARGIN, y, width: CONTENT_WIDTH, colour: HAIR, weight: 0.4 });
    links.push({ area: [MARGIN, y, MARGIN + CONTENT_WIDTH, y + ROW_HEIGHT], page: line.place.page });
  }
  if (lines.length === 0) canvas.text(words.empty, { ...wide, y: y - ROW_HEIGHT }, { size: 9 });
  return { body: canvas.body(), links };
}

interface IndexColumn {
  title: string;
  width: number;
  text: (line: IndexLine) => string;
  align: 'left' | 'right';
  isFault?: boolean;
  /** Stands over the text, both smaller, where it is not empty. */
  above?: (line: IndexLine) => string;
}

function columnsOf(words: BundleWords): IndexColumn[] {
  const isFirst = ({ order, slot }: IndexLine): boolean => order.slots[0] === slot;
  return [
    { title: words.number, width: 30, align: 'right', text: ({ order }) => String(order.no) },
    { title: words.time, width: 77, align: 'left', text: ({ order }) => order.time },
    { title: words.kind, width: 46, align: 'left', text: ({ order }) => words.kinds[order.kind] },
    {
      title: words.orderNo,
      width: 124,
      align: 'left',
      text: ({ order }) => order.orderNo || order.outOrderNo,
    },
    {
      title: words.counterparty,
      width: 90,
      align: 'left',
      text: ({ order }) => order.counterparty,
      above: ({ order }) => order.counterpartyName,
    },
    {
      title: words.amountYuan,
      width: 74,
      align: 'right',
      text: (line) => (isFirst(line) ? line.order.amount || '—' : ''),
    },
    {
      title: words.status,
      width: 44,
      align: 'left',
      text: ({ slot }) => words.statuses[slot.status],
      isFault: true,
    },
    {
      title: words.page,
      width: CONTENT_WIDTH - 485,
      align: 'right',
      text: ({ place }) => String(place.page),
    },
  ];
}

const ONE_LINE = { size: 7.5, heights: [4.5] };
const TWO_LINES = { size: 6, heights: [8.6, 2.2] };

function cellOf({ text, above }: IndexColumn, line: IndexLine): string[] {
  return [above?.(line) ?? '', text(line)].filter((part, at) => at === 1 || part !== '');
}

function drawRow(
  canvas: Canvas,
  columns: readonly IndexColumn[],
  row: { y: number; cell: (column: IndexColumn) => readonly string[]; isHead: boolean },
): void {
  let x = MARGIN;
  for (const column of columns) {
    const lines = row.cell(column);
    const { size, heights } = lines.length > 1 ? TWO_LINES : ONE_LINE;
    const place = { x: x + 3, width: column.width - 6 };
    const look = row.isHead
      ? ({ weight: 'bold', colour: NAVY } as const)
      : column.isFault === true
        ? { colour: RED }
        : {};
    for (const [at, text] of lines.entries()) {
      const y = row.y + (heights[at] ?? 0);
      canvas.text(text, { ...place, y }, { size, align: column.align, ...look });
    }
    x += column.width;
  }
}
