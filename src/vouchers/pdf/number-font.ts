/**
 * The font of the numbers on slips: outlines of our own font by the codes of their characters. A part that is gone on with
 * years later, by another cut of the font, shows the same digits for the same codes.
 */
import { deflateSync } from 'node:zlib';

import { decimal } from './decimal.ts';
import type { Outline, Typeface } from './fonts.ts';
import { writeOnce } from './object-copy.ts';
import type { CopyTarget } from './object-copy.ts';

export interface NumberFont {
  /** Of its object. */
  number: number;
  /** Hex of a text's codes, and its width at size 1. */
  set(text: string): { codes: string; width: number };
}

/** Codes of characters beyond ASCII, in the order in which they come. */
const FIRST_OTHER = 128;
const DIGITS = '0123456789';

/** Written once into a merged file, with the digits and these characters. */
export function writeNumberFont(target: CopyTarget, face: Typeface, text: string): NumberFont {
  const characters = [...new Set(Array.from(`${DIGITS}${text}`))];
  const others = characters.filter((character) => character > '\x7f');
  const codeOf = (character: string): number =>
    character > '\x7f' ? FIRST_OTHER + others.indexOf(character) : character.charCodeAt(0);
  const glyphs = characters
    .map((character) => ({ character, code: codeOf(character), outline: face.outline(character) }))
    .toSorted((one, other) => one.code - other.code);
  const [first = 0, last = 0] = [glyphs[0]?.code, glyphs.at(-1)?.code];
  const unitsPerEm = glyphs[0]?.outline.unitsPerEm ?? 1_000;
  const widths = Array.from(
    { length: last - first + 1 },
    (_, at) => glyphs.find(({ code }) => code === first + at)?.outline.advance ?? 0,
  );
  const procedures = glyphs.map(
    ({ code, outline }) => `/g${code} ${writeStream(target, shape(outline))} 0 R`,
  );
  const map = writeStream(target, unicodeMap(glyphs));
  const scale = (1 / unitsPerEm).toFixed(8);
  const number = writeOnce(target, {
    text:
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 ${-unitsPerEm} ${unitsPerEm} ${unitsPerEm}] ` +
      `/FontMatrix [${scale} 0 0 ${scale} 0 0] /CharProcs << ${procedures.join(' ')} >> ` +
      `/Encoding << /Type /Encoding /Differences [${glyphs.map(({ code }) => `${code} /g${code}`).join(' ')}] >> ` +
      `/FirstChar ${first} /LastChar ${last} /Widths [${widths.map(decimal).join(' ')}] ` +
      `/Resources << >> /ToUnicode ${map} 0 R >>`,
  });
  return {
    number,
    set: (shown) => {
      const codes = Array.from(shown, codeOf);
      return {
        codes: Buffer.from(codes).toString('hex'),
        width: codes.reduce((sum, code) => sum + (widths[code - first] ?? 0), 0) / unitsPerEm,
      };
    },
  };
}

function writeStream(target: CopyTarget, text: string): number {
  const stream = deflateSync(Buffer.from(text, 'latin1'));
  return writeOnce(target, { text: `<< /Filter /FlateDecode /Length ${stream.byteLength} >>`, stream });
}

/** The curves of TrueType have one point between their ends, those of PDF two. */
function shape({ steps, advance, box }: Outline): string {
  let [x, y] = [0, 0];
  const path = steps.map(({ command, points }) => {
    const [toX = x, toY = y] = points.slice(-2);
    const [overX = 0, overY = 0] = points;
    const curve = [x + (2 * (overX - x)) / 3, y + (2 * (overY - y)) / 3].concat([
      toX + (2 * (overX - toX)) / 3,
      toY + (2 * (overY - toY)) / 3,
      toX,
      toY,
    ]);
    [x, y] = [toX, toY];
    const numbers = command === 'Q' ? curve : points;
    return `${numbers.map(decimal).join(' ')} ${OPERATORS[command]}`;
  });
  return [`${[advance, 0, ...box].map(decimal).join(' ')} d1`, ...path, 'f'].join('\n');
}

const OPERATORS: Readonly<Record<Outline['steps'][number]['command'], string>> = {
  M: 'm',
  L: 'l',
  Q: 'c',
  C: 'c',
  Z: 'h',
};

function unicodeMap(glyphs: readonly { character: string; code: number }[]): string {
  const lines = glyphs.map(({ character, code }) => {
    const unicode = Buffer.from(character, 'utf16le').swap16().toString('hex');
    return `<${code.toString(16).padStart(2, '0')}> <${unicode}>`;
  });
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CMapName /RECON-Numbers def /CMapType 2 def',
    '1 begincodespacerange <00> <ff> endcodespacerange',
    `${lines.length} beginbfchar`,
    ...lines,
    'endbfchar endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}
