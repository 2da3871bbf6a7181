/** The objects of one voucher, read once each, as its cross-reference says. */
import { PDFContext, PDFDict, PDFName, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

import { nameIn } from './active-content.ts';
import {
  crossReference,
  OBJECTS_MAX,
  objectsInText,
  placeName,
  tooMany,
  twoReadings,
} from './cross-reference.ts';
import type { CrossReference, Place, RawFile } from './cross-reference.ts';
import { PdfFault } from './pdf-fault.ts';
import { StrictParser } from './pdf-parser.ts';
import type { Reading } from './pdf-parser.ts';
import { unpacker } from './stream-filters.ts';
import type { Unpacker } from './stream-filters.ts';

export interface ReadFile {
  context: PDFContext;
  catalog: PDFDict;
  unpacker: Unpacker;
}

/** @throws PdfFault */
export function readObjects(bytes: Uint8Array): ReadFile {
  return new PdfReader(bytes).readAll();
}

class PdfReader {
  readonly #context = PDFContext.create();
  readonly #reading: Reading;
  readonly #parser: StrictParser;
  readonly #file: RawFile;
  readonly #unpacker: Unpacker;
  readonly #held = new Map<number, { parser: StrictParser; heads: [number, number][] }>();
  readonly #loading = new Set<number>();
  #places = new Map<number, Place>();

  constructor(bytes: Uint8Array) {
    const lengthOf = (ref: PDFRef): number | undefined => {
      const length = this.#load(ref.objectNumber);
      return length instanceof PDFNumber ? length.asNumber() : undefined;
    };
    this.#reading = { context: this.#context, values: 0, refs: new Set(), lengthOf };
    this.#parser = new StrictParser(bytes, this.#reading);
    this.#unpacker = unpacker((object) => this.#resolve(object));
    this.#file = {
      bytes,
      text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
      objectAt: (offset) => this.#parser.objectAt(offset),
      unpack: (stream) => this.#unpacker.unpack(stream),
    };
  }

  readAll(): ReadFile {
    const reference = crossReference(this.#file);
    this.#places = reference.places;
    if (reference.trailers.some((trailer) => trailer.has(PDFName.of('Encrypt')))) {
      throw new PdfFault('encrypted', 'it is encrypted');
    }
    for (const number of this.#places.keys()) this.#load(number);
    if (reference.listed === undefined) this.#readHidden(reference);
    else this.#requireListed(reference.listed);
    for (const ref of this.#reading.refs) this.#requireGeneration(ref);
    return { context: this.#context, catalog: this.#catalog(reference), unpacker: this.#unpacker };
  }

  /** Without an exact table: what streams of objects hold counts as well, and what streams of tables say of the root. */
  #readHidden({ trailers }: CrossReference): void {
    for (const [ref, stream] of this.#context.enumerateIndirectObjects()) {
      if (!(stream instanceof PDFRawStream)) continue;
      const type = nameIn(stream.dict, 'Type');
      if (type === 'XRef') trailers.push(stream.dict);
      if (type === 'XRef' && stream.dict.has(PDFName.of('Encrypt'))) {
        throw new PdfFault('encrypted', 'it is encrypted');
      }
      if (type !== 'ObjStm') continue;
      for (const [index, [number]] of this.#heldBy(ref.objectNumber).heads.entries()) {
        if (this.#places.has(number)) throw twoReadings();
        if (this.#places.size >= OBJECTS_MAX) throw tooMany();
        this.#places.set(number, { stream: ref.objectNumber, index });
      }
    }
    for (const number of this.#places.keys()) this.#load(number);
  }

  /** An object that no table ever named is for those alone who put a file together from what they come across. */
  #requireListed(listed: ReadonlySet<string>): void {
    for (const { at } of objectsInText(this.#file.text)) {
      if (!listed.has(`${at}`)) throw twoReadings();
    }
    for (const [ref, stream] of this.#context.enumerateIndirectObjects()) {
      if (!(stream instanceof PDFRawStream) || nameIn(stream.dict, 'Type') !== 'ObjStm') continue;
      for (const index of this.#heldBy(ref.objectNumber).heads.keys()) {
        if (!listed.has(placeName({ stream: ref.objectNumber, index }))) throw twoReadings();
      }
    }
  }

  #catalog({ trailers, listed }: CrossReference): PDFDict {
    const stated = trailers.flatMap((trailer) => trailer.get(PDFName.of('Root')) ?? []);
    const roots = new Set(
      (listed === undefined ? stated : stated.slice(0, 1)).map((root) => root.toString()),
    );
    if (roots.size > 1) throw new PdfFault('hostile', 'it can be read in two ways: it begins at two places');
    const catalogs = this.#context
      .enumerateIndirectObjects()
      .filter(([ref, object]) => {
        const isNamed = roots.size === 0 ? isCatalog(object) : roots.has(ref.toString());
        return isNamed && object instanceof PDFDict;
      })
      .map(([, object]) => object);
    const [catalog] = catalogs;
    if (catalogs.length !== 1 || !(catalog instanceof PDFDict))
      throw new PdfFault('damaged', 'it has no catalog');
    return catalog;
  }

  /** A reference to another generation of a number is nothing to one viewer and the object to another. */
  #requireGeneration({ objectNumber, generationNumber }: PDFRef): void {
    const place = this.#places.get(objectNumber);
    if (place === undefined) return;
    const generation = 'at' in place ? place.generation : 0;
    if (generation !== generationNumber) throw twoReadings();
  }

  #resolve(object: PDFObject | undefined): PDFObject | undefined {
    return object instanceof PDFRef ? this.#load(object.objectNumber) : object;
  }

  #load(number: number): PDFObject | undefined {
    const place = this.#places.get(number);
    if (place === undefined) return undefined;
    const ref = PDFRef.of(number, 'at' in place ? place.generation : 0);
    const known = this.#context.lookup(ref);
    if (known !== undefined) return known;
    if (this.#loading.has(number)) throw new PdfFault('damaged', 'it cannot be read: an object needs itself');
    this.#loading.add(number);
    const object = 'at' in place ? this.#direct(place.at) : this.#fromStream(number, place);
    this.#loading.delete(number);
    this.#context.assign(ref, object);
    return object;
  }

  #direct(at: number): PDFObject {
    const head = /^\d+[\s\0]+\d+[\s\0]+obj/.exec(this.#file.text.slice(at, at + 60));
    return this.#nestedParser().objectAt(at + (head?.[0].length ?? 0));
  }

  /** Reading one object may lead to another, a length: each has a place of its own in the bytes. */
  #nestedParser(): StrictParser {
    return this.#loading.size > 1 ? new StrictParser(this.#file.bytes, this.#reading) : this.#parser;
  }

  #fromStream(number: number, place: { stream: number; index: number }): PDFObject {
    const { parser, heads } = this.#heldBy(place.stream);
    const head = heads[place.index];
    if (head?.[0] !== number) throw twoReadings();
    return parser.objectAt(head[1]);
  }

  /** What a stream of objects holds: numbers, and where each begins in it. */
  #heldBy(number: number): { parser: StrictParser; heads: [number, number][] } {
    const known = this.#held.get(number);
    if (known !== undefined) return known;
    const place = this.#places.get(number);
    const stream = place !== undefined && 'at' in place ? this.#load(number) : undefined;
    if (!(stream instanceof PDFRawStream))
      throw new PdfFault('damaged', 'it cannot be read: objects are missing');
    const bytes = this.#unpacker.unpack(stream);
    const [first, count] = ['First', 'N'].map((name) =>
      numberOf(this.#resolve(stream.dict.get(PDFName.of(name)))),
    );
    if (first === undefined || count === undefined || count > OBJECTS_MAX) throw tooMany();
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(first, bytes.byteLength)).toString(
      'latin1',
    );
    const numbers = (text.match(/\d+/g) ?? []).slice(0, 2 * count).map(Number);
    const heads = Array.from({ length: numbers.length >> 1 }, (_, at): [number, number] => [
      numbers[2 * at] ?? 0,
      first + (numbers[2 * at + 1] ?? 0),
    ]);
    if (new Set(heads.map(([held]) => held)).size < heads.length) throw twoReadings();
    const held = { parser: new StrictParser(bytes, this.#reading), heads };
    this.#held.set(number, held);
    return held;
  }
}

function isCatalog(object: PDFObject): boolean {
  return object instanceof PDFDict && nameIn(object, 'Type') === 'Catalog';
}

function numberOf(object: PDFObject | undefined): number | undefined {
  return object instanceof PDFNumber && object.asNumber() >= 0 ? object.asNumber() : undefined;
}
