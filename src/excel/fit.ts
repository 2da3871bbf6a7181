/** Column widths that fit what a small sheet holds. */
import type { Row } from './cell.ts';

/** Room for the cell's own margins. */
const PADDING = 3;
const WIDTH_MAX_USUAL = 44;

/** One width a column: the widest content within the given bounds. */
export function fitWidths(
  rows: readonly Row[],
  bounds: { min: readonly number[]; max?: Readonly<Record<number, number>> },
): number[] {
  return bounds.min.map((min, index) => {
    let widest = min - PADDING;
    for (const row of rows) widest = Math.max(widest, row[index]?.width ?? 0);
    return Math.min(widest, bounds.max?.[index] ?? WIDTH_MAX_USUAL) + PADDING;
  });
}
