/**
 * One part of a bundle on its way to the disk: originals are copied as they come, and once all are in, their pages
 * are numbered and our own pages are drawn around them. A part that stands is gone on with: what it holds stays where
 * it is, what is new follows, and only our own pages are drawn again.
 */
import { planDigest } from './bundle-plan.ts';
import type { PartPlan, PlannedOrder, SlotPlace } from './bundle-plan.ts';
import { bundleWords } from './words-of-bundle.ts';
import type { BundleWords } from './bundle-words.ts';
import { FONT_NAMES, PAGE_HEIGHT, PAGE_WIDTH } from '../pdf/canvas.ts';
import { coverPage } from './cover.ts';
import { decimal, pdfText } from '../pdf/decimal.ts';
import type { Typefaces } from '../pdf/fonts.ts';
import { importPages } from '../pdf/import-pages.ts';
import type { Layer } from '../pdf/import-pages.ts';
import { countIndexPages, indexPage, LINES_A_PAGE } from './index-pages.ts';
import type { IndexLine, PageLink } from './index-pages.ts';
import { writeNumberFont } from '../pdf/number-font.ts';
import type { CopyTarget, ObjectBody } from '../pdf/object-copy.ts';
import { writeOutline } from '../pdf/outline.ts';
import type { Bookmark } from '../pdf/outline.ts';
import { digitsOf, openPageNumbers } from '../pdf/page-number.ts';
import type { NumberLabel, PageNumbers } from '../pdf/page-number.ts';
import { pageLabels, writePage, writePageTree } from '../pdf/page-tree.ts';
import { notesBytes } from './part-notes.ts';
import type { FormerPart, HeldOriginal } from './part-notes.ts';
import { continuePdfFile, openPdfFile } from '../pdf/pdf-file.ts';
import { openSource } from '../pdf/pdf-source.ts';
import { placeholderPage } from './placeholder.ts';

export interface PartMade {
  pages: number;
  bytes: number;
  sha256: string;
  /** Order by order, slot by slot. */
  places: SlotPlace[][];
  /** Pages of originals that were copied for it now. */
  merged: number;
  /** The former part is its beginning. */
  isContinued: boolean;
}

export interface PartMaker {
  /** Copies an original's pages; how many there are. @throws PdfFault, and nothing of it is shown */
  add(original: { sha256: string; bytes: Uint8Array }): Promise<number>;
  /** The plan's slots that are `merged` are held already or were added. */
  finish(plan: PartPlan): Promise<PartMade>;
  close(): void;
}

export function openPart(
  path: string,
  of: { faces: Typefaces; label: NumberLabel; former: FormerPart | undefined },
): PartMaker {
  const { faces, label, former } = of;
  const file = former === undefined ? openPdfFile(path) : continuePdfFile(path, former.file, former.end);
  const pageRoot = former?.pageRoot ?? file.reserve();
  const added: HeldOriginal[] = [];
  const target: CopyTarget = { writer: file, once: new Map(former?.once) };
  let numbers: PageNumbers | undefined;
  return {
    add: async ({ sha256, bytes }) => {
      const first = file.nextNumber();
      try {
        numbers ??= openPageNumbers(target, writeNumberFont(target, faces.regular, label.join('')), label);
        const { pages: imported, layers } = importPages(openSource(bytes), target, numbers);
        const pages = imported.map(({ entries }) => {
          const number = file.reserve();
          writePage(file, number, { root: pageRoot, entries });
          return number;
        });
        added.push({ sha256, pages, digits: imported.map(({ digits }) => digits), layers });
        return pages.length;
      } catch (error) {
        file.giveUpFrom(first);
        throw error;
      }
    },
    finish: (plan) => finishPart({ file, target, faces, plan, former, pageRoot, added }),
    close: () => file.close(),
  };
}

interface PartWork {
  file: ReturnType<typeof openPdfFile>;
  target: CopyTarget;
  faces: Typefaces;
  plan: PartPlan;
  former: FormerPart | undefined;
  pageRoot: number;
  added: readonly HeldOriginal[];
}

/** The former part where it shows this very plan and nothing follows in its file: it stays as it is. */
export function keptPart(former: FormerPart, plan: PartPlan): PartMade | undefined {
  return former.isExact && former.plan === planDigest(plan)
    ? { ...placesIn(placeLines(plan, former.originals)), ...recordOf(former), merged: 0, isContinued: true }
    : undefined;
}

function recordOf({ file: { bytes, sha256 } }: FormerPart): Pick<PartMade, 'bytes' | 'sha256'> {
  return { bytes, sha256 };
}

