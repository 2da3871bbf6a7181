/**
 * One part of a bundle on its way to the disk: originals are copied as they come, and once all are in, their pages
 * are numbered and our own pages are drawn around them.
 */
import type { PartPlan, PlannedOrder, SlotPlace } from './bundle-plan.ts';
import { bundleWords } from './words-of-bundle.ts';
import type { BundleWords } from './bundle-words.ts';
import { FONT_NAMES, PAGE_HEIGHT, PAGE_WIDTH } from '../pdf/canvas.ts';
import { coverPage } from './cover.ts';
import { decimal, pdfText } from '../pdf/decimal.ts';
import type { Typefaces } from '../pdf/fonts.ts';
import { importPages } from '../pdf/import-pages.ts';
import type { ImportedPages, Layer } from '../pdf/import-pages.ts';
import { countIndexPages, indexPage, LINES_A_PAGE } from './index-pages.ts';
import type { IndexLine, PageLink } from './index-pages.ts';
import type { CopyTarget, ObjectBody } from '../pdf/object-copy.ts';
import { writeOutline } from '../pdf/outline.ts';
import type { Bookmark } from '../pdf/outline.ts';
import { pageLabels, writePageTree } from '../pdf/page-tree.ts';
import type { OutputPage } from '../pdf/page-tree.ts';
import { openPdfFile } from '../pdf/pdf-file.ts';
import { openSource } from '../pdf/pdf-source.ts';
import { placeholderPage } from './placeholder.ts';

export interface PartMade {
  pages: number;
  bytes: number;
  sha256: string;
  /** Order by order, slot by slot. */
  places: SlotPlace[][];
}

export interface PartMaker {
  /** Copies the next original's pages; how many there are. @throws PdfFault, and nothing of it is shown */
  add(bytes: Uint8Array): Promise<number>;
  /** The plan's slots that are `merged` are the originals that were added, in that order. */
  finish(plan: PartPlan): Promise<PartMade>;
  close(): void;
}

export function openPart(path: string, faces: Typefaces): PartMaker {
  const file = openPdfFile(path);
  const target: CopyTarget = { writer: file, once: new Map() };
  const originals: ImportedPages[] = [];
  return {
    add: async (bytes) => {
      try {
        const imported = importPages(openSource(bytes), target);
        originals.push(imported);
        return imported.pages.length;
      } catch (error) {
        file.giveUpReserved();
        throw error;
      }
    },
    finish: (plan) => finishPart({ file, target, faces, plan, originals }),
    close: () => file.close(),
  };
}

interface PartWork {
  file: ReturnType<typeof openPdfFile>;
  target: CopyTarget;
  faces: Typefaces;
  plan: PartPlan;
  originals: readonly ImportedPages[];
}

async function finishPart(work: PartWork): Promise<PartMade> {
  const { file, plan } = work;
  const words = bundleWords(plan.locale);
  const lines = placeLines(plan, work.originals);
  const frontPages = 1 + countIndexPages(lines.length);
  const pageCount = frontPages + lines.reduce((sum, { place }) => sum + place.pages, 0);
  const numbers = Array.from({ length: pageCount }, () => file.reserve());
  const entries = await pageEntries(work, { words, lines, numbers, frontPages });
  const pages: OutputPage[] = entries.map((text, at) => ({ number: numbers[at] ?? 0, entries: text }));
  const tree = writePageTree(file, pages);
  const outline = writeOutline(file, bookmarksOf(plan, { words, lines, numbers }));
  const layers = work.originals.flatMap((original) => original.layers);
  const root = file.reserve();
  file.write(root, { text: catalogText({ tree, outline, frontPages, words, layers }) });
  const info = file.reserve();
  file.write(info, { text: infoText(plan, words) });
  const made = file.finish({ root, info });
  const places = plan.orders.map((order) =>
    lines.filter((line) => line.order === order).map(({ place }) => place),
  );
  return { pages: pageCount, ...made, places };
}

/** Every file of the part with its place, now that all page counts are known. */
function placeLines(plan: PartPlan, originals: readonly ImportedPages[]): IndexLine[] {
  const slots = plan.orders.flatMap((order) => order.slots.map((slot) => ({ order, slot })));
  let page = 2 + countIndexPages(slots.length);
  let merged = 0;
  return slots.map(({ order, slot }) => {
    const pages = slot.status === 'merged' ? (originals[merged++]?.pages.length ?? 0) : 1;
    if (pages === 0) throw new Error('Bug: a part is finished before all its originals were added');
    const place = { page, pages };
    page += pages;
    return { order, slot, place };
  });
}

interface Layout {
  words: BundleWords;
  lines: readonly IndexLine[];
  /** Object numbers of the pages, in order. */
  numbers: readonly number[];
  frontPages: number;
}

