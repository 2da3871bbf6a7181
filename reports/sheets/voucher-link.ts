/** Links to originals and bundles, and what stands in place of one. */
import type { Column } from '../../src/excel/column.ts';
import type { Link } from '../../src/excel/link.ts';
import type { Report } from '../read/report.ts';
import { NOT_FILED } from '../read/read-vouchers.ts';
import type { VoucherOfRecord } from '../read/voucher-orders.ts';

/**
 * From a workbook's folder, `reports/<days>/v<N>/`, to RECON_HOME (docs/architecture.md 5.7), so that links hold when
 * the whole tree is moved.
 */
const HOME = '../../..';

const DIGEST = /^[0-9a-f]{64}$/;

/** To the untouched original in the archive. */
export function originalLink(text: string, sha256: string): Link {
  const isDigest = DIGEST.test(sha256);
  return { text, target: isDigest ? `${HOME}/vouchers/${sha256.slice(0, 2)}/${sha256}.pdf` : undefined };
}

/** To a part of a bundle; the newest version lies there. */
export function bundleLink(text: string, path: string): Link {
  return { text, target: `${HOME}/${path}` };
}

/** The last column of the sheets of deposits and orders; empty where no voucher is wanted or the run archived none. */
export function voucherColumn<R extends VoucherOfRecord>(report: Report): Column<R> {
  return {
    kind: 'link',
    title: report.words.vouchers.column,
    widthMin: 10,
    value: (row) => linkOfRecord(report, row),
  };
}

function linkOfRecord(report: Report, record: VoucherOfRecord): Link | null {
  const w = report.words.vouchers;
  const { voucher_state: state, voucher_files: files, voucher_sha256: sha256, voucher_since: day } = record;
  if (state === null) return null;
  if (files !== null && files > 1) return { text: w.severalFiles(String(files)) };
  if (sha256 !== null) return originalLink(state === 'filed' ? w.original : w.states[state], sha256);
  const isMissing = NOT_FILED.includes(state) && day !== null;
  return { text: isMissing ? w.missingSince({ state: w.states[state], day }) : w.states[state] };
}
