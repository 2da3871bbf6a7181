/**
 * A detail sheet of 12 columns, ours against libxlsxwriter (C) and xlsxwriter (Python), both with constant
 * memory, each in a process of its own on the same rows.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface WriterFigures {
  writer: string;
  /** Undefined where the writer is not installed. */
  ms: number | undefined;
  peakMb: number | undefined;
}

export interface WorkbookFigures {
  rows: number;
  ours: WriterFigures;
  peers: readonly WriterFigures[];
  /** Our time over that of libxlsxwriter; the goal is 0.7. */
  ratio: number | undefined;
}

/** Measures one after the other, so that they do not take the processors from each other. */
export async function benchWorkbook(rows: number): Promise<WorkbookFigures> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-bench-workbook-'));
  try {
    const target = path.join(folder, 'rows.xlsx');
    const ours = await measure('recon', process.execPath, [source('workbook-rows.ts'), String(rows), target]);
    const inC = await measureC(folder, [String(rows), target]);
    const script = [source('workbook-peer.py'), String(rows), target];
    const inPython = await measureFirst('xlsxwriter (Python)', ['/usr/bin/python3', 'python3'], script);
    const ratio = ours.ms !== undefined && inC.ms !== undefined ? ours.ms / inC.ms : undefined;
    return { rows, ours, peers: [inC, inPython], ratio };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function source(name: string): string {
  return path.join(import.meta.dirname, name);
}

/** Each writer prints its own time and peak memory, `{"ms": …, "peakMb": …}`. */
async function measure(writer: string, command: string, args: readonly string[]): Promise<WriterFigures> {
  const { stdout } = await run(command, [...args]);
  const figures = JSON.parse(stdout) as { ms: number; peakMb: number };
  return { writer, ...figures };
}

async function measureC(folder: string, args: readonly string[]): Promise<WriterFigures> {
  const writer = 'libxlsxwriter (C)';
  const program = path.join(folder, 'peer');
  try {
    await run('gcc', ['-O2', '-o', program, source('workbook-peer.c'), '-lxlsxwriter']);
  } catch {
    return { writer, ms: undefined, peakMb: undefined };
  }
  return measure(writer, program, args);
}

/** The first of these commands that has the library. */
async function measureFirst(
  writer: string,
  commands: readonly string[],
  args: readonly string[],
): Promise<WriterFigures> {
  for (const command of commands) {
    try {
      await run(command, ['-c', 'import xlsxwriter']);
    } catch {
      continue;
    }
    return measure(writer, command, args);
  }
  return { writer, ms: undefined, peakMb: undefined };
}

/** For people: one line a writer. */
export function workbookLines(figures: WorkbookFigures): string[] {
  const line = ({ writer, ms, peakMb }: WriterFigures): string =>
    ms === undefined || peakMb === undefined
      ? `  ${writer}: not installed`
      : `  ${writer}: ${(ms / 1_000).toFixed(1)} s, peak ${Math.round(peakMb)} MB`;
  const goal = figures.ratio === undefined ? [] : [`  ratio ${figures.ratio.toFixed(2)} (goal ≤ 0.7)`];
  return [
    `workbook sheet of ${figures.rows} rows × 12 columns`,
    line(figures.ours),
    ...figures.peers.map(line),
    ...goal,
  ];
}
