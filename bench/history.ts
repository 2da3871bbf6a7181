/**
 * What a night costs when the years behind it grow: the same number of deposits every night, and of some nights the CPU
 * of job and database, the blocks the database touched and the job's peak memory. CPU of the database is that of every
 * process of a server on this machine, so nothing else may use it; elsewhere it is left out.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { addDays } from '../src/core/time.ts';
import type { Day } from '../src/core/time.ts';
import { volumeLedgerCsv } from '../src/sandbox/scenarios/volume.ts';
import type { VolumeOptions } from '../src/sandbox/scenarios/volume.ts';
import type { StageReport } from './stages.ts';
import { FROM, ledgerOf, zoneOfBench } from './volume.ts';

/** A hundred clock ticks a second, as Linux counts the time of processes. */
const TICK_MS = 10;
const DIFFERENCES_A_DAY = 20;

export interface NightCost {
  night: number;
  wallMs: number;
  jobCpuMs: number;
  databaseCpuMs: number | undefined;
  blocks: number;
  rssBytes: number;
  breaks: number;
}

export type NightStage = (name: string, day: Day) => Promise<StageReport>;

/** Plays the nights one after the other, each with the ledger of its day. */
export async function* benchHistory(
  url: string,
  { nights, stage }: { nights: number; stage: NightStage },
): AsyncGenerator<NightCost> {
  await stage('history-begin', FROM);
  for (let night = 1; night <= nights; night++) {
    const day = addDays(FROM, night - 1);
    await stage('history-ledger', day);
    const before = await databaseCost(url);
    const report = await stage('history-night', day);
    const after = await databaseCost(url);
    yield {
      night,
      wallMs: report.ms,
      jobCpuMs: report.cpuMs,
      databaseCpuMs:
        before.cpuMs === undefined || after.cpuMs === undefined ? undefined : after.cpuMs - before.cpuMs,
      blocks: after.blocks - before.blocks,
      rssBytes: report.rssBytes,
      breaks: report.rows,
    };
  }
}

/** The ledger of the volume as one file a day, `ledger-DAY.csv`. */
export async function writeDailyLedgers(home: string, options: VolumeOptions): Promise<void> {
  const { header, byDay } = ledgersByDay(options);
  for (const [day, lines] of byDay) await writeFile(ledgerOf(home, day), header + lines.join(''));
}

/** As `writeDailyLedgers`; the file of the last day but one states another number for all before it, the last the right ones. */
export async function writeSpoiltLedgers(home: string, options: VolumeOptions): Promise<void> {
  const { header, byDay } = ledgersByDay(options);
  const days = [...byDay.keys()].toSorted();
  for (const [place, day] of days.entries()) {
    const before = days.slice(0, place).flatMap((earlier) => byDay.get(earlier) ?? []);
    const changed = place === days.length - 2 ? before.map(misnumbered) : before;
    const again = place < days.length - 2 ? [] : changed;
    await writeFile(ledgerOf(home, day), [header, ...(byDay.get(day) ?? []), ...again].join(''));
  }
}

const [REFERENCE, BOOKED_AT] = [4, 7];

function misnumbered(line: string): string {
  return line
    .split(',')
    .map((cell, place) => (place === REFERENCE && cell !== '' ? `X${cell}` : cell))
    .join(',');
}

function ledgersByDay(options: VolumeOptions): { header: string; byDay: Map<Day, string[]> } {
  const differences = DIFFERENCES_A_DAY * options.days;
  const [header = '', ...lines] = volumeLedgerCsv({ ...options, timeZone: zoneOfBench, differences });
  const dayOf = (line: string): Day => (line.split(',')[BOOKED_AT] ?? '').slice(0, 'yyyy-MM-dd'.length);
  return { header, byDay: Map.groupBy(lines, dayOf) };
}

async function databaseCost(url: string): Promise<{ cpuMs: number | undefined; blocks: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Backends report what they touched when they end, and at the latest a second after.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const { rows } = await client.query<{ blocks: string; pid: number }>(`
      select blks_hit + blks_read as blocks, pg_backend_pid() as pid
      from pg_stat_database where datname = current_database()`);
    const { blocks = '0', pid = 0 } = rows[0] ?? {};
    return { cpuMs: await serverCpuMs(pid), blocks: Number(blocks) };
  } finally {
    await client.end();
  }
}

/** Of the server's first process with all that ended, and of those that live; undefined where it is not on this machine. */
async function serverCpuMs(backend: number): Promise<number | undefined> {
  const own = await statOf(backend);
  if (own === undefined || !own.name.startsWith('postgres')) return undefined;
  const first = await statOf(own.parent);
  if (first === undefined) return undefined;
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const all = await Promise.all(pids.map(statOf));
  const living = all.filter((stat) => stat?.parent === own.parent);
  const ticks = living.reduce((sum, stat) => sum + (stat?.ownTicks ?? 0), first.ownTicks + first.endedTicks);
  return ticks * TICK_MS;
}

interface ProcessStat {
  name: string;
  parent: number;
  ownTicks: number;
  endedTicks: number;
}

async function statOf(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text ?? '') ?? [];
  if (name === '') return undefined;
  const fields = rest.split(' ').map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return { name, parent: fields[1] ?? 0, ownTicks: user + system, endedTicks: endedUser + endedSystem };
}
