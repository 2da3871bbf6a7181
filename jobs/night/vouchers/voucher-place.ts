/**
 * Puts the files of a new bundle in the place of the former ones, which move to `superseded/v<N>/`, but for parts that
 * the new version goes on with: there the former part is the beginning of the new file. Each step can be
 * done again: a process that dies at any point leaves whole files only, those of the former version complete at one
 * of the two places, and the next one goes through the same steps.
 */
import { copyFile, link, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject, member, parseJson } from '../../../src/core/json.ts';
import type { Lease } from '../../../src/store/database/leases.ts';
import type { BundleRow } from '../../../src/store/vouchers/voucher-bundles.ts';
import type { Context } from '../../context/context.ts';

/** The new version is written below this name and the lease's fence, beside what it replaces and on the same device. */
const STAGE = '.next';
export const MANIFEST = 'manifest.json';
export const INDEX = 'index.csv';

/**
 * A folder for the new version, of one holder of the lease alone: a run that goes on although it lost it finds its
 * folder gone. Nothing is left of what others were writing.
 */
export async function openStage(
  { files }: Pick<Context, 'files'>,
  folder: string,
  { fence }: Pick<Lease, 'fence'>,
): Promise<string> {
  const stage = path.join(folder, `${STAGE}-${fence}`);
  await files.makeFolder(folder);
  for (const name of await readdir(folder))
    if (name.startsWith(STAGE)) await closeStage(path.join(folder, name));
  await files.makeFolder(stage);
  return stage;
}

/** What is left there is not needed any more. */
export async function closeStage(stage: string): Promise<void> {
  await rm(stage, { recursive: true, force: true });
}

/** Whether the standing version has pages that stand for originals which were lost or changed when it was made. */
export async function lacksOriginals({ files }: Pick<Context, 'files'>, folder: string): Promise<boolean> {
  const read = parseJson(Buffer.from(await files.read(path.join(folder, MANIFEST))).toString('utf8'));
  const faults = isJsonObject(read) ? member(read, 'faults') : undefined;
  return Array.isArray(faults) && faults.length > 0;
}

/** A file of a bundle and its digest, where it is known. */
export interface BundleFile {
  name: string;
  sha256: string | undefined;
}

/** The files of a version that stands: its parts, its index, its manifest. */
export async function filesOfBundle(
  { files }: Pick<Context, 'files'>,
  folder: string,
  bundle: Pick<BundleRow, 'parts' | 'manifest_sha256'>,
): Promise<BundleFile[]> {
  const parts = bundle.parts.map((part) => ({ name: path.basename(part.path), sha256: part.sha256 }));
  const manifest = path.join(folder, MANIFEST);
  const isWhole =
    (await files.size(manifest)) !== undefined && (await files.sha256(manifest)) === bundle.manifest_sha256;
  const index = isWhole ? indexDigest(await files.read(manifest)) : undefined;
  return [...parts, { name: INDEX, sha256: index }, { name: MANIFEST, sha256: bundle.manifest_sha256 }];
}

/** As the manifest states it; undefined when it states none. */
function indexDigest(manifest: Uint8Array): string | undefined {
  const read = parseJson(Buffer.from(manifest).toString('utf8'));
  const index = isJsonObject(read) ? member(read, 'index') : undefined;
  const sha256 = isJsonObject(index) ? member(index, 'sha256') : undefined;
  return typeof sha256 === 'string' ? sha256 : undefined;
}

/**
 * The former version, kept beside the folder's files, which stay where they are until others take their names.
 * @param of.continued parts that are the beginning of their new files
 */
export async function keepFormer(
  context: Context,
  folder: string,
  { former, continued }: { former: BundleRow; continued: readonly string[] },
): Promise<void> {
  const { files, log } = context;
  const place = path.join(folder, 'superseded', `v${former.version}`);
  await files.makeFolder(place);
  for (const { name, sha256 } of await filesOfBundle(context, folder, former)) {
    if (continued.includes(name)) continue;
    const [source, target] = [path.join(folder, name), path.join(place, name)];
    if (await isThere(context, target, sha256)) continue;
    if ((await files.size(source)) === undefined) {
      log.warn({ event: 'bundle.lost', path: source });
      continue;
    }
    const isAsMade = sha256 === undefined || (await files.sha256(source)) === sha256;
    // Whoever changed it: it is what there is of that version.
    if (!isAsMade) log.warn({ event: 'bundle.changed', path: source, sha256 });
    await keepAs(context, source, target);
  }
}

/** The files of a version that are not as they were made, kept beside it before what was made takes their place. */
export async function keepChanged(context: Context, folder: string, standing: BundleRow): Promise<void> {
  const { files, log } = context;
  const place = path.join(folder, 'superseded', `v${standing.version}`);
  for (const { name, sha256 } of await filesOfBundle(context, folder, standing)) {
    const source = path.join(folder, name);
    if ((await files.size(source)) === undefined || (await isThere(context, source, sha256))) continue;
    log.warn({ event: 'bundle.changed', path: source, sha256 });
    await files.makeFolder(place);
    await keepAs(context, source, path.join(place, name));
  }
}

/** What is kept already is never written over: an attempt that died may have kept it, and put another file in its place. */
async function keepAs({ files }: Context, source: string, target: string): Promise<void> {
  const isTaken = (await files.size(target)) !== undefined;
  const kept = isTaken ? `${target}.${(await files.sha256(source)).slice(0, 12)}` : target;
  if ((await files.size(kept)) === undefined)
    await files.writeWholeWith(kept, (temporary) => sameFile(source, temporary));
}

async function isThere({ files }: Context, file: string, sha256: string | undefined): Promise<boolean> {
  if ((await files.size(file)) === undefined) return false;
  return sha256 === undefined || (await files.sha256(file)) === sha256;
}

/** A second name for the same bytes; a copy where the file system knows no such thing. */
async function sameFile(source: string, target: string): Promise<void> {
  await rm(target);
  try {
    await link(source, target);
  } catch {
    await copyFile(source, target);
  }
}

/**
 * Gives the staged files their final names, the manifest last, and takes away what only the former version had.
 * @param of.kept names of files that stay as they are
 */
export async function takePlace(
  { files }: Pick<Context, 'files'>,
  folder: string,
  { stage, names, kept }: { stage: string; names: readonly string[]; kept: readonly string[] },
): Promise<void> {
  const inOrder = [...names.filter((name) => name !== MANIFEST && !kept.includes(name)), MANIFEST];
  for (const name of inOrder) {
    const staged = path.join(stage, name);
    await files.writeWholeWith(path.join(folder, name), (temporary) => rename(staged, temporary));
  }
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    // Parts the new version has no more, and what a process that died was still writing.
    const isLeft = entry.name.startsWith('vouchers-') || entry.name.startsWith('.tmp-');
    if (entry.isFile() && isLeft && !names.includes(entry.name)) await rm(path.join(folder, entry.name));
  }
  await closeStage(stage);
}
