/** Whether a stream of a voucher can be unpacked, and into how much: what a reader's viewer would have to do (I6). */
import { inflateSync } from 'node:zlib';
import { PDFArray, PDFName, PDFNumber } from 'pdf-lib';
import type { PDFDict, PDFRawStream } from 'pdf-lib';

import { nameIn, plainName } from './active-content.ts';
import { key } from './object-copy.ts';
import { PdfFault } from './pdf-source.ts';

/** All streams of a file together; the pictures of a slip of many pages stay far below. */
const UNPACKED_BYTES_MAX = 134_217_728;
/** A scanned A3 page at 600 dpi has 70 million. */
const PIXELS_MAX = 100_000_000;

/** A check for the streams of one file, one after the other. It throws a `PdfFault` at the first that is not fit. */
export function streamCheck(): (stream: PDFRawStream) => void {
  let unpacked = 0;
  return (stream) => {
    refuseHugePicture(stream.dict);
    if (firstFilter(stream.dict) !== 'FlateDecode') return;
    const room = UNPACKED_BYTES_MAX - unpacked;
    unpacked += unpack(stream.contents, room);
  };
}

function unpack(packed: Uint8Array, room: number): number {
  if (room <= 0) throw tooMuch();
  try {
    return inflateSync(packed, { maxOutputLength: room }).byteLength;
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw isTooLarge ? tooMuch() : new PdfFault('damaged', 'a part of it cannot be unpacked');
  }
}

function tooMuch(): PdfFault {
  return new PdfFault('hostile', `it unpacks to more than ${UNPACKED_BYTES_MAX / 1_048_576} MB`);
}

function firstFilter(dict: PDFDict): string {
  const filter = dict.lookup(key('Filter'));
  const first = filter instanceof PDFArray && filter.size() > 0 ? filter.lookup(0) : filter;
  return first instanceof PDFName ? plainName(first) : '';
}

function refuseHugePicture(dict: PDFDict): void {
  if (nameIn(dict, 'Subtype') !== 'Image') return;
  const [width, height] = ['Width', 'Height'].map((name) => {
    const side = dict.lookup(key(name));
    return side instanceof PDFNumber ? side.asNumber() : 0;
  });
  if ((width ?? 0) * (height ?? 0) > PIXELS_MAX)
    throw new PdfFault('hostile', 'it holds a picture of excessive size');
}
