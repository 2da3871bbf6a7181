/**
 * What is wrong with a file, cell by cell: the first hundred faults and how many there are. Values are shown
 * masked, short and without control characters, because they are printed, logged and mailed (S6, I9).
 */
import { maskField } from '../core/mask.ts';

/** A cell as it was refused; the value is still as the file has it. */
export interface CellFault {
  column: string;
  value: string;
  reason: string;
}

/** A fault as people and programs see it. `row` counts from 1 and includes the header row. */
export interface Fault extends CellFault {
  row: number;
  /** Of a row of a query: the number of its entry or order, where it states one. */
  key?: string;
}

/** Nobody corrects more than a hundred rows by hand; beyond that the file's maker has to change something. */
export const FAULTS_KEPT_MAX = 100;

/** As much of a value as is needed to find it in the file. */
const SHOWN_MAX = 60;

export class FaultList {
  #kept: Fault[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(row: number, fault: CellFault): void {
    this.#count++;
    if (this.#kept.length < FAULTS_KEPT_MAX) this.#kept.push(shown(row, fault));
  }

  /** Faults found together, of which only the first are at hand; they may lie anywhere in the file. */
  addFirst(faults: readonly (CellFault & { row: number })[], totalCount: number): void {
    this.#count += totalCount;
    this.#kept = [...this.#kept, ...faults.map((fault) => shown(fault.row, fault))]
      .toSorted((left, right) => left.row - right.row)
      .slice(0, FAULTS_KEPT_MAX);
  }

  /** What the row is called, whose number says nothing. */
  name(row: number, key: string): void {
    for (const fault of this.#kept) if (fault.row === row) fault.key = key;
  }

  /** The first hundred in the order of the rows. */
  first(): Fault[] {
    return [...this.#kept];
  }
}

function shown(row: number, fault: CellFault): Fault {
  return { row, column: fault.column, value: shownValue(fault.column, fault.value), reason: fault.reason };
}

/** Numbers of ours stand open in their own columns, as in the log; everything else is free text. */
export function shownValue(column: string, value: string): string {
  const field = column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const masked = maskField(field, value);
  const short = masked.length > SHOWN_MAX ? `${masked.slice(0, SHOWN_MAX)}…` : masked;
  return short.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/** One line for people: `row 12, amount_fen "12.5": must be a whole number of fen`. */
export function faultLine(fault: Fault): string {
  const row = fault.key === undefined ? `row ${fault.row}` : `row "${fault.key}"`;
  const place = fault.column === '' ? row : `${row}, ${fault.column}`;
  return fault.value === '' ? `${place}: ${fault.reason}` : `${place} "${fault.value}": ${fault.reason}`;
}
