/** How vouchers are planned (CTL): when an order's are there, how many and how long, and what is wrong with them. */
import { z } from 'zod';

import { number } from '../world/seed-schema.ts';

/** What is given instead of honest slips, and what it is, for the table of the control surface. */
export const VOUCHER_NOTES = {
  slip: 'the honest slip',
  empty_list: '`fileList` without an element (P18)',
  null_list: '`fileList` null',
  no_file: 'an element without `file`',
  file_number: '`file` a number instead of a text',
  data_uri: 'a prefix `data:application/pdf;base64,` (U51)',
  line_breaks: 'Base64 in lines of 76, as MIME has it',
  url_safe: 'Base64 in the alphabet of URLs, without padding',
  bad_base64: 'Base64 with foreign characters within (I8)',
  zero_bytes: 'an empty file',
  html: 'an error page instead of a PDF',
  truncated: 'the first half of the slip',
  no_end: 'the slip without `%%EOF`',
  leading_junk: 'two thousand bytes before the slip',
  trailing_junk: 'two thousand bytes behind the slip',
  oversize: 'a slip that is blown up to `bytes`',
  encrypted: 'needs a password (I7)',
  no_pages: 'a PDF whose page tree is empty',
  page_cycle: 'a page tree that holds itself',
  page_tree_bomb: 'a page tree of 40 levels, each holding the next twice: a walk that never ends',
  many_objects: 'so many small objects that parsing is slow, `bytes` in all',
  huge_page_count: '10,000 pages',
  stated_page_count: 'one page that says it is two billion',
  wrong_offsets: 'a table of objects that points nowhere; readers can repair it',
  deep_nesting: 'an array of 50,000 levels',
  object_stream_bomb: 'an object stream that unpacks to `bytes`',
  javascript: 'a slip that runs JavaScript when it is opened',
  launch: 'a slip that starts a program',
  embedded_file: 'a slip with a file in it',
  wrong_order: 'the honest slip of the order `of`, or of one nobody knows',
  same_bytes: 'the same file for every order',
} as const;

export type VoucherKind = keyof typeof VOUCHER_NOTES;

const KINDS = Object.keys(VOUCHER_NOTES) as [VoucherKind, ...VoucherKind[]];

const delayMs = z
  .int()
  .min(0)
  .max(366 * 86_400_000);
const FILES_MAX = 100;
const PAGES_MAX = 1_000;

export const voucherSchema = z.strictObject({
  /** The company's number of the order, or the platform's; without it any order. */
  number: number.optional(),
  transType: z.enum(['1', '2', '3']).optional(),
  /** How many answers it decides; null: all. Refusals as not ready use up none. */
  times: z.int().min(1).max(1_000_000).nullable().default(null),
  /** Instead of the switches of the same names. */
  notReady: z.int().min(0).max(1_000_000).optional(),
  delayMs: delayMs.optional(),
  files: z.int().min(1).max(FILES_MAX).optional(),
  pages: z.int().min(1).max(PAGES_MAX).optional(),
  as: z.enum(KINDS).default('slip'),
  /** Which of several files is so, from 1; by default all. */
  fileNo: z.int().min(1).max(FILES_MAX).optional(),
  /** Whose slip is given as `wrong_order`. */
  of: number.optional(),
  bytes: z.int().min(1_000).max(2_000_000_000).optional(),
});

export type VoucherSeed = z.input<typeof voucherSchema>;
export type PlannedVoucher = z.output<typeof voucherSchema>;

/** The switches of vouchers. */
export const voucherSwitches = {
  /** U51: the first so many asks for an order are refused as not generated yet. */
  voucherNotReady: z.int().min(0).max(1_000_000),
  /** U51: a voucher is there that long after its order became final. */
  voucherDelayMs: delayMs,
  /** U51: files of an order. */
  voucherFiles: z.int().min(1).max(FILES_MAX),
  /** Which slips have a page of details: of orders with a fee, all, none. */
  voucherDetails: z.enum(['fees', 'all', 'none']),
  /** U51: whether an automatic withdrawal has a voucher of type 2 under the number of its transfer order. */
  autoWithdrawVoucher: z.enum(['given', 'refused']),
  /** VCH-02: the company's number beside that of a deposit. */
  depositOutOrderNo: z.enum(['refuse', 'ignore']),
  /** VCH-06: `fileList` as an array or as a JSON text. */
  fileListAs: z.enum(['array', 'string']),
};

export type VoucherSwitches = z.output<z.ZodObject<typeof voucherSwitches>>;

export const DEFAULT_VOUCHER_SWITCHES: VoucherSwitches = {
  voucherNotReady: 0,
  voucherDelayMs: 0,
  voucherFiles: 1,
  voucherDetails: 'fees',
  autoWithdrawVoucher: 'given',
  depositOutOrderNo: 'refuse',
  fileListAs: 'array',
};

/** The kinds of vouchers as a Markdown table, for docs/sandbox.md. */
export function voucherTable(): string {
  const rows = Object.entries(VOUCHER_NOTES).map(([kind, note]) => `| \`${kind}\` | ${note} |`);
  return ['| voucher | what is given |', '|---|---|', ...rows].join('\n');
}
