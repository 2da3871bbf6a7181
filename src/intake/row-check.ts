/**
 * Reads the cells of one row by what they must be. Each method gives the value, or null where the cell is
 * empty or wrong; what is wrong is added to the faults. A row with a fault is looked at to its end, so that
 * all its faults are listed at once.
 */
import { parseSignedFen, parseSignedYuan } from '../core/fen.ts';
import type { Fen } from '../core/fen.ts';
import { nearest } from '../core/nearest.ts';
import { storableText } from '../core/text.ts';
import { parseDay, parseOffsetInstant } from '../core/time.ts';
import type { Instant, Zone } from '../core/time.ts';
import type { FaultList } from './fault-list.ts';
import type { TableRow } from './table-file.ts';

/** Registry accounts: what the interface shows of them, and nothing that could be part of a path. */
const ACCOUNT_NUMBER = /^[A-Za-z0-9_-]{1,64}$/;
/** Order numbers have at most 64 characters, ids of a ledger may be longer. */
const NUMBER_LENGTH_MAX = 128;
/** Control, formatting and undefined characters: two numbers that look alike must be alike. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u;

/** What the rows of one file have in common. */
export interface ReadingOf {
  zone: Zone;
  faults: FaultList;
  /** The columns the file has. */
  columns: ReadonlySet<string>;
}

export class RowCheck {
  readonly #row: TableRow;
  readonly #zone: Zone;
  readonly #faults: FaultList;

  constructor(row: TableRow, reading: ReadingOf) {
    this.#row = row;
    this.#zone = reading.zone;
    this.#faults = reading.faults;
    for (const fault of row.faults) reading.faults.add(row.row, fault);
  }

  fault(column: string, reason: string): null {
    this.#faults.add(this.#row.row, { column, value: this.#row.cells.get(column) ?? '', reason });
    return null;
  }

  /** The cell's text; empty where there is none. */
  #cell(column: string): string {
    return this.#row.cells.get(column) ?? '';
  }

  /** A cell that was refused already, or a row of the wrong width, is not called empty as well. */
  require(column: string): void {
    const refused = this.#row.faults.some((fault) => fault.column === column || fault.column === '');
    if (this.#cell(column) === '' && !refused) this.fault(column, 'is required');
  }

  account(column: string): string | null {
    const text = this.#cell(column);
    if (text === '' || ACCOUNT_NUMBER.test(text)) return text === '' ? null : text;
    return this.fault(column, 'must be 1 to 64 letters, digits, "_" or "-"');
  }

  /** An order number or an id: any visible characters. */
  number(column: string): string | null {
    const text = this.#cell(column);
    if (text === '') return null;
    if (text.length > NUMBER_LENGTH_MAX) {
      return this.fault(column, `is longer than ${NUMBER_LENGTH_MAX} characters`);
    }
    return UNSEEN.test(text) ? this.fault(column, 'holds a character that cannot be seen') : text;
  }

  /** Free text, in the form in which it can be stored (P16). */
  text(column: string): string {
    return storableText(this.#cell(column));
  }

  word<T extends string>(column: string, words: readonly T[]): T | null {
    const text = this.#cell(column);
    if (text === '') return null;
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    const meant = nearest(text, words);
    const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
    return this.fault(column, `must be one of ${words.join(', ')}${hint}`);
  }

  /** A time of the service's zone or with an offset. */
  instant(column: string): Instant | null {
    const text = this.#cell(column);
    if (text === '') return null;
    const found = this.#zone.parseLocal(text) ?? parseOffsetInstant(text);
    return found ?? this.fault(column, `must be ${this.#timeForms()}`);
  }

  /** The same, or a day, which stands for its start. */
  instantOrDay(column: string): Instant | null {
    const text = this.#cell(column);
    const day = parseDay(text);
    if (day !== undefined) return this.#zone.dayStart(day);
    if (text === '') return null;
    const found = this.#zone.parseLocal(text) ?? parseOffsetInstant(text);
    return found ?? this.fault(column, `must be yyyy-MM-dd, ${this.#timeForms()}`);
  }

  #timeForms(): string {
    return `yyyy-MM-dd HH:mm:ss in ${this.#zone.name}, or ISO 8601 with its offset`;
  }

  /** An amount from whichever of the two columns the file has. */
  amount(columns: { fen: string; yuan: string }): Fen | null {
    const [fenText, yuanText] = [this.#cell(columns.fen), this.#cell(columns.yuan)];
    if (fenText !== '') {
      const reason = 'must be a whole number of fen, such as -1250, of at most 10^15';
      return parseSignedFen(fenText) ?? this.fault(columns.fen, reason);
    }
    if (yuanText === '') return null;
    const reason = 'must be yuan with two decimals, such as -12.50, of at most 10^13';
    return parseSignedYuan(yuanText) ?? this.fault(columns.yuan, reason);
  }
}
