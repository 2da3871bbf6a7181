/** Whether a stream of a voucher can be unpacked, and into how much: what a reader's viewer would have to do (I6). */
import { PDFName, PDFNumber } from 'pdf-lib';
import type { PDFDict, PDFRawStream } from 'pdf-lib';

import { nameIn } from './active-content.ts';
import { PdfFault } from './pdf-fault.ts';
import { PIXELS_MAX } from './stream-filters.ts';
import type { Unpacker } from './stream-filters.ts';

/** @throws PdfFault when a stream is not fit to be opened by anybody */
export function requireFitStream(stream: PDFRawStream, unpacker: Unpacker): void {
  refuseHugePicture(stream.dict);
  const plain = unpacker.unpack(stream);
  if (nameIn(stream.dict, 'Subtype') !== 'Image') refuseInlineChains(plain);
}

function refuseHugePicture(dict: PDFDict): void {
  if (nameIn(dict, 'Subtype') !== 'Image') return;
  const [width, height] = ['Width', 'Height'].map((name) => {
    const side = dict.lookup(PDFName.of(name));
    return side instanceof PDFNumber ? side.asNumber() : 0;
  });
  if ((width ?? 0) * (height ?? 0) > PIXELS_MAX)
    throw new PdfFault('hostile', 'it holds a picture of excessive size');
}

/** A picture within a content is small and packed once; packed twice it is a bomb that no dictionary shows. */
function refuseInlineChains(content: Uint8Array): void {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  for (const [, entries = ''] of text.matchAll(/(?<![A-Za-z/])BI\s([^]{0,1000}?)\sID\s/g)) {
    const filters = /\/(?:F|Filter)\s*\[([^\]]*)\]/.exec(entries)?.[1] ?? '';
    if ((filters.match(/\//g) ?? []).length > 2) {
      throw new PdfFault(
        'hostile',
        'it is packed in an unusual way: a picture in a content is packed again and again',
      );
    }
    const [width = 0, height = 0] = ['W|Width', 'H|Height'].map((name) =>
      Number(new RegExp(`/(?:${name})\\s+(\\d{1,9})`).exec(entries)?.[1] ?? 0),
    );
    if (width * height > PIXELS_MAX) throw new PdfFault('hostile', 'it holds a picture of excessive size');
  }
}
