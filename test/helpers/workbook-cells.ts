/**
 * What a workbook says, row by row, so that two histories can be compared: all of it but the moments at which the
 * job worked, with the digest of the audit trail, which covers them, and what it counted while it did.
 */
import { wordsOf } from '../../reports/words/words-of-report.ts';
import { daySerial } from '../../src/excel/serial.ts';
import { readWorkbook } from './read-workbook.ts';
import type { ReadCell, ReadSheet } from './read-workbook.ts';

/** @param runDay the day on which the job ran, by its own clock: times of that day are its own */
export async function sayingsOf(path: string, runDay: string): Promise<string[]> {
  const { sheets } = await readWorkbook(path);
  return sheets.flatMap((sheet) => rowsOf(sheet, daySerial(runDay)));
}

function rowsOf(sheet: ReadSheet, runSerial: number): string[] {
  const { runLog, sheets } = wordsOf('en');
  const rows = Map.groupBy(sheet.cells, ([place]) => Number(place.replace(/^[A-Z]+/, '')));
  const lines: string[] = [];
  let isOfTheWork = false;
  for (const cells of rows.values()) {
    const first = cells.at(0)?.[1].value;
    if (sheet.name === sheets.runLog) {
      // Lists of the run's own sheet begin with their title.
      if (first === runLog.facts || first === runLog.balances) isOfTheWork = true;
      if (first === runLog.windows || first === runLog.accounts) isOfTheWork = false;
    }
    if (isOfTheWork) continue;
    const shown = cells.map(([place, cell]) => `${place.replace(/\d+$/, '')}: ${shownIn(cell, runSerial)}`);
    lines.push(`${sheet.name} | ${shown.join(' | ')}`);
  }
  return lines;
}

/** How many events the trail has is the same in both; the check codes of rows cover its digest behind that of their cells. */
const TRAIL = /^(\d+):[0-9a-f]{64}$/;
const CHECK_CODE = /^(\S+ \d+ \d{4}-\d{2}-\d{2} \d+ [0-9a-f]{16}) [0-9a-f]{16}$/;

function shownIn(cell: ReadCell, runSerial: number): string {
  const { formula, value } = cell;
  const isMoment = typeof value === 'number' && value > runSerial && value < runSerial + 1;
  return `${formula === undefined ? '' : `=${formula} → `}${
    isMoment
      ? 'a moment of the run'
      : String(value ?? '')
          .replace(TRAIL, '$1:a digest')
          .replace(CHECK_CODE, '$1 a digest')
  }`;
}
