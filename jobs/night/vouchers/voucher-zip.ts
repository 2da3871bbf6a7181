/**
 * The zip of a month: the originals of all accounts, and their standing bundles with index and manifest, each under
 * the path it has below RECON_HOME, so that the manifests' lists of originals can be checked in the unpacked zip.
 */
import path from 'node:path';
import { listStandingBundles } from '../../../src/store/vouchers/voucher-bundles.ts';
import { listOriginalsOf } from '../../../src/store/vouchers/voucher-entries.ts';
import { originalPathOf } from '../../../src/vouchers/names.ts';
import type { Context } from '../../context/context.ts';
import { bundleFolder, zipPath } from './voucher-paths.ts';
import { INDEX, MANIFEST } from './voucher-place.ts';

/** The same bundles give the same bytes. A month without a bundle has no zip. @throws Stopped */
export async function writeZip(context: Context, month: string): Promise<void> {
  const { db, files, settings, zone, log } = context;
  const bundles = await listStandingBundles(db, { from: month, to: month });
  const madeAt = bundles
    .map(({ made_at: at }) => at)
    .toSorted()
    .at(-1);
  if (madeAt === undefined) return;
  const originals = (await listOriginalsOf(db, month)).map(originalPathOf);
  const beside = bundles.flatMap((bundle) => {
    const folder = bundleFolder({ accountNo: bundle.account_no, month });
    return [...bundle.parts.map((part) => part.path), `${folder}/${INDEX}`, `${folder}/${MANIFEST}`];
  });
  const entries: { source: string; name: string }[] = [];
  for (const name of [...beside, ...originals]) {
    const source = path.join(settings.home, name);
    // The bundles say which originals are lost; the others are needed all the more.
    if ((await files.size(source)) === undefined)
      log.error({ event: 'archive.fault', path: name, result: 'missing' });
    else entries.push({ source, name });
  }
  const { writeMonthZip } = await import('../../../src/vouchers/bundle/month-zip.ts');
  const place = path.join(settings.home, zipPath(month));
  await files.makeFolder(path.dirname(place));
  await writeMonthZip(files, { path: place, madeAt, zone, entries });
  log.info({ event: 'zip.made', month, files: entries.length });
}