async function pageEntries(work: PartWork, layout: Layout): Promise<string[]> {
  const { plan, faces, originals } = work;
  const { words, lines, numbers } = layout;
  const regular = await faces.regular.embed(work.target);
  const bold = await faces.bold.embed(work.target);
  const fonts = `/${FONT_NAMES.regular} ${regular} 0 R /${FONT_NAMES.bold} ${bold} 0 R`;
  const frame = (page: number) => ({ plan, words, page, pages: numbers.length });
  const own = (body: ObjectBody, links: readonly PageLink[] = []): string => {
    const contents = work.file.reserve();
    work.file.write(contents, body);
    const annotations = links.map((link) => `${writeLink(work, layout, link)} 0 R`).join(' ');
    return [
      `/Resources << /Font << ${fonts} >> >> /MediaBox [0 0 ${decimal(PAGE_WIDTH)} ${decimal(PAGE_HEIGHT)}]`,
      `/Contents ${contents} 0 R`,
      ...(links.length === 0 ? [] : [`/Annots [${annotations}]`]),
    ].join(' ');
  };
  const entries = [own(coverPage(faces, frame(1)))];
  for (let at = 0; entries.length < layout.frontPages; at += LINES_A_PAGE) {
    const { body, links } = indexPage(faces, frame(entries.length + 1), lines.slice(at, at + LINES_A_PAGE));
    entries.push(own(body, links));
  }
  let merged = 0;
  for (const { order, slot, place } of lines) {
    if (slot.status === 'merged') entries.push(...(originals[merged++]?.pages ?? []));
    else entries.push(own(placeholderPage(faces, frame(place.page), { order, slot })));
  }
  return entries;
}

function writeLink(work: PartWork, { numbers }: Layout, { area, page }: PageLink): number {
  const number = work.file.reserve();
  const rect = area.map(decimal).join(' ');
  const dest = `[${numbers[page - 1]} 0 R /Fit]`;
  const text = `<< /Type /Annot /Subtype /Link /Rect [${rect}] /Border [0 0 0] /F 4 /Dest ${dest} >>`;
  work.file.write(number, { text });
  return number;
}

function bookmarksOf(plan: PartPlan, layout: Omit<Layout, 'frontPages'>): Bookmark[] {
  const { words, lines, numbers } = layout;
  const pageAt = (page: number): number => numbers[page - 1] ?? 0;
  const first = new Map<PlannedOrder, IndexLine>();
  for (const line of lines) if (!first.has(line.order)) first.set(line.order, line);
  const kinds = plan.totals.flatMap(({ kind }) => {
    if (kind === 'total') return [];
    const below = [...first.values()]
      .filter(({ order }) => order.kind === kind)
      .map(({ order, place }) => ({
        title: bookmarkTitle(words, order),
        page: pageAt(place.page),
        below: [],
      }));
    return below[0] === undefined
      ? []
      : [{ title: `${words.kinds[kind]} (${below.length})`, page: below[0].page, below }];
  });
  return [
    { title: words.cover, page: pageAt(1), below: [] },
    { title: words.index, page: pageAt(2), below: [] },
    ...kinds,
  ];
}

function bookmarkTitle(words: BundleWords, order: PlannedOrder): string {
  const faults = [...new Set(order.slots.map(({ status }) => words.statuses[status]))].filter(
    (text) => text !== '',
  );
  return [order.time.slice(5, 16), order.orderNo || order.outOrderNo, order.amount, ...faults]
    .filter((text) => text !== '')
    .join('  ');
}

function catalogText(of: {
  tree: number;
  outline: number;
  frontPages: number;
  words: BundleWords;
  layers: readonly Layer[];
}): string {
  const refs = (layers: readonly Layer[]): string => layers.map(({ number }) => `${number} 0 R`).join(' ');
  const layers =
    of.layers.length === 0
      ? ''
      : ` /OCProperties << /OCGs [${refs(of.layers)}] /D << /OFF [${refs(of.layers.filter(({ isOff }) => isOff))}] >> >>`;
  return (
    `<< /Type /Catalog /Pages ${of.tree} 0 R /Outlines ${of.outline} 0 R /PageMode /UseOutlines ` +
    `/PageLabels ${pageLabels(of.frontPages)} /Lang ${pdfText(of.words.language)} ` +
    `/ViewerPreferences << /DisplayDocTitle true >>${layers} >>`
  );
}

function infoText(plan: PartPlan, words: BundleWords): string {
  const title = [words.title, plan.company, plan.accountNo, plan.month]
    .filter((text) => text !== '')
    .join(' · ');
  return `<< /Title ${pdfText(title)} /Producer (recon) /Creator (recon) /CreationDate (${plan.creationDate}) >>`;
}
