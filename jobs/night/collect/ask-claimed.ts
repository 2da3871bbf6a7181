/**
 * Asks for orders that nobody else asks for meanwhile, in this process or another: each is claimed before it is asked for,
 * and free again when its answer is stored, or when nothing came of it. What another one has is waited for, also where it
 * took that over.
 */
import type { LimitFunction } from 'p-limit';
import { messageOf } from '../../../src/core/errors.ts';
import {
  claimUnits,
  releaseClaims,
  renewClaims,
  RENEW_MS,
  unitText,
} from '../../../src/store/orders/order-claims.ts';
import type { ClaimedUnit } from '../../../src/store/orders/order-claims.ts';
import { findPlatformNumber, listBatch } from '../../../src/store/orders/order-due.ts';
import type { DueUnit } from '../../../src/store/orders/order-due.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import type { OrderAnswer } from '../../../src/orders/orders.ts';
import type { Context } from '../../context/context.ts';
import { seenElsewhere } from '../../context/platform-time.ts';
import type { OrdersWritten, OrderWriter } from './order-writer.ts';

/** Units claimed, asked and written together. */
export const CHUNK_UNITS = 250;

/** So often an order is asked for whose answers others overtake each time; then it counts as not read. */
const ASKS_MAX = 5;

/** Until what another one has is looked at again. */
const HELD_MS = 100;

export interface ClaimedAsking {
  /** Who asks: what the same one had claimed before it died is its own. */
  by: string;
  runId: string;
  /** So many at once, of all chunks together. */
  inTurn: LimitFunction;
  ask: (unit: DueUnit) => Promise<OrderAnswer>;
  writer: () => OrderWriter;
}

/** @param units no more than a chunk */
export async function askClaimed(
  context: Context,
  units: readonly DueUnit[],
  asking: ClaimedAsking,
): Promise<OrdersWritten> {
  const { db, clock, realClock, signal } = context;
  const written = { transferOrders: 0, withdrawals: 0, changed: 0, failed: 0 };
  const add = (more: OrdersWritten): void => {
    for (const name of Object.keys(written) as (keyof OrdersWritten)[]) written[name] += more[name];
  };
  const asks = new Map<string, number>();
  let left = units;
  while (left.length > 0) {
    signal.throwIfAborted();
    const { claimed: found, held } = await claimUnits(db, left, { by: asking.by, at: clock.wall() });
    const { claimed, renumbered } = await asListed(db, found);
    const waiting = [...held, ...renumbered];
    left = waiting;
    for (const { askedAt, askedRun } of claimed) {
      // What another process showed of it in this run is older than what this one will.
      if (askedRun === asking.runId && askedAt !== null) seenElsewhere(clock, askedAt);
    }
    if (claimed.length === 0 && renumbered.length === 0) {
      await realClock.sleep(HELD_MS, signal);
      continue;
    }
    const stored = await askAndStore(context, claimed, asking);
    add(stored.written);
    for (const unit of stored.overtaken) asks.set(unitText(unit), (asks.get(unitText(unit)) ?? 0) + 1);
    const isLost = (unit: DueUnit): boolean => (asks.get(unitText(unit)) ?? 0) >= ASKS_MAX;
    add(await storeAsUnread(stored.overtaken.filter(isLost), asking));
    left = [...waiting, ...stored.unasked, ...stored.overtaken.filter((unit) => !isLost(unit))];
  }
  return written;
}

/** What was found by its other number meanwhile stands on the list by that alone, and is claimed by that. */
async function asListed<T extends DueUnit & ClaimedUnit>(
  db: Db,
  found: readonly T[],
): Promise<{ claimed: T[]; renumbered: DueUnit[] }> {
  const claimed: T[] = [];
  const renumbered = new Map<string, DueUnit>();
  for (const unit of found) {
    const others = unit.claimFence === undefined ? await listedNow(db, unit) : [];
    if (others.length === 0) claimed.push(unit);
    for (const other of others) renumbered.set(unitText(other), other);
  }
  return { claimed, renumbered: [...renumbered.values()] };
}

async function listedNow(db: Db, unit: DueUnit): Promise<DueUnit[]> {
  const { kind, origin } = unit;
  if (kind === 'batch') return listBatch(db, unit.number);
  const number = await findPlatformNumber(db, unit);
  return number === undefined ? [] : [{ kind, numberKind: 'platform', number, origin }];
}

async function storeAsUnread(units: readonly DueUnit[], asking: ClaimedAsking): Promise<OrdersWritten> {
  const writer = asking.writer();
  const reason = `each of ${ASKS_MAX} answers was overtaken by another process that asked for the same: nothing of it is known`;
  for (const unit of units) await writer.add({ kind: 'failed', unit, reason, isUnanswered: true });
  return writer.close();
}

async function askAndStore(
  context: Context,
  claimed: readonly (DueUnit & ClaimedUnit)[],
  { inTurn, ask, writer: openWriter }: ClaimedAsking,
): Promise<{ written: OrdersWritten; unasked: DueUnit[]; overtaken: DueUnit[] }> {
  const writer = openWriter();
  const renewing = renewWhile(context, claimed);
  const asked = new Set<ClaimedUnit>();
  let isStored = false;
  try {
    try {
      const add = async (unit: DueUnit & ClaimedUnit): Promise<void> => {
        if (renewing.areLost.has(unit)) return;
        asked.add(unit);
        await writer.add({ ...(await ask(unit)), claimFence: unit.claimFence });
      };
      await allDone(claimed.map((unit) => inTurn(() => add(unit))));
    } finally {
      // What was answered before something failed is kept.
      await writer.close();
    }
    isStored = true;
  } finally {
    await renewing.stop();
    if (!isStored) await release(context, claimed, asked);
  }
  const overtaken = new Set(writer.overtaken.map(unitText));
  return {
    written: writer.written,
    unasked: claimed.filter((unit) => !asked.has(unit)),
    overtaken: claimed.filter((unit) => overtaken.has(unitText(unit))),
  };
}

/** What keeps it from being told is what had failed already; the claims end by themselves. */
async function release(
  { db, clock, log }: Context,
  claimed: readonly ClaimedUnit[],
  asked: ReadonlySet<ClaimedUnit>,
): Promise<void> {
  const unasked = claimed.filter((unit) => !asked.has(unit));
  try {
    await releaseClaims(db, unasked, null);
    await releaseClaims(db, [...asked], clock.wall());
  } catch (error) {
    log.warn({ event: 'orders.unreleased', reason: messageOf(error) });
  }
}

function renewWhile(
  { db, realClock, log }: Context,
  claimed: readonly ClaimedUnit[],
): { areLost: ReadonlySet<ClaimedUnit>; stop: () => Promise<void> } {
  const areLost = new Set<ClaimedUnit>();
  const ended = new AbortController();
  const renewing = async (): Promise<void> => {
    for (;;) {
      await realClock.sleep(RENEW_MS, ended.signal).catch(() => undefined);
      if (ended.signal.aborted) return;
      try {
        for (const unit of await renewClaims(db, claimed)) areLost.add(unit);
      } catch (error) {
        log.warn({ event: 'orders.unrenewed', reason: messageOf(error) });
      }
    }
  };
  const renewed = renewing();
  return {
    areLost,
    stop: () => {
      ended.abort(new Error('the orders were asked for'));
      return renewed;
    },
  };
}

/** Waits for all of it, also when some of it fails. @throws what failed first */
export async function allDone<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(work);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason as Error;
    return outcome.value;
  });
}
