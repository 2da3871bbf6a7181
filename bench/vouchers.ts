/**
 * Merging vouchers of 30–60 KB, ours against `qpdf --empty --pages`, each in a process of its own on the same files,
 * medians of three; and the same files brought by thirty nights against one bundle at their end. Ours does more: it reads each original against its digest, draws cover, index and bookmarks, cuts
 * the fonts and writes index and manifest.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cpuOf, peakOf } from './process-figures.ts';
import type { BundleFigures } from './voucher-bundle.ts';
import { writeVouchers } from './voucher-files.ts';
import type { VoucherFile } from './voucher-files.ts';

const run = promisify(execFile);
const ROUNDS = 3;
const NIGHTS = 30;

type Figures = Pick<BundleFigures, 'ms' | 'cpuMs' | 'peakMb' | 'bytes'>;

/** What was measured one after the other, so that a busy machine is busy for all. */
interface Round {
  parts: Figures;
  whole: Figures | undefined;
  peer: Figures | undefined;
  month: BundleFigures;
}

/** One line a merger and one for the goal. */
export async function benchVouchers(count: number): Promise<string[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-bench-vouchers-'));
  try {
    const files = await writeVouchers(path.join(folder, 'originals'), count);
    const list = path.join(folder, 'list.json');
    await writeFile(list, JSON.stringify(files));
    const has = await hasQpdf();
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        parts: await ours(folder, list),
        whole: count > 2_000 ? await ours(folder, list, { filesPerPart: count }) : undefined,
        peer: has ? await qpdf(folder, files) : undefined,
        month: await ours(folder, list, { nights: NIGHTS }),
      });
    }
    const [inParts, inOne, peer] = [
      median(rounds.map(({ parts }) => parts)),
      median(rounds.map(({ whole }) => whole)),
      median(rounds.map(({ peer }) => peer)),
    ];
    const originalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const month = rounds[0]?.month;
    const monthCpu = median(rounds.map((round) => round.month))?.cpuMs ?? Number.NaN;
    return [
      `${count} vouchers, ${megabytes(originalBytes)} in all; medians of ${ROUNDS}`,
      ...(inParts === undefined ? [] : [line('recon, parts of 2,000', inParts)]),
      ...(inOne === undefined ? [] : [line('recon, one part', inOne)]),
      peer === undefined ? '  qpdf: not installed' : line('qpdf --empty --pages', peer),
      ...(peer === undefined || inParts === undefined ? [] : [goal(inOne ?? inParts, peer)]),
      ...(month === undefined || inParts === undefined
        ? []
        : monthLines(month, { originalBytes, atOnce: inParts, monthCpu })),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ours(
  folder: string,
  list: string,
  { filesPerPart = 2_000, nights = 1 } = {},
): Promise<BundleFigures> {
  const target = path.join(folder, 'bundle');
  await rm(target, { recursive: true, force: true });
  await mkdir(target);
  const script = path.join(import.meta.dirname, 'voucher-bundle.ts');
  const options = [list, target, String(filesPerPart), String(nights)];
  // As `recon` itself starts: what was compiled once is kept.
  const env = { ...process.env, NODE_COMPILE_CACHE: path.join(folder, 'compiled') };
  const { stdout } = await run(process.execPath, [script, ...options], { env });
  return JSON.parse(stdout) as BundleFigures;
}

async function hasQpdf(): Promise<boolean> {
  try {
    await run('qpdf', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** Its peak memory and its CPU are what the kernel has noted, looked at while it runs. */
async function qpdf(folder: string, files: readonly VoucherFile[]): Promise<Figures> {
  const target = path.join(folder, 'qpdf.pdf');
  const started = performance.now();
  const child = spawn('qpdf', ['--empty', '--pages', ...files.map((file) => file.path), '--', target]);
  const exit = once(child, 'exit');
  let [peakMb, cpuMs] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    peakMb = Math.max(peakMb, await peakOf(String(child.pid)));
    cpuMs = Math.max(cpuMs, await cpuOf(String(child.pid)));
    await Promise.race([exit, sleep(20)]);
  }
  const ms = performance.now() - started;
  if (child.exitCode !== 0) throw new Error(`qpdf ended with ${child.exitCode ?? child.signalCode}`);
  return { ms, cpuMs, peakMb, bytes: (await stat(target)).size };
}

/** Of each figure for itself; undefined where nothing was measured. */
function median(measured: readonly (Figures | undefined)[]): Figures | undefined {
  const rounds = measured.filter((figures) => figures !== undefined);
  if (rounds.length === 0) return undefined;
  const middle = (of: (figures: Figures) => number): number =>
    rounds.map(of).toSorted((one, other) => one - other)[Math.floor(rounds.length / 2)] ?? Number.NaN;
  return {
    ms: middle(({ ms }) => ms),
    cpuMs: middle(({ cpuMs }) => cpuMs),
    peakMb: middle(({ peakMb }) => peakMb),
    bytes: middle(({ bytes }) => bytes),
  };
}

function line(merger: string, { ms, cpuMs, peakMb, bytes }: Figures): string {
  return `  ${merger}: ${seconds(ms)}, CPU ${seconds(cpuMs)}, peak ${Math.round(peakMb)} MB, ${megabytes(bytes)}`;
}

function goal(mine: Figures, peer: Figures): string {
  const [cpu, size] = [mine.cpuMs / peer.cpuMs, mine.bytes / peer.bytes];
  return `  ratio CPU ${cpu.toFixed(2)} (goal ≤ 1), size ${size.toFixed(2)} (goal ≤ 0.5)`;
}

/** What thirty nights merge and keep: of the originals, which lie in the archive, and of one bundle at their end. */
function monthLines(
  { merged, diskBytes }: BundleFigures,
  of: { originalBytes: number; atOnce: Figures; monthCpu: number },
): string[] {
  const { originalBytes, atOnce, monthCpu } = of;
  const [pages, most] = [merged.reduce((sum, night) => sum + night, 0), Math.max(...merged)];
  const limit = 1.5 * originalBytes + atOnce.bytes;
  const disk = originalBytes + diskBytes;
  return [
    `  ${NIGHTS} nights: ${pages} pages merged, at most ${most} a night; CPU ${seconds(monthCpu)} in one process`,
    `  disk ${megabytes(disk)}: ${(disk / limit).toFixed(2)} of 1.5 × originals + one bundle (goal ≤ 1)`,
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
