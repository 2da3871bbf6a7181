/** Vouchers as a platform makes them, for the tests: a font, a logo and a form that all share, and a marker each. */
import { PDFDocument, StandardFonts, rgb } from 'pdf-lib';

/** A picture of 64 × 64 grey dots; the same in every slip. */
function logo(): Uint8Array {
  return Uint8Array.from({ length: 4_096 }, (_, at) => (at * 37) % 256);
}

export interface Slip {
  marker: string;
  pages?: number;
}

/** A PDF of so many pages, each with its marker as text: `D1 1/2`. */
export async function slip({ marker, pages = 1 }: Slip): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Helvetica);
  const stamp = document.context.register(
    document.context.stream(logo(), {
      Type: 'XObject',
      Subtype: 'Image',
      Width: 64,
      Height: 64,
      ColorSpace: 'DeviceGray',
      BitsPerComponent: 8,
    }),
  );
  for (let number = 1; number <= pages; number += 1) {
    const page = document.addPage([420, 298]);
    page.node.newXObject('Logo', stamp);
    page.drawText('Bank slip', { x: 40, y: 240, size: 16, font, color: rgb(0.1, 0.2, 0.5) });
    page.drawText(`${marker} ${number}/${pages}`, { x: 40, y: 200, size: 11, font });
  }
  return document.save({ useObjectStreams: false });
}

/** A file from the bodies of its objects, 1 and up, with a correct table; object 1 is the catalog. */
export function rawPdf(bodies: readonly (string | Uint8Array)[], trailerMore = ''): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let position = parts[0]?.byteLength ?? 0;
  const offsets = bodies.map((body, at) => {
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : Buffer.from(body);
    const object = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), bytes, Buffer.from('\nendobj\n')]);
    const offset = position;
    parts.push(object);
    position += object.byteLength;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = bodies.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailerMore} >>\n` +
        `startxref\n${position}\n%%EOF\n`,
      'latin1',
    ),
  );
  return Buffer.concat(parts);
}

export function rawStream(entries: string, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${bytes.byteLength} >>\nstream\n`, 'latin1'),
    bytes,
    Buffer.from('\nendstream', 'latin1'),
  ]);
}

export const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
export const ONE_PAGE = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';

/** A page whose content draws a line of text in a standard font. */
export function page(more: string): string {
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 298] ${more} >>`;
}
