/**
 * The filters of a stream, walked from first to last with a bound at each (I6): what is not on the list is not opened by
 * us and not handed on to anybody's viewer. Names, parameters and lists may be references; they are followed first.
 */
import { inflateSync } from 'node:zlib';
import { decodePDFRawStream, PDFArray, PDFDict, PDFName, PDFNull, PDFNumber, PDFRawStream } from 'pdf-lib';
import type { PDFContext, PDFObject } from 'pdf-lib';

import { plainName } from './active-content.ts';
import { PdfFault } from './pdf-fault.ts';
import { refuseExcessive, refuseExcessiveData } from './picture-size.ts';

/** All streams of a file together, and every step of their chains; the pictures of a slip of many pages stay far below. */
const UNPACKED_BYTES_MAX = 134_217_728;
/** No tool packs a thing more often than twice. */
const CHAIN_MAX = 4;
const TEXT_FILTERS: ReadonlySet<string> = new Set([
  'FlateDecode',
  'LZWDecode',
  'ASCII85Decode',
  'ASCIIHexDecode',
  'RunLengthDecode',
]);
/** Pictures: the last of a chain, and as large as their dictionary says. */
const PICTURE_FILTERS: ReadonlySet<string> = new Set([
  'DCTDecode',
  'JPXDecode',
  'CCITTFaxDecode',
  'JBIG2Decode',
]);
const SIDE_MAX = 100_000;
/** What a parameter may be at most; one that is not listed is not known to any filter above. */
const PARAMETERS_MAX: Readonly<Record<string, number>> = {
  Predictor: 15,
  Colors: 32,
  BitsPerComponent: 16,
  Columns: SIDE_MAX,
  Rows: SIDE_MAX,
  EarlyChange: 1,
  K: SIDE_MAX,
  DamagedRowsBeforeError: SIDE_MAX,
  ColorTransform: 2,
};
const PARAMETERS_OTHER: ReadonlySet<string> = new Set([
  'EndOfLine',
  'EncodedByteAlign',
  'EndOfBlock',
  'BlackIs1',
  'JBIG2Globals',
  'Type',
]);
/** Its data would lie in another file, or its filter under a name that half of all viewers know. */
const OTHER_READINGS = ['F', 'FFilter', 'FDecodeParms', 'DP', 'Fl'];

/** Follows references; objects that are not read yet are read by it. */
export type Resolve = (object: PDFObject | undefined) => PDFObject | undefined;

interface Step {
  filter: string;
  parameters: ReadonlyMap<string, PDFObject | undefined>;
}

export interface Unpacker {
  /** Unpacks as far as the chain goes without drawing; throws a `PdfFault` where it is not fit to be. */
  unpack(stream: PDFRawStream): Uint8Array;
}

/** For the streams of one file, one after the other: the bound is on all of them. */
export function unpacker(resolve: Resolve): Unpacker {
  let unpacked = 0;
  const take = (bytes: Uint8Array): Uint8Array => {
    unpacked += bytes.byteLength;
    return bytes;
  };
  return {
    unpack: (stream) => {
      let bytes: Uint8Array = stream.contents;
      for (const step of chainOf(stream.dict, resolve)) {
        if (PICTURE_FILTERS.has(step.filter)) {
          refuseExcessiveData(step.filter, bytes);
          return bytes;
        }
        const room = UNPACKED_BYTES_MAX - unpacked;
        if (room <= 0) throw tooMuch();
        bytes = take(unpackStep(bytes, { ...step, room }, stream.dict.context));
      }
      return bytes;
    },
  };
}

function chainOf(dict: PDFDict, resolve: Resolve): Step[] {
  for (const name of OTHER_READINGS) {
    if (dict.has(PDFName.of(name))) throw unknown(`a stream says ${name}`);
  }
  const listed = (name: string): PDFObject[] => {
    const value = resolve(dict.get(PDFName.of(name)));
    if (value === undefined || value === PDFNull) return [];
    return value instanceof PDFArray ? value.asArray() : [value];
  };
  const [filters, parameters] = [listed('Filter'), listed('DecodeParms')];
  if (filters.length > CHAIN_MAX) throw unknown(`a stream is packed ${filters.length} times`);
  if (parameters.length > filters.length) throw unknown('a stream has parameters of no filter');
  return filters.map((item, at) => {
    const name = resolve(item);
    const filter = name instanceof PDFName ? plainName(name) : '';
    const isPicture = PICTURE_FILTERS.has(filter);
    if (!isPicture && !TEXT_FILTERS.has(filter))
      throw unknown(`a stream is packed by ${filter || 'nothing'}`);
    if (isPicture && at < filters.length - 1) throw unknown('a picture is packed as no picture');
    return { filter, parameters: parametersOf(resolve(parameters[at]), resolve) };
  });
}

