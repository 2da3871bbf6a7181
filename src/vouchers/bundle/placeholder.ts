/** The page that stands for a voucher that is missing or cannot be merged: which order, why, and where its original is. */
import type { PlannedOrder, PlannedSlot } from './bundle-plan.ts';
import { remarkText } from './bundle-words.ts';
import { BAD_FILL, CONTENT_WIDTH, GREY, linesOf, MARGIN, NAVY, openCanvas, RED } from '../pdf/canvas.ts';
import type { Typefaces } from '../pdf/fonts.ts';
import { originalPathOf } from '../names.ts';
import type { ObjectBody } from '../pdf/object-copy.ts';
import { drawFacts, drawFrame, TOP } from './page-frame.ts';
import type { FrameTexts } from './page-frame.ts';

export function placeholderPage(
  faces: Typefaces,
  frame: FrameTexts,
  of: { order: PlannedOrder; slot: PlannedSlot },
): ObjectBody {
  const { words } = frame;
  const { order, slot } = of;
  const canvas = openCanvas(faces);
  drawFrame(canvas, frame);
  const wide = { x: MARGIN, width: CONTENT_WIDTH };
  canvas.box({ x: MARGIN, y: TOP - 30, width: CONTENT_WIDTH, height: 36, colour: BAD_FILL });
  const heading = { x: MARGIN + 12, y: TOP - 18, width: CONTENT_WIDTH - 24 };
  canvas.text(words.headings[slot.status], heading, { size: 17, weight: 'bold', colour: RED });
  canvas.text(words.standsFor, { ...wide, y: TOP - 56 }, { size: 9.5, colour: GREY });
  const files = order.slots.length;
  let y = drawFacts(
    canvas,
    [
      [words.number, String(order.no)],
      [words.kind, words.kinds[order.kind]],
      [words.time, order.time],
      [words.orderNo, order.orderNo],
      [words.outOrderNo, order.outOrderNo],
      [words.orderAccount, order.orderAccountNo],
      [
        words.counterparty,
        [order.counterpartyName, order.counterparty].filter((part) => part !== '').join(' '),
      ],
      [words.amountYuan, order.amount],
      ...(files > 1
        ? [[words.files, words.fileOf({ fileNo: slot.fileNo, files })] satisfies [string, string]]
        : []),
    ],
    TOP - 86,
  );
  y -= 12;
  canvas.text(words.reason, { ...wide, y }, { size: 12, weight: 'bold', colour: NAVY });
  const reason = remarkText(words, slot.remark) || words.headings[slot.status];
  y -= 3;
  for (const line of linesOf(reason, { width: CONTENT_WIDTH, size: 9.5, linesMax: 12 }, faces)) {
    y -= 15;
    canvas.text(line, { ...wide, y }, { size: 9.5 });
  }
  if (slot.sha256 === '' || slot.status === 'rejected') return canvas.body();
  y -= 30;
  canvas.text(words.original, { ...wide, y }, { size: 12, weight: 'bold', colour: NAVY });
  if (slot.status !== 'lost' && slot.status !== 'changed') {
    canvas.text(words.originalKept, { ...wide, y: y - 17 }, { size: 9.5 });
    y -= 15;
  }
  canvas.text(originalPathOf(slot.sha256), { ...wide, y: y - 17 }, { size: 9.5 });
  return canvas.body();
}
