/**
 * What a night costs when the years behind it grow: the same number of deposits every night, and of some nights the CPU
 * of job and database, the blocks the database touched and the job's peak memory. CPU of the database is that of every
 * process of a server on this machine, so nothing else may use it; elsewhere it is left out.
 */
import { writeFile } from 'node:fs/promises';
import { addDays } from '../src/core/time.ts';
import type { Day } from '../src/core/time.ts';
import { volumeLedgerCsv } from '../src/sandbox/scenarios/volume.ts';
import type { VolumeOptions } from '../src/sandbox/scenarios/volume.ts';
import type { StageReport } from './stages.ts';
import { databaseCost } from './database-cost.ts';
import { FROM, ledgerOf, zoneOfBench } from './volume.ts';

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
  await stage('begin', FROM);
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
