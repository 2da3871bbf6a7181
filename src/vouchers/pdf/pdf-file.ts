/**
 * A PDF written object by object as it comes, so that memory does not grow with the file: what is kept is where each
 * object begins. Runs in the merging thread, where waiting for the disk holds up nobody.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

import type { ObjectBody, ObjectWriter } from './object-copy.ts';

export interface PdfFile extends ObjectWriter {
  /** What was reserved and is not written any more is nothing: a file was given up in the middle. */
  giveUpReserved(): void;
  /** Writes the cross-reference table and closes; `trailer` holds `/Root` and `/Info`. */
  finish(trailer: { root: number; info: number }): { bytes: number; sha256: string };
  /** Closes without finishing; a second call does nothing. */
  close(): void;
}

/** Bytes gathered before they go to the disk. */
const BUFFER_BYTES = 1_048_576;
/** The second line tells transports that the file is not text. */
const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');

/** Opens a file that is there already (the temporary one of `Files.writeWholeWith`). */
export function openPdfFile(path: string): PdfFile {
  const output = openOutput(path);
  /** Where each object begins; 0: reserved and not written. Object 0 heads the list of free ones. */
  const offsets: number[] = [0];
  output.write(HEADER);
  return {
    reserve: () => offsets.push(0) - 1,
    write: (number, body) => {
      if (offsets[number] !== 0)
        throw new Error(`Bug: object ${number} was not reserved, or is written twice`);
      offsets[number] = output.position();
      writeObject(output, number, body);
    },
    giveUpReserved: () => {
      for (const [number, offset] of offsets.entries()) {
        if (number === 0 || offset !== 0) continue;
        offsets[number] = output.position();
        writeObject(output, number, { text: 'null' });
      }
    },
    finish: (trailer) => {
      const start = output.position();
      const id = output.digestSoFar().slice(0, 32);
      output.write(Buffer.from(crossReference(offsets), 'latin1'));
      const entries = `/Size ${offsets.length} /Root ${trailer.root} 0 R /Info ${trailer.info} 0 R /ID [<${id}> <${id}>]`;
      output.write(Buffer.from(`trailer\n<< ${entries} >>\nstartxref\n${start}\n%%EOF\n`, 'latin1'));
      return output.finish();
    },
    close: () => output.close(),
  };
}

function writeObject(output: Output, number: number, { text, stream }: ObjectBody): void {
  const head = `${number} 0 obj\n${text}\n`;
  if (stream === undefined) {
    output.write(Buffer.from(`${head}endobj\n`, 'latin1'));
    return;
  }
  output.write(Buffer.from(`${head}stream\n`, 'latin1'));
  output.write(stream);
  output.write(Buffer.from('\nendstream\nendobj\n', 'latin1'));
}

/** Entries are of exactly 20 bytes, so that readers can look one up without reading the others. */
function crossReference(offsets: readonly number[]): string {
  const lines = offsets.map((offset, number) => {
    if (number === 0) return '0000000000 65535 f \n';
    if (offset === 0) throw new Error(`Bug: object ${number} was reserved and never written`);
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  return `xref\n0 ${offsets.length}\n${lines.join('')}`;
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
