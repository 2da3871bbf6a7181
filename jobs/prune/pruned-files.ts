/** Whether a recorded file is not there because it was pruned. */
import path from 'node:path';
import { findPruned, prunedName } from '../../src/store/prune/pruned.ts';
import type { DbOrTransaction } from '../../src/store/schema/schema.ts';

/** A file by its place below RECON_HOME. */
interface Recorded {
  path: string;
  sha256: string;
}

/** When each of these was pruned, by `prunedNameOf`. */
export function prunedFiles(
  db: DbOrTransaction,
  recorded: readonly Recorded[],
): ReturnType<typeof findPruned> {
  return findPruned(
    db,
    recorded.map((file) => keyOf(file.path)),
  );
}

export function prunedNameOf({ path: place, sha256 }: Recorded): string {
  return prunedName({ key: keyOf(place), sha256 });
}

/** Under which name a place is kept, on every system. */
export function keyOf(place: string): string {
  return place.split(path.sep).join('/');
}
