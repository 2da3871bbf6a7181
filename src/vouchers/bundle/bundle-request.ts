/** What a bundle is made of. */
import type { Instant, Zone } from '../../core/time.ts';
import type { Fen } from '../../core/fen.ts';
import type { VoucherCondition, VoucherKind } from '../../store/schema/schema-vouchers.ts';
import type { BundleLocale } from './bundle-words.ts';
import type { Files } from '../../core/ports.ts';
import type { Merger } from './merger.ts';
import type { FormerFile } from '../pdf/pdf-end.ts';

export interface BundleFile {
  fileNo: number;
  sha256: string;
  bytes: bigint;
  pages: number | null;
  condition: VoucherCondition;
  remark: string;
}

export interface BundleEntry {
  movedAt: Instant;
  kind: VoucherKind;
  /** The platform's number, and the company's; one of them may be empty. */
  orderNo: string;
  outOrderNo: string;
  /** Whose the order is, where the bundle is the other party's. */
  orderAccountNo: string;
  counterparty: string;
  /** Of an account of the company's; empty for anybody else. */
  counterpartyName: string;
  amountFen: Fen | null;
  files: readonly BundleFile[];
  /** Why there is no file; for people. */
  missingReason?: string;
}

export interface BundleRequest {
  company: string;
  accountNo: string;
  accountName: string;
  /** `2026-03`, service time. */
  month: string;
  locale: BundleLocale;
  madeAt: Instant;
  version: number;
  /** Where the files are written; it is there. */
  folder: string;
  /** In the order of the bundle. */
  entries: readonly BundleEntry[];
  /** Parts of the version that stands, in order, by which what they hold need not be merged again. */
  standing?: readonly (FormerFile | undefined)[];
  /** Files of a part at most; an order is never cut in two. */
  filesPerPart?: number;
}

export interface BundleWorld {
  files: Files;
  zone: Zone;
  /** Undefined where the archive has no such file any more; that is said in the bundle and does not stop it. */
  readOriginal: (sha256: string) => Promise<Uint8Array | undefined>;
  /** Serves many bundles; without it one is started for this bundle alone. */
  merger?: Merger;
}
