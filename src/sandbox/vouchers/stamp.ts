/** The red round stamp of the bank (电子回单专用章), drawn over what it vouches for. */
import { Canvas, circle, fontResources, rounded } from './slip-canvas.ts';
import type { FontSet } from './slip-canvas.ts';
import type { PdfFile } from './slip-pdf.ts';

export const STAMP_TEXTS = { around: '示例银行股份有限公司', across: '电子回单专用章', below: '沙箱' };

const RADIUS = 43;
/** How far the name runs around, in degrees, and where its letters stand. */
const ARC = 204;
const BASE_RADIUS = 31.5;

/** @returns the number of the form; its middle is its origin */
export function addStamp(file: PdfFile, set: FontSet): number {
  const state = file.add('<</Type/ExtGState/ca 0.82/CA 0.82/BM/Multiply>>');
  const canvas = new Canvas(set);
  canvas.draw('/G gs 0.82 0.07 0.09 rg 0.82 0.07 0.09 RG');
  canvas.draw(`2.2 w ${circle(0, 0, RADIUS)} S 0.6 w ${circle(0, 0, RADIUS - 3)} S`);
  canvas.draw(star(12, 4));
  around(canvas, STAMP_TEXTS.around);
  canvas.centred(STAMP_TEXTS.across, { x: 0, y: -20, size: 7.6 });
  canvas.centred(STAMP_TEXTS.below, { x: 0, y: -31, size: 6.5 });
  const box = `${-RADIUS - 2} ${-RADIUS - 2} ${RADIUS + 2} ${RADIUS + 2}`;
  return file.addStream(
    `/Type/XObject/Subtype/Form/BBox[${box}]/Resources<</ExtGState<</G ${state} 0 R>>${fontResources(set)}>>`,
    canvas.content(),
  );
}

/** Each letter upright to the ring, the middle one on top. */
function around(canvas: Canvas, text: string): void {
  const letters = Array.from(text);
  const size = 8.5;
  const step = ARC / (letters.length - 1);
  for (const [place, letter] of letters.entries()) {
    const turn = ((ARC / 2 - place * step) * Math.PI) / 180;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const half = canvas.widthOf(letter, size) / 2;
    const x = -sin * BASE_RADIUS - cos * half;
    const y = cos * BASE_RADIUS - sin * half;
    const turned = [cos, sin, -sin, cos].map((value) => rounded(value * 100) / 100);
    canvas.text(letter, { x, y, size }, `${turned.join(' ')} ${rounded(x)} ${rounded(y)}`);
  }
}

function star(radius: number, y: number): string {
  const points = Array.from({ length: 5 }, (_, place) => {
    const turn = ((90 + place * 144) * Math.PI) / 180;
    return `${rounded(radius * Math.cos(turn))} ${rounded(y + radius * Math.sin(turn))}`;
  });
  const [first = '', ...others] = points;
  return `${first} m ${others.map((point) => `${point} l`).join(' ')} h f`;
}
