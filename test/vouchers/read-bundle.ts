/** A merged file read back by another library than the one that wrote it: pages, bookmarks, labels, links, fonts. */
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
} from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

export interface ReadBookmark {
  title: string;
  /** From 1. */
  page: number;
  below: ReadBookmark[];
}

export interface ReadPage {
  width: number;
  height: number;
  /** What its content shows in fonts of one byte a character, without the number of the page. */
  text: string;
  /** The digits of its number; empty where it has none. */
  number: string;
  /** Pages its links lead to, from 1, in order. */
  links: number[];
  annotations: string[];
}

export interface ReadBundle {
  pages: ReadPage[];
  bookmarks: ReadBookmark[];
  /** `[first page from 0, style, start]` */
  labels: [number, string, number][];
  /** Base names of all fonts, and of those with an embedded program. */
  fonts: string[];
  embedded: string[];
  /** Every name that is a key or a value anywhere outside of stream data. */
  names: Set<string>;
  objects: number;
  /** Layers, and how many of them are switched off. */
  layers: { all: number; off: number };
}

const name = (text: string): PDFName => PDFName.of(text);

export async function readBundle(bytes: Uint8Array): Promise<ReadBundle> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true });
  const refs = document.getPages().map((page) => page.ref);
  const pageOf = (dest: PDFObject | undefined): number => {
    const target = dest instanceof PDFArray ? dest.get(0) : undefined;
    return target instanceof PDFRef ? refs.indexOf(target) + 1 : 0;
  };
  const objects = document.context.enumerateIndirectObjects().map(([, object]) => object);
  const dicts = objects.flatMap((object) =>
    object instanceof PDFDict ? [object] : object instanceof PDFRawStream ? [object.dict] : [],
  );
  const fonts = dicts.filter((dict) => dict.lookup(name('Type')) === name('Font'));
  const described = dicts.filter((dict) => dict.has(name('FontFile2')));
  return {
    pages: document.getPages().map((page) => ({
      ...page.getSize(),
      ...contentTexts(page.node.lookup(name('Contents'))),
      ...annotationsOf(page.node, pageOf),
    })),
    bookmarks: bookmarksBelow(document.catalog.lookup(name('Outlines'), PDFDict), pageOf),
    labels: labelsOf(document.catalog.lookup(name('PageLabels'), PDFDict)),
    fonts: fonts.map((font) => nameOf(font, 'BaseFont')).toSorted(),
    embedded: described.map((dict) => nameOf(dict, 'FontName')).toSorted(),
    names: new Set(objects.flatMap((object) => namesIn(object))),
    objects: objects.length,
    layers: layersOf(document.catalog),
  };
}

function nameOf(dict: PDFDict, key: string): string {
  const value = dict.lookup(name(key));
  return value instanceof PDFName ? value.decodeText() : '';
}

/** A number as it is drawn over a slip. */
const NUMBER = /BT \/RECON0* 7 Tf <\w*> Tj\s+\((\d+)\) Tj\s+<\w*> Tj ET/;

function contentTexts(contents: PDFObject | undefined): Pick<ReadPage, 'text' | 'number'> {
  const streams =
    contents instanceof PDFArray ? contents.asArray().map((_, at) => contents.lookup(at)) : [contents];
  const operators = streams
    .filter((stream) => stream instanceof PDFRawStream)
    .map((stream) => Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1'))
    .join('\n');
  const shown = [...operators.replace(NUMBER, '').matchAll(/<([0-9A-Fa-f]+)> Tj|\((.*?)\) Tj/g)];
  const text = shown
    .map(([, hex, plain]) => (hex === undefined ? (plain ?? '') : Buffer.from(hex, 'hex').toString('latin1')))
    .join('\n');
  return { text, number: NUMBER.exec(operators)?.[1] ?? '' };
}

function annotationsOf(
  page: PDFDict,
  pageOf: (dest: PDFObject | undefined) => number,
): Pick<ReadPage, 'links' | 'annotations'> {
  const list = page.lookup(name('Annots'));
  if (!(list instanceof PDFArray)) return { links: [], annotations: [] };
  const dicts = list.asArray().map((_, at) => list.lookup(at, PDFDict));
  return {
    links: dicts.filter((dict) => dict.has(name('Dest'))).map((dict) => pageOf(dict.lookup(name('Dest')))),
    annotations: dicts.map((dict) => nameOf(dict, 'Subtype')),
  };
}

function bookmarksBelow(parent: PDFDict, pageOf: (dest: PDFObject | undefined) => number): ReadBookmark[] {
  const found: ReadBookmark[] = [];
  let item = parent.lookup(name('First'));
  while (item instanceof PDFDict) {
    found.push({
      title: item.lookup(name('Title'), PDFHexString).decodeText(),
      page: pageOf(item.lookup(name('Dest'))),
      below: bookmarksBelow(item, pageOf),
    });
    item = item.lookup(name('Next'));
  }
  return found;
}

function labelsOf(labels: PDFDict): [number, string, number][] {
  const list = labels.lookup(name('Nums'), PDFArray);
  return Array.from({ length: list.size() / 2 }, (_, at) => {
    const style = list.lookup(2 * at + 1, PDFDict);
    const start = style.lookup(name('St'));
    return [
      list.lookup(2 * at, PDFNumber).asNumber(),
      nameOf(style, 'S'),
      start instanceof PDFNumber ? start.asNumber() : 1,
    ];
  });
}

function layersOf(catalog: PDFDict): ReadBundle['layers'] {
  const properties = catalog.lookup(name('OCProperties'));
  if (!(properties instanceof PDFDict)) return { all: 0, off: 0 };
  const settings = properties.lookup(name('D'), PDFDict);
  const [all, off] = [properties.lookup(name('OCGs'), PDFArray), settings.lookup(name('OFF'), PDFArray)];
  return { all: new Set(all.asArray()).size, off: off.size() };
}

function namesIn(object: PDFObject): string[] {
  if (object instanceof PDFName) return [object.decodeText()];
  if (object instanceof PDFRawStream) return namesIn(object.dict);
  if (object instanceof PDFArray) return object.asArray().flatMap((item) => namesIn(item));
  if (!(object instanceof PDFDict)) return [];
  return object.entries().flatMap(([key, value]) => [key.decodeText(), ...namesIn(value)]);
}
