/**
 * The bundle of an account and a month: its vouchers merged in parts, with cover, index and bookmarks, and beside them
 * index.csv and manifest.json. The originals are read and never touched; the same request gives the same bytes.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { yuanForPeople } from '../../core/fen.ts';
import type { Zone } from '../../core/time.ts';
import type { VoucherCondition } from '../../store/schema/schema-vouchers.ts';
import type { BundlePlace } from '../../store/vouchers/voucher-bundles.ts';
import type { PlannedOrder, PlannedSlot, SlotPlace } from './bundle-plan.ts';
import { fixedTexts, remarkText } from './bundle-words.ts';
import { bundleWords } from './words-of-bundle.ts';
import { indexCsv } from './index-csv.ts';
import { manifestText, originalsDigest, originalsList } from './manifest.ts';
import type { Manifest, ManifestPart } from './manifest.ts';
import type { FontTexts } from './merge-worker.ts';
import { openMerger } from './merger.ts';
import { writePart } from './write-part.ts';
import type { BundleWork, WrittenPart } from './write-part.ts';
import type { BundleEntry, BundleRequest, BundleWorld } from './bundle-request.ts';

export interface BundleMade {
  parts: ManifestPart[];
  places: BundlePlace[];
  pages: number;
  files: number;
  missing: number;
  indexSha256: string;
  manifestSha256: string;
  originalsSha256: string;
  /** Originals that are lost or changed. */
  faults: Manifest['faults'];
  /** What the merge found out of originals that passed their check; each digest once. */
  judged: readonly Judgement[];
  /** Pages of originals that were copied; those that the standing parts hold already are not. */
  merged: number;
  /** Parts that stand as they are and were not written, and all whose beginning is the standing part. */
  kept: readonly string[];
  continued: readonly string[];
}

export interface Judgement {
  sha256: string;
  condition: Exclude<VoucherCondition, 'whole' | 'rejected'>;
  remark: string;
}

export const INDEX_NAME = 'index.csv';
export const MANIFEST_NAME = 'manifest.json';
/** Viewers and printers stay usable, and a part is merged in a minute. */
const FILES_PER_PART = 2_000;

/** Writes every file of the bundle, the manifest last. @throws Stopped when the disk or the merging process fails */
export async function writeBundle(request: BundleRequest, world: BundleWorld): Promise<BundleMade> {
  const merger = world.merger ?? openMerger();
  try {
    const orders = request.entries.map((entry, at) => plannedOrder(entry, { no: at + 1, zone: world.zone }));
    await merger.cutFonts(textsOf(request, orders));
    const work = { request, world, merger, orders };
    let parts: WrittenPart[] = [];
    const pieces = piecesOf(orders, request.filesPerPart ?? FILES_PER_PART);
    // What a later part finds out of an original holds in the earlier ones as well.
    for (let known = -1; known !== judgementsOf(orders).length;) {
      known = judgementsOf(orders).length;
      parts = [];
      for (const [at, piece] of pieces.entries()) {
        const isLast = at === pieces.length - 1;
        parts.push(await writePart(work, { part: at + 1, isLast, orders: piece }));
      }
      if (pieces.length === 1) break;
    }
    return await writeBeside(work, parts);
  } finally {
    if (world.merger === undefined) await merger.close();
  }
}

function plannedOrder(entry: BundleEntry, at: { no: number; zone: Zone }): PlannedOrder {
  const { kind, orderNo, outOrderNo, orderAccountNo, counterparty, counterpartyName, amountFen, files } =
    entry;
  const slots = files.map(({ fileNo, sha256, condition, remark }): PlannedSlot => {
    const status = condition === 'whole' ? 'merged' : condition;
    return { fileNo, sha256, status, remark: status === 'merged' ? '' : remark };
  });
  const missing: PlannedSlot = {
    fileNo: 0,
    sha256: '',
    status: 'missing',
    remark: entry.missingReason ?? '',
  };
  return {
    no: at.no,
    kind,
    time: at.zone.localText(entry.movedAt),
    orderNo,
    outOrderNo,
    orderAccountNo,
    counterparty,
    counterpartyName,
    amount: amountFen === null ? '' : yuanForPeople(amountFen),
    slots: slots.length === 0 ? [missing] : slots,
  };
}

function judgementsOf(orders: readonly PlannedOrder[]): Judgement[] {
  const found = new Map<string, Judgement>();
  for (const { sha256, status, remark, isJudged } of orders.flatMap(({ slots }) => slots)) {
    const isUnmerged = status === 'encrypted' || status === 'damaged' || status === 'hostile';
    if (isJudged === true && isUnmerged) found.set(sha256, { sha256, condition: status, remark });
  }
  return [...found.values()];
}

