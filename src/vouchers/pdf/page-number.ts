/**
 * The number that a slip's page bears at its foot, drawn over the page's own content, which stays as it is between two
 * contents of ours. All but the digits is shared by pages of one kind; the digits are an object of each page, so that a
 * page whose place changes is numbered anew and not written anew.
 */
import type { Nesting } from './content-nesting.ts';
import { decimal } from './decimal.ts';
import type { NumberFont } from './number-font.ts';
import { writeOnce } from './object-copy.ts';
import type { CopyTarget, ObjectBody } from './object-copy.ts';

/** A page as a viewer shows it. */
export interface ShownPage {
  /** What is seen of it: left, bottom, right, top. */
  box: Box;
  /** Clockwise, in degrees. */
  rotation: number;
  /** Points of a unit. */
  unit: number;
}

export type Box = readonly [number, number, number, number];

export interface NumberedPage {
  shown: ShownPage;
  nesting: Nesting;
  /** What its resources call the font. */
  fontName: string;
}

export interface PageNumbers {
  /** Of the font's object. */
  font: number;
  /** A page's contents with its number, as references; and the object in which the digits are written later. */
  around(contents: readonly string[], page: NumberedPage): { contents: string[]; digits: number };
}

/** What stands before and after the digits. */
export type NumberLabel = readonly [string, string];

/** Points, at the foot of an A4 page: below what slips print, inside of what printers can. */
const SIZE = 7;
const BASE_LINE = 13;
/** Of the free width on its left: slips have numbers of their own in the middle and at the right edge. */
const ACROSS = 0.78;
/** Of A4; a page that is larger was made to be printed smaller. */
const USUAL_WIDTH = 595.28;
const DIGITS_ROOM = '00000';

export function openPageNumbers(target: CopyTarget, font: NumberFont, label: NumberLabel): PageNumbers {
  const [before, after] = label.map((text) => font.set(text).codes) as [string, string];
  const width = font.set(label.join(DIGITS_ROOM)).width * SIZE;
  const write = (text: string): string => `${writeOnce(target, contentOf(text))} 0 R`;
  return {
    font: font.number,
    around: (contents, { shown, nesting, fontName }) => {
      const digits = target.writer.reserve();
      const begin = `q ${placeOf(shown, width)} cm 0.35 g BT /${fontName} ${SIZE} Tf <${before}> Tj`;
      const end = write(`<${after}> Tj ET Q`);
      // What it never saved it must not restore: then the number comes first and is seen where nothing lies over it.
      if (nesting.least < 0) return { contents: [write(begin), `${digits} 0 R`, end, ...contents], digits };
      const close = 'Q '.repeat(nesting.net + 1);
      return {
        contents: [write('q'), ...contents, write(`${close}${begin}`), `${digits} 0 R`, end],
        digits,
      };
    },
  };
}

/** The digits of a page; none where it is not shown. */
export function digitsOf(page: number | undefined): ObjectBody {
  return contentOf(`(${page ?? ''}) Tj`);
}

function contentOf(text: string): ObjectBody {
  const stream = Buffer.from(`\n${text}\n`, 'latin1');
  return { text: `<< /Length ${stream.byteLength} >>`, stream };
}

/** The matrix that leads to the beginning of the number, upright and at the foot of what is seen. */
function placeOf({ box, rotation, unit }: ShownPage, textWidth: number): string {
  const [left, bottom, right, top] = box;
  const turn = ((Math.round(rotation / 90) % 4) + 4) % 4;
  const [across, up] = [right - left, top - bottom];
  const [width, height] = turn % 2 === 0 ? [across, up] : [up, across];
  const usual = Math.max(1 / unit, Math.min(width, height) / USUAL_WIDTH);
  const scale = Math.min(usual, width / (1.5 * textWidth), height / (3 * BASE_LINE));
  const [x, y] = [ACROSS * (width - textWidth * scale), BASE_LINE * scale];
  const [cos, sin] = (
    [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ] as const
  )[turn] ?? [1, 0];
  const [fromX, fromY] = [turn === 1 || turn === 2 ? right : left, turn === 2 || turn === 3 ? top : bottom];
  const matrix = [cos * scale, sin * scale, -sin * scale, cos * scale];
  return [...matrix, fromX + cos * x - sin * y, fromY + sin * x + cos * y].map(decimal).join(' ');
}
