/**
 * What is seen of a page's annotations and form fields, and nothing of what they do: an appearance becomes an inert
 * stamp, drawn marks keep their drawing. Links, pop-ups and fields without an appearance show nothing and are left out.
 */
import { PDFArray, PDFDict, PDFNumber, PDFRef, PDFStream } from 'pdf-lib';
import type { PDFContext, PDFObject } from 'pdf-lib';

import { nameIn } from './active-content.ts';
import { key } from './object-copy.ts';
import type { ObjectCopy } from './object-copy.ts';

/** Marks that viewers draw from the annotation itself when it has no appearance. */
const DRAWN: ReadonlySet<string> = new Set([
  'Circle',
  'FreeText',
  'Highlight',
  'Ink',
  'Line',
  'PolyLine',
  'Polygon',
  'Square',
  'Squiggly',
  'StrikeOut',
  'Underline',
]);
/** What such a mark is drawn from. */
const DRAWING_KEYS = [
  'BE',
  'BS',
  'Border',
  'C',
  'CA',
  'Contents',
  'DA',
  'IC',
  'InkList',
  'L',
  'LE',
  'Q',
  'QuadPoints',
  'RD',
  'Vertices',
];
const INVISIBLE: ReadonlySet<string> = new Set(['Link', 'Popup']);
/** Flags of an annotation (PDF 32000-1, table 165): nobody changes the copy. */
const READ_ONLY_AND_LOCKED = 64 | 128;
/** Marks on a slip; thousands were made to break readers, and the first show what there is. */
const ANNOTATIONS_MAX = 500;

/** The page's `/Annots` as it is written; undefined where nothing is to be seen. @throws PdfFault */
export function annotationsToken(
  copy: ObjectCopy,
  of: { context: PDFContext; page: PDFDict },
): string | undefined {
  const annotations = of.page.lookup(key('Annots'));
  if (!(annotations instanceof PDFArray)) return undefined;
  const numbers: number[] = [];
  for (const item of annotations.asArray().slice(0, ANNOTATIONS_MAX)) {
    const annotation = resolved(of.context, item);
    const text = annotation instanceof PDFDict ? inertText(copy, annotation) : undefined;
    if (text !== undefined) numbers.push(copy.writeAlone(text));
  }
  return numbers.length === 0 ? undefined : `[${numbers.map((number) => `${number} 0 R`).join(' ')}]`;
}

function inertText(copy: ObjectCopy, annotation: PDFDict): string | undefined {
  const subtype = nameIn(annotation, 'Subtype');
  const rect = annotation.get(key('Rect'));
  if (rect === undefined || INVISIBLE.has(subtype)) return undefined;
  const layer = annotation.get(key('OC'));
  const shared = [
    `/Rect ${copy.token(rect)}`,
    `/F ${flagsOf(annotation) | READ_ONLY_AND_LOCKED}`,
    ...(layer === undefined ? [] : [`/OC ${copy.token(layer)}`]),
  ].join(' ');
  const appearance = appearanceOf(annotation);
  if (appearance !== undefined) {
    return `<< /Type /Annot /Subtype /Stamp ${shared} /AP << /N ${copy.token(appearance)} >> >>`;
  }
  if (!DRAWN.has(subtype)) return undefined;
  const drawing = DRAWING_KEYS.flatMap((name) => {
    const value = annotation.get(key(name));
    return value === undefined ? [] : [`/${name} ${copy.token(value)}`];
  });
  return `<< /Type /Annot /Subtype /${subtype} ${shared} ${drawing.join(' ')} >>`;
}

/** The normal appearance in the state that is set; its reference, because streams are never written in place. */
function appearanceOf(annotation: PDFDict): PDFRef | undefined {
  const appearances = annotation.lookup(key('AP'));
  if (!(appearances instanceof PDFDict)) return undefined;
  const normal = appearances.get(key('N'));
  const states = appearances.lookup(key('N'));
  const chosen = states instanceof PDFDict ? states.get(key(nameIn(annotation, 'AS'))) : normal;
  if (!(chosen instanceof PDFRef)) return undefined;
  return appearances.context.lookup(chosen) instanceof PDFStream ? chosen : undefined;
}

function flagsOf(annotation: PDFDict): number {
  const flags = annotation.lookup(key('F'));
  return flags instanceof PDFNumber ? Math.trunc(flags.asNumber()) & 0xffff : 0;
}

function resolved(context: PDFContext, object: PDFObject): PDFObject | undefined {
  return object instanceof PDFRef ? context.lookup(object) : object;
}
