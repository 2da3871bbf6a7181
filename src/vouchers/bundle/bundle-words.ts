/** The words of a bundle's own pages; one file of them per language. */
import type { VoucherKind } from '../../store/schema/schema-vouchers.ts';
import type { NumberLabel } from '../pdf/page-number.ts';

export type BundleLocale = 'zh-CN' | 'en';

/**
 * What became of a file: merged, or why a page stands for it. missing: the platform gave none; lost, changed: the
 * archive no longer has the original, or has another content under its name.
 */
export type FileStatus =
  'merged' | 'missing' | 'encrypted' | 'damaged' | 'hostile' | 'rejected' | 'lost' | 'changed';

export interface BundleWords {
  language: string;
  title: string;
  cover: string;
  index: string;
  company: string;
  account: string;
  accountName: string;
  period: string;
  part: string;
  partOf: (of: { part: number; isLast: boolean; firstNo: number; lastNo: number }) => string;
  /** On the cover of a part that is not the last. */
  ofThisPart: string;
  version: string;
  madeAt: string;
  totals: string;
  kind: string;
  orders: string;
  files: string;
  merged: string;
  standIns: string;
  missing: string;
  amountYuan: string;
  total: string;
  digest: string;
  notes: readonly string[];
  number: string;
  time: string;
  orderNo: string;
  outOrderNo: string;
  orderAccount: string;
  counterparty: string;
  page: string;
  status: string;
  reason: string;
  original: string;
  originalKept: string;
  fileOf: (of: { fileNo: number; files: number }) => string;
  standsFor: string;
  empty: string;
  pageOf: (of: { page: number; pages: number }) => string;
  /** What stands on a slip before and after the number of its page. */
  slipPage: NumberLabel;
  kinds: Readonly<Record<VoucherKind, string>>;
  /** Short, for the index; a merged file needs no word. */
  statuses: Readonly<Record<FileStatus, string>>;
  /** As the head of the page that stands for the file. */
  headings: Readonly<Record<FileStatus, string>>;
  /** Remarks of the check, recognised by their form; what is not listed is shown as it is. */
  remarks: readonly (readonly [RegExp, string])[];
}

/** A remark in the language of the bundle. */
export function remarkText(words: BundleWords, remark: string): string {
  for (const [form, translation] of words.remarks) {
    if (form.test(remark)) return remark.replace(form, translation);
  }
  return remark;
}

/** Every text a bundle may print whatever it holds, so that its font has the characters. */
export function fixedTexts(words: BundleWords): string[] {
  const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');
  const plain = Object.values(words).filter((value): value is string => typeof value === 'string');
  const groups = [words.kinds, words.statuses, words.headings].flatMap((group) => Object.values(group));
  const made = [
    words.partOf({ part: 1, isLast: false, firstNo: 1, lastNo: 2 }),
    words.partOf({ part: 2, isLast: true, firstNo: 3, lastNo: 4 }),
    words.fileOf({ fileNo: 1, files: 2 }),
    words.pageOf({ page: 1, pages: 2 }),
  ];
  const remarks = words.remarks.map(([, translation]) => translation);
  return [ascii, '—·', ...plain, ...groups, ...made, ...words.slipPage, ...words.notes, ...remarks];
}
