/**
 * The book of the retried settlements on the database (docs/reliability.md 2.2). Each change is one transaction:
 * under the lease, in its turn, with its event; it returns when the commit is confirmed, because Kysely takes a
 * COMMIT that became a ROLLBACK for an error, and doing it again after a lost connection finds it done.
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
  redate,
  saveAwaiting,
  saveEvent,
  saveFailedSeen,
  saveOpenSeen,
} from './settle-attempts-changes.ts';
import { isAccepted, isAsPlanned, SHOWN_MEANWHILE, StaleLook } from './settle-book.ts';
import type { Basis, DayLimits, OrderKey, PlannedAttempt, Planning, SettleBook } from './settle-book.ts';
import {
  listBalances,
  listFailedSettlements,
  listOpenAttempts,
  plannedOf,
  usedOnDay,
} from './settle-candidates.ts';
import {
  booksId,
  databaseIdentity,
  isSend,
  keepLease,
  readGuard,
  saveHold,
  serverStart,
  takeTurn,
} from './settle-guard.ts';
import type { Turn } from './settle-guard.ts';
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
  const { lease, saving } = options;
  const { runId } = saving;
  const inTurn = <T>(work: (trx: Trx) => Promise<T>, turn: Partial<Turn> = {}): Promise<T> =>
    unitOfWork(db, async (trx) => {
      await takeTurn(trx, { lease, ...turn });
      return work(trx);
    });
  return {
    ...readingsOf(db, options),
    saveLook: (answer) =>
      unitOfWork(db, async (trx) => {
        // Not held as for a change: a look may have to wait for an import, longer than a lease can go unrenewed.
        await requireLease(trx, lease);
        const { failures } = await saveOrdersIn(trx, { ...saving, answers: [answer] });
        return failures.length === 0;
      }),
    plan: async (planned, limits, basis) => {
      const identity = await databaseIdentity(db);
      try {
        return await inTurn((trx) => plan(trx, { planned, limits, basis }, options), { identity });
      } catch (error) {
        if (error instanceof StaleLook) return 'stale';
        throw error;
      }
    },
    markSent: (reqId, sent, basis) =>
      inTurn(async (trx) => {
        const { sequence, attempt } = await markSent(trx, { reqId, sent, runId });
        await requireHolding(trx, { planned: plannedOf(attempt), basis }, options);
        return sequence;
      }),
    saveAnswer: (reqId, answer) =>
      inTurn((trx) => saveAnswer(trx, { reqId, answer, runId }), {
        // A lost lease must not lose the knowledge that the platform took it.
        ...(isAccepted(answer) && { lease: undefined }),
      }),
    saveFailedSeen: (reqId, seenAt) =>
      inTurn((trx) => saveFailedSeen(trx, { reqId, seenAt, at: options.now(), runId })),
    saveOpenSeen: (reqId, seenAt) =>
      inTurn((trx) => saveOpenSeen(trx, { reqId, seenAt, at: options.now(), runId })),
    saveAwaiting: (reqId, note) =>
      inTurn((trx) => saveAwaiting(trx, { reqId, note, at: options.now(), runId })),
    close: (reqId, closing) => inTurn((trx) => close(trx, { reqId, closing, runId })),
    redate: (reqId, sent, runner) =>
      inTurn((trx) => redate(trx, { reqId, sent, runner, at: options.now(), runId })),
    hold: async (until, { latest, latestSend } = {}) => {
      const identity = await databaseIdentity(db);
      await inTurn(async (trx) => {
        await saveHold(trx, { identity, until, latest });
        if (latestSend) await doubtPlanned(trx, { latestSend, at: options.now(), runId });
      });
    },
    saveApproval: (approval) =>
      unitOfWork(db, async (trx) => {
        await keepLease(trx, lease);
        await saveApproval(trx, approval);
      }),
  };
}

type Readings = Pick<
  SettleBook,
  | 'listFailed'
  | 'listOpen'
  | 'usedOn'
  | 'balancesOf'
  | 'guard'
  | 'booksId'
  | 'serverStart'
  | 'isSend'
  | 'isApproved'
>;

function readingsOf(db: Db, options: SettleBookOptions): Readings {
  const { amountRule } = options;
  return {
    listFailed: () => listFailedSettlements(db, { amountRule, now: options.now() }),
    listOpen: () => listOpenAttempts(db),
    usedOn: (day) => usedOnDay(db, day),
    balancesOf: (accountNo, from) => listBalances(db, { accountNo, from }),
    guard: () => readGuard(db),
    booksId: () => booksId(db),
    serverStart: () => serverStart(db),
    isSend: (sequence, reqId) => isSend(db, { sequence, reqId }),
    isApproved: async (planDigest, { from, to }) => {
      const row = await db
        .selectFrom('settle_approval')
        .select('plan_digest')
        .where('plan_digest', '=', planDigest)
        .where('approved_at', '>=', from)
        .where('approved_at', '<', to)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

async function plan(
  trx: Trx,
  { planned, limits, basis }: { planned: PlannedAttempt; limits: DayLimits; basis: Basis },
  options: SettleBookOptions,
): Promise<Planning> {
  const known = await findAttempt(trx, planned.reqId);
  if (known !== undefined) {
    if (known.account_no === planned.accountNo && known.out_order_no === planned.outOrderNo) return 'planned';
    throw new Error(`Bug: the request ${planned.reqId} was planned for another settlement`);
  }
  const order = await findFailed(trx, planned, options);
  if (order === undefined) return 'shown';
  if (order.hasOpenAttempt || order.nextAttemptNo !== planned.attemptNo) return 'taken';
  const used = await usedOnDay(trx, limits.day);
  const isCapped =
    order.attempts >= limits.maxAttempts ||
    used.attempts >= limits.maxPerRun ||
    used.sumFen + planned.amountFen > limits.maxFenPerRun;
  if (isCapped) return 'capped';
  if (!isAsPlanned(order, planned, basis)) return 'shown';
  // The indices have the last word; a claim that somebody else has is no error (H8, M3).
  const row = await trx
    .insertInto('settle_attempt')
    .values(rowOf(planned, options.lease))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return 'taken';
  await saveEvent(trx, row, { runId: planned.runId, at: planned.plannedAt, note: '' });
  requireFresh(basis);
  return 'planned';
}

/** @throws StaleLook which undoes the transaction it is asked in */
async function requireHolding(
  trx: Trx,
  { planned, basis }: { planned: PlannedAttempt; basis: Basis },
  options: SettleBookOptions,
): Promise<void> {
  const order = await findFailed(trx, planned, options);
  if (!isAsPlanned(order, planned, basis)) throw new StaleLook(SHOWN_MEANWHILE);
  requireFresh(basis);
}

async function findFailed(trx: Trx, only: OrderKey, options: SettleBookOptions) {
  const { amountRule } = options;
  const [order] = await listFailedSettlements(trx, { amountRule, now: options.now(), only });
  return order;
}

/** @throws StaleLook which undoes the transaction it is asked in */
function requireFresh({ isFresh }: Basis): void {
  if (!isFresh()) throw new StaleLook();
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
    .onConflict((conflict) => conflict.columns(['plan_digest', 'run_id']).doNothing())
    .execute();
}
