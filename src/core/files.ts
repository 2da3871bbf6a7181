/** The disk: files are written whole or not at all, and a full disk is said with its path and bytes (H3). */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join, relative, sep } from 'node:path';

import { codeOf, messageOf, Stopped } from './errors.ts';
import type { Files } from './ports.ts';

/** Reports and vouchers are the owner's business only (S11). */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Every failure of the disk is a `Stopped` that names the path; a reader sees the old file or the new one. */
export function diskFiles(): Files {
  return {
    writeWhole: async (path, bytes) => {
      const length = typeof bytes === 'string' ? Buffer.byteLength(bytes, 'utf8') : bytes.byteLength;
      await replaceWhole(path, (temporary) => writeOut(temporary, bytes), length);
    },
    writeWholeWith: (path, produce) => replaceWhole(path, produce, undefined),
    writeNew: (path, text) => placeNew(path, text),
    read: (path) => onDisk('read', path, () => readFile(path)),
    size: (path) => onDisk('look at', path, () => sizeOf(path)),
    sha256: (path) => onDisk('read', path, () => digestOf(path)),
    makeFolder: (path) => onDisk('make the folder', path, () => makeFolder(path)),
  };
}

/** Whatever bears the name already stays as it is, a link that leads nowhere too. */
async function placeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeAside(path, {
      produce: (temporary) => writeOut(temporary, text),
      place: async (temporary) => {
        await link(temporary, path);
        await rm(temporary);
      },
      bytes: Buffer.byteLength(text, 'utf8'),
    });
    return true;
  } catch (error) {
    if (error instanceof Stopped && error.facts['code'] === 'EEXIST') return false;
    throw error;
  }
}

function replaceWhole(
  path: string,
  produce: (temporary: string) => Promise<void>,
  bytes: number | undefined,
): Promise<void> {
  return writeAside(path, { produce, place: (temporary) => rename(temporary, path), bytes });
}

/** The temporary name lies in the same folder, so that the final one is given without leaving its device. */
async function writeAside(
  path: string,
  how: {
    produce: (temporary: string) => Promise<void>;
    place: (temporary: string) => Promise<void>;
    bytes: number | undefined;
  },
): Promise<void> {
  const { produce, place, bytes } = how;
  const temporary = join(dirname(path), `.tmp-${randomBytes(8).toString('hex')}${extname(path)}`);
  try {
    await create(temporary);
    await produce(temporary);
    await flush(temporary);
    await place(temporary);
    await flush(dirname(path));
  } catch (error) {
    const written = bytes ?? (await sizeOf(temporary));
    await rm(temporary, { force: true });
    throw diskFault('write', { path, error, bytes: written });
  }
}

/** Made by us first, so that nobody else can read it while it grows. */
async function create(path: string): Promise<void> {
  const handle = await open(path, 'wx', FILE_MODE);
  await handle.close();
}

async function writeOut(path: string, bytes: Uint8Array | string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
}

/** Waits until a file's bytes, or a folder's names, are on the disk. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

async function makeFolder(path: string): Promise<void> {
  const firstMade = await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  if (firstMade !== undefined) await flush(dirname(firstMade));
}

async function onDisk<T>(verb: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskFault(verb, { path, error, bytes: undefined });
  }
}

/** What the common refusals of a disk mean to a person. */
const DISK_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
};

/** Faults of the disk become `Stopped`; what a producer threw for its own reasons passes unchanged. */
function diskFault(verb: string, what: { path: string; error: unknown; bytes: number | undefined }): unknown {
  const code = diskCodeOf(what.error);
  if (code === undefined) return what.error;
  const size = what.bytes === undefined ? '' : ` (${what.bytes} bytes)`;
  const reason = DISK_WORDS[code] ?? messageOf(what.error);
  const facts = { path: what.path, code, bytes: what.bytes ?? null };
  return new Stopped(`cannot ${verb} ${what.path}${size}: ${reason}`, facts, { cause: what.error });
}

/** The code of an error that the file system raised. */
function diskCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? codeOf(error) : undefined;
}

/** `reports/2026-03-01/v1/result.json`: a file by its place below RECON_HOME, which may be moved; alike on every system. */
export function placeBelow(home: string, file: string): string {
  return relative(home, file).split(sep).join('/');
}
