/**
 * The archive of originals: each lies once, untouched, under the name of its digest, so that a file that was changed no
 * longer is what its name says. Written whole or not at all (H3).
 */
import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Files } from '../core/ports.ts';
import { originalPathOf } from './names.ts';

export interface FiledOriginal {
  sha256: string;
  /** From the home folder, with forward slashes: `vouchers/ab/ab….pdf`. */
  path: string;
  /** False: the archive had it already. */
  isNew: boolean;
  /** The archive had another content under this name: somebody changed it, and what it was lies beside it now. */
  wasChanged: boolean;
}

/** Files an original under its digest; a second time does nothing (VCH-09). */
export async function fileOriginal(files: Files, home: string, bytes: Uint8Array): Promise<FiledOriginal> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const path = originalPathOf(sha256);
  const target = join(home, path);
  const size = await files.size(target);
  const isThere = size === bytes.byteLength && (await files.sha256(target)) === sha256;
  if (isThere) return { sha256, path, isNew: false, wasChanged: false };
  if (size === undefined) await files.makeFolder(dirname(target));
  else await keepChanged(files, target);
  await files.writeWhole(target, bytes);
  return { sha256, path, isNew: size === undefined, wasChanged: size !== undefined };
}

/** `ab….changed-0123456789ab.pdf`: what somebody made of an original is evidence as well. */
async function keepChanged(files: Files, target: string): Promise<void> {
  const name = `${target.slice(0, -'.pdf'.length)}.changed-${(await files.sha256(target)).slice(0, 12)}.pdf`;
  await files.writeWholeWith(name, (temporary) => rename(target, temporary));
}

/** What an original is today; `changed` says what it has become. */
export type OriginalState =
  | { result: 'whole'; actualSha256: string }
  | { result: 'missing'; actualSha256: null }
  | { result: 'changed'; actualSha256: string };

/** Reads an original against its digest (`recon verify`). @throws Stopped when the disk cannot be read */
export async function checkOriginal(
  files: Files,
  of: { home: string; sha256: string },
): Promise<OriginalState> {
  const target = join(of.home, originalPathOf(of.sha256));
  if ((await files.size(target)) === undefined) return { result: 'missing', actualSha256: null };
  const actualSha256 = await files.sha256(target);
  return { result: actualSha256 === of.sha256 ? 'whole' : 'changed', actualSha256 };
}