function parametersOf(given: PDFObject | undefined, resolve: Resolve): Step['parameters'] {
  const known = new Map<string, PDFObject | undefined>();
  if (given === undefined || given === PDFNull) return known;
  if (!(given instanceof PDFDict)) throw unknown('a filter has parameters of another form');
  for (const [key, value] of given.entries()) {
    const name = plainName(key);
    const [most, found] = [PARAMETERS_MAX[name], resolve(value)];
    if (most === undefined && !PARAMETERS_OTHER.has(name))
      throw unknown(`a filter has the parameter ${name}`);
    const isFit = found instanceof PDFNumber && Math.abs(found.asNumber()) <= (most ?? 0);
    if (most !== undefined && !isFit) throw new PdfFault('hostile', 'it holds a picture of excessive size');
    known.set(name, found);
  }
  refuseExcessive({ width: number(known, 'Columns', 1), height: number(known, 'Rows', 1) });
  return known;
}

function number(parameters: Step['parameters'], name: string, usual: number): number {
  const value = parameters.get(name);
  return value instanceof PDFNumber ? value.asNumber() : usual;
}

function unpackStep(packed: Uint8Array, step: Step & { room: number }, context: PDFContext): Uint8Array {
  try {
    const whole =
      step.filter === 'FlateDecode' ? inflated(packed, step.room) : decoded(packed, step, context);
    return unpredicted(whole, step.parameters);
  } catch (error) {
    if (error instanceof PdfFault) throw error;
    throw new PdfFault('damaged', 'a part of it cannot be unpacked');
  }
}

function inflated(packed: Uint8Array, room: number): Uint8Array {
  try {
    return inflateSync(packed, { maxOutputLength: room });
  } catch (error) {
    throw error instanceof RangeError ? tooMuch() : error;
  }
}

/** How much is asked for at a time, so that a bomb is seen before it has gone off. */
const BLOCK_BYTES = 1_048_576;

/** The library decodes as far as it is asked to. */
function decoded(
  packed: Uint8Array,
  { filter, parameters, room }: Step & { room: number },
  context: PDFContext,
): Uint8Array {
  const EarlyChange = number(parameters, 'EarlyChange', 1);
  const dict = context.obj({ Filter: filter, DecodeParms: { EarlyChange } });
  if (!(dict instanceof PDFDict)) throw new Error('Bug: a dictionary was made and is none');
  const stream = decodePDFRawStream(PDFRawStream.of(dict, packed));
  const blocks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const block = stream.getBytes(BLOCK_BYTES);
    if (block.byteLength === 0) return Buffer.concat(blocks, length);
    length += block.byteLength;
    if (length > room) throw tooMuch();
    blocks.push(Uint8Array.from(block));
  }
}

/** Rows of PNG and TIFF are told as differences to their neighbours; only what we read ourselves needs them undone. */
function unpredicted(bytes: Uint8Array, parameters: Step['parameters']): Uint8Array {
  const predictor = number(parameters, 'Predictor', 1);
  if (predictor < 10) return bytes;
  const bits = number(parameters, 'Colors', 1) * number(parameters, 'BitsPerComponent', 8);
  const [step, row] = [Math.ceil(bits / 8), Math.ceil((bits * number(parameters, 'Columns', 1)) / 8)];
  if (!(step > 0 && row > 0)) throw new Error('rows of no length');
  const rows = Math.floor(bytes.byteLength / (row + 1));
  const plain = new Uint8Array(rows * row);
  for (let at = 0; at < rows; at += 1) {
    const kind = bytes[at * (row + 1)] ?? 0;
    for (let x = 0; x < row; x += 1) {
      const left = x < step ? 0 : (plain[at * row + x - step] ?? 0);
      const up = at === 0 ? 0 : (plain[(at - 1) * row + x] ?? 0);
      const corner = x < step || at === 0 ? 0 : (plain[(at - 1) * row + x - step] ?? 0);
      const told = bytes[at * (row + 1) + 1 + x] ?? 0;
      plain[at * row + x] = told + predicted(kind, { left, up, corner });
    }
  }
  return plain;
}

function predicted(kind: number, { left, up, corner }: { left: number; up: number; corner: number }): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function tooMuch(): PdfFault {
  return new PdfFault('hostile', `it unpacks to more than ${UNPACKED_BYTES_MAX / 1_048_576} MB`);
}

function unknown(what: string): PdfFault {
  return new PdfFault('hostile', `it is packed in an unusual way: ${what}`);
}
