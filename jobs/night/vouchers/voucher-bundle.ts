/**
 * Makes the bundles that changed: one of each account and month, the payee's too where it is the company's account,
 * then the zip of each month that is over. A bundle is looked at because it was marked when an order of it changed, and made when
 * its content is another; the former version stays beside it (docs/architecture.md 5.7, VCH-09).
 */
import path from 'node:path';
import { Stopped } from '../../../src/core/errors.ts';
import { requireLease } from '../../../src/store/database/leases.ts';
import { findStandingBundle } from '../../../src/store/vouchers/voucher-bundles.ts';
import type { BundleRow } from '../../../src/store/vouchers/voucher-bundles.ts';
import {
  contentDigest,
  listBundleKeys,
  listBundledOrders,
} from '../../../src/store/vouchers/voucher-entries.ts';
import type { BundledOrder } from '../../../src/store/vouchers/voucher-entries.ts';
import {
  listMarkedBundles,
  listMarkedZips,
  unmarkBundle,
  unmarkZip,
} from '../../../src/store/vouchers/voucher-marks.ts';
import type { BundleKey, BundleMark } from '../../../src/store/vouchers/voucher-marks.ts';
import type { Merger } from '../../../src/vouchers/bundle/merger.ts';
import type { Context } from '../../context/context.ts';
import { makeBundle, restoreBundle } from './voucher-make.ts';
import { zipPath } from './voucher-paths.ts';
import type { VoucherRun } from './voucher-run.ts';
import { writeZip } from './voucher-zip.ts';

const EVERY_MONTH = { from: '0000-00', to: '9999-12' };

/** What a disk says of one file; what it says of itself stops them all. */
const OF_ONE_FILE: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EIO', 'EISDIR', 'ENOTDIR']);

function isOfOneFile(error: unknown): error is Stopped {
  return error instanceof Stopped && OF_ONE_FILE.has(error.facts['code']);
}

/**
 * Resumable at any point: a mark goes only with the bundle that it asks for. A file that cannot be read or replaced
 * costs its own bundle, and the zip of its month.
 * @throws Stopped naming the bundles that could not be made, once all others are; and where nothing can be written
 */
export async function bundleVouchers(context: Context, run: VoucherRun): Promise<void> {
  const { db, log } = context;
  const asked = await bundlesToLookAt(context, run);
  const progress = context.progress('bundles');
  progress.total(asked.length);
  const merging = lazyMerger();
  const unmade: { key: BundleKey; why: string }[] = [];
  try {
    for (const { key, mark } of asked) {
      context.signal.throwIfAborted();
      try {
        await bundleOne(context, run, { key, mark, merger: () => merging.open() });
      } catch (error) {
        if (!isOfOneFile(error)) throw error;
        unmade.push({ key, why: error.message });
        log.error({ event: 'bundle.unmade', accountNo: key.accountNo, month: key.month, ...error.facts });
      }
      progress.step();
    }
  } finally {
    await merging.close();
    progress.done();
  }
  for (const month of await zipsToWrite(context, run, asked)) {
    if (unmade.some(({ key }) => key.month === month)) continue;
    context.signal.throwIfAborted();
    await requireLease(db, run.lease);
    await writeZip(context, month);
    await unmarkZip(db, month);
  }
  if (unmade.length === 0) return;
  const named = unmade.map(({ key, why }) => `${key.month} of ${key.accountNo}: ${why}`);
  throw new Stopped(`${unmade.length} of ${asked.length} bundles were not made. ${named.join('; ')}`);
}

/** The libraries that write PDFs are heavy, and most nights of most accounts need none. */
function lazyMerger(): { open(): Promise<Merger>; close(): Promise<void> } {
  let opened: Promise<Merger> | undefined;
  const openNow = async (): Promise<Merger> =>
    (await import('../../../src/vouchers/bundle/merger.ts')).openMerger();
  return {
    open: () => (opened ??= openNow()),
    close: async () => (await opened)?.close(),
  };
}

/**
 * Months that are over and of which a bundle changed; where every bundle is looked at, those that are lost as well. A
 * running month's would be written anew each night: it keeps its mark until then.
 */
async function zipsToWrite(
  { db, files, settings }: Context,
  run: VoucherRun,
  asked: readonly ToLookAt[],
): Promise<string[]> {
  const months = new Set(await listMarkedZips(db));
  if (run.isEveryBundle === true) {
    for (const month of new Set(asked.map(({ key }) => key.month))) {
      if ((await files.size(path.join(settings.home, zipPath(month)))) === undefined) months.add(month);
    }
  }
  return [...months].filter((month) => month < run.today.slice(0, month.length));
}

interface ToLookAt {
  key: BundleKey;
  mark: BundleMark | undefined;
}

/** Those that are marked; all of the months where every one is to be looked at. */
async function bundlesToLookAt({ db }: Context, run: VoucherRun): Promise<ToLookAt[]> {
  const months = run.window ? { from: run.window.fromMonth, to: run.window.toMonth } : EVERY_MONTH;
  const marks = await listMarkedBundles(db, months);
  if (run.isEveryBundle !== true) return marks.map((mark) => ({ key: mark, mark }));
  const byKey = new Map(marks.map((mark) => [keyText(mark), mark]));
  const keys = await listBundleKeys(db, months);
  return keys.map((key) => ({ key, mark: byKey.get(keyText(key)) }));
}

function keyText({ month, accountNo }: BundleKey): string {
  return `${month} ${accountNo}`;
}

async function bundleOne(
  context: Context,
  run: VoucherRun,
  { key, mark, merger }: ToLookAt & { merger: () => Promise<Merger> },
): Promise<void> {
  const { db, profile } = context;
  const orders = await listBundledOrders(db, key, profile.vouchers.kinds);
  const standing = await findStandingBundle(db, key);
  if (isWorthMaking(orders)) {
    const request = { key, orders, contentSha256: contentDigest(orders), standing, mark, merger };
    if (isMade(standing, request.contentSha256)) {
      if (run.isEveryBundle === true) await restoreBundle(context, run, { ...request, standing });
    } else return makeBundle(context, run, request);
  }
  if (mark !== undefined) await unmarkBundle(db, mark);
}

function isMade(standing: BundleRow | undefined, contentSha256: string): standing is BundleRow {
  return standing?.content_sha256 === contentSha256;
}

/** As long as nothing was asked for with success or for the last time, there is nothing to be put together. */
function isWorthMaking(orders: readonly BundledOrder[]): boolean {
  return orders.some(({ state }) => state !== 'due');
}
