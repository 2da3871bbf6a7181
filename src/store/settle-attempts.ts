/**
 * The book of the retried settlements on the database (reliability.md 2.2). Each change is one transaction: under
 * the lease, in its turn, with its event; it returns when the commit is confirmed, because Kysely takes a COMMIT
 * that became a ROLLBACK for an error, and doing it again after a lost connection finds it done.
 */
import type { Transaction } from 'kysely';
import type { Instant } from '../core/time.ts';
import { requireLease } from './leases.ts';
import type { Lease } from './leases.ts';
import type { OrderSave } from './orders-answers.ts';
import { saveOrdersIn } from './orders.ts';
import type { Db, Tables } from './schema.ts';
import type { SettleAmountRule } from './settle-amount.ts';
import {
  close,
  doubtPlanned,
  findAttempt,
  markSent,
  saveAnswer,
  saveEvent,
  saveFailedSeen,
} from './settle-attempts-changes.ts';
import type { PlannedAttempt, Planning, RunLimits, SettleBook } from './settle-book.ts';
import { attemptsOfOrder, listFailedSettlements, listOpenAttempts, usedByRun } from './settle-candidates.ts';
import { databaseIdentity, keepLease, readGuard, saveHold, takeTurn } from './settle-guard.ts';
import { unitOfWork } from './unit-of-work.ts';

export interface SettleBookOptions {
  lease: Lease;
  /** How looks are kept; its run is the one that changes count for. */
  saving: Omit<OrderSave, 'answers'>;
  amountRule: SettleAmountRule;
  now(): Instant;
}

type Trx = Transaction<Tables>;

export function sqlSettleBook(db: Db, options: SettleBookOptions): SettleBook {
  const { lease, saving, amountRule } = options;
  const { runId } = saving;
  const inTurn = <T>(work: (trx: Trx) => Promise<T>, identity?: string): Promise<T> =>
    unitOfWork(db, async (trx) => {
      await takeTurn(trx, { lease, ...(identity !== undefined && { identity }) });
      return work(trx);
    });
  return {
    listFailed: () => listFailedSettlements(db, { amountRule, now: options.now() }),
    listOpen: () => listOpenAttempts(db),
    usedBy: (ofRun) => usedByRun(db, ofRun),
    saveLook: (answer) =>
      unitOfWork(db, async (trx) => {
        // Not held as for a change: a look may have to wait for an import, longer than a lease can go unrenewed.
        await requireLease(trx, lease);
        const { failures } = await saveOrdersIn(trx, { ...saving, answers: [answer] });
        return failures.length === 0;
      }),
    plan: async (planned, limits) => {
      const identity = await databaseIdentity(db);
      return inTurn((trx) => plan(trx, { planned, limits, lease }), identity);
    },
    markSent: (reqId, sent) => inTurn((trx) => markSent(trx, { reqId, sent, runId })),
    saveAnswer: (reqId, answer) => inTurn((trx) => saveAnswer(trx, { reqId, answer, runId })),
    saveFailedSeen: (reqId, seenAt) =>
      inTurn((trx) => saveFailedSeen(trx, { reqId, seenAt, at: options.now(), runId })),
    close: (reqId, closing) => inTurn((trx) => close(trx, { reqId, closing, runId })),
    guard: () => readGuard(db),
    hold: async (until, latestSend) => {
      const identity = await databaseIdentity(db);
      await inTurn(async (trx) => {
        await saveHold(trx, { identity, until });
        if (latestSend) await doubtPlanned(trx, { latestSend, at: options.now(), runId });
      });
    },
    isApproved: async (planDigest) => {
      const row = await db
        .selectFrom('settle_approval')
        .select('plan_digest')
        .where('plan_digest', '=', planDigest)
        .executeTakeFirst();
      return row !== undefined;
    },
    saveApproval: (approval) =>
      unitOfWork(db, async (trx) => {
        await keepLease(trx, lease);
        await saveApproval(trx, approval);
      }),
  };
}

async function plan(
  trx: Trx,
  { planned, limits, lease }: { planned: PlannedAttempt; limits: RunLimits; lease: Lease },
): Promise<Planning> {
  const known = await findAttempt(trx, planned.reqId);
  if (known !== undefined) {
    if (known.account_no === planned.accountNo && known.out_order_no === planned.outOrderNo) return 'planned';
    throw new Error(`Bug: the request ${planned.reqId} was planned for another settlement`);
  }
  const { counted, nextNo, hasOpen } = await attemptsOfOrder(trx, planned);
  if (hasOpen || nextNo !== planned.attemptNo) return 'taken';
  const used = await usedByRun(trx, limits.runId);
  const isCapped =
    counted >= limits.maxAttempts ||
    used.attempts >= limits.maxPerRun ||
    used.sumFen + planned.amountFen > limits.maxFenPerRun;
  if (isCapped) return 'capped';
  // The indices have the last word; a claim that somebody else has is no error (H8, M3).
  const row = await trx
    .insertInto('settle_attempt')
    .values(rowOf(planned, lease))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return 'taken';
  await saveEvent(trx, row, { runId: planned.runId, at: planned.plannedAt, note: '' });
  return 'planned';
}

function rowOf(planned: PlannedAttempt, { fence }: Lease) {
  return {
    account_no: planned.accountNo,
    out_order_no: planned.outOrderNo,
    attempt_no: planned.attemptNo,
    req_id: planned.reqId,
    order_no: planned.orderNo,
    payee_account_no: planned.payeeAccountNo,
    amount_fen: planned.amountFen,
    remark: planned.remark,
    state: 'PLANNED' as const,
    outcome: null,
    run_id: planned.runId,
    fence,
    planned_at: planned.plannedAt,
    runner: planned.runner,
  };
}

async function saveApproval(trx: Trx, approval: Parameters<SettleBook['saveApproval']>[0]): Promise<void> {
  await trx
    .insertInto('settle_approval')
    .values({
      plan_digest: approval.planDigest,
      approved_by: approval.approvedBy,
      approved_at: approval.approvedAt,
      run_id: approval.runId,
      orders: approval.orders,
      amount_fen: approval.amountFen,
    })
    .onConflict((conflict) => conflict.column('plan_digest').doNothing())
    .execute();
}
