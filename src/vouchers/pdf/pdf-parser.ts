/**
 * One object of a voucher, read where it lies. Stricter than the library's own reader where viewers would part ways: a
 * dictionary that says one thing twice, a stream whose length is not what it says. Everything that is read is counted.
 */
import { PDFArray, PDFDict, PDFInvalidObject, PDFName, PDFObjectParser, PDFRawStream, PDFRef } from 'pdf-lib';
import type { PDFContext, PDFNumber, PDFObject } from 'pdf-lib';

import { plainName } from './active-content.ts';
import { PdfFault } from './pdf-fault.ts';

type Bytes = ConstructorParameters<typeof PDFObjectParser>[0];

/** A slip has some hundred; two hundred pages of tables have a tenth of it. Each takes some 200 bytes of memory. */
const VALUES_MAX = 250_000;
/** Deeper than any tool nests one object, shallower than our stack. */
const DEPTH_MAX = 300;

/** What is shared by all that is read of one file. */
export interface Reading {
  context: PDFContext;
  /** Numbers, names, lists, all of them. */
  values: number;
  /** Every reference that was met, as `number generation`. */
  refs: Set<PDFRef>;
  /** The length of a stream where it is an object of its own. */
  lengthOf: (ref: PDFRef) => number | undefined;
}

export class StrictParser extends PDFObjectParser {
  readonly #reading: Reading;
  readonly #content: Uint8Array;
  #depth = 0;

  constructor(bytes: Uint8Array, reading: Reading) {
    super(Reflect.get(PDFObjectParser.forBytes(bytes, reading.context), 'bytes') as Bytes, reading.context);
    this.#reading = reading;
    this.#content = bytes;
  }

  /** The object that begins there. @throws PdfFault; what cannot be read is an invalid object */
  objectAt(offset: number): PDFObject {
    try {
      this.bytes.moveTo(offset);
      this.#depth = 0;
      return this.parseObject();
    } catch (error) {
      if (error instanceof PdfFault) throw error;
      return PDFInvalidObject.of(new Uint8Array());
    }
  }

  override parseObject(): PDFObject {
    this.#reading.values += 1;
    if (this.#reading.values > VALUES_MAX) {
      throw new PdfFault('hostile', `it holds more than ${VALUES_MAX} objects`);
    }
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new Error('it is nested too deeply');
    const parsed = super.parseObject();
    this.#depth -= 1;
    return parsed;
  }

  protected override parseNumberOrRef(): PDFNumber | PDFRef {
    const parsed = super.parseNumberOrRef();
    if (parsed instanceof PDFRef) this.#reading.refs.add(parsed);
    return parsed;
  }

  protected override parseDict(): PDFDict {
    const map = new Map<PDFName, PDFObject>();
    this.bytes.assertNext(LESS);
    this.bytes.assertNext(LESS);
    this.skipWhitespaceAndComments();
    while (!this.bytes.done() && this.bytes.peek() !== GREATER) {
      const key = this.parseName();
      putOnce(map, key, this.parseObject());
      this.skipWhitespaceAndComments();
    }
    this.bytes.assertNext(GREATER);
    this.bytes.assertNext(GREATER);
    return PDFDict.fromMapWithContext(map, this.context);
  }

  /**
   * The picture within a content whose `BI` ends there, with its entries under their long names and all that follows as
   * its data; undefined where none is.
   * @throws PdfFault
   */
  pictureAt(offset: number): PDFRawStream | undefined {
    try {
      this.bytes.moveTo(offset);
      this.#depth = 0;
      const map = new Map<PDFName, PDFObject>();
      for (this.skipWhitespaceAndComments(); this.bytes.peek() === SLASH; this.skipWhitespaceAndComments()) {
        const key = longName(LONG_KEYS, this.parseName());
        putOnce(map, key, key === FILTER ? longFilters(this.parseObject()) : this.parseObject());
      }
      if (!this.matchKeyword(IMAGE_DATA)) return undefined;
      // One blank, or the end of a line, parts the entries from the data.
      if (!this.matchKeyword(CR_LF) && !this.bytes.done()) this.bytes.next();
      const data = this.#content.subarray(this.bytes.offset());
      return PDFRawStream.of(PDFDict.fromMapWithContext(map, this.context), data);
    } catch (error) {
      if (error instanceof PdfFault) throw error;
      // Two letters of a text or of data, and no entries after them.
      return undefined;
    }
  }

  protected override parseDictOrStream(): PDFDict | PDFRawStream {
    const dict = this.parseDict();
    this.skipWhitespaceAndComments();
    if (!this.matchKeyword(STREAM)) return dict;
    if (!this.matchKeyword(CR_LF) && !this.matchKeyword(LF))
      throw new Error('a stream begins in no line of its own');
    const start = this.bytes.offset();
    const end = start + this.#lengthOf(dict);
    this.bytes.moveTo(end);
    this.skipWhitespace();
    if (!this.matchKeyword(END_STREAM)) throw new Error('a stream has another length than it says');
    return PDFRawStream.of(dict, this.bytes.slice(start, end));
  }

  #lengthOf(dict: PDFDict): number {
    const stated = dict.get(PDFName.of('Length'));
    const length = stated instanceof PDFRef ? this.#reading.lengthOf(stated) : Number(stated?.toString());
    if (length !== undefined && Number.isSafeInteger(length) && length >= 0) return length;
    throw new Error('a stream says no length');
  }
}

function putOnce(map: Map<PDFName, PDFObject>, key: PDFName, value: PDFObject): void {
  const before = map.get(key);
  if (before !== undefined && before.toString() !== value.toString()) {
    throw new PdfFault('hostile', 'it says one thing twice, and viewers choose differently');
  }
  map.set(key, value);
}

/** Short names of a picture within a content (PDF 32000-1, tables 93 and 94). */
const LONG_KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({ DP: 'DecodeParms', F: 'Filter', H: 'Height', W: 'Width' }),
);
const LONG_FILTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AHx: 'ASCIIHexDecode',
    A85: 'ASCII85Decode',
    LZW: 'LZWDecode',
    Fl: 'FlateDecode',
    RL: 'RunLengthDecode',
    CCF: 'CCITTFaxDecode',
    DCT: 'DCTDecode',
  }),
);
const FILTER = PDFName.of('Filter');

function longName(names: ReadonlyMap<string, string>, name: PDFName): PDFName {
  const long = names.get(plainName(name));
  return long === undefined ? name : PDFName.of(long);
}

function longFilters(given: PDFObject): PDFObject {
  if (given instanceof PDFName) return longName(LONG_FILTERS, given);
  if (!(given instanceof PDFArray)) return given;
  for (const [at, item] of given.asArray().entries()) given.set(at, longFilters(item));
  return given;
}

const codes = (text: string): number[] => [...Buffer.from(text, 'latin1')];
const [LESS, GREATER, SLASH] = [0x3c, 0x3e, 0x2f];
const [STREAM, END_STREAM, CR_LF, LF, IMAGE_DATA] = ['stream', 'endstream', '\r\n', '\n', 'ID'].map(
  codes,
) as [number[], number[], number[], number[], number[]];
