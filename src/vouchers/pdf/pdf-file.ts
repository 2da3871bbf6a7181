/**
 * A PDF written object by object as it comes, so that memory does not grow with the file: what is kept is where each
 * object begins. Runs in the merging process, where waiting for the disk holds up nobody.
 *
 * A file of ours may be continued: its bytes stay as they are, and what is new follows with a table of its own, as the
 * format has it (ISO 32000-1, 7.5.6). The former file is the beginning of the new one.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

import type { ObjectBody, ObjectWriter } from './object-copy.ts';
import { chunksOf } from './pdf-end.ts';
import type { FormerFile, PdfEnd } from './pdf-end.ts';

export interface PdfFile extends ObjectWriter {
  /** The number of the next object that is reserved. */
  nextNumber(): number;
  /** What was reserved from this number on and is not written any more is nothing: a file was given up in the middle. */
  giveUpFrom(number: number): void;
  /** Notes for who goes on with the file; no reader of PDFs sees them. */
  writeNotes(bytes: Uint8Array): void;
  /** Closes with nothing added. */
  leave(): { bytes: number; sha256: string };
  /** Writes the cross-reference table and closes; `trailer` holds `/Root` and `/Info`. */
  finish(trailer: { root: number; info: number }): { bytes: number; sha256: string };
  /** Closes without finishing; a second call does nothing. */
  close(): void;
}

/** Bytes gathered before they go to the disk. */
const BUFFER_BYTES = 1_048_576;
/** The second line tells transports that the file is not text. */
const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
/** Where an object begins: reserved and not written yet; and written in the former file. */
const RESERVED = 0;
const FORMER = -1;

/** Opens a file that is there already (the temporary one of `Files.writeWholeWith`). */
export function openPdfFile(path: string): PdfFile {
  const output = openOutput(path);
  output.write(HEADER);
  // Object 0 heads the list of free ones.
  return pdfFile(output, { offsets: [RESERVED] });
}

/** The same, with the former file as its beginning. */
export function continuePdfFile(path: string, former: FormerFile, end: PdfEnd): PdfFile {
  const output = openOutput(path);
  for (const chunk of chunksOf(former)) output.write(chunk);
  if (output.position() !== former.bytes || output.digestSoFar() !== former.sha256) {
    output.close();
    throw new Error(`${former.path} was changed while it was read`);
  }
  return pdfFile(output, { offsets: Array.from({ length: end.objects }, () => FORMER), former: end });
}

function pdfFile(output: Output, { offsets, former }: { offsets: number[]; former?: PdfEnd }): PdfFile {
  let notes = { at: 0, bytes: 0 };
  const write = (number: number, body: ObjectBody): void => {
    const isFree = offsets[number] === RESERVED || offsets[number] === FORMER;
    if (!isFree || number === 0)
      throw new Error(`Bug: object ${number} was not reserved, or is written twice`);
    offsets[number] = output.position();
    writeObject(output, number, body);
  };
  const reserve = (): number => offsets.push(RESERVED) - 1;
  return {
    reserve,
    write,
    nextNumber: () => offsets.length,
    giveUpFrom: (number) => {
      for (let at = number; at < offsets.length; at += 1) {
        if (offsets[at] === RESERVED) write(at, { text: 'null' });
      }
    },
    writeNotes: (stream) => {
      const number = reserve();
      const text = `<< /Length ${stream.byteLength} >>`;
      write(number, { text, stream });
      notes = { at: output.position() - STREAM_END.byteLength - stream.byteLength, bytes: stream.byteLength };
    },
    finish: ({ root, info }) => {
      const start = output.position();
      const id = output.digestSoFar().slice(0, 32);
      output.write(Buffer.from(crossReference(offsets), 'latin1'));
      const entries = [
        `/Size ${offsets.length} /Root ${root} 0 R /Info ${info} 0 R /ID [<${former?.id ?? id}> <${id}>]`,
        ...(former === undefined ? [] : [`/Prev ${former.start}`]),
        `/RECON_Notes [${notes.at} ${notes.bytes}]`,
      ];
      const trailer = `trailer\n<< ${entries.join(' ')} >>\nstartxref\n${start}\n%%EOF\n`;
      output.write(Buffer.from(trailer, 'latin1'));
      return output.finish();
    },
    leave: () => output.finish(),
    close: () => output.close(),
  };
}

const STREAM_END = Buffer.from('\nendstream\nendobj\n', 'latin1');

function writeObject(output: Output, number: number, { text, stream }: ObjectBody): void {
  const head = `${number} 0 obj\n${text}\n`;
  if (stream === undefined) {
    output.write(Buffer.from(`${head}endobj\n`, 'latin1'));
    return;
  }
  output.write(Buffer.from(`${head}stream\n`, 'latin1'));
  output.write(stream);
  output.write(STREAM_END);
}

/** Entries are of exactly 20 bytes, so that readers can look one up without reading the others; run by run. */
function crossReference(offsets: readonly number[]): string {
  let text = 'xref\n';
  for (let from = 0; from < offsets.length;) {
    if (offsets[from] === FORMER) {
      from += 1;
      continue;
    }
    let to = from;
    let entries = '';
    for (; to < offsets.length && offsets[to] !== FORMER; to += 1)
      entries += entryOf(to, offsets[to] ?? RESERVED);
    text += `${from} ${to - from}\n${entries}`;
    from = to;
  }
  return text;
}

function entryOf(number: number, offset: number): string {
  if (number === 0) return '0000000000 65535 f \n';
  if (offset === RESERVED) throw new Error(`Bug: object ${number} was reserved and never written`);
  return `${String(offset).padStart(10, '0')} 00000 n \n`;
}

interface Output {
  write(bytes: Uint8Array): void;
  position(): number;
  /** Hex; of all bytes written until now. */
  digestSoFar(): string;
  finish(): { bytes: number; sha256: string };
  close(): void;
}

function openOutput(path: string): Output {
  const digest = createHash('sha256');
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let position = 0;
  let descriptor: number | undefined = openSync(path, 'r+');
  const flush = (): void => {
    if (waitingBytes === 0 || descriptor === undefined) return;
    const bytes = Buffer.concat(waiting, waitingBytes);
    digest.update(bytes);
    for (let at = 0; at < bytes.byteLength;) at += writeSync(descriptor, bytes, at);
    waiting.length = 0;
    waitingBytes = 0;
  };
  const close = (): void => {
    if (descriptor === undefined) return;
    const open = descriptor;
    descriptor = undefined;
    closeSync(open);
  };
  return {
    write: (bytes) => {
      waiting.push(bytes);
      waitingBytes += bytes.byteLength;
      position += bytes.byteLength;
      if (waitingBytes >= BUFFER_BYTES) flush();
    },
    position: () => position,
    digestSoFar: () => {
      flush();
      return digest.copy().digest('hex');
    },
    finish: () => {
      flush();
      close();
      return { bytes: position, sha256: digest.digest('hex') };
    },
    close,
  };
}
