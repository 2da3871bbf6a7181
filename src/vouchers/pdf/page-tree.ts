/** The pages of a merged file: a tree of two levels, so that viewers find one of thousands without reading the others. */
import type { ObjectWriter } from './object-copy.ts';

export interface OutputPage {
  /** Reserved; links and bookmarks know it already. */
  number: number;
  /** Its entries but `/Type` and `/Parent`. */
  entries: string;
}

/** Pages below one node. */
const FAN_OUT = 64;

/** Writes all pages in order; the object number of the tree's root. */
export function writePageTree(writer: ObjectWriter, pages: readonly OutputPage[]): number {
  const root = writer.reserve();
  const nodes: number[] = [];
  for (let from = 0; from < pages.length; from += FAN_OUT) {
    const node = writer.reserve();
    const kids = pages.slice(from, from + FAN_OUT);
    for (const { number, entries } of kids) {
      writer.write(number, { text: `<< /Type /Page /Parent ${node} 0 R ${entries} >>` });
    }
    const list = kids.map(({ number }) => `${number} 0 R`).join(' ');
    const text = `<< /Type /Pages /Parent ${root} 0 R /Kids [${list}] /Count ${kids.length} >>`;
    writer.write(node, { text });
    nodes.push(node);
  }
  const list = nodes.map((node) => `${node} 0 R`).join(' ');
  writer.write(root, { text: `<< /Type /Pages /Kids [${list}] /Count ${pages.length} >>` });
  return root;
}

/** Roman numbers for our own first pages, then decimals that go on with the count: label 7 is the seventh page. */
export function pageLabels(frontPages: number): string {
  return `<< /Nums [0 << /S /r >> ${frontPages} << /S /D /St ${frontPages + 1} >>] >>`;
}
