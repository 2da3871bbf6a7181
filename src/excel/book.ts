/** A workbook that is written sheet by sheet to a file, in constant memory. */
import type { Instant } from '../core/time.ts';
import { fixedAddress, onSheet } from './address.ts';
import type { CellPlace } from './address.ts';
import { openEngine } from './engine.ts';
import type { Engine } from './engine.ts';
import { addSheet } from './sheet.ts';
import type { Sheet, SheetOptions } from './sheet.ts';
import { styleTable } from './style.ts';
import type { StyleName } from './style.ts';

export interface Book {
  addSheet(options: SheetOptions): Sheet;
  /** A name people can jump to and other sheets can use. */
  nameCell(name: string, place: CellPlace & { sheet: string }): void;
}

export interface BookOptions {
  /** The file; it is written over. */
  path: string;
  /** Stands in the document's properties; of the run, not of the writing, so that the same run is the same file. */
  createdAt: Instant;
  creator: string;
  /** A font that has the characters of the language. */
  fontName: string;
}

/**
 * Writes a workbook: `fill` adds the sheets in their order, each finished before the next.
 * @throws what `fill` throws, and the disk's own errors; the file is then incomplete
 */
export async function writeBook(options: BookOptions, fill: (book: Book) => Promise<void>): Promise<void> {
  const engine = await openEngine(options);
  try {
    await fill(bookOf(engine, options.fontName));
    await engine.finish();
  } catch (error) {
    await engine.abandon();
    throw error;
  }
}

function bookOf(engine: Engine, fontName: string): Book {
  const looks = styleTable(fontName);
  const ids = new Map<StyleName, number>();
  const styleId = (style: StyleName): number => {
    const known = ids.get(style);
    if (known !== undefined) return known;
    const id = engine.styleId(looks[style]);
    ids.set(style, id);
    return id;
  };
  return {
    addSheet: (sheetOptions) => addSheet({ engine, styleId }, sheetOptions),
    nameCell: (name, place) => engine.nameCell(name, onSheet(place.sheet, fixedAddress(place))),
  };
}
