/** Our side of the voucher benchmark: one bundle, with all that belongs to it, of the files of that list. */
import { readFile } from 'node:fs/promises';

import { diskFiles } from '../src/core/files.ts';
import { Zone } from '../src/core/time.ts';
import { writeBundle } from '../src/vouchers/bundle/bundle.ts';
import type { BundleEntry } from '../src/vouchers/bundle/bundle-request.ts';
import type { VoucherFile } from './voucher-files.ts';

const [, , list = '', folder = '', filesPerPart = '2000'] = process.argv;
const vouchers = JSON.parse(await readFile(list, 'utf8')) as VoucherFile[];
const files = diskFiles();
const pathOf = new Map(vouchers.map((voucher) => [voucher.sha256, voucher.path]));
const entries = vouchers.map(({ sha256, bytes }, n): BundleEntry => ({
  movedAt: '2026-03-01T16:00:00.000Z',
  kind: n % 3 === 0 ? 'transfer' : 'deposit',
  orderNo: `P2026030100${1_000_000 + n}`,
  outOrderNo: `OUT${n}`,
  orderAccountNo: '100001',
  counterparty: `客户${n % 700}有限公司`,
  amountFen: BigInt(100 + n * 7),
  files: [{ fileNo: 1, sha256, bytes: BigInt(bytes), pages: 1, condition: 'whole', remark: '' }],
}));
const started = performance.now();
const made = await writeBundle(
  {
    company: '示例科技有限公司',
    accountNo: '100001',
    accountName: '示例账户',
    month: '2026-03',
    locale: 'zh-CN',
    madeAt: '2026-04-01T18:00:00.000Z',
    version: 1,
    folder,
    entries,
    filesPerPart: Number.parseInt(filesPerPart, 10),
  },
  {
    files,
    zone: new Zone('Asia/Shanghai'),
    readOriginal: (sha256) => files.read(pathOf.get(sha256) ?? ''),
  },
);
const figures = {
  ms: performance.now() - started,
  peakMb: process.resourceUsage().maxRSS / 1_024,
  bytes: made.parts.reduce((sum, part) => sum + part.bytes, 0),
};
process.stdout.write(JSON.stringify(figures));
