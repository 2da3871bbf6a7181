/**
 * The font of our own pages: Noto Sans SC (OFL), cut once per bundle to exactly the characters it needs, embedded once
 * per part; the bold one, which shows our own words only, is the same in all. What the font lacks is shown as a box; index.csv keeps the text itself.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';
import { CustomFontEmbedder, PDFContext } from 'pdf-lib';

import { ObjectCopy } from './object-copy.ts';
import { unpacker } from './stream-filters.ts';
import type { CopyTarget } from './object-copy.ts';

/** The package brings no types; this is what is used of it. */
type SubsetFont = (
  font: Uint8Array,
  text: string,
  options: {
    targetFormat: 'truetype';
    noHinting: boolean;
    noLayoutClosure: boolean;
    keepFeatures: readonly string[];
    dropTables: readonly string[];
  },
) => Promise<Uint8Array>;
const subsetFont = createRequire(import.meta.url)('subset-font') as SubsetFont;

/** pdf-lib knows an older one by its types; it asks no more of it than this one gives. */
const FONTKIT = fontkit as unknown as Parameters<typeof CustomFontEmbedder.for>[0];

export type Weight = 'regular' | 'bold';

export interface Typeface {
  /** Hex of the text's glyphs, and its width at size 1. */
  set(text: string): { glyphs: string; width: number };
  /** The text as it is, or so much of its beginning as has room, with `…`. */
  fit(text: string, room: { width: number; size: number }): string;
  /** How a character is drawn, in the font's own units. */
  outline(character: string): Outline;
  /** Writes the font into a merged file; its number there. */
  embed(target: CopyTarget): Promise<number>;
}

/** Steps of a path, each with the points it leads over and the one it leads to, as they follow each other. */
export interface Outline {
  steps: { command: 'M' | 'L' | 'Q' | 'C' | 'Z'; points: number[] }[];
  advance: number;
  /** Left, bottom, right, top. */
  box: readonly [number, number, number, number];
  unitsPerEm: number;
}

export type Typefaces = Readonly<Record<Weight, Typeface>>;

const FONT_FILES: Readonly<Record<Weight, string>> = {
  regular: '400Regular/NotoSansSC_400Regular.ttf',
  bold: '700Bold/NotoSansSC_700Bold.ttf',
};
/** Stands for a character the font lacks; and where it lacks that, a question mark. */
const BOXES = ['□', '?'];
const ELLIPSIS = '…';
/** Shaping tables have no use in a PDF, whose glyphs are already chosen. */
const UNUSED_TABLES = ['GSUB', 'GPOS', 'GDEF', 'BASE', 'STAT', 'DSIG', 'vhea', 'vmtx', 'VORG'];
/** Controls, direction marks, halves of characters and what has no shape: shown as a box as well. */
const SHAPELESS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** Cuts each weight to the characters of its texts. The same texts give the same fonts. */
export async function cutFonts(texts: Readonly<Record<Weight, Iterable<string>>>): Promise<Typefaces> {
  return { regular: await cutOnce('regular', texts.regular), bold: await cutOnce('bold', texts.bold) };
}

/** As it was cut last: many bundles in a row have the same characters, of the bold one all have. */
const lastCut = new Map<Weight, { characters: string; face: Promise<Typeface> }>();

function cutOnce(weight: Weight, texts: Iterable<string>): Promise<Typeface> {
  const characters = charactersOf(texts);
  const last = lastCut.get(weight);
  if (last?.characters === characters) return last.face;
  const face = cutFont(weight, characters);
  lastCut.set(weight, { characters, face });
  return face;
}

function charactersOf(texts: Iterable<string>): string {
  const characters = new Set<string>([...BOXES, ELLIPSIS]);
  for (const text of texts) for (const character of text) characters.add(character);
  return [...characters].toSorted().join('');
}

async function cutFont(weight: Weight, characters: string): Promise<Typeface> {
  const source = fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans-sc/${FONT_FILES[weight]}`));
  const subset = await subsetFont(await readFile(source), characters, {
    targetFormat: 'truetype',
    noHinting: true,
    noLayoutClosure: true,
    keepFeatures: [],
    dropTables: UNUSED_TABLES,
  });
  const name = `RECON${weight === 'bold' ? 'B' : 'A'}+NotoSansSC-${weight === 'bold' ? 'Bold' : 'Regular'}`;
  const embedder = await CustomFontEmbedder.for(FONTKIT, new Uint8Array(subset), name);
  const shapes = glyphTable(embedder.font);
  const set = (text: string): { glyphs: string; width: number } => {
    let [glyphs, width] = ['', 0];
    for (const character of text) {
      const glyph = shapes(character);
      glyphs += glyph.hex;
      width += glyph.width;
    }
    return { glyphs, width };
  };
  return {
    set,
    fit: (text, room) => fitted(text, room.width / room.size, (character) => shapes(character).width),
    outline: (character) => outlineOf(embedder.font, character),
    embed: async (target) => {
      const context = PDFContext.create();
      const ref = await embedder.embedIntoContext(context);
      const token = new ObjectCopy(
        { context, unpacker: unpacker((object) => context.lookup(object)) },
        target,
      ).token(ref);
      return Number.parseInt(token, 10);
    },
  };
}

function outlineOf(font: FontOfKit, character: string): Outline {
  const { advanceWidth, path } = font.glyphForCodePoint(character.codePointAt(0) ?? 0);
  const { minX, minY, maxX, maxY } = path.cbox;
  const steps = [...path.toSVG().matchAll(/([MLQCZ])([^MLQCZ]*)/g)].map(([, command, points = '']) => ({
    command: command as Outline['steps'][number]['command'],
    points: (points.match(/-?[\d.]+/g) ?? []).map(Number),
  }));
  const box = steps.length === 0 ? ([0, 0, 0, 0] as const) : ([minX, minY, maxX, maxY] as const);
  return { steps, advance: advanceWidth, box, unitsPerEm: font.unitsPerEm };
}

interface Glyph {
  hex: string;
  /** At size 1. */
  width: number;
}

type FontOfKit = CustomFontEmbedder['font'];

function glyphTable(font: FontOfKit): (character: string) => Glyph {
  const known = new Map<string, Glyph>();
  const boxCode =
    BOXES.map((box) => box.codePointAt(0) ?? 0).find((code) => font.hasGlyphForCodePoint(code)) ?? 0;
  return (character) => {
    const found = known.get(character);
    if (found !== undefined) return found;
    const code = character.codePointAt(0) ?? 0;
    const isShown = !SHAPELESS.test(character) && font.hasGlyphForCodePoint(code);
    const { id, advanceWidth } = font.glyphForCodePoint(isShown ? code : boxCode);
    const glyph = { hex: id.toString(16).padStart(4, '0'), width: advanceWidth / font.unitsPerEm };
    known.set(character, glyph);
    return glyph;
  };
}

function fitted(text: string, width: number, widthOf: (character: string) => number): string {
  const ellipsis = widthOf(ELLIPSIS);
  let [used, kept] = [0, ''];
  /** What still fits when the ellipsis has to follow. */
  let short = '';
  for (const character of text) {
    used += widthOf(character);
    if (used > width) return `${short}${ELLIPSIS}`;
    kept += character;
    if (used + ellipsis <= width) short = kept;
  }
  return kept;
}
