/** The pages of one voucher, copied into the merged file: what is seen of them, and nothing else. */
import { PDFArray, PDFDict, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

import { nameIn } from './active-content.ts';
import { annotationsToken } from './annotations.ts';
import { NO_CONTENT, nestingAfter } from './content-nesting.ts';
import type { Nesting } from './content-nesting.ts';
import { decimal } from './decimal.ts';
import { key, ObjectCopy } from './object-copy.ts';
import type { CopyTarget } from './object-copy.ts';
import type { Box, PageNumbers } from './page-number.ts';
import { PdfFault } from './pdf-fault.ts';
import type { PdfSource, SourcePage } from './pdf-source.ts';

/** The entries of a page's dictionary but `/Type` and `/Parent`. */
export type PageEntries = string;

/** A layer of a voucher: its number in the merged file, and whether it is switched off. */
export interface Layer {
  number: number;
  isOff: boolean;
}

export interface ImportedPage {
  entries: PageEntries;
  /** The object that its number is to be written in. */
  digits: number;
}

export interface ImportedPages {
  pages: ImportedPage[];
  layers: Layer[];
}

/** Entries of a page that decide how it looks and are not inherited. */
const OWN_KEYS = ['Group', 'UserUnit', 'BleedBox', 'TrimBox', 'ArtBox'];
/** A4, where a page says no size. */
const MEDIA_BOX: Box = [0, 0, 595.28, 841.89];
/** Points; the format's own limit for the side of a page. */
const SIDE_MAX = 14_400;
/** A page may lie anywhere, but not so far away that readers lose its decimals. */
const COORDINATE_MAX = 1_000_000;

/** Copies every page of a source. @throws PdfFault */
export function importPages(source: PdfSource, target: CopyTarget, numbers: PageNumbers): ImportedPages {
  const copy = new ObjectCopy(source, target);
  const pages = source.pages.map((page) => importPage(copy, { source, page, numbers }));
  return { pages, layers: layersOf(copy, source) };
}

function importPage(
  copy: ObjectCopy,
  of: { source: PdfSource; page: SourcePage; numbers: PageNumbers },
): ImportedPage {
  const { source, numbers } = of;
  const { dict, inherited } = of.page;
  const entryOf = (name: string): PDFObject | undefined => resolve(source, inherited.get(name));
  const resources = copy.resourcesWith(numbers.font, entryOf('Resources'));
  const entries = [`/Resources ${resources.token}`];
  const givenBox = entryOf('MediaBox');
  const mediaBox = givenBox === undefined ? MEDIA_BOX : boxOf(givenBox, source);
  entries.push(`/MediaBox ${boxToken(mediaBox)}`);
  const givenCrop = entryOf('CropBox');
  const cropBox = givenCrop === undefined ? mediaBox : boxOf(givenCrop, source);
  if (givenCrop !== undefined) entries.push(`/CropBox ${boxToken(cropBox)}`);
  const rotation = entryOf('Rotate');
  if (rotation instanceof PDFNumber) entries.push(`/Rotate ${rotation.toString()}`);
  const { tokens, nesting } = contentsOf(copy, dict.get(key('Contents')), source);
  const shown = {
    box: seenBox(mediaBox, cropBox),
    rotation: rotation instanceof PDFNumber ? rotation.asNumber() : 0,
    unit: unitOf(dict, source),
  };
  const { contents, digits } = numbers.around(tokens, { shown, nesting, fontName: resources.fontName });
  entries.push(`/Contents [${contents.join(' ')}]`);
  for (const name of OWN_KEYS) {
    const own = dict.get(key(name));
    if (own !== undefined) entries.push(`/${name} ${copy.token(own)}`);
  }
  const annotations = annotationsToken(copy, { context: source.context, page: dict });
  if (annotations !== undefined) entries.push(`/Annots ${annotations}`);
  return { entries: entries.join(' '), digits };
}

/** A content that is no stream, or that is missing, leaves a page that shows less than it did: not merged. */
function contentsOf(
  copy: ObjectCopy,
  contents: PDFObject | undefined,
  source: PdfSource,
): { tokens: string[]; nesting: Nesting } {
  if (contents === undefined) return { tokens: [], nesting: NO_CONTENT };
  const whole = resolve(source, contents);
  const parts = whole instanceof PDFArray ? whole.asArray() : [contents];
  let nesting = NO_CONTENT;
  const tokens = parts.map((part) => {
    const stream = resolve(source, part);
    if (!(stream instanceof PDFRawStream)) throw new PdfFault('damaged', 'the content of a page is missing');
    const copied = copy.content(part, stream);
    nesting = nestingAfter(nesting, copied.nesting);
    return copied.token;
  });
  return { tokens, nesting };
}

/** @throws PdfFault */
function boxOf(box: PDFObject, source: PdfSource): Box {
  const sides = box instanceof PDFArray ? box.asArray().map((side) => numberOf(source, side)) : [];
  const [left = Number.NaN, bottom = Number.NaN, right = Number.NaN, top = Number.NaN] = sides;
  const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)];
  if (sides.length !== 4 || !(width > 0 && width <= SIDE_MAX && height > 0 && height <= SIDE_MAX)) {
    throw new PdfFault('damaged', 'a page has no size that can be shown');
  }
  return [left, bottom, right, top];
}

