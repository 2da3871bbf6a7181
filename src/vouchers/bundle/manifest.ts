/**
 * manifest.json of a bundle: the digests of all originals, of the index and of the parts. Nothing in it refers to
 * itself: the cover carries the digest of the list of originals only, and the manifest, made last, that list and the
 * digests of the finished parts.
 */
import { createHash } from 'node:crypto';

import { jsonText } from '../../core/json.ts';
import type { Instant } from '../../core/time.ts';
import type { PlannedOrder } from './bundle-plan.ts';
import { originalPathOf } from '../names.ts';

/**
 * The list of originals, line by line, as `sha256sum -c` reads it in the home folder or in the unpacked zip of the month;
 * a remark before each file says whose it is, and in place of one that it is missing.
 */
export function originalsList(orders: readonly PlannedOrder[]): string[] {
  return orders.flatMap((order) => {
    const number = order.kind === 'deposit' ? order.orderNo : order.outOrderNo;
    const whose = `# ${order.no} ${JSON.stringify([order.orderAccountNo, order.kind, number])}`;
    return order.slots.flatMap(({ fileNo, sha256, status }) =>
      fileNo === 0 || status === 'rejected'
        ? [`${whose} ${fileNo === 0 ? 'missing' : `file ${fileNo} ${status}`}`]
        : [`${whose} file ${fileNo}`, `${sha256}  ${originalPathOf(sha256)}`],
    );
  });
}

/** The digest on the cover: of the list's lines, each ended by a line feed. */
export function originalsDigest(list: readonly string[]): string {
  return createHash('sha256')
    .update(list.map((line) => `${line}\n`).join(''), 'utf8')
    .digest('hex');
}

export interface ManifestPart {
  name: string;
  sha256: string;
  bytes: number;
  pages: number;
  files: number;
  /** Numbers of the orders it holds, as in index.csv. */
  firstNo: number;
  lastNo: number;
}

export interface Manifest {
  company: string;
  accountNo: string;
  accountName: string;
  month: string;
  version: number;
  madeAt: Instant;
  pages: number;
  /** Originals; an original that serves two orders counts twice. */
  files: number;
  /** Orders without a file. */
  missing: number;
  parts: readonly ManifestPart[];
  index: { name: string; sha256: string; bytes: number };
  originals: { sha256: string; list: readonly string[] };
  /** Originals the archive no longer has as they were. */
  faults: readonly { no: number; sha256: string; status: string; remark: string }[];
}

export function manifestText(manifest: Manifest): string {
  return `${jsonText({ schema: 1, ...manifest }, 2)}\n`;
}
