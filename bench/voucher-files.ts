/** Vouchers of 30–60 KB, one page each, as one platform makes them: font and logo the same in all, a seal of its own. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

export interface VoucherFile {
  path: string;
  sha256: string;
  bytes: number;
}

/** Bytes that do not pack, the same for the same seed (xorshift). */
function noise(seed: number, length: number): Uint8Array {
  let state = seed | 1;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  });
}

function stream(entries: string, bytes: Uint8Array): Buffer {
  const packed = deflateSync(bytes, { level: 1 });
  const head = `<< ${entries} /Filter /FlateDecode /Length ${packed.byteLength} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')]);
}

const picture = (width: number, bytes: Uint8Array): Buffer =>
  stream(
    `/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 /Width ${width} /Height ${bytes.byteLength / width}`,
    bytes,
  );

/** Stands for a font program: nothing that merges looks into it. */
const FONT_PROGRAM = stream('/Length1 20480', noise(1, 20_480));
const LOGO = picture(128, noise(2, 8_192));
const UNICODE = stream('', Buffer.from('/CIDInit /ProcSet findresource begin\n'.repeat(20)));

function voucher(n: number): Buffer {
  const sealRows = 12 + ((n * 7_919) % 220);
  const content = Buffer.from(
    `q 128 0 0 64 40 740 cm /Logo Do Q q 128 0 0 ${sealRows} 400 60 cm /Seal Do Q\n` +
      Array.from(
        { length: 24 },
        (_, line) => `BT /F 9 Tf 40 ${700 - line * 20} Td (${n} line ${line}) Tj ET\n`,
      ).join(''),
  );
  return assembled([
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ' +
        '/Resources << /Font << /F 5 0 R >> /XObject << /Logo 10 0 R /Seal 11 0 R >> >> >>',
    ),
    stream('', content),
    Buffer.from(
      '<< /Type /Font /Subtype /Type0 /BaseFont /A+Song /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 9 0 R >>',
    ),
    Buffer.from(
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A+Song /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /DW 1000 >>',
    ),
    Buffer.from(
      '<< /Type /FontDescriptor /FontName /A+Song /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 8 0 R >>',
    ),
    FONT_PROGRAM,
    UNICODE,
    LOGO,
    picture(128, noise(n + 3, 128 * sealRows)),
  ]);
}

function assembled(bodies: readonly Buffer[]): Buffer {
  const parts = [Buffer.from('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let position = parts[0]?.byteLength ?? 0;
  let table = '0000000000 65535 f \n';
  for (const [at, body] of bodies.entries()) {
    const object = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    table += `${String(position).padStart(10, '0')} 00000 n \n`;
    position += object.byteLength;
    parts.push(object);
  }
  const size = bodies.length + 1;
  const end = `xref\n0 ${size}\n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${position}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

export async function writeVouchers(folder: string, count: number): Promise<VoucherFile[]> {
  await mkdir(folder, { recursive: true });
  const files: VoucherFile[] = [];
  for (let n = 0; n < count; n += 1) {
    const bytes = voucher(n);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const target = path.join(folder, `${String(n).padStart(6, '0')}.pdf`);
    await writeFile(target, bytes);
    files.push({ path: target, sha256, bytes: bytes.byteLength });
  }
  return files;
}
