/**
 * What was published is evidence, and what somebody wrote into it, or into a list, is their work: none is written over. A file
 * that differs from what is to stand under its name is moved aside under a name of its own; one that is equal stays.
 */
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Files, Log } from '../../../src/core/ports.ts';

export interface MovedAside {
  path: string;
  to: string;
}

export interface PublishedFiles {
  /** The disk, for who publishes. */
  files: Files;
  movedAside: MovedAside[];
}

/** A line each, for people. */
export function keptText(movedAside: readonly MovedAside[]): string[] {
  return movedAside.map(({ to }) => `was there with other content and is kept: ${to}`);
}

/** Digits of the digest in the name of what is moved aside: enough to tell two states of one file apart. */
const DIGITS = 12;

export function neverOver(files: Files, log: Log): PublishedFiles {
  const movedAside: MovedAside[] = [];
  const moveAside = async (target: string, sha256: string): Promise<void> => {
    const to = asideOf(target, sha256);
    const there = (await files.size(to)) === undefined ? sha256 : await files.sha256(to);
    // Somebody has gone on with what was moved there.
    if (there !== sha256) await moveAside(to, there);
    await rename(target, to);
    movedAside.push({ path: target, to });
    log.warn({ event: 'report.moved_aside', path: target, to });
  };
  const place = async (target: string, write: (next: string) => Promise<void>): Promise<void> => {
    const next = path.join(path.dirname(target), `.next-${path.basename(target)}`);
    await write(next);
    const isThere = (await files.size(target)) !== undefined;
    const [former, latter] = isThere ? [await files.sha256(target), await files.sha256(next)] : ['', ''];
    if (isThere && former === latter) return rm(next);
    if (isThere) await moveAside(target, former);
    await files.writeWholeWith(target, (temporary) => rename(next, temporary));
  };
  return {
    movedAside,
    files: {
      ...files,
      writeWhole: (target, bytes) => place(target, (next) => files.writeWhole(next, bytes)),
      writeWholeWith: (target, produce) => place(target, (next) => files.writeWholeWith(next, produce)),
    },
  };
}

/** `reconciliation-2026-03-01.aside-0123456789ab.xlsx`: two of one name have one content. */
function asideOf(target: string, sha256: string): string {
  const { dir, name, ext } = path.parse(target);
  return path.join(dir, `${name}.aside-${sha256.slice(0, DIGITS)}${ext}`);
}
