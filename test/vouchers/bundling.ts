/** What the tests of bundles share: an archive in memory, entries with their files, and a place to write to. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { diskFiles } from '../../src/core/files.ts';
import { Zone } from '../../src/core/time.ts';
import type { BundleMade } from '../../src/vouchers/bundle/bundle.ts';
import type { BundleWorld, BundleRequest, BundleEntry } from '../../src/vouchers/bundle/bundle-request.ts';
import { writeBundle } from '../../src/vouchers/bundle/bundle.ts';
import type { Merger } from '../../src/vouchers/bundle/merger.ts';
import type { FormerFile } from '../../src/vouchers/pdf/pdf-end.ts';
import { slip } from './slips.ts';

export type BundleFile = BundleEntry['files'][number];

export class MemoryArchive {
  readonly contents = new Map<string, Uint8Array>();

  add(bytes: Uint8Array, more: Partial<BundleFile> = {}): BundleFile {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.contents.set(sha256, bytes);
    return {
      fileNo: 1,
      sha256,
      bytes: BigInt(bytes.byteLength),
      pages: 1,
      condition: 'whole',
      remark: '',
      ...more,
    };
  }

  async addSlip(marker: string, pages = 1, fileNo = 1): Promise<BundleFile> {
    return this.add(await slip({ marker, pages }), { pages, fileNo });
  }
}

/** A deposit of 1,234.56 on 5 March, 11:22:33 in Shanghai. */
export function anEntry(more: Partial<BundleEntry> = {}): BundleEntry {
  return {
    movedAt: '2026-03-05T03:22:33.000Z',
    kind: 'deposit',
    orderNo: 'D1',
    outOrderNo: '',
    orderAccountNo: '100001',
    counterparty: '甲公司',
    counterpartyName: '',
    amountFen: 123_456n,
    files: [],
    ...more,
  };
}

export interface Bundled {
  made: BundleMade;
  folder: string;
  read: (name: string) => Promise<Uint8Array>;
  /** The parts, in order. */
  parts: Uint8Array[];
  index: string;
}

export interface Bundling {
  archive: MemoryArchive;
  entries: readonly BundleEntry[];
  merger?: Merger;
  request?: Partial<BundleRequest>;
  world?: Partial<BundleWorld>;
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-bundle-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function requestOf(folder: string, { entries, request }: Bundling): BundleRequest {
  return {
    company: '示例科技有限公司',
    accountNo: '100001',
    accountName: '示例账户',
    month: '2026-03',
    locale: 'zh-CN',
    madeAt: '2026-04-01T18:03:04.000Z',
    version: 1,
    folder,
    entries,
    ...request,
  };
}

export function worldOf({ archive, merger, world }: Bundling): BundleWorld {
  return {
    files: diskFiles(),
    zone: new Zone('Asia/Shanghai'),
    readOriginal: async (sha256) => archive.contents.get(sha256),
    ...(merger === undefined ? {} : { merger }),
    ...world,
  };
}

export async function bundle(bundling: Bundling): Promise<Bundled> {
  return inFolder(async (folder) => {
    const made = await writeBundle(requestOf(folder, bundling), worldOf(bundling));
    const contents = new Map<string, Uint8Array>();
    for (const file of [...made.parts.map((part) => part.name), 'index.csv', 'manifest.json']) {
      contents.set(file, await readFile(path.join(folder, file)));
    }
    for (const part of made.parts) qpdfCheck(path.join(folder, part.name));
    const read = async (file: string): Promise<Uint8Array> => contents.get(file) ?? new Uint8Array();
    return {
      made,
      folder,
      read,
      parts: made.parts.map((part) => contents.get(part.name) ?? new Uint8Array()),
      index: Buffer.from(contents.get('index.csv') ?? []).toString('utf8'),
    };
  });
}

/** A bundle that is made anew as it grows, each time from the parts that stand. */
export class GrowingBundle {
  readonly folder: string;
  readonly #bundling: Omit<Bundling, 'entries'>;
  #standing: readonly FormerFile[] = [];
  #version = 0;

  constructor(folder: string, bundling: Omit<Bundling, 'entries'>) {
    this.folder = folder;
    this.#bundling = bundling;
  }

  /** Writes the next version and puts it in the place of the former one. */
  async next(entries: readonly BundleEntry[], request: Partial<BundleRequest> = {}): Promise<BundleMade> {
    const stage = path.join(this.folder, '.next');
    await mkdir(stage, { recursive: true });
    const [version, standing] = [(this.#version += 1), this.#standing];
    const edition = { ...this.#bundling.request, ...request, version, standing };
    const bundling = { ...this.#bundling, entries, request: edition };
    const made = await writeBundle(requestOf(stage, bundling), worldOf(bundling));
    for (const { name } of made.parts) {
      if (!made.kept.includes(name)) await rename(path.join(stage, name), path.join(this.folder, name));
      qpdfCheck(path.join(this.folder, name));
    }
    await rename(path.join(stage, 'index.csv'), path.join(this.folder, 'index.csv'));
    this.#standing = made.parts.map(({ name, bytes, sha256 }) => ({
      path: path.join(this.folder, name),
      bytes,
      sha256,
    }));
    return made;
  }

  read(name: string): Promise<Buffer> {
    return readFile(path.join(this.folder, name));
  }

  /** Puts another content in the place of a part, and on record. */
  async replace(name: string, change: (part: Buffer) => Buffer): Promise<void> {
    const file = path.join(this.folder, name);
    const bytes = change(await readFile(file));
    await writeFile(file, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#standing = this.#standing.map((part) =>
      part.path === file ? { path: file, bytes: bytes.byteLength, sha256 } : part,
    );
  }
}

/** Fails on the first complaint or warning; says nothing where there is no qpdf. */
function qpdfCheck(file: string): void {
  try {
    execFileSync('qpdf', ['--check', file], { stdio: 'pipe' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
}
