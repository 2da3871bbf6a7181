/**
 * The pages of a merged file below one node, which is all that is written anew when pages are put among others or
 * taken out: a page names its node, and would have to be written again below another.
 */
import type { PageEntries } from './import-pages.ts';
import type { ObjectWriter } from './object-copy.ts';

export function writePage(
  writer: ObjectWriter,
  number: number,
  of: { root: number; entries: PageEntries },
): void {
  writer.write(number, { text: `<< /Type /Page /Parent ${of.root} 0 R ${of.entries} >>` });
}

/** @param pages the numbers of their objects, in order */
export function writePageTree(writer: ObjectWriter, root: number, pages: readonly number[]): void {
  const kids = pages.map((number) => `${number} 0 R`).join(' ');
  writer.write(root, { text: `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>` });
}

/** Roman numbers for our own first pages, then decimals that go on with the count: label 7 is the seventh page. */
export function pageLabels(frontPages: number): string {
  return `<< /Nums [0 << /S /r >> ${frontPages} << /S /D /St ${frontPages + 1} >>] >>`;
}
