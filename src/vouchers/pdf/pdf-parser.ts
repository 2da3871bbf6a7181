/**
 * One object of a voucher, read where it lies. Stricter than the library's own reader where viewers would part ways: a
 * dictionary that says one thing twice, a stream whose length is not what it says. Everything that is read is counted.
 */
import { PDFDict, PDFInvalidObject, PDFName, PDFObjectParser, PDFRawStream, PDFRef } from 'pdf-lib';
import type { PDFContext, PDFNumber, PDFObject } from 'pdf-lib';

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
  #depth = 0;

  constructor(bytes: Uint8Array, reading: Reading) {
    super(Reflect.get(PDFObjectParser.forBytes(bytes, reading.context), 'bytes') as Bytes, reading.context);
    this.#reading = reading;
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
      const value = this.parseObject();
      const before = map.get(key);
      if (before !== undefined && before.toString() !== value.toString()) {
        throw new PdfFault('hostile', 'it says one thing twice, and viewers choose differently');
      }
      map.set(key, value);
      this.skipWhitespaceAndComments();
    }
    this.bytes.assertNext(GREATER);
    this.bytes.assertNext(GREATER);
    return PDFDict.fromMapWithContext(map, this.context);
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

const codes = (text: string): number[] => [...Buffer.from(text, 'latin1')];
const [LESS, GREATER] = [0x3c, 0x3e];
const [STREAM, END_STREAM, CR_LF, LF] = ['stream', 'endstream', '\r\n', '\n'].map(codes) as [
  number[],
  number[],
  number[],
  number[],
];
