/**
 * Where the objects of a voucher lie. Viewers go by the file's own table, newest first; one whose table is not exact they
 * put together from what they come across, each in its own way. So the table is believed where every line of it is true,
 * and a file without such a table is read only when there is one way to read it: no number stands for two objects, in no
 * part of its bytes.
 */
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

import { nameIn } from './active-content.ts';
import { PdfFault } from './pdf-fault.ts';

/** In the file, or the so-many-th of the objects that a stream holds. */
export type Place = { at: number; generation: number } | { stream: number; index: number };

export interface CrossReference {
  places: Map<number, Place>;
  /** Newest first; those that say where the file begins have to agree unless the table is exact. */
  trailers: PDFDict[];
  /** The table is exact, and these are all places that it or an older one of the file ever named; else undefined. */
  listed: ReadonlySet<string> | undefined;
}

/** How a place is named in `listed`. */
export function placeName(place: Place): string {
  return 'at' in place ? `${place.at}` : `${place.index} of ${place.stream}`;
}

export interface RawFile {
  bytes: Uint8Array;
  /** The same as Latin-1. */
  text: string;
  objectAt: (offset: number) => PDFObject;
  unpack: (stream: PDFRawStream) => Uint8Array;
}

/** A slip has some dozen. */
export const OBJECTS_MAX = 100_000;
const SECTIONS_MAX = 100;
/** Viewers look for the last pointer at the very end. */
const TAIL_BYTES = 1_024;

/** @throws PdfFault where there is more than one way to read the file */
export function crossReference(file: RawFile): CrossReference {
  return exactTable(file) ?? reconstructed(file);
}

interface Section {
  /** Undefined: the number is free. */
  places: Map<number, Place | undefined>;
  trailer: PDFDict;
}

function exactTable(file: RawFile): CrossReference | undefined {
  const last = file.text.lastIndexOf('startxref');
  const start = /^startxref\s+(\d{1,10})\s/.exec(file.text.slice(last, last + 40))?.[1];
  if (start === undefined || last < file.text.length - TAIL_BYTES || !file.text.startsWith('%PDF-'))
    return undefined;
  const known = new Map<number, Place | undefined>();
  const seen = new Set<number>();
  const trailers: PDFDict[] = [];
  const listed = new Set<string>();
  for (let next: number | undefined = Number(start); next !== undefined;) {
    if (seen.has(next) || seen.size >= SECTIONS_MAX) return undefined;
    seen.add(next);
    const section = tableAt(file, next) ?? streamAt(file, next);
    if (section === undefined) return undefined;
    listed.add(`${next}`);
    for (const [number, place] of section.places) {
      if (place !== undefined) listed.add(placeName(place));
      if (!known.has(number)) known.set(number, place);
    }
    trailers.push(section.trailer);
    next = numberIn(section.trailer, 'Prev');
  }
  const places = new Map<number, Place>();
  for (const [number, place] of known) if (place !== undefined) places.set(number, place);
  return isTrue(file, places, trailers[0]) ? { places, trailers, listed } : undefined;
}

/** Every line leads to its object. */
function isTrue({ text }: RawFile, places: ReadonlyMap<number, Place>, newest: PDFDict | undefined): boolean {
  const size = newest === undefined ? 0 : (numberIn(newest, 'Size') ?? 0);
  return [...places].every(([number, place]) => {
    if (number >= size) return false;
    if (!('at' in place)) return true;
    const head = /^(\d{1,10})\s+(\d{1,5})\s+obj(?![A-Za-z0-9])/.exec(text.slice(place.at, place.at + 40));
    return head !== null && Number(head[1]) === number && Number(head[2]) === place.generation;
  });
}

const LINE = /(\d{10}) (\d{5}) ([nf])(?: \n| \r|\r\n)/y;

/** A table of text; what also points to a stream for newer viewers has two readings and is no exact one. */
function tableAt(file: RawFile, at: number): Section | undefined {
  const { text } = file;
  let from = endOf(text, /\s*xref\s+/y, at);
  if (from === undefined) return undefined;
  const places = new Map<number, Place | undefined>();
  for (;;) {
    const head = matchAt(text, /(\d{1,10}) (\d{1,10})[ \r\n]+/y, from);
    if (head === undefined) break;
    from = head.end;
    const [first, count] = [Number(head.found[1]), Number(head.found[2])];
    if (places.size + count > OBJECTS_MAX) throw tooMany();
    for (let number = first; number < first + count; number += 1) {
      const line = matchAt(text, LINE, from);
      if (line === undefined || places.has(number)) return undefined;
      from = line.end;
      const place = { at: Number(line.found[1]), generation: Number(line.found[2]) };
      places.set(number, line.found[3] === 'n' ? place : undefined);
    }
  }
  const after = endOf(text, /\s*trailer\s*/y, from);
  const trailer = after === undefined ? undefined : file.objectAt(after);
  if (!(trailer instanceof PDFDict) || trailer.has(PDFName.of('XRefStm'))) return undefined;
  return { places, trailer };
}

