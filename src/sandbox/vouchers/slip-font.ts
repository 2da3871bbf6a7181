/**
 * The Chinese font of the slips, embedded as a subset. Characters that all slips have in common lie in one font
 * that is the same in every file; a slip that needs others brings a second one with those alone.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Font, Glyph } from 'fontkit';

import type { PdfFile } from './slip-pdf.ts';

/** Noto Sans SC, under the Open Font License. */
const FONT_FILE = '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf';

/** The font, and which glyph of it a character has. */
export class SlipFace {
  readonly font: Font;
  readonly #glyphs = new Map<string, Glyph>();

  /** Ten megabytes and their reader: loaded when the first slip is made. */
  constructor() {
    const require = createRequire(import.meta.url);
    const { openSync } = require('fontkit') as typeof import('fontkit');
    const font = openSync(require.resolve(FONT_FILE));
    if (!('createSubset' in font)) throw new Error('Bug: the font is a collection');
    this.font = font;
  }

  /** Number 0 where the font does not have it. */
  glyphOf(character: string): Glyph {
    const known = this.#glyphs.get(character);
    if (known) return known;
    const glyph = this.font.glyphForCodePoint(character.codePointAt(0) ?? 0);
    this.#glyphs.set(character, glyph);
    return glyph;
  }

  /** In thousandths of the size. */
  widthOf(character: string): number {
    return this.thousandths(this.glyphOf(character).advanceWidth);
  }

  thousandths(units: number): number {
    return Math.round((units * 1_000) / this.font.unitsPerEm);
  }
}

/** What stands for a character the font does not have. */
const MISSING = '□';
const PRINTABLE = Array.from({ length: 95 }, (_, place) => String.fromCodePoint(32 + place)).join('');

/** A font within a file: what its characters are numbered there, and the object that is the font. */
export interface EmbeddedFont {
  readonly no: number;
  readonly codes: ReadonlyMap<string, number>;
}

/** Each character once, in the order of their code points. */
export function charactersOf(...texts: readonly string[]): string[] {
  return [...new Set(texts.join(''))].toSorted((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0));
}

/** All of ASCII and the given. */
export function sharedCharacters(...texts: readonly string[]): string[] {
  return charactersOf(PRINTABLE, MISSING, ...texts);
}

/** Controls and marks of direction are not set; what the font lacks is a box. */
export function settable(face: SlipFace, text: string): string {
  const shown = text
    .toWellFormed()
    .replace(/[\s\p{Zs}]+/gu, ' ')
    .replace(/\p{C}/gu, '');
  return Array.from(shown, (character) => (face.glyphOf(character).id === 0 ? MISSING : character)).join('');
}

/** Writes a font of these characters, of which the font has every one, into a file. */
export function embedFont(file: PdfFile, face: SlipFace, characters: readonly string[]): EmbeddedFont {
  const subset = face.font.createSubset();
  // Its types call the number of a glyph in the subset a boolean.
  const codes = new Map(
    characters.map((character) => [character, Number(subset.includeGlyph(face.glyphOf(character)))]),
  );
  const program = Buffer.from(subset.encode());
  const name = `${tagOf(program)}+NotoSansSC-Regular`;
  const descriptor = file.add(
    descriptorOf(face, name, file.addStream(`/Length1 ${program.length}`, program)),
  );
  const widths = [...codes].map(([character, code]) => `${code}[${face.widthOf(character)}]`).join('');
  const descendant = file.add(
    `<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
      `/FontDescriptor ${descriptor} 0 R/DW 1000/W[${widths}]/CIDToGIDMap/Identity>>`,
  );
  const meaning = file.addStream('', unicodeMap(codes));
  const no = file.add(
    `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${meaning} 0 R>>`,
  );
  return { no, codes };
}

function descriptorOf(face: SlipFace, name: string, program: number): string {
  const { minX, minY, maxX, maxY } = face.font.bbox;
  const box = [minX, minY, maxX, maxY].map((units) => face.thousandths(units)).join(' ');
  const [ascent, descent] = [face.font.ascent, face.font.descent].map((units) => face.thousandths(units));
  return (
    `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[${box}]/ItalicAngle 0` +
    `/Ascent ${ascent}/Descent ${descent}/CapHeight 733/StemV 80/FontFile2 ${program} 0 R>>`
  );
}

/** Six letters that differ where the subsets differ. */
function tagOf(program: Buffer): string {
  const digest = createHash('sha256').update(program).digest();
  return Array.from(digest.subarray(0, 6), (byte) => String.fromCharCode(65 + (byte % 26))).join('');
}

/** A CMap section holds at most a hundred lines. */
const SECTION_MAX = 100;

/** What each code means, so that text can be searched for and copied. */
function unicodeMap(codes: ReadonlyMap<string, number>): string {
  const lines = [...codes].map(([character, code]) => {
    const meaning = Buffer.from(character, 'utf16le').swap16().toString('hex');
    return `<${hexCode(code)}><${meaning}>`;
  });
  const sections: string[] = [];
  for (let begin = 0; begin < lines.length; begin += SECTION_MAX) {
    const section = lines.slice(begin, begin + SECTION_MAX);
    sections.push(`${section.length} beginbfchar\n${section.join('\n')}\nendbfchar\n`);
  }
  return [
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n',
    '/CIDSystemInfo <</Registry(Adobe)/Ordering(UCS)/Supplement 0>> def\n',
    '/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n',
    '1 begincodespacerange\n<0000><ffff>\nendcodespacerange\n',
    ...sections,
    'endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n',
  ].join('');
}

export function hexCode(code: number): string {
  return code.toString(16).padStart(4, '0');
}
