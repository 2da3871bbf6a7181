/**
 * What the merged copy leaves out (I6): everything that is not drawn. Pages are copied by a list of what is wanted, and so
 * is all that hangs on them: a dictionary keeps the keys that decide how a page looks, and no others, so that nothing in it
 * acts, opens, sends, carries a file, or looks to a scanner as if it did. The untouched original keeps everything.
 */
import { PDFArray, PDFBool, PDFDict, PDFName, PDFNumber, PDFRef, PDFStream } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

import { PdfFault } from './pdf-fault.ts';

const words = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '));

/** Keys that decide how a page looks or what its text is (PDF 32000-1, chapters 7 to 9, 11 and 14.6). */
const DRAWN_KEYS: ReadonlySet<string> = new Set(
  words(
    // Resources, forms, pictures, groups.
    'Type Subtype Name Resources ProcSet FormType BBox Matrix Group S CS I K Width Height BitsPerComponent Intent',
    'ImageMask Mask Decode Interpolate SMask SMaskInData Matte OC',
    // Filters.
    'Filter DecodeParms Predictor Colors Columns EarlyChange EndOfLine EncodedByteAlign Rows EndOfBlock BlackIs1',
    'DamagedRowsBeforeError JBIG2Globals ColorTransform',
    // Graphics states and soft masks.
    'LW LC LJ ML D RI OP op OPM BG BG2 UCR UCR2 TR TR2 FL SM SA BM CA ca AIS TK G BC',
    // Functions.
    'FunctionType Domain Range Size BitsPerSample Order Encode C0 C1 N Functions Bounds',
    // Colour spaces.
    'WhitePoint BlackPoint Gamma Alternate Process Components Solidities DotGain',
    // Patterns and shadings.
    'PatternType PaintType TilingType XStep YStep ShadingType Background AntiAlias Function Coords Extend',
    'BitsPerCoordinate BitsPerFlag VerticesPerRow',
    // Fonts.
    'BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode FontBBox FontMatrix DescendantFonts',
    'CIDSystemInfo Registry Ordering Supplement DW W DW2 W2 CIDToGIDMap BaseEncoding Differences CMapName WMode UseCMap',
    'FontName FontFamily FontStretch FontWeight Flags ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH',
    'AvgWidth MaxWidth MissingWidth FontFile FontFile2 FontFile3 CharSet Style Panose CIDSet Length1 Length2 Length3',
    // Layers and marked content.
    'OCGs P VE MCID ActualText Alt Lang E',
  ),
);

/** Dictionaries in which every key is a name that the page's content made up: none of them means anything. */
const NAME_TABLES: ReadonlySet<string> = new Set([
  'CharProcs',
  'ColorSpace',
  'Colorants',
  'ExtGState',
  'Font',
  'Pattern',
  'Properties',
  'Shading',
  'XObject',
]);

/** Names that scanners look for, whatever they stand for. A content that calls a font so is made to be looked at. */
const FLAGGED: ReadonlySet<string> = new Set(
  words(
    'AA AcroForm EmbeddedFile EmbeddedFiles Encrypt GoToE GoToR ImportData JS JavaScript Launch OpenAction RichMedia',
    'RichMediaContent SubmitForm URI XFA',
  ),
);
const FLAGGED_TEXT = new RegExp(`/(?:${[...FLAGGED].join('|')})(?![A-Za-z])`);

const ACTION_KINDS: ReadonlySet<string> = new Set(
  words(
    'GoTo GoTo3DView GoToDp GoToE GoToR Hide ImportData JavaScript Launch Movie Named Rendition ResetForm',
    'RichMediaExecute SetOCGState Sound SubmitForm Thread Trans URI',
  ),
);

const ACTIVE_TYPES: ReadonlySet<string> = new Set(['Action', 'EmbeddedFile', 'Filespec', 'Sig']);

/** How the keys of a dictionary are to be read: as the format's own, or as names the content made up. */
export type KeyMeaning = 'format' | 'names';

export function meaningBelow(key: string): KeyMeaning {
  return NAME_TABLES.has(key) ? 'names' : 'format';
}

/** @throws PdfFault where a name that is needed is one that scanners look for */
export function isKeyDropped(key: string, meaning: KeyMeaning): boolean {
  if (meaning === 'format') return !DRAWN_KEYS.has(key) && !NAME_TABLES.has(key);
  requireUnflagged(key);
  return false;
}

/** @throws PdfFault */
export function requireUnflagged(name: string): void {
  if (FLAGGED.has(name))
    throw new PdfFault('hostile', `it calls a thing that is drawn ${name}, as if it acted`);
}

/** Bytes that would look to a scanner as if they acted. */
export function looksActive(bytes: Uint8Array): boolean {
  return FLAGGED_TEXT.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

/**
 * In a table of names stand things that are drawn with, and a text is none. A pattern has a single shading and a single
 * graphics state under the keys of such tables: numbers are of these.
 */
export function isResource(value: PDFObject): boolean {
  return [PDFRef, PDFDict, PDFStream, PDFArray, PDFName, PDFBool, PDFNumber].some(
    (kind) => value instanceof kind,
  );
}

/** A program for a printer, which no viewer draws: null stands for it in the copy. */
export function isForPrinters(object: PDFObject): boolean {
  return object instanceof PDFStream && nameIn(object.dict, 'Subtype') === 'PS';
}

/**
 * What says that it is an action, a file or a signature. It is copied nowhere, and viewers draw it all the same where it
 * stands for something that is drawn: a page without it would show less than the original.
 * @throws PdfFault
 */
export function requireInert(object: PDFObject): void {
  const dict = object instanceof PDFStream ? object.dict : object;
  if (!(dict instanceof PDFDict)) return;
  if (ACTIVE_TYPES.has(nameIn(dict, 'Type')) || ACTION_KINDS.has(nameIn(dict, 'S')))
    throw new PdfFault('hostile', 'a thing that is drawn says that it acts');
}

/** The name under a key, without its slash; empty where there is none. */
export function nameIn(dict: PDFDict, key: string): string {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFName ? plainName(value) : '';
}

/** A name without its slash. Decoding is slow and almost never needed. */
export function plainName(name: PDFName): string {
  const encoded = name.asString();
  return encoded.includes('#') ? name.decodeText() : encoded.slice(1);
}
