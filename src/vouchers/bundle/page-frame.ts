/** What our own pages have in common: a head line, a foot line with page x of y, tables of labels and values. */
import { CONTENT_WIDTH, FRAME, GREY, HAIR, MARGIN, NAVY, PAGE_HEIGHT } from '../pdf/canvas.ts';
import type { Canvas } from '../pdf/canvas.ts';
import type { PartPlan } from './bundle-plan.ts';
import type { BundleWords } from './bundle-words.ts';

/** The first base line below the head, and the last above the foot. */
export const TOP = PAGE_HEIGHT - 84;
export const BOTTOM = 58;

export interface FrameTexts {
  plan: PartPlan;
  words: BundleWords;
  page: number;
  pages: number;
}

export function drawFrame(canvas: Canvas, { plan, words, page, pages }: FrameTexts): void {
  const half = CONTENT_WIDTH / 2;
  const headLine = { y: PAGE_HEIGHT - 48, width: half };
  canvas.text(plan.company, { x: MARGIN, ...headLine }, { size: 8.5, colour: GREY });
  const right = [plan.accountName, plan.accountNo, '·', plan.month].filter((text) => text !== '').join(' ');
  canvas.text(right, { x: MARGIN + half, ...headLine }, { size: 8.5, colour: GREY, align: 'right' });
  canvas.line({ x: MARGIN, y: PAGE_HEIGHT - 56, width: CONTENT_WIDTH, colour: NAVY, weight: 1 });
  canvas.line({ x: MARGIN, y: 42, width: CONTENT_WIDTH, colour: FRAME });
  const foot = { y: 30, width: half };
  canvas.text(words.title, { x: MARGIN, ...foot }, { size: 8, colour: GREY });
  const number = words.pageOf({ page, pages });
  canvas.text(number, { x: MARGIN + half, ...foot }, { size: 8, colour: GREY, align: 'right' });
}

const LABEL_WIDTH = 120;
const FACT_HEIGHT = 19;

/** Labels on the left, values on the right, a hair line below each; the base line below the last. */
export function drawFacts(
  canvas: Canvas,
  facts: readonly (readonly [string, string])[],
  top: number,
): number {
  let y = top;
  for (const [label, value] of facts) {
    canvas.text(label, { x: MARGIN, y, width: LABEL_WIDTH - 8 }, { size: 9.5, colour: GREY });
    const room = { x: MARGIN + LABEL_WIDTH, y, width: CONTENT_WIDTH - LABEL_WIDTH };
    canvas.text(value === '' ? '—' : value, room, { size: 9.5 });
    canvas.line({ x: MARGIN, y: y - 6, width: CONTENT_WIDTH, colour: HAIR });
    y -= FACT_HEIGHT;
  }
  return y;
}
