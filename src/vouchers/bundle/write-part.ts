/** One part of a bundle, handed to the merging process original by original and written whole or not at all. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import type { BundleWorld, BundleRequest } from './bundle-request.ts';
import type { PartPlan, PlannedOrder, PlannedSlot } from './bundle-plan.ts';
import { totalsOf } from './bundle-totals.ts';
import { originalsDigest, originalsList } from './manifest.ts';
import { MergerDied } from './merger.ts';
import type { Added, Merger } from './merger.ts';
import { partNameOf } from '../names.ts';
import type { PartMade } from './part-maker.ts';

export interface BundleWork {
  request: BundleRequest;
  world: BundleWorld;
  merger: Merger;
  orders: readonly PlannedOrder[];
}

export interface Piece {
  part: number;
  isLast: boolean;
  orders: readonly PlannedOrder[];
}

export interface WrittenPart {
  piece: Piece;
  name: string;
  made: PartMade;
  /** It stands already, and nothing was written. */
  isKept: boolean;
}

/** A merger that dies so often dies of something else than the files in its hands. */
const DEATHS_MAX = 20;

/** Each file that a merger died of stays out, and the part is begun again without it. */
export async function writePart(work: BundleWork, piece: Piece): Promise<WrittenPart> {
  for (let deaths = 0; ; deaths += 1) {
    try {
      return await tryPart(work, piece);
    } catch (error) {
      if (!(error instanceof KilledBy) || deaths >= DEATHS_MAX) throw error;
      judge(work.orders, error.sha256, { condition: 'hostile', remark: 'it made the merging fail' });
    }
  }
}

/** The merger died with this original in its hands. */
class KilledBy extends MergerDied {
  readonly sha256: string;
  constructor(sha256: string, cause: MergerDied) {
    super(cause.message, {}, { cause });
    this.sha256 = sha256;
  }
}

/** What is found of an original holds wherever the bundle has it: a file is judged by its digest, once. */
function judge(
  orders: readonly PlannedOrder[],
  sha256: string,
  { condition, remark }: Exclude<Added, { pages: number }>,
): void {
  for (const slot of orders.flatMap(({ slots }) => slots)) {
    if (slot.sha256 !== sha256 || slot.status !== 'merged') continue;
    slot.status = condition;
    slot.remark = remark;
    slot.isJudged = true;
  }
}

async function tryPart(work: BundleWork, piece: Piece): Promise<WrittenPart> {
  const { request, world, merger } = work;
  const name = partNameOf({ ...request, part: piece.part });
  const former = request.standing?.[piece.part - 1];
  const kept = former && (await merger.keep(former, partPlan(work, piece)));
  if (kept !== undefined) return { piece, name, made: kept, isKept: true };
  const merged: PartMade[] = [];
  await world.files.writeWholeWith(join(request.folder, name), async (temporary) => {
    try {
      await addOriginals(work, piece.orders, await merger.open(temporary, request.locale, former));
      merged.push(await merger.finish(partPlan(work, piece)));
    } finally {
      await merger.abandon();
    }
  });
  const made = merged[0];
  if (made === undefined) throw new Error('Bug: a part was written and not made');
  return { piece, name, made, isKept: false };
}

/** The last part speaks of the whole bundle, every other one of itself (`PartPlan`). */
function partPlan({ request, world, orders }: BundleWork, piece: Piece): PartPlan {
  const { company, accountNo, accountName, month, locale, version, madeAt, entries } = request;
  const spokenOf = piece.isLast ? orders : piece.orders;
  return {
    locale,
    company,
    accountNo,
    accountName,
    month,
    madeAt: world.zone.localText(madeAt),
    creationDate: `D:${madeAt.slice(0, 19).replace(/[-T:]/g, '')}Z`,
    version,
    part: piece.part,
    isLast: piece.isLast,
    originalsSha256: originalsDigest(originalsList(spokenOf)),
    totals: totalsOf(
      spokenOf,
      spokenOf.map(({ no, kind }) => ({ kind, amountFen: entries[no - 1]?.amountFen ?? null })),
    ),
    orders: piece.orders,
  };
}

/** Files on their way to the merging process: one is read while others are merged, and no more are in memory. */
const IN_FLIGHT = 4;

/** Hands every original over that is not held, in order; what cannot be merged after all is marked in its slot. */
async function addOriginals(
  work: BundleWork,
  orders: readonly PlannedOrder[],
  held: readonly string[],
): Promise<void> {
  const { world } = work;
  const free = Map.groupBy(held, (sha256) => sha256);
  /** Each with what went wrong, so that none fails while another is waited for. */
  const waiting: Promise<{ failure: unknown } | undefined>[] = [];
  const settle = async (): Promise<void> => {
    const settled = await waiting.shift();
    if (settled !== undefined) throw settled.failure;
  };
  for (const slot of orders.flatMap(({ slots }) => slots)) {
    if (slot.status !== 'merged' || free.get(slot.sha256)?.pop() !== undefined) continue;
    const bytes = await intactOriginal(world, slot);
    if (bytes === undefined) continue;
    waiting.push(addOriginal(work, slot, bytes));
    if (waiting.length >= IN_FLIGHT) await settle();
  }
  while (waiting.length > 0) await settle();
}

async function addOriginal(
  { merger, orders }: BundleWork,
  slot: PlannedSlot,
  bytes: Uint8Array,
): Promise<{ failure: unknown } | undefined> {
  try {
    const added = await merger.add({ sha256: slot.sha256, bytes });
    if (!('pages' in added)) judge(orders, slot.sha256, added);
    return undefined;
  } catch (failure) {
    return { failure: failure instanceof MergerDied ? new KilledBy(slot.sha256, failure) : failure };
  }
}

/** The original as it was filed; undefined, with the reason in its slot, when it is no longer that. */
async function intactOriginal(world: BundleWorld, slot: PlannedSlot): Promise<Uint8Array | undefined> {
  const bytes = await world.readOriginal(slot.sha256);
  if (bytes === undefined) {
    slot.status = 'lost';
    slot.remark = 'the archive has no file of that name';
    return undefined;
  }
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual === slot.sha256) return bytes;
  slot.status = 'changed';
  slot.remark = `the file in the archive has the digest ${actual}`;
  return undefined;
}