/** Everything the bundle may print; only our own words are printed bold. */
function textsOf(request: BundleRequest, orders: readonly PlannedOrder[]): FontTexts {
  const words = bundleWords(request.locale);
  const ofOrders = orders.flatMap((order) => [
    order.orderNo,
    order.outOrderNo,
    order.orderAccountNo,
    order.counterparty,
    order.counterpartyName,
    ...order.slots.map(({ remark }) => remarkText(words, remark)),
  ]);
  const { company, accountNo, accountName } = request;
  const bold = fixedTexts(words);
  return { regular: [...bold, company, accountNo, accountName, ...ofOrders], bold };
}

/** An order without a file counts as one: its page has to be somewhere. */
function piecesOf(orders: readonly PlannedOrder[], filesMax: number): PlannedOrder[][] {
  const pieces: PlannedOrder[][] = [];
  let piece: PlannedOrder[] = [];
  let files = 0;
  for (const order of orders) {
    if (piece.length > 0 && files + order.slots.length > filesMax) {
      pieces.push(piece);
      [piece, files] = [[], 0];
    }
    piece.push(order);
    files += order.slots.length;
  }
  return [...pieces, piece];
}

async function writeBeside(work: BundleWork, parts: readonly WrittenPart[]): Promise<BundleMade> {
  const { request, orders } = work;
  const list = originalsList(orders);
  const originalsSha256 = originalsDigest(list);
  const placed = parts.flatMap(({ piece, made }) =>
    piece.orders.map((order, at) => ({ order, part: piece.part, places: made.places[at] ?? [] })),
  );
  const index = indexCsv(
    placed.map((of) => ({ ...of, amountFen: request.entries[of.order.no - 1]?.amountFen ?? null })),
  );
  const indexSha256 = await writeText(work, INDEX_NAME, index);
  const listed = parts.map((part) => manifestPart(part));
  const slots = orders.flatMap(({ no, slots: ofOrder }) => ofOrder.map((slot) => ({ no, ...slot })));
  const faults = slots
    .filter(({ status }) => status === 'lost' || status === 'changed')
    .map(({ no, sha256, status, remark }) => ({ no, sha256, status, remark }));
  const counts = {
    pages: listed.reduce((sum, part) => sum + part.pages, 0),
    files: slots.filter(({ fileNo }) => fileNo > 0).length,
    missing: slots.filter(({ fileNo }) => fileNo === 0).length,
  };
  const { company, accountNo, accountName, month, version, madeAt } = request;
  const manifest = manifestText({
    company,
    accountNo,
    accountName,
    month,
    version,
    madeAt,
    ...counts,
    parts: listed,
    index: { name: INDEX_NAME, sha256: indexSha256, bytes: Buffer.byteLength(index, 'utf8') },
    originals: { sha256: originalsSha256, list },
    faults,
  });
  const manifestSha256 = await writeText(work, MANIFEST_NAME, manifest);
  const places = placed.flatMap(placesOf);
  const judged = judgementsOf(orders);
  const digests = { indexSha256, manifestSha256, originalsSha256 };
  return { parts: listed, places, ...counts, ...digests, faults, judged, ...changesOf(parts) };
}

function changesOf(parts: readonly WrittenPart[]): Pick<BundleMade, 'merged' | 'kept' | 'continued'> {
  const namesOf = (chosen: readonly WrittenPart[]): string[] => chosen.map(({ name }) => name);
  return {
    merged: parts.reduce((sum, { made }) => sum + made.merged, 0),
    kept: namesOf(parts.filter(({ isKept }) => isKept)),
    continued: namesOf(parts.filter(({ made }) => made.isContinued)),
  };
}

function manifestPart({ piece, name, made }: WrittenPart): ManifestPart {
  const { sha256, bytes, pages } = made;
  const files = piece.orders.flatMap(({ slots }) => slots).filter(({ fileNo }) => fileNo > 0).length;
  const [firstNo, lastNo] = [piece.orders[0]?.no ?? 0, piece.orders.at(-1)?.no ?? 0];
  return { name, sha256, bytes, pages, files, firstNo, lastNo };
}

function placesOf(of: { order: PlannedOrder; part: number; places: readonly SlotPlace[] }): BundlePlace[] {
  const { order, part, places } = of;
  const number = order.kind === 'deposit' ? order.orderNo : order.outOrderNo;
  const { orderAccountNo, kind } = order;
  return order.slots.flatMap(({ fileNo }, at) => {
    const place = places[at];
    return place === undefined ? [] : [{ orderAccountNo, kind, number, fileNo, part, ...place }];
  });
}

/** The digest of what was written. */
async function writeText({ request, world }: BundleWork, name: string, text: string): Promise<string> {
  await world.files.writeWhole(join(request.folder, name), text);
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
