/** The first page of a part: whose bundle it is, what it holds by kind, and the digest of the list of originals. */
import type { KindTotal } from './bundle-plan.ts';
import {
  CONTENT_WIDTH,
  FRAME,
  GREY,
  HAIR,
  HEAD_FILL,
  linesOf,
  MARGIN,
  NAVY,
  openCanvas,
  PLAIN_FILL,
  RED,
} from '../pdf/canvas.ts';
import type { Canvas } from '../pdf/canvas.ts';
import type { Typefaces } from '../pdf/fonts.ts';
import type { ObjectBody } from '../pdf/object-copy.ts';
import { drawFacts, drawFrame, TOP } from './page-frame.ts';
import type { FrameTexts } from './page-frame.ts';

const ROW_HEIGHT = 19;

interface TotalColumn {
  title: string;
  width: number;
  text: (total: KindTotal) => string;
  isText?: boolean;
  /** Shown in red where it is not zero. */
  isFault?: boolean;
}

export function coverPage(faces: Typefaces, frame: FrameTexts): ObjectBody {
  const { plan, words } = frame;
  const canvas = openCanvas(faces);
  drawFrame(canvas, frame);
  const wide = { x: MARGIN, width: CONTENT_WIDTH };
  canvas.text(words.title, { ...wide, y: TOP - 26 }, { size: 26, weight: 'bold', colour: NAVY });
  canvas.text(plan.month, { ...wide, y: TOP - 52 }, { size: 14, colour: GREY });
  let y = drawFacts(canvas, factsOf(frame), TOP - 92);
  y -= 14;
  canvas.text(words.totals, { ...wide, y }, { size: 12, weight: 'bold', colour: NAVY });
  y = drawTotals(canvas, frame, y - 12);
  y -= 30;
  canvas.text(words.digest, { ...wide, y }, { size: 12, weight: 'bold', colour: NAVY });
  canvas.box({ x: MARGIN, y: y - 34, width: CONTENT_WIDTH, height: 24, colour: PLAIN_FILL });
  const digest = { x: MARGIN + 8, y: y - 26, width: CONTENT_WIDTH - 16 };
  canvas.text(plan.originalsSha256, digest, { size: 11 });
  y -= 56;
  for (const note of plan.isLast ? words.notes : [words.ofThisPart, ...words.notes]) {
    for (const line of linesOf(note, { width: CONTENT_WIDTH, size: 8.5, linesMax: 3 }, faces)) {
      canvas.text(line, { ...wide, y }, { size: 8.5, colour: GREY });
      y -= 13;
    }
    y -= 3;
  }
  return canvas.body();
}

function factsOf({ plan, words }: FrameTexts): [string, string][] {
  const { part, isLast } = plan;
  const span = {
    part,
    isLast,
    firstNo: plan.orders[0]?.no ?? 0,
    lastNo: plan.orders.at(-1)?.no ?? 0,
  };
  return [
    [words.company, plan.company],
    [words.account, plan.accountNo],
    [words.accountName, plan.accountName],
    [words.period, plan.month],
    ...(part > 1 || !isLast ? [[words.part, words.partOf(span)] satisfies [string, string]] : []),
    [words.version, String(plan.version)],
    [words.madeAt, plan.madeAt],
  ];
}

function drawTotals(canvas: Canvas, { plan, words }: FrameTexts, top: number): number {
  const kindText = ({ kind }: KindTotal): string => (kind === 'total' ? words.total : words.kinds[kind]);
  const columns: TotalColumn[] = [
    { title: words.kind, width: 95, text: kindText, isText: true },
    { title: words.orders, width: 56, text: ({ orders }) => counted(orders) },
    { title: words.files, width: 60, text: ({ files }) => counted(files) },
    { title: words.merged, width: 56, text: ({ merged }) => counted(merged) },
    { title: words.missing, width: 62, text: ({ missing }) => counted(missing), isFault: true },
    { title: words.standIns, width: 60, text: ({ standIns }) => counted(standIns), isFault: true },
    { title: words.amountYuan, width: CONTENT_WIDTH - 389, text: ({ amount }) => amount },
  ];
  let y = top - ROW_HEIGHT;
  canvas.box({ x: MARGIN, y, width: CONTENT_WIDTH, height: ROW_HEIGHT, colour: HEAD_FILL });
  drawCells(canvas, columns, y, (column) => ({ text: column.title, colour: NAVY, isBold: true }));
  for (const total of plan.totals) {
    y -= ROW_HEIGHT;
    const isSum = total.kind === 'total';
    if (isSum) canvas.box({ x: MARGIN, y, width: CONTENT_WIDTH, height: ROW_HEIGHT, colour: PLAIN_FILL });
    drawCells(canvas, columns, y, (column) => {
      const text = column.text(total);
      const isRed = column.isFault === true && text !== '0';
      return { text, isBold: isSum, ...(isRed ? { colour: RED } : {}) };
    });
    canvas.line({ x: MARGIN, y, width: CONTENT_WIDTH, colour: isSum ? FRAME : HAIR });
  }
  return y;
}

function drawCells(
  canvas: Canvas,
  columns: readonly TotalColumn[],
  y: number,
  cell: (column: TotalColumn) => { text: string; colour?: string; isBold: boolean },
): void {
  let x = MARGIN;
  for (const column of columns) {
    const { text, isBold, colour } = cell(column);
    const place = { x: x + 5, y: y + 6, width: column.width - 10 };
    const align = column.isText === true ? 'left' : 'right';
    const weight = isBold ? 'bold' : 'regular';
    canvas.text(text, place, { size: 9, align, weight, ...(colour === undefined ? {} : { colour }) });
    x += column.width;
  }
}

/** `1,234` */
function counted(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
