/** Our side of the voucher benchmark: a bundle, with all that belongs to it, of the files of that list, night by night. */
import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';

import { diskFiles } from '../src/core/files.ts';
import { Zone } from '../src/core/time.ts';
import { INDEX_NAME, MANIFEST_NAME, writeBundle } from '../src/vouchers/bundle/bundle.ts';
import type { BundleMade } from '../src/vouchers/bundle/bundle.ts';
import type { BundleEntry } from '../src/vouchers/bundle/bundle-request.ts';
import { openMerger } from '../src/vouchers/bundle/merger.ts';
import type { FormerFile } from '../src/vouchers/pdf/pdf-end.ts';
import { cpuOf, peakOf } from './process-figures.ts';
import type { VoucherFile } from './voucher-files.ts';

export interface BundleFigures {
  ms: number;
  cpuMs: number;
  peakMb: number;
  /** Of the bundle, and of all that lies beside it. */
  bytes: number;
  diskBytes: number;
  /** Pages of originals that each night merged. */
  merged: number[];
}

const [, , list = '', folder = '', filesPerPart = '2000', nightsText = '1'] = process.argv;
const nights = Number.parseInt(nightsText, 10);
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
  counterpartyName: '',
  amountFen: BigInt(100 + n * 7),
  files: [{ fileNo: 1, sha256, bytes: BigInt(bytes), pages: 1, condition: 'whole', remark: '' }],
}));
const started = performance.now();
const merger = openMerger();
const merged: number[] = [];
let standing: readonly FormerFile[] = [];
for (let night = 1; night <= nights; night += 1) {
  const made = await makeNight(night);
  merged.push(made.merged);
  standing = made.parts.map(({ name, bytes, sha256 }) => ({ path: path.join(folder, name), bytes, sha256 }));
}
const peakMb = (await peakOf('self')) + (await peakOf(await mergingProcess()));
await merger.close();
const figures: BundleFigures = {
  ms: performance.now() - started,
  cpuMs: await cpuOf('self'),
  peakMb,
  bytes: standing.reduce((sum, part) => sum + part.bytes, 0),
  diskBytes: await bytesBelow(folder),
  merged,
};
process.stdout.write(JSON.stringify(figures));

async function mergingProcess(): Promise<string> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  return children.trim();
}

/** As many vouchers each night; what was made takes its place, former indexes and manifests stay, as the job does it. */
async function makeNight(night: number): Promise<BundleMade> {
  const stage = path.join(folder, '.next');
  await mkdir(stage, { recursive: true });
  const made = await writeBundle(
    {
      company: '示例科技有限公司',
      accountNo: '100001',
      accountName: '示例账户',
      month: '2026-03',
      locale: 'zh-CN',
      madeAt: '2026-04-01T18:00:00.000Z',
      version: night,
      folder: stage,
      entries: entries.slice(0, Math.round((entries.length * night) / nights)),
      standing,
      filesPerPart: Number.parseInt(filesPerPart, 10),
    },
    {
      files,
      zone: new Zone('Asia/Shanghai'),
      merger,
      readOriginal: (sha256) => files.read(pathOf.get(sha256) ?? ''),
    },
  );
  const former = path.join(folder, `v${night - 1}`);
  await mkdir(former);
  for (const name of night === 1 ? [] : [INDEX_NAME, MANIFEST_NAME]) {
    await rename(path.join(folder, name), path.join(former, name));
  }
  for (const name of await readdir(stage)) await rename(path.join(stage, name), path.join(folder, name));
  return made;
}

async function bytesBelow(root: string): Promise<number> {
  const entriesBelow = await readdir(root, { recursive: true, withFileTypes: true });
  const sizes = entriesBelow
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
