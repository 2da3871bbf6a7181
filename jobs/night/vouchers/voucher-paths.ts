/** Where bundles lie below RECON_HOME. */
import path from 'node:path';
import { folderNameOf, zipNameOf } from '../../../src/vouchers/names.ts';
import type { BundleKey } from '../../../src/store/vouchers/voucher-marks.ts';

/** `bundles/2026-03/100001` */
export function bundleFolder({ month, accountNo }: BundleKey): string {
  return path.posix.join('bundles', month, folderNameOf(accountNo));
}

/** What of a path is below RECON_HOME, wherever that was. */
export function placeOfBundle(file: string): string {
  return /bundles\/[^/]+\/[^/]+\/[^/]+$/.exec(file)?.[0] ?? file;
}

/** `bundles/2026-03/vouchers-2026-03.zip` */
export function zipPath(month: string): string {
  return path.posix.join('bundles', month, zipNameOf(month));
}
