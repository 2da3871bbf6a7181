/** One of our own pages, A4 upright, drawn as the operators of a content stream; points, from the lower left corner. */
import { deflateSync } from 'node:zlib';

import { decimal } from './decimal.ts';
import type { Typefaces, Weight } from './fonts.ts';
import type { ObjectBody } from './object-copy.ts';

export const PAGE_WIDTH = 595.28;
export const PAGE_HEIGHT = 841.89;
export const MARGIN = 42;
export const CONTENT_WIDTH = PAGE_WIDTH - 2 * MARGIN;

/** The colours of the workbook (src/excel/style.ts), as PDF writes them. */
export const INK = '0.149 0.149 0.149';
export const NAVY = '0.122 0.22 0.392';
export const GREY = '0.349 0.349 0.349';
export const RED = '0.612 0 0.024';
export const FRAME = '0.557 0.663 0.859';
export const HAIR = '0.851 0.851 0.851';
export const HEAD_FILL = '0.851 0.886 0.953';
export const BAD_FILL = '1 0.78 0.808';
export const PLAIN_FILL = '0.949 0.949 0.949';

export interface TextLook {
  size: number;
  weight?: Weight;
  colour?: string;
  align?: 'left' | 'right' | 'centre';
}

/** Where a text stands: its base line, and the room it has; what has no room is cut with `…`. */
export interface TextPlace {
  x: number;
  y: number;
  width: number;
}

export interface Canvas {
  text(text: string, place: TextPlace, look: TextLook): void;
  box(area: { x: number; y: number; width: number; height: number; colour: string }): void;
  /** A level line. */
  line(from: { x: number; y: number; width: number; colour: string; weight?: number }): void;
  body(): ObjectBody;
}

/** The fonts' names in a page's resources. */
export const FONT_NAMES: Readonly<Record<Weight, string>> = { regular: 'F1', bold: 'F2' };

export function openCanvas(faces: Typefaces): Canvas {
  const operators: string[] = [];
  return {
    text: (text, place, look) => {
      const { size, weight = 'regular', colour = INK, align = 'left' } = look;
      const face = faces[weight];
      const { glyphs, width } = face.set(face.fit(text, { width: place.width, size }));
      if (glyphs === '') return;
      const free = place.width - width * size;
      const x = place.x + (align === 'left' ? 0 : align === 'right' ? free : free / 2);
      const position = `1 0 0 1 ${decimal(x)} ${decimal(place.y)} Tm`;
      operators.push(
        `BT /${FONT_NAMES[weight]} ${decimal(size)} Tf ${colour} rg ${position} <${glyphs}> Tj ET`,
      );
    },
    box: ({ x, y, width, height, colour }) => {
      operators.push(`${colour} rg ${[x, y, width, height].map(decimal).join(' ')} re f`);
    },
    line: ({ x, y, width, colour, weight = 0.5 }) => {
      const path = `${decimal(x)} ${decimal(y)} m ${decimal(x + width)} ${decimal(y)} l S`;
      operators.push(`${colour} RG ${decimal(weight)} w ${path}`);
    },
    body: () => {
      const stream = deflateSync(Buffer.from(operators.join('\n'), 'latin1'));
      return { text: `<< /Filter /FlateDecode /Length ${stream.byteLength} >>`, stream };
    },
  };
}

/** A long text on several lines, broken between words, and anywhere in what is written without blanks. */
export function linesOf(
  text: string,
  room: { width: number; size: number; linesMax: number },
  faces: Typefaces,
): string[] {
  const widthOf = (part: string): number => faces.regular.set(part).width * room.size;
  const lines: string[] = [];
  let line = '';
  for (const piece of text.match(/[\x21-\x7e]{1,24}|./gsu) ?? []) {
    if (line !== '' && widthOf(line + piece) > room.width) {
      lines.push(line.trimEnd());
      line = piece.trimStart();
    } else {
      line += piece;
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length <= room.linesMax) return lines;
  const kept = lines.slice(0, room.linesMax);
  return [...kept.slice(0, -1), `${(kept.at(-1) ?? '').slice(0, -1)}…`];
}