const WIDTH_MAX = 6;

function streamAt(file: RawFile, at: number): Section | undefined {
  const from = endOf(file.text, /\s*\d{1,10}\s+\d{1,5}\s+obj\s*/y, at);
  const stream = from === undefined ? undefined : file.objectAt(from);
  if (!(stream instanceof PDFRawStream) || nameIn(stream.dict, 'Type') !== 'XRef') return undefined;
  const widths = numbersIn(stream.dict, 'W');
  const [typeWidth = 0, first = 0, second = 0] = widths;
  if (widths.length !== 3 || widths.some((width) => width < 0 || width > WIDTH_MAX) || first === 0)
    return undefined;
  const bytes = Buffer.from(file.unpack(stream));
  const size = numberIn(stream.dict, 'Size') ?? 0;
  const index = stream.dict.has(PDFName.of('Index')) ? numbersIn(stream.dict, 'Index') : [0, size];
  const places = new Map<number, Place | undefined>();
  let offset = 0;
  const take = (width: number, usual: number): number => {
    offset += width;
    return width === 0 ? usual : bytes.readUIntBE(offset - width, width);
  };
  for (let pair = 0; pair < index.length; pair += 2) {
    const [start = 0, count = 0] = [index[pair], index[pair + 1]];
    if (offset + count * (typeWidth + first + second) > bytes.byteLength) return undefined;
    if (places.size + count > OBJECTS_MAX) throw tooMany();
    for (let number = start; number < start + count; number += 1) {
      const [type, one, two] = [take(typeWidth, 1), take(first, 0), take(second, 0)];
      if (places.has(number) || type > 2) return undefined;
      const isStream = type === 2;
      places.set(
        number,
        type === 0 ? undefined : isStream ? { stream: one, index: two } : { at: one, generation: two },
      );
    }
  }
  return { places, trailer: stream.dict };
}

/** What stands in the bytes, streams included: a viewer that looks for objects looks there too. */
export function* objectsInText(text: string): Generator<{ number: number; generation: number; at: number }> {
  const heads = /(?<![0-9])(\d{1,10})[\s\0]{1,20}(\d{1,5})[\s\0]{1,20}obj(?![A-Za-z0-9])/g;
  for (const { 1: number, 2: generation, index } of text.matchAll(heads)) {
    yield { number: Number(number), generation: Number(generation), at: index };
  }
}

function reconstructed(file: RawFile): CrossReference {
  const places = new Map<number, Place>();
  for (const { number, generation, at } of objectsInText(file.text)) {
    if (places.has(number)) throw twoReadings();
    if (places.size >= OBJECTS_MAX) throw tooMany();
    places.set(number, { at, generation });
  }
  const trailers = [...file.text.matchAll(/trailer\s*(?=<<)/g)]
    .slice(0, SECTIONS_MAX)
    .map(({ index, 0: { length } }) => file.objectAt(index + length))
    .filter((found) => found instanceof PDFDict);
  return { places, trailers, listed: undefined };
}

export function twoReadings(): PdfFault {
  return new PdfFault('hostile', 'it can be read in two ways: one number stands for two objects');
}

export function tooMany(): PdfFault {
  return new PdfFault('hostile', `it holds more than ${OBJECTS_MAX} objects`);
}

function matchAt(
  text: string,
  sticky: RegExp,
  at: number,
): { found: RegExpExecArray; end: number } | undefined {
  sticky.lastIndex = at;
  const found = sticky.exec(text);
  return found === null ? undefined : { found, end: sticky.lastIndex };
}

function endOf(text: string, sticky: RegExp, at: number): number | undefined {
  return matchAt(text, sticky, at)?.end;
}

function numberIn(dict: PDFDict, name: string): number | undefined {
  const value = dict.get(PDFName.of(name));
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

function numbersIn(dict: PDFDict, name: string): number[] {
  const list = dict.get(PDFName.of(name));
  if (!(list instanceof PDFArray)) return [];
  return list.asArray().map((item) => (item instanceof PDFNumber ? item.asNumber() : -1));
}
