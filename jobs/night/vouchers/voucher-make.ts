/** One bundle, written beside what it replaces, put in its place and recorded; and one whose files were lost. */
import path from 'node:path';
import type { Instant } from '../../../src/core/time.ts';
import { keepLease, requireLease } from '../../../src/store/database/leases.ts';
import { saveBundle } from '../../../src/store/vouchers/voucher-bundles.ts';
import type { BundleRow } from '../../../src/store/vouchers/voucher-bundles.ts';
import { contentDigest, nameOfAccount } from '../../../src/store/vouchers/voucher-entries.ts';
import type { BundledOrder } from '../../../src/store/vouchers/voucher-entries.ts';
import { saveJudgements } from '../../../src/store/vouchers/voucher-judgements.ts';
import { markZip } from '../../../src/store/vouchers/voucher-marks.ts';
import type { BundleKey, BundleMark } from '../../../src/store/vouchers/voucher-marks.ts';
import type { BundleMade } from '../../../src/vouchers/bundle/bundle.ts';
import type { BundleEntry } from '../../../src/vouchers/bundle/bundle-request.ts';
import type { Merger } from '../../../src/vouchers/bundle/merger.ts';
import { originalPathOf } from '../../../src/vouchers/names.ts';
import type { Context } from '../../context/context.ts';
import { bundleFolder } from './voucher-paths.ts';
import {
  INDEX,
  MANIFEST,
  closeStage,
  filesOfBundle,
  keepChanged,
  keepFormer,
  lacksOriginals,
  openStage,
  takePlace,
} from './voucher-place.ts';
import type { VoucherRun } from './voucher-run.ts';

export interface BundleToMake {
  key: BundleKey;
  orders: readonly BundledOrder[];
  contentSha256: string;
  standing: BundleRow | undefined;
  mark: BundleMark | undefined;
  /** Serves all bundles of a run; started when the first is to be written. */
  merger: () => Promise<Merger>;
}

interface Edition {
  version: number;
  madeAt: Instant;
}

/**
 * The next version. Until it is whole the former one is untouched, on disk and in the tables; a process that dies
 * leaves the mark, and the next one begins the version anew.
 * @throws Stopped when the disk refuses
 */
export async function makeBundle(context: Context, run: VoucherRun, bundle: BundleToMake): Promise<void> {
  const { db, clock, settings, log } = context;
  const { key, standing, mark } = bundle;
  const edition = { version: (standing?.version ?? 0) + 1, madeAt: clock.wall() };
  const folder = path.join(settings.home, bundleFolder(key));
  const { stage, made } = await stageBundle(context, run, bundle, edition);
  await requireLease(db, run.lease);
  if (standing !== undefined) await keepFormer(context, folder, { former: standing, ...made });
  await takePlace(context, folder, { stage, ...placesOf(made) });
  const parts = made.parts.map(({ name, sha256, pages, files, bytes }) => ({
    path: path.posix.join(bundleFolder(key), name),
    sha256,
    pages,
    files,
    bytes,
  }));
  const { pages, files, missing, manifestSha256, places } = made;
  await saveJudgements(db, made.judged, (trx) => keepLease(trx, run.lease));
  const contentSha256 = contentOf(bundle, made);
  await saveBundle(
    db,
    {
      ...key,
      ...edition,
      contentSha256,
      parts,
      manifestSha256,
      pages,
      files,
      missing,
      places,
      runId: run.runId,
    },
    { mark, fence: (trx) => keepLease(trx, run.lease) },
  );
  const { accountNo, month } = key;
  const { version } = edition;
  const { merged } = made;
  log.info({ event: 'bundle.made', accountNo, month, version, pages, merged, files, missing });
}

/** Of what the bundle was made of, with what its making found out. */
function contentOf(bundle: BundleToMake, made: BundleMade): string {
  if (made.judged.length === 0) return bundle.contentSha256;
  const found = new Map(made.judged.map((judgement) => [judgement.sha256, judgement]));
  return contentDigest(
    bundle.orders.map((order) => ({
      ...order,
      files: order.files.map((file) => ({ ...file, ...found.get(file.sha256) })),
    })),
  );
}

