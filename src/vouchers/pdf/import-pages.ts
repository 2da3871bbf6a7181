/** The pages of one voucher, copied into the merged file: what is seen of them, and nothing else. */
import { PDFArray, PDFDict, PDFNumber, PDFRef, PDFStream } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

import { nameIn } from './active-content.ts';
import { annotationsToken } from './annotations.ts';
import { decimal } from './decimal.ts';
import { key, ObjectCopy } from './object-copy.ts';
import type { CopyTarget } from './object-copy.ts';
import { PdfFault } from './pdf-fault.ts';
import type { PdfSource, SourcePage } from './pdf-source.ts';

/** The entries of a page's dictionary but `/Type` and `/Parent`. */
export type PageEntries = string;

/** A layer of a voucher: its number in the merged file, and whether it is switched off. */
export interface Layer {
  number: number;
  isOff: boolean;
}

export interface ImportedPages {
  pages: PageEntries[];
  layers: Layer[];
}

/** Entries of a page that decide how it looks and are not inherited. */
const OWN_KEYS = ['Group', 'UserUnit', 'BleedBox', 'TrimBox', 'ArtBox'];
/** A4, where a page says no size. */
const MEDIA_BOX = '[0 0 595.28 841.89]';
/** Points; the format's own limit for the side of a page. */
const SIDE_MAX = 14_400;
/** A page may lie anywhere, but not so far away that readers lose its decimals. */
const COORDINATE_MAX = 1_000_000;

/** Copies every page of a source. @throws PdfFault */
export function importPages(source: PdfSource, target: CopyTarget): ImportedPages {
  const copy = new ObjectCopy(source, target);
  const pages = source.pages.map((page) => pageEntries(copy, { source, page }));
  return { pages, layers: layersOf(copy, source) };
}

function pageEntries(copy: ObjectCopy, of: { source: PdfSource; page: SourcePage }): PageEntries {
  const { dict, inherited } = of.page;
  const entries = [`/Resources ${resourcesToken(copy, inherited.get('Resources'), of.source)}`];
  const boxOf = (name: string): PDFObject | undefined => resolve(of.source, inherited.get(name));
  const mediaBox = boxOf('MediaBox');
  entries.push(`/MediaBox ${mediaBox === undefined ? MEDIA_BOX : boxToken(mediaBox, of.source)}`);
  const cropBox = boxOf('CropBox');
  if (cropBox !== undefined) entries.push(`/CropBox ${boxToken(cropBox, of.source)}`);
  const rotation = boxOf('Rotate');
  if (rotation instanceof PDFNumber) entries.push(`/Rotate ${rotation.toString()}`);
  const contents = dict.get(key('Contents'));
  if (contents !== undefined) entries.push(`/Contents ${contentsToken(copy, contents, of.source)}`);
  for (const name of OWN_KEYS) {
    const own = dict.get(key(name));
    if (own !== undefined) entries.push(`/${name} ${copy.token(own)}`);
  }
  const annotations = annotationsToken(copy, { context: of.source.context, page: dict });
  if (annotations !== undefined) entries.push(`/Annots ${annotations}`);
  return entries.join(' ');
}

function resourcesToken(copy: ObjectCopy, resources: PDFObject | undefined, source: PdfSource): string {
  return resolve(source, resources) instanceof PDFDict && resources !== undefined
    ? copy.token(resources)
    : '<< >>';
}

/** A content that is no stream, or that is missing, leaves a page that shows less than it did: not merged. */
function contentsToken(copy: ObjectCopy, contents: PDFObject, source: PdfSource): string {
  const whole = resolve(source, contents);
  const parts = whole instanceof PDFArray ? whole.asArray() : [contents];
  for (const part of parts) {
    if (!(resolve(source, part) instanceof PDFStream)) {
      throw new PdfFault('damaged', 'the content of a page is missing');
    }
  }
  return whole instanceof PDFArray
    ? `[${parts.map((part) => copy.token(part)).join(' ')}]`
    : copy.token(contents);
}

function boxToken(box: PDFObject, source: PdfSource): string {
  const sides = box instanceof PDFArray ? box.asArray().map((side) => numberOf(source, side)) : [];
  const [left = Number.NaN, bottom = Number.NaN, right = Number.NaN, top = Number.NaN] = sides;
  const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)];
  if (sides.length !== 4 || !(width > 0 && width <= SIDE_MAX && height > 0 && height <= SIDE_MAX)) {
    throw new PdfFault('damaged', 'a page has no size that can be shown');
  }
  return `[${sides.map((side) => decimal(side)).join(' ')}]`;
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
