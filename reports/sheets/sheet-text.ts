/** What a cell of a list says, as text: for CSV, and to hold what a file has against it. */
import { yuanText } from '../../src/core/fen.ts';
import type { Zone } from '../../src/core/time.ts';
import type { Column } from '../../src/excel/column.ts';
import { cellText } from '../../src/excel/text.ts';

/** Line breaks and tabs that people type in a cell are blanks here. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n\t\u2028\u2029]+\s*/g, ' ').trim();
}

/** Money as `-12.50`, days as `2026-03-01`, moments in the zone to the second; empty where the cell is. */
export function sheetText<R>(column: Column<R>, row: R, zone: Zone): string {
  switch (column.kind) {
    case 'text':
      return cellText(column.value(row) ?? '');
    case 'link':
      return cellText(column.value(row)?.text ?? '');
    case 'money': {
      const fen = column.value(row);
      return fen === null ? '' : yuanText(fen);
    }
    case 'count':
      return String(column.value(row) ?? '');
    case 'day':
      return column.value(row) ?? '';
    case 'time': {
      const instant = column.value(row);
      return instant === null ? '' : zone.localText(instant);
    }
  }
}
