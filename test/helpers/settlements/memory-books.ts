/**
 * What a database would hold of the retried settlements, in maps: orders as looks make them by the product's own
 * state machine, attempts, events, guard, approvals, and the lease. Several runners share one; a copy of yesterday
 * can be put back. Records are replaced and never edited, so that a copy costs next to nothing.
 */
import { Stopped } from '../../../src/core/errors.ts';
import type { Fen } from '../../../src/core/fen.ts';
import type { Day, Instant } from '../../../src/core/time.ts';
import type { Lease } from '../../../src/store/database/leases.ts';
import type { Known, TransferObservation, TransferRow } from '../../../src/orders/order-observations.ts';
import type { JudgedOrder } from '../../../src/orders/apply-batch-answer.ts';
import { observeTransfer } from '../../../src/orders/order-changes.ts';
import type { OrderAnswer } from '../../../src/orders/orders-answers.ts';
import type { AttemptOutcome, AttemptState } from '../../../src/store/schema/schema.ts';
import { REPLACED, STARTED_ANEW } from '../../../src/settlements/attempt-store.ts';
import type { Evidence, SentStamp } from '../../../src/settlements/attempt-store.ts';
import type { CallByHand } from '../../../src/settlements/call-store.ts';
import type { PlannedAttempt, OrderKey } from '../../../src/settlements/settle-order.ts';
import { aTransferLook, knownAfter } from '../company/order-observations.ts';
import { keepBatch, outNoOf } from './memory-looks.ts';
import type { Looked } from './memory-looks.ts';

export interface MemoryAttempt extends PlannedAttempt {
  state: AttemptState;
  outcome: AttemptOutcome | undefined;
  fence: bigint;
  sent: SentStamp | undefined;
  answeredAt: Instant | undefined;
  note: string;
  feeFen: Fen | undefined;
  isClaimed: boolean;
  openSeenAt: Instant | undefined;
  failedSeenAt: Instant | undefined;
  closedAt: Instant | undefined;
  /** When it was opened again, or made anew. */
  reopenedAt: Instant | undefined;
}

export interface MemoryEvent extends OrderKey {
  sequence: bigint;
  attemptNo: number;
  at: Instant;
  runId: string;
  state: AttemptState;
  outcome: AttemptOutcome | undefined;
  note: string;
  /** Only a person can end it. */
  isAwaiting: boolean;
}

export interface MemoryCall extends CallByHand {
  isTaken: boolean;
}

interface Guard {
  sequence: bigint;
  identity: number;
  holdUntil: Instant | undefined;
}

interface Contents extends Looked {
  listedAccounts: Set<string>;
  attempts: Map<string, MemoryAttempt>;
  calls: Map<string, MemoryCall>;
  denials: Map<string, Instant>;
  events: MemoryEvent[];
  approvals: { planDigest: string; approvedAt: Instant }[];
  evidence: Evidence[];
  guard: Guard | undefined;
  fence: bigint;
  holder: string;
}

/** A copy of everything, as a backup is. */
export type MemoryBackup = Readonly<Contents>;

/** A transfer order whose settlement failed, unless it says otherwise. */
export type SeededOrder = Partial<TransferObservation> & { batchNo?: string; payeeIsListed?: boolean };

export function keyText({ accountNo, outOrderNo }: OrderKey): string {
  return `${accountNo}\t${outOrderNo}`;
}

