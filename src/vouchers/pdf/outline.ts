/** The bookmarks of a part: cover, index, and below each kind its orders. */
import { pdfText } from './decimal.ts';
import type { ObjectWriter } from './object-copy.ts';

export interface Bookmark {
  title: string;
  /** The object number of the page it leads to. */
  page: number;
  below: readonly Bookmark[];
}

/** Writes the outline; the object number of its root. Only the first level is open. */
export function writeOutline(writer: ObjectWriter, bookmarks: readonly Bookmark[]): number {
  const root = writer.reserve();
  const { first, last } = writeLevel(writer, bookmarks, root);
  const text = `<< /Type /Outlines /First ${first} 0 R /Last ${last} 0 R /Count ${bookmarks.length} >>`;
  writer.write(root, { text });
  return root;
}

function writeLevel(
  writer: ObjectWriter,
  bookmarks: readonly Bookmark[],
  parent: number,
): { first: number; last: number } {
  const numbers = bookmarks.map(() => writer.reserve());
  for (const [at, { title, page, below }] of bookmarks.entries()) {
    const number = numbers[at] ?? 0;
    const entries = [`/Title ${pdfText(title)} /Parent ${parent} 0 R /Dest [${page} 0 R /Fit]`];
    const [previous, next] = [numbers[at - 1], numbers[at + 1]];
    if (previous !== undefined) entries.push(`/Prev ${previous} 0 R`);
    if (next !== undefined) entries.push(`/Next ${next} 0 R`);
    if (below.length > 0) {
      const { first, last } = writeLevel(writer, below, number);
      entries.push(`/First ${first} 0 R /Last ${last} 0 R /Count -${below.length}`);
    }
    writer.write(number, { text: `<< ${entries.join(' ')} >>` });
  }
  return { first: numbers[0] ?? 0, last: numbers.at(-1) ?? 0 };
}