async function finishPart(work: PartWork): Promise<PartMade> {
  const { file, plan, former, pageRoot, added } = work;
  const words = bundleWords(plan.locale);
  const lines = placeLines(plan, [...(former?.originals ?? []), ...added]);
  const merged = added.reduce((sum, { pages }) => sum + pages.length, 0);
  const facts = { ...placesIn(lines), merged, isContinued: former !== undefined };
  const digest = planDigest(plan);
  if (former?.plan === digest && added.length === 0) return { ...facts, ...file.leave() };
  const frontPages = frontPagesOf(lines);
  const front = Array.from({ length: frontPages }, () => file.reserve());
  const numbers = [...front, ...lines.flatMap(({ held }) => held?.pages ?? [file.reserve()])];
  await writeOwnPages(work, { words, lines, numbers, frontPages });
  const numbered = numberSlips(work, lines);
  writePageTree(file, pageRoot, numbers);
  const outline = writeOutline(file, bookmarksOf(plan, { words, lines, numbers }));
  const layers = lines.flatMap(({ held }) => held?.layers ?? []);
  const root = file.reserve();
  file.write(root, { text: catalogText({ tree: pageRoot, outline, frontPages, words, layers }) });
  const info = file.reserve();
  file.write(info, { text: infoText(plan, words) });
  const before = former?.end.notes ?? null;
  const once = [...work.target.once].slice(former?.once.length ?? 0);
  file.writeNotes(notesBytes({ before, plan: digest, pageRoot, originals: [...added], once, numbered }));
  return { ...facts, ...file.finish({ root, info }) };
}

/** A line of the index, and the pages it leads to where they are an original's. */
interface PlacedLine extends IndexLine {
  held: HeldOriginal | undefined;
}

/** Every file of the part with its place, now that all page counts are known. */
function placeLines(plan: PartPlan, originals: readonly HeldOriginal[]): PlacedLine[] {
  const free = Map.groupBy(originals, ({ sha256 }) => sha256);
  const slots = plan.orders.flatMap((order) => order.slots.map((slot) => ({ order, slot })));
  let page = 2 + countIndexPages(slots.length);
  return slots.map(({ order, slot }) => {
    const held = slot.status === 'merged' ? free.get(slot.sha256)?.shift() : undefined;
    if (slot.status === 'merged' && held === undefined)
      throw new Error('Bug: a part is finished before all its originals were added');
    const place = { page, pages: held?.pages.length ?? 1 };
    page += place.pages;
    return { order, slot, place, held };
  });
}

function frontPagesOf(lines: readonly PlacedLine[]): number {
  return 1 + countIndexPages(lines.length);
}

function placesIn(lines: readonly PlacedLine[]): Pick<PartMade, 'pages' | 'places'> {
  const pages = lines.reduce((sum, { place }) => sum + place.pages, frontPagesOf(lines));
  const byOrder = Map.groupBy(lines, ({ order }) => order);
  return { pages, places: [...byOrder.values()].map((ofOrder) => ofOrder.map(({ place }) => place)) };
}

/** A slip that stands where it stood says so already: which objects say another page now, and which. */
function numberSlips({ file, former, added }: PartWork, lines: readonly PlacedLine[]): [number, number][] {
  const said = new Map(former?.numbered);
  const shown = new Map(
    lines.flatMap(({ held, place }) =>
      (held?.digits ?? []).map((digits, at): [number, number] => [digits, place.page + at]),
    ),
  );
  const numbered = [...shown].filter(([digits, page]) => said.get(digits) !== page);
  for (const [digits, page] of numbered) file.write(digits, digitsOf(page));
  for (const digits of added.flatMap((original) => original.digits)) {
    if (!shown.has(digits)) file.write(digits, digitsOf(undefined));
  }
  return numbered;
}

interface Layout {
  words: BundleWords;
  lines: readonly PlacedLine[];
  /** Object numbers of the pages, in order. */
  numbers: readonly number[];
  frontPages: number;
}

/** Cover, index and the pages that stand for what is not merged. */
async function writeOwnPages(work: PartWork, layout: Layout): Promise<void> {
  const { plan, faces, target, file, pageRoot } = work;
  const { words, lines, numbers } = layout;
  const regular = await faces.regular.embed(target);
  const bold = await faces.bold.embed(target);
  const fonts = `/${FONT_NAMES.regular} ${regular} 0 R /${FONT_NAMES.bold} ${bold} 0 R`;
  const frame = (page: number) => ({ plan, words, page, pages: numbers.length });
  const write = (page: number, body: ObjectBody, links: readonly PageLink[] = []): void => {
    const contents = file.reserve();
    file.write(contents, body);
    const annotations = links.map((link) => `${writeLink(work, layout, link)} 0 R`).join(' ');
    const entries = [
      `/Resources << /Font << ${fonts} >> >> /MediaBox [0 0 ${decimal(PAGE_WIDTH)} ${decimal(PAGE_HEIGHT)}]`,
      `/Contents ${contents} 0 R`,
      ...(links.length === 0 ? [] : [`/Annots [${annotations}]`]),
    ].join(' ');
    writePage(file, numbers[page - 1] ?? 0, { root: pageRoot, entries });
  };
  write(1, coverPage(faces, frame(1)));
  for (let page = 2; page <= layout.frontPages; page += 1) {
    const at = (page - 2) * LINES_A_PAGE;
    const { body, links } = indexPage(faces, frame(page), lines.slice(at, at + LINES_A_PAGE));
    write(page, body, links);
  }
  for (const { order, slot, place, held } of lines) {
    if (held === undefined) write(place.page, placeholderPage(faces, frame(place.page), { order, slot }));
  }
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
