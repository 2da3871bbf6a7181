/**
 * A PDF file put together object by object, without a library and without waiting. Objects that many files share
 * are written once: every file that begins with them has them byte for byte alike, as a bank's generator does it.
 */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export interface PdfHead {
  readonly bytes: Buffer;
  readonly offsets: readonly number[];
}

const SIGNATURE = Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1');
/** A page's content is small; a window of its size spares the making of a large one for each. */
const SMALL_BYTES = 16_384;
const SMALL_DEFLATE = { level: 6, windowBits: 12, memLevel: 5 };
const NOTHING: PdfHead = { bytes: SIGNATURE, offsets: [] };

export class PdfFile {
  readonly #parts: Buffer[];
  readonly #offsets: (number | undefined)[];
  #length: number;

  /** @param head what it begins with, with the same numbers in every file */
  constructor(head: PdfHead = NOTHING) {
    this.#parts = [head.bytes];
    this.#offsets = [...head.offsets];
    this.#length = head.bytes.length;
  }

  /** A number for an object that is written later. */
  reserve(): number {
    return this.#offsets.push(undefined);
  }

  write(no: number, body: string | Buffer): void {
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    this.#offsets[no - 1] = this.#length;
    this.#append(Buffer.from(`${no} 0 obj\n`, 'latin1'), bytes, Buffer.from('\nendobj\n', 'latin1'));
  }

  /** @returns its number */
  add(body: string | Buffer): number {
    const no = this.reserve();
    this.write(no, body);
    return no;
  }

  /** @param entries of its dictionary, without length and filter */
  addStream(entries: string, data: Buffer | string): number {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    const how = bytes.length > SMALL_BYTES ? { level: 9 } : SMALL_DEFLATE;
    return this.add(streamOf(`${entries}/Filter/FlateDecode`, deflateSync(bytes, how)));
  }

  /** What has been written, to begin other files with. */
  head(): PdfHead {
    return { bytes: Buffer.concat(this.#parts), offsets: this.#offsets.map((offset) => offset ?? 0) };
  }

  /** @param trailer its entries beside Size and ID, which is made of what is not in the head */
  close(trailer: string): Buffer {
    const id = this.#digest();
    const begin = this.#length;
    const count = this.#offsets.length + 1;
    const rows = this.#offsets.map((offset) =>
      offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`,
    );
    const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows.join('')}`;
    const end = `trailer\n<</Size ${count}/ID[<${id}><${id}>]${trailer}>>\nstartxref\n${begin}\n%%EOF\n`;
    return Buffer.concat([...this.#parts, Buffer.from(`${table}${end}`, 'latin1')]);
  }

  /** Closes it with a stream that is its table of objects (PDF 1.5). @param no the number of that stream */
  closeWithStream(no: number, table: Buffer): Buffer {
    const begin = this.#length;
    this.write(no, table);
    this.#append(Buffer.from(`startxref\n${begin}\n%%EOF\n`, 'latin1'));
    return Buffer.concat(this.#parts);
  }

  /** Where the next object will begin. */
  get length(): number {
    return this.#length;
  }

  /** Where an object begins that has been written. */
  offsetOf(no: number): number {
    return this.#offsets[no - 1] ?? 0;
  }

  #digest(): string {
    const hash = createHash('md5');
    for (const part of this.#parts.slice(1)) hash.update(part);
    return hash.digest('hex');
  }

  #append(...parts: Buffer[]): void {
    for (const part of parts) {
      this.#parts.push(part);
      this.#length += part.length;
    }
  }
}

/** A stream whose data are written as they are. */
export function streamOf(entries: string, data: Buffer): Buffer {
  const head = `<<${entries}/Length ${data.length}>>\nstream\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), data, Buffer.from('\nendstream', 'latin1')]);
}

/** A text for people, in any script. */
export function textString(text: string): string {
  return `<feff${Buffer.from(text.toWellFormed(), 'utf16le').swap16().toString('hex')}>`;
}
