/**
 * Merging vouchers of 30–60 KB, ours against `qpdf --empty --pages`, each in a process of its own on the same files,
 * medians of three. Ours does more: it reads each original against its digest, draws cover, index and bookmarks, cuts
 * the fonts and writes index and manifest.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { writeVouchers } from './voucher-files.ts';
import type { VoucherFile } from './voucher-files.ts';

const run = promisify(execFile);
const ROUNDS = 3;

interface Figures {
  ms: number;
  peakMb: number;
  bytes: number;
}

/** What was measured one after the other, so that a busy machine is busy for all. */
interface Round {
  parts: Figures;
  whole: Figures | undefined;
  peer: Figures | undefined;
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
        parts: await ours(folder, list, 2_000),
        whole: count > 2_000 ? await ours(folder, list, count) : undefined,
        peer: has ? await qpdf(folder, files) : undefined,
      });
    }
    const [inParts, inOne, peer] = [
      median(rounds.map(({ parts }) => parts)),
      median(rounds.map(({ whole }) => whole)),
      median(rounds.map(({ peer }) => peer)),
    ];
    return [
      `${count} vouchers, ${megabytes(files.reduce((sum, { bytes }) => sum + bytes, 0))} in all; medians of ${ROUNDS}`,
      ...(inParts === undefined ? [] : [line('recon, parts of 2,000', inParts)]),
      ...(inOne === undefined ? [] : [line('recon, one part', inOne)]),
      peer === undefined ? '  qpdf: not installed' : line('qpdf --empty --pages', peer),
      ...(peer === undefined || inParts === undefined ? [] : [goal(inOne ?? inParts, peer)]),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ours(folder: string, list: string, filesPerPart: number): Promise<Figures> {
  const target = path.join(folder, 'bundle');
  await rm(target, { recursive: true, force: true });
  await mkdir(target);
  const script = path.join(import.meta.dirname, 'voucher-bundle.ts');
  const { stdout } = await run(process.execPath, [script, list, target, String(filesPerPart)]);
  return JSON.parse(stdout) as Figures;
}

async function hasQpdf(): Promise<boolean> {
  try {
    await run('qpdf', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** Its peak memory is what the kernel has noted, looked at while it runs. */
async function qpdf(folder: string, files: readonly VoucherFile[]): Promise<Figures> {
  const target = path.join(folder, 'qpdf.pdf');
  const started = performance.now();
  const child = spawn('qpdf', ['--empty', '--pages', ...files.map((file) => file.path), '--', target]);
  const exit = once(child, 'exit');
  let peakMb = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peakMb = Math.max(peakMb, await peakOf(child.pid ?? 0));
    await Promise.race([exit, sleep(20)]);
  }
  const ms = performance.now() - started;
  if (child.exitCode !== 0) throw new Error(`qpdf ended with ${child.exitCode ?? child.signalCode}`);
  return { ms, peakMb, bytes: (await stat(target)).size };
}

async function peakOf(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number.parseInt(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? '0', 10) / 1_024;
  } catch {
    return 0;
  }
}

/** Of each figure for itself; undefined where nothing was measured. */
function median(measured: readonly (Figures | undefined)[]): Figures | undefined {
  const rounds = measured.filter((figures) => figures !== undefined);
  if (rounds.length === 0) return undefined;
  const middle = (of: (figures: Figures) => number): number =>
    rounds.map(of).toSorted((one, other) => one - other)[Math.floor(rounds.length / 2)] ?? Number.NaN;
  return {
    ms: middle(({ ms }) => ms),
    peakMb: middle(({ peakMb }) => peakMb),
    bytes: middle(({ bytes }) => bytes),
  };
}

function line(merger: string, { ms, peakMb, bytes }: Figures): string {
  return `  ${merger}: ${(ms / 1_000).toFixed(1)} s, peak ${Math.round(peakMb)} MB, ${megabytes(bytes)}`;
}

function goal(mine: Figures, peer: Figures): string {
  const [time, size] = [mine.ms / peer.ms, mine.bytes / peer.bytes];
  return `  ratio time ${time.toFixed(2)} (goal ≤ 1), size ${size.toFixed(2)} (goal ≤ 0.5)`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