export function byKey(one: OrderKey, other: OrderKey): number {
  const [left, right] = [keyText(one), keyText(other)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export class MemoryBooks implements Contents {
  orders = new Map<string, Known<TransferRow>>();
  batchNos = new Map<string, string>();
  askedAt = new Map<string, Instant>();
  listedAccounts = new Set<string>();
  /** By request. */
  attempts = new Map<string, MemoryAttempt>();
  /** By request. */
  calls = new Map<string, MemoryCall>();
  /** Refunds that the platform did not take, as somebody says: by request and order. */
  denials = new Map<string, Instant>();
  events: MemoryEvent[] = [];
  approvals: { planDigest: string; approvedAt: Instant }[] = [];
  evidence: Evidence[] = [];
  guard: Guard | undefined;
  fence = 0n;
  holder = '';
  /** Which database this is. */
  identity = 1;
  /** Which start of its server this is. */
  serverStarts = 1;

  serverStart(): string {
    return `${this.serverStarts}/${this.identity}`;
  }

  /** @throws Stopped where it is not the database, since the same start of its server, that was accepted as in use */
  requireTrusted(server: string): Guard {
    if (this.guard?.identity !== this.identity) throw new Stopped(REPLACED);
    if (server !== '' && server !== this.serverStart()) throw new Stopped(STARTED_ANEW);
    return this.guard;
  }

  /** Takes the lease from whoever has it. */
  takeLease(holder: string): Lease {
    this.fence += 1n;
    this.holder = holder;
    return { name: 'settle', holder, fence: this.fence };
  }

  /** @throws Stopped when someone else has it by now */
  requireLease({ name, fence, holder }: Lease): void {
    if (this.fence === fence && this.holder === holder) return;
    throw new Stopped(`this run lost its lock ${name} to another; start it again when that one has finished`);
  }

  backup(): MemoryBackup {
    return { ...copyOf(this) };
  }

  /** Everything as it was, the lease too. It may show as another database or not, or the server as started anew. */
  restore(
    backup: MemoryBackup,
    { isReplaced, isStarted }: { isReplaced: boolean; isStarted: boolean },
  ): void {
    Object.assign(this, copyOf(backup));
    if (isReplaced) this.identity += 1;
    if (isStarted) this.serverStarts += 1;
  }

  seed(order: SeededOrder, seenAt: Instant): void {
    const { batchNo, payeeIsListed = true, ...over } = order;
    const moments = { sentAt: seenAt, answeredAt: seenAt, askedAt: seenAt, seenAt };
    const look = { ...aTransferLook('SUCCESS', { settleState: 'FAIL', ...over }), ...moments };
    this.batchNos.set(look.outBatchNo, batchNo ?? `N-${look.outBatchNo}`);
    if (payeeIsListed) this.listedAccounts.add(look.payeeAccountNo);
    this.askedAt.set(look.outBatchNo, seenAt);
    const seen = { ...look, day: seenAt.slice(0, '2026-03-02'.length) };
    this.orders.set(keyText(look), knownAfter(undefined, observeTransfer(undefined, seen), seen));
  }

  /**
   * What an answer says of the orders of its batch. One that came and cannot be taken says nothing here, where the real books
   * wait: with so many of them in a drawn world that wait would hide what else keeps money from being sent twice.
   * @returns the orders that it lists; undefined where it could not be kept
   */
  keepLook(answer: OrderAnswer, day: Day): readonly JudgedOrder[] | undefined {
    switch (answer.kind) {
      case 'batch':
        return keepBatch(this, answer, day);
      case 'not_found': {
        this.#vanish({ outNo: outNoOf(this, answer.unit), sentAt: answer.moments.sentAt, day });
        return [];
      }
      case 'withdrawal':
        return [];
      case 'failed':
        return undefined;
    }
  }

  /** Orders of a batch that is not found are kept, and that they are gone is said (P4). */
  #vanish({ outNo, sentAt, day }: { outNo: string; sentAt: Instant; day: Day }): void {
    for (const [key, known] of this.orders) {
      const { out_batch_no: own, seen_at: seenAt } = known.row;
      if (own !== outNo || sentAt < seenAt) continue;
      const fault = { note: 'the platform does not know its number any more', firstDay: day };
      this.orders.set(key, { ...known, faults: new Map([...known.faults, ['record_vanished', fault]]) });
    }
  }
}

function copyOf(of: Contents): Contents {
  return {
    orders: new Map(of.orders),
    batchNos: new Map(of.batchNos),
    askedAt: new Map(of.askedAt),
    listedAccounts: new Set(of.listedAccounts),
    attempts: new Map(of.attempts),
    calls: new Map(of.calls),
    denials: new Map(of.denials),
    events: [...of.events],
    approvals: [...of.approvals],
    evidence: [...of.evidence],
    guard: of.guard && { ...of.guard },
    fence: of.fence,
    holder: of.holder,
  };
}
