/** `--approve` and `--by`: a person's approval of what was shown, by its digest. */
import os from 'node:os';
import { codeOf } from '../../src/core/errors.ts';

export interface ApproveOptions {
  approve?: string;
  by?: string;
}

export interface GivenApproval {
  digest: string;
  by: string;
}

/** As it is shown: 16 hex digits, or the whole of it. */
const DIGEST = /^[0-9a-f]{16}(?:[0-9a-f]{48})?$/i;

/** @returns what was given, if anything, and all that is wrong with it */
export function readApproval({ approve, by }: ApproveOptions): {
  approve: GivenApproval | undefined;
  faults: string[];
} {
  if (approve === undefined) {
    const faults = by === undefined ? [] : ['--by says who approves: it goes with --approve'];
    return { approve: undefined, faults };
  }
  const digest = approve.trim();
  const faults = DIGEST.test(digest)
    ? []
    : [
        `--approve takes the digest of a plan, as recon settle --dry-run shows it: ${JSON.stringify(approve)}`,
      ];
  const named = readName(by);
  return { approve: { digest, by: named.name }, faults: [...faults, ...named.faults] };
}

/** Who approves or says something: as given, else the user of this machine. */
export function readName(by: string | undefined): { name: string; faults: string[] } {
  const name = by ?? userName();
  if (name === undefined) {
    return { name: '', faults: ['nobody knows who approves: this user has no name here. Give it with --by'] };
  }
  const faults = name.trim() === '' ? ['--by says who approves: it takes a name'] : [];
  return { name: name.trim(), faults };
}

/** Undefined where the user has no entry, as in a container that runs under a number. */
function userName(): string | undefined {
  try {
    return os.userInfo().username;
  } catch (error) {
    if (codeOf(error) === 'ERR_SYSTEM_ERROR') return undefined;
    throw error;
  }
}
