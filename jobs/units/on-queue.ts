/**
 * A step whose work is done by workers: the night plans it in units, waits until each has ended, and takes what came of
 * them from its own tables. What an earlier try of it left to be done nobody may end any more.
 */
import type { Transaction } from 'kysely';
import { keepLease } from '../../src/store/database/leases.ts';
import { unitOfWork } from '../../src/store/database/unit-of-work.ts';
import type { Tables } from '../../src/store/schema/schema.ts';
import { UNIT_KINDS } from '../../src/store/units/unit-queue.ts';
import type { UnitQueue } from '../../src/store/units/unit-queue.ts';
import {
  forgetOtherTries,
  forgetPlanned,
  listGivenUp,
  listMade,
  planUnits,
  tryOf,
  unitIdOf,
} from '../../src/store/units/work-units.ts';
import type { PlannedUnit, Try, WorkUnit } from '../../src/store/units/work-units.ts';
import { countAlive } from '../../src/store/units/workers.ts';
import type { Context } from '../context/context.ts';
import { platformTime, seenElsewhere } from '../context/platform-time.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { aheadMsOf } from './handed-unit.ts';
import type { HandedResult, HandedWork } from './handed-unit.ts';
import { openQueue } from './open-queue.ts';
import type { Items, UnitKind, UnitRun } from './unit.ts';
import { waitForUnits } from './wait-for-units.ts';

/** So many units are planned in one transaction. */
const PAGE_UNITS = 500;

/** So many units of a step each worker has to do, or more: the last of them is then a small part of the whole. */
const UNITS_EACH = 16;
const ITEMS_MIN = 10;

interface Step<Item extends object, Made extends object> {
  context: Context;
  queue: UnitQueue;
  kind: UnitKind<Item, Made>;
  run: UnitRun & { fence: bigint };
  of: Try;
}

/**
 * @throws Stopped when no worker lives, or another night has the lease
 */
export async function runOnQueue<Item extends object, Made extends object>(
  context: Context,
  kind: UnitKind<Item, Made>,
  run: UnitRun & { fence: bigint },
  items: Items<Item>,
): Promise<Made[]> {
  const queue = await openQueue(context);
  try {
    const step = { context, queue, kind, run, of: await tryOf(context.db, run) };
    try {
      await plan(step, items);
      await waitForUnits(context, queue, { runId: run.runId, kind: kind.name, items: items.total });
    } finally {
      await withdraw(step);
    }
    return await takeResults(step);
  } finally {
    await queue.close();
  }
}

/** A change that only who has the night's lease may make. */
function underNight<T>(
  { context, run }: { context: Context; run: { fence: bigint } },
  change: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return unitOfWork(context.db, async (trx) => {
    const changed = await change(trx);
    await keepLease(trx, { name: RUN_LEASE, holder: '', fence: run.fence });
    return changed;
  });
}

async function plan<Item extends object, Made extends object>(
  step: Step<Item, Made>,
  items: Items<Item>,
): Promise<void> {
  const { context, kind } = step;
  const work = await workOf(step);
  const workers = await countAlive(context.db, kind.name);
  const perUnit = itemsPerUnit(step, { items: items.total, workers });
  const units = Math.ceil(items.total / perUnit);
  context.log.info({ event: 'units.planned', kind: kind.name, units, items: items.total, workers });
  const perPage = PAGE_UNITS * perUnit;
  let chunkNo = 0;
  for await (const page of items.pages()) {
    for (let at = 0; at < page.length; at += perPage) {
      context.signal.throwIfAborted();
      const chunks = chunksOf(step, page.slice(at, at + perPage), { perUnit, firstNo: chunkNo });
      chunkNo += chunks.length;
      await planPage(step, work, chunks);
    }
  }
}

/**
 * As many as a unit may have, but fewer where the workers that live would have too few units each to be done at about the
 * same time; yet enough that the calls in flight of each are used.
 */
function itemsPerUnit<Item extends object, Made extends object>(
  { context, kind }: Step<Item, Made>,
  { items, workers }: { items: number; workers: number },
): number {
  const shared = Math.ceil(items / (UNITS_EACH * Math.max(1, workers)));
  const least = Math.max(ITEMS_MIN, 2 * context.profile.http.rate.concurrency);
  return Math.min(kind.itemsMax, Math.max(least, shared));
}

