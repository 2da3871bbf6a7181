/**
 * The state file on the disk. A line is with the operating system before its answer is given, so a killed
 * process loses no answer; a disk that refuses ends the sandbox, because it could not keep what it says.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { WrongInput } from '../../core/errors.ts';

/** The file holds RSA keys and bodies: its owner's business only. */
const FILE_MODE = 0o600;

/** One file has one name, whatever links lead to it. @throws WrongInput when its folder is not there */
export function stateFileAt(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  try {
    return join(realpathSync(dirname(absolute)), basename(absolute));
  } catch (error) {
    throw new WrongInput(
      `--state ${path}: there is no folder ${dirname(absolute)}`,
      [],
      {},
      { cause: error },
    );
  }
}

export interface Line {
  /** From 1. */
  no: number;
  text: string;
  /** Where the next line begins. */
  endByte: number;
}

const NEWLINE = 0x0a;

/** The whole lines of a file, in their order; what follows the last newline is left out. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  let [no, endByte] = [0, 0];
  let begun: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      begun.push(chunk.subarray(from, at));
      const bytes = Buffer.concat(begun);
      begun = [];
      from = at + 1;
      endByte += bytes.length + 1;
      yield { no: ++no, text: bytes.toString('utf8'), endByte };
    }
    begun.push(chunk.subarray(from));
  }
}

export class JournalFile {
  readonly path: string;
  readonly #descriptor: number;
  #bytes: number;

  private constructor(path: string, descriptor: number, bytes: number) {
    this.path = path;
    this.#descriptor = descriptor;
    this.#bytes = bytes;
  }

  /** Goes on behind its whole lines. @returns it, and how many bytes of a torn line were cut off */
  static goOn(path: string, endByte: number): { file: JournalFile; cutBytes: number } {
    const descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND);
    const cutBytes = statSync(path).size - endByte;
    if (cutBytes > 0) ftruncateSync(descriptor, endByte);
    return { file: new JournalFile(path, descriptor, endByte), cutBytes };
  }

  /** A file with these lines and no others, whole or not at all; one that was there is kept as `.bak`. */
  static begin(path: string, lines: readonly string[]): JournalFile {
    if (existsSync(path)) {
      copyFileSync(path, `${path}.bak.tmp`);
      renameSync(`${path}.bak.tmp`, `${path}.bak`);
    }
    const temporary = `${path}.tmp`;
    rmSync(temporary, { force: true });
    const descriptor = openSync(temporary, 'ax', FILE_MODE);
    const file = new JournalFile(path, descriptor, 0);
    for (const line of lines) file.append(line);
    fsyncSync(descriptor);
    renameSync(temporary, path);
    return file;
  }

  /**
   * The line is written whole, or cut off again.
   * @throws Error of the disk when it refuses
   */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`, 'utf8');
    try {
      for (let written = 0; written < bytes.length;) {
        written += writeSync(this.#descriptor, bytes, written);
      }
      this.#bytes += bytes.length;
    } catch (error) {
      this.#cutBack();
      throw error;
    }
  }

  close(): void {
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
  }

  /** A torn line that cannot be cut off either is cut off at the next start. */
  #cutBack(): void {
    try {
      ftruncateSync(this.#descriptor, this.#bytes);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
    }
  }
}