/**
 * Puts lost or changed files of the standing version back; the same content gives the same bytes. Where it does not,
 * because a part grew over several nights, the program is another by now, or an original is back whose place a page
 * has taken, the next version is made.
 */
export async function restoreBundle(
  context: Context,
  run: VoucherRun,
  bundle: BundleToMake & { standing: BundleRow },
): Promise<void> {
  const { db, settings, log } = context;
  const { key, standing } = bundle;
  const folder = path.join(settings.home, bundleFolder(key));
  const isOnDisk = await isWhole(context, folder, standing);
  if (isOnDisk && !(await lacksOriginals(context, folder))) return;
  const edition = { version: standing.version, madeAt: standing.made_at };
  const { stage, made } = await stageBundle(context, run, bundle, edition);
  const isSame =
    made.manifestSha256 === standing.manifest_sha256 &&
    made.parts.every((part, at) => part.sha256 === standing.parts[at]?.sha256);
  if (!isSame) return makeBundle(context, run, bundle);
  if (isOnDisk) return closeStage(stage);
  await requireLease(db, run.lease);
  await keepChanged(context, folder, standing);
  await takePlace(context, folder, { stage, ...placesOf(made) });
  await markZip(db, key.month);
  log.warn({
    event: 'bundle.restored',
    accountNo: key.accountNo,
    month: key.month,
    version: standing.version,
  });
}

async function isWhole(context: Context, folder: string, standing: BundleRow): Promise<boolean> {
  for (const { name, sha256 } of await filesOfBundle(context, folder, standing)) {
    const file = path.join(folder, name);
    if (sha256 === undefined || (await context.files.size(file)) === undefined) return false;
    if ((await context.files.sha256(file)) !== sha256) return false;
  }
  return true;
}

function placesOf({ parts, kept }: BundleMade): { names: string[]; kept: readonly string[] } {
  return { names: [...parts.map(({ name }) => name), INDEX, MANIFEST], kept };
}

async function stageBundle(
  context: Context,
  { lease }: VoucherRun,
  bundle: BundleToMake,
  edition: Edition,
): Promise<{ stage: string; made: BundleMade }> {
  const { files, settings, profile, db, zone, log } = context;
  const { key, orders } = bundle;
  const { writeBundle } = await import('../../../src/vouchers/bundle/bundle.ts');
  const stage = await openStage(context, path.join(settings.home, bundleFolder(key)), lease);
  const accountName = await nameOfAccount(db, key.accountNo);
  const entries = orders.map(entryOf);
  const standing = bundle.standing?.parts.map(({ path: place, sha256, bytes }) =>
    bytes === undefined ? undefined : { path: path.join(settings.home, place), sha256, bytes },
  );
  const { name: company } = profile.company;
  const locale = settings.reportLocale;
  const made = await writeBundle(
    { company, ...key, accountName, locale, ...edition, folder: stage, entries, standing: standing ?? [] },
    { files, zone, merger: await bundle.merger(), readOriginal: (sha256) => readOriginal(context, sha256) },
  );
  for (const { sha256, status } of made.faults) log.error({ event: 'archive.fault', sha256, result: status });
  return { stage, made };
}

/** Undefined where it is lost: the bundle says so and is made all the same. */
async function readOriginal({ files, settings }: Context, sha256: string): Promise<Uint8Array | undefined> {
  const original = path.join(settings.home, originalPathOf(sha256));
  return (await files.size(original)) === undefined ? undefined : files.read(original);
}

function entryOf(order: BundledOrder): BundleEntry {
  const { number, state: _state, reason, ...facts } = order;
  const outOrderNo = facts.kind === 'deposit' ? '' : number;
  const missingReason = reason === '' ? 'not asked for yet' : reason;
  return { ...facts, outOrderNo, ...(facts.files.length === 0 && { missingReason }) };
}
