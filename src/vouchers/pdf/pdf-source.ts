/** A voucher's PDF as it is read: its objects, its pages in order, and why it cannot be merged where it cannot. */
import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib';
import type { PDFContext, PDFObject } from 'pdf-lib';

import { PdfFault } from './pdf-fault.ts';
import { readObjects } from './pdf-reader.ts';
import type { Unpacker } from './stream-filters.ts';

export interface SourcePage {
  dict: PDFDict;
  /** Resources, boxes and rotation, its own or the nearest ancestor's. */
  inherited: ReadonlyMap<string, PDFObject>;
}

export interface PdfSource {
  context: PDFContext;
  catalog: PDFDict;
  pages: readonly SourcePage[];
  /** Its bound is on all streams of the file. */
  unpacker: Unpacker;
}

/** A voucher is a slip of a few pages; more is another kind of document, or an attack. */
export const PAGES_MAX = 200;
/** Deeper than any tool builds a page tree, shallower than our stack. */
const TREE_DEPTH_MAX = 50;
/** A page inherits these from the nodes above it (PDF 32000-1, table 30). */
const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/**
 * Reads the whole file. The time it takes is bounded by nobody here: what was not checked before is read in a
 * guarded process only (I6).
 * @throws PdfFault
 */
export function openSource(bytes: Uint8Array, pagesMax: number = PAGES_MAX): PdfSource {
  const { context, catalog, unpacker } = readObjects(bytes);
  const pages: SourcePage[] = [];
  const tree: TreeWalk = { context, pages, pagesMax, seen: new Set() };
  walkPages(tree, { node: catalog.get(PDFName.of('Pages')), above: new Map(), depth: 0 });
  if (pages.length === 0) throw new PdfFault('damaged', 'it has no page');
  return { context, catalog, pages, unpacker };
}

interface TreeWalk {
  context: PDFContext;
  pages: SourcePage[];
  pagesMax: number;
  /** Inner nodes that were entered; entering one twice is a loop, or a tree that unfolds without end. */
  seen: Set<PDFDict>;
}

interface TreeNode {
  node: PDFObject | undefined;
  above: ReadonlyMap<string, PDFObject>;
  depth: number;
}

function walkPages(tree: TreeWalk, { node, above, depth }: TreeNode): void {
  const dict = node instanceof PDFRef ? tree.context.lookup(node) : node;
  if (!(dict instanceof PDFDict)) throw new PdfFault('damaged', 'a page is missing');
  const inherited = new Map(above);
  for (const key of INHERITABLE) {
    const own = dict.get(PDFName.of(key));
    if (own !== undefined) inherited.set(key, own);
  }
  const kids = dict.lookup(PDFName.of('Kids'));
  if (!(kids instanceof PDFArray)) {
    if (tree.pages.length >= tree.pagesMax) {
      throw new PdfFault('hostile', `it has more than ${tree.pagesMax} pages`);
    }
    tree.pages.push({ dict, inherited });
    return;
  }
  if (tree.seen.has(dict) || depth >= TREE_DEPTH_MAX) {
    throw new PdfFault('hostile', 'its page tree leads back to itself');
  }
  tree.seen.add(dict);
  for (const kid of kids.asArray()) walkPages(tree, { node: kid, above: inherited, depth: depth + 1 });
}
