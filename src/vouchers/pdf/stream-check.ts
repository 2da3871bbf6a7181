/** Whether a stream of a voucher can be unpacked, and into how much: what a reader's viewer would have to do (I6). */
import { PDFArray, PDFName, PDFNumber } from 'pdf-lib';
import type { PDFContext, PDFDict, PDFRawStream } from 'pdf-lib';

import { nameIn } from './active-content.ts';
import { PdfFault } from './pdf-fault.ts';
import { StrictParser } from './pdf-parser.ts';
import { refuseExcessive } from './picture-size.ts';
import type { Unpacker } from './stream-filters.ts';

/** What it unpacks to. @throws PdfFault when a stream is not fit to be opened by anybody */
export function requireFitStream(stream: PDFRawStream, unpacker: Unpacker): Uint8Array {
  const isPicture = nameIn(stream.dict, 'Subtype') === 'Image';
  if (isPicture) refuseHugePicture(stream.dict);
  const plain = unpacker.unpack(stream);
  if (!isPicture) requireFitPictures(plain, { context: stream.dict.context, unpacker });
  return plain;
}

function refuseHugePicture(dict: PDFDict): void {
  const [width = 0, height = 0] = ['Width', 'Height'].map((name) => {
    const side = dict.lookup(PDFName.of(name));
    return side instanceof PDFNumber ? side.asNumber() : 0;
  });
  refuseExcessive({ width, height });
}

/** As a viewer finds it: a word of its own, before the first entry or what parts it from that. */
const PICTURE = /(?<![^\s\0()<>[\]{}])BI(?=[\s\0/%])/g;

/**
 * A picture within a content is small and packed once, which every dictionary outside may be around: what it unpacks to
 * counts as well.
 */
function requireFitPictures(
  content: Uint8Array,
  { context, unpacker }: { context: PDFContext; unpacker: Unpacker },
): void {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  const reading = { context, values: 0, refs: new Set<never>(), lengthOf: () => undefined };
  let parser: StrictParser | undefined;
  for (const { index } of text.matchAll(PICTURE)) {
    parser ??= new StrictParser(content, reading);
    const picture = parser.pictureAt(index + 'BI'.length);
    if (picture === undefined) continue;
    const filters = picture.dict.lookup(PDFName.of('Filter'));
    if (filters instanceof PDFArray && filters.size() > 2) {
      throw new PdfFault(
        'hostile',
        'it is packed in an unusual way: a picture in a content is packed again and again',
      );
    }
    refuseHugePicture(picture.dict);
    unpacker.unpack(picture);
  }
}