async function planPage<Item extends object, Made extends object>(
  step: Step<Item, Made>,
  work: Omit<HandedWork<Item>, 'items'>,
  chunks: readonly Chunk<Item>[],
): Promise<void> {
  const { context, queue, kind, of } = step;
  const units = chunks.map(({ chunk, ...unit }) => ({
    ...unit,
    items: chunk.length,
    work: { ...work, items: chunk },
  }));
  const plannedAt = context.realClock.wall();
  await underNight(step, async (trx) => {
    await planUnits(trx, { ...of, kind: kind.name, plannedAt }, units);
    await queue.put(trx, kind.name, units);
  });
}

async function workOf<Item extends object, Made extends object>({
  context,
  run,
}: Step<Item, Made>): Promise<Omit<HandedWork<Item>, 'items'>> {
  const { runId, toDay, today } = run;
  const seenAt = platformTime(context.clock, await context.platform()).now();
  const rules = { profileDigest: context.profileDigest, settingsDigest: context.settingsDigest };
  return { run: { runId, toDay, today }, aheadMs: aheadMsOf(context), seenAt, rules };
}

type Chunk<Item> = Pick<PlannedUnit, 'unitId' | 'jobId' | 'chunkNo'> & { chunk: readonly Item[] };

/** The number in the queue is the unit's own, so that a unit that is planned twice is handed out once. */
function chunksOf<Item extends object, Made extends object>(
  { kind, of }: Step<Item, Made>,
  items: readonly Item[],
  { perUnit, firstNo }: { perUnit: number; firstNo: number },
): Chunk<Item>[] {
  const chunks: Chunk<Item>[] = [];
  for (let at = 0; at < items.length; at += perUnit) {
    const chunkNo = firstNo + chunks.length;
    const unitId = unitIdOf({ ...of, kind: kind.name, chunkNo });
    chunks.push({ unitId, jobId: unitId, chunkNo, chunk: items.slice(at, at + perUnit) });
  }
  return chunks;
}

/**
 * Who does a unit that another try planned, of this run or of an earlier one, may end nothing of it any more: to be called
 * before that is planned anew.
 */
export async function withdrawOtherTries(context: Context, run: UnitRun & { fence: bigint }): Promise<void> {
  const of = await tryOf(context.db, run);
  const queue = await openQueue(context);
  try {
    await underNight({ context, run }, async (trx) => {
      const left = await forgetOtherTries(trx, of);
      for (const kind of UNIT_KINDS) {
        const jobIds = left.filter((unit) => unit.kind === kind).map((unit) => unit.job_id);
        await queue.withdraw(trx, kind, jobIds);
      }
      const unitIds = left.map((unit) => unit.unit_id);
      await queue.forgetGivenUp(trx, unitIds);
    });
  } finally {
    await queue.close();
  }
}

/** When the night goes on, or stops, nobody reads for it any more. */
function withdraw<Item extends object, Made extends object>(step: Step<Item, Made>): Promise<void> {
  const { queue, kind, run } = step;
  return underNight(step, async (trx) => {
    const left = await forgetPlanned(trx, { runId: run.runId, kind: kind.name });
    const jobIds = left.map((unit) => unit.job_id);
    await queue.withdraw(trx, kind.name, jobIds);
  });
}

/** What was made of the units that are done; of the others it is said where the proof looks for it. */
async function takeResults<Item extends object, Made extends object>(
  step: Step<Item, Made>,
): Promise<Made[]> {
  const { context, kind, run } = step;
  const of = { runId: run.runId, kind: kind.name };
  const unread: Made[] = [];
  for (const unit of await listGivenUp(context.db, of)) {
    const { items } = unit.work as HandedWork<Item>;
    unread.push(await underNight(step, (trx) => kind.giveUp(trx, run, items, givenUpText(unit))));
  }
  const results = (await listMade(context.db, of)) as HandedResult<Made>[];
  for (const { seenAt } of results) seenElsewhere(context.clock, seenAt);
  return [...results.map(({ made }) => made), ...unread];
}

function givenUpText({ unit_id: unitId, reason }: WorkUnit): string {
  return `unit ${unitId} was given up: ${reason ?? ''}`;
}
