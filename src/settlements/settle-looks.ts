/**
 * The looks of the retry, each under a claim as every look: who dies, or loses its lease, before one is stored may have been
 * shown anything, and whoever looks next takes notice of it.
 */
import { requireLease } from '../store/database/leases.ts';
import type { Lease } from '../store/database/leases.ts';
import { unitOfWork } from '../store/database/unit-of-work.ts';
import type { Instant } from '../core/time.ts';
import { claimUnits, releaseClaims, unitText } from '../store/orders/order-claims.ts';
import type { ClaimedUnit } from '../store/orders/order-claims.ts';
import { listBatch } from '../store/orders/order-due.ts';
import type { JudgedOrder } from '../orders/apply-batch-answer.ts';
import type { ListedOrder, OrderAnswer, OrderSave } from '../orders/orders-answers.ts';
import { saveOrdersIn } from '../orders/orders.ts';
import type { OrderKey } from './settle-order.ts';
import type { Db, DbOrTransaction } from '../store/schema/schema.ts';

/** When looks showed, or may have shown, anything else than the plain failure of an open attempt. */
export interface ElseShown {
  reqId: string;
  elseShownAt: Instant | undefined;
  unkeptAt: Instant | undefined;
}

/** A record of an order, and no other, as a look that was stored lists it. */
export interface ListedRecord {
  order: ListedOrder;
  /** Why it cannot be taken at its word, in sentences. */
  doubts: readonly string[];
}

/** What was known of all open attempts just before a look was stored, and what just after that. */
export interface LookStored {
  /** By `recordText` of their orders, as they were known when it was stored. */
  records: ReadonlyMap<string, ListedRecord>;
  before: readonly ElseShown[];
  after: readonly ElseShown[];
}

export interface LookStore {
  /**
   * @param batch its number of either kind
   * @param claim.takesOver what anybody else has asked of it, and not stored yet, is overtaken
   * @returns what `saveLook` ends; undefined where somebody else asks for it, or has just found it by another number: nothing is claimed
   */
  claimLook(batch: string, claim: { takesOver: boolean }): Promise<readonly ClaimedUnit[] | undefined>;
  /**
   * Keeps what a query said of a batch, as every collected look is kept; true when it could be kept.
   * @param told hears what it has changed
   */
  saveLook(
    answer: OrderAnswer,
    claimed?: readonly ClaimedUnit[],
    told?: (stored: LookStored) => void,
  ): Promise<boolean>;
}

export function looksOf(
  db: Db,
  of: {
    lease: Lease;
    saving: Omit<OrderSave, 'answers'>;
    now: () => Instant;
    listOpen: (trx: DbOrTransaction) => Promise<readonly ElseShown[]>;
  },
): LookStore {
  const { lease, saving, now, listOpen } = of;
  return {
    claimLook: async (batch, { takesOver }) => {
      const units = await listBatch(db, batch);
      const { claimed, held } = await claimUnits(db, units, { by: lease.holder, at: now(), takesOver });
      // What is not on the list any more is on it by another number by now.
      if (held.length === 0 && claimed.every(({ claimFence }) => claimFence !== undefined)) return claimed;
      await releaseClaims(db, claimed, null);
      return undefined;
    },
    saveLook: (answer, claimed = [], told = () => undefined) =>
      unitOfWork(db, async (trx) => {
        // Not held as for a change: a look may have to wait for an import, longer than a lease can go unrenewed.
        await requireLease(trx, lease);
        const own = claimed.find((unit) => unitText(unit) === unitText(answer.unit));
        const asked = own === undefined ? answer : { ...answer, claimFence: own.claimFence };
        let before: readonly ElseShown[] = [];
        const locked = async (): Promise<void> => {
          before = await listOpen(trx);
        };
        const saved = showsNothing(answer)
          ? undefined
          : await saveOrdersIn(trx, { ...saving, answers: [asked] }, { claimed, locked });
        told({ records: recordsOf(saved?.listed ?? []), before, after: await listOpen(trx) });
        await releaseClaims(trx, claimed, null);
        return saved !== undefined && saved.failures.length + saved.overtaken.length === 0;
      }),
  };
}

export function recordText({ accountNo, outOrderNo }: OrderKey): string {
  return `${accountNo}\t${outOrderNo}`;
}

/** Of orders that a look lists once, with their payer: a record that may be another's is none of an order. */
export function recordsOf(listed: readonly JudgedOrder[]): LookStored['records'] {
  const own = listed.filter(({ isOnce, observed }) => isOnce && observed.isOwn);
  return new Map(
    own.map(({ row, order, observed: { doubts } }) => [
      recordText({ accountNo: row.account_no, outOrderNo: row.out_order_no }),
      { order, doubts },
    ]),
  );
}

function showsNothing({ kind, unread }: OrderAnswer): boolean {
  return kind === 'failed' && unread === undefined;
}