function boxToken(box: Box): string {
  return `[${box.map(decimal).join(' ')}]`;
}

/** Viewers show what lies in both; and the whole page where nothing does. Corners may be given in any order. */
function seenBox(mediaBox: Box, cropBox: Box): Box {
  const [media, crop] = [inOrder(mediaBox), inOrder(cropBox)];
  const [left, bottom] = [Math.max(media[0], crop[0]), Math.max(media[1], crop[1])];
  const [right, top] = [Math.min(media[2], crop[2]), Math.min(media[3], crop[3])];
  return right > left && top > bottom ? [left, bottom, right, top] : media;
}

function inOrder([x1, y1, x2, y2]: Box): Box {
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

function unitOf(page: PDFDict, source: PdfSource): number {
  const unit = resolve(source, page.get(key('UserUnit')));
  return unit instanceof PDFNumber && unit.asNumber() > 0 ? unit.asNumber() : 1;
}

function numberOf(source: PdfSource, side: PDFObject): number {
  const value = resolve(source, side);
  const number = value instanceof PDFNumber ? value.asNumber() : Number.NaN;
  return Math.abs(number) <= COORDINATE_MAX ? number : Number.NaN;
}

function resolve(source: PdfSource, object: PDFObject | undefined): PDFObject | undefined {
  return object instanceof PDFRef ? source.context.lookup(object) : object;
}

/** Layers that the source shows or hides at first, so that the copy shows the same. */
function layersOf(copy: ObjectCopy, source: PdfSource): Layer[] {
  const properties = source.catalog.lookup(key('OCProperties'));
  if (!(properties instanceof PDFDict)) return [];
  const settings = properties.lookup(key('D'));
  const refsOf = (holder: PDFObject | undefined, name: string): PDFRef[] => {
    const list = holder instanceof PDFDict ? holder.lookup(key(name)) : undefined;
    return list instanceof PDFArray ? list.asArray().filter((item) => item instanceof PDFRef) : [];
  };
  const on = new Set(refsOf(settings, 'ON'));
  const off = new Set(refsOf(settings, 'OFF'));
  const isOffAtFirst = settings instanceof PDFDict && nameIn(settings, 'BaseState') === 'OFF';
  return refsOf(properties, 'OCGs').flatMap((ref) => {
    const number = copy.numberOf(ref);
    return number === undefined ? [] : [{ number, isOff: off.has(ref) || (isOffAtFirst && !on.has(ref)) }];
  });
}
