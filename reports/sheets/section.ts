/** The parts the summary is made of, one below the other. */
import { overflowCell, textCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';

/** One part of the page: its rows and the names of cells in them, by row within the part. */
export interface Section {
  rows: readonly Row[];
  /** Rows of two lines, by row within the part. */
  tall?: readonly number[];
  names?: readonly { name: string; row: number; column: number }[];
}

/** Where the right one of two sections side by side begins. */
export const RIGHT_COLUMN = 6;

/** Two sections side by side, so that the page stays one page. */
export function beside(left: Section, right: Section): Section {
  const length = Math.max(left.rows.length, right.rows.length);
  const rows = Array.from({ length }, (_, at): Row => {
    const cells = left.rows[at] ?? [];
    const others = right.rows[at] ?? [];
    const gap = Array.from({ length: RIGHT_COLUMN - 1 - cells.length }, () => undefined);
    return others.length === 0 ? cells : [...cells, ...gap, ...others];
  });
  const moved = (right.names ?? []).map((name) => ({ ...name, column: name.column + RIGHT_COLUMN - 1 }));
  const tall = [...(left.tall ?? []), ...(right.tall ?? [])];
  return { rows, tall, names: [...(left.names ?? []), ...moved] };
}

/** Two sections one below the other in the same columns, an empty row between them. */
export function below(upper: Section, lower: Section): Section {
  const offset = upper.rows.length + 1;
  const names = (lower.names ?? []).map((name) => ({ ...name, row: name.row + offset }));
  const tall = (lower.tall ?? []).map((row) => row + offset);
  return {
    rows: [...upper.rows, [], ...lower.rows],
    tall: [...(upper.tall ?? []), ...tall],
    names: [...(upper.names ?? []), ...names],
  };
}

/** A section's title over all columns. */
export function titleRow(text: string): Row {
  return [overflowCell(text, 'section')];
}

export function headerRow(names: readonly string[], amounts: readonly number[] = []): Row {
  return names.map((name, at) => textCell(name, amounts.includes(at) ? 'headerRight' : 'header'));
}
