/**
 * How large a picture says it is within its own data. A viewer makes room for that, whatever the dictionary around it
 * says, and a header of some bytes can ask for gigabytes.
 */
import { PdfFault } from './pdf-fault.ts';

export interface PictureSize {
  width: number;
  height: number;
}

/** A scanned A3 page at 600 dpi has 70 million. */
export const PIXELS_MAX = 100_000_000;

/** @throws PdfFault */
export function refuseExcessive({ width, height }: PictureSize): void {
  if (width * height > PIXELS_MAX) throw new PdfFault('hostile', 'it holds a picture of excessive size');
}

/** @throws PdfFault where a header within the data says more than anybody can show */
export function refuseExcessiveData(filter: string, data: Uint8Array): void {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  for (const size of SIZES[filter]?.(bytes) ?? []) refuseExcessive(size);
}

const SIZES: Readonly<Record<string, (bytes: Buffer) => Iterable<PictureSize>>> = {
  DCTDecode: jpegSizes,
  JPXDecode: jpeg2000Sizes,
  JBIG2Decode: jbig2Sizes,
};

/** Markers without a length, and the table markers among those of a frame (ITU-T T.81, table B.1). */
const isAlone = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9);
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const SCAN = 0xda;
/** A height of nothing is told after the first scan. */
const UNTOLD_HEIGHT = 65_535;

/** Frames before the first scan: no viewer looks behind it for another. */
function* jpegSizes(bytes: Buffer): Generator<PictureSize> {
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 9 <= bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === SCAN) return;
    if (isFrame(marker)) {
      yield { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) || UNTOLD_HEIGHT };
    }
    if (marker === 0xff) at += 1;
    else at += isAlone(marker) ? 2 : 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
}

const CODE_STREAM = Buffer.from([0xff, 0x4f, 0xff, 0x51]);

/** Code streams, wherever a box holds one. */
function* jpeg2000Sizes(bytes: Buffer): Generator<PictureSize> {
  for (let at = bytes.indexOf(CODE_STREAM); at >= 0; at = bytes.indexOf(CODE_STREAM, at + 4)) {
    if (at + 24 > bytes.length) return;
    const [right, bottom, left, top] = [8, 12, 16, 20].map((place) => bytes.readUInt32BE(at + place));
    yield { width: (right ?? 0) - (left ?? 0), height: (bottom ?? 0) - (top ?? 0) };
  }
}

const PAGE = 48;
/** Regions and page information begin with width and height (ITU-T T.88, 7.3). */
const isSized = (type: number): boolean => type === PAGE || (type >= 4 && type <= 43 && type !== 16);
const UNTOLD_LENGTH = 0xffff_ffff;

/** Segments, one after the other. */
function* jbig2Sizes(bytes: Buffer): Generator<PictureSize> {
  for (let at = 0; at + 11 <= bytes.length;) {
    const [number, flags, references] = [
      bytes.readUInt32BE(at),
      bytes.readUInt8(at + 4),
      bytes.readUInt8(at + 5),
    ];
    const isLong = references >> 5 === 7;
    const count = isLong ? bytes.readUInt32BE(at + 5) & 0x1fff_ffff : references >> 5;
    const width = number <= 256 ? 1 : number <= 65_536 ? 2 : 4;
    const page = (flags & 0x40) === 0 ? 1 : 4;
    const head = at + 5 + (isLong ? 4 + Math.ceil((count + 1) / 8) : 1) + count * width + page;
    if (head + 12 > bytes.length) return;
    const length = bytes.readUInt32BE(head);
    const isUntold = bytes.readUInt32BE(head + 8) === UNTOLD_LENGTH;
    if (isSized(flags & 0x3f)) {
      yield { width: bytes.readUInt32BE(head + 4), height: isUntold ? 1 : bytes.readUInt32BE(head + 8) };
    }
    if (length === UNTOLD_LENGTH) return;
    at = head + 4 + length;
  }
}
