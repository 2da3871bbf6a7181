/**
 * The book of the retried settlements on the database (docs/reliability.md 2.2). Each change is one transaction:
 * under the lease, in its turn, with its event; it returns when the commit is confirmed, because Kysely takes a
 * COMMIT that became a ROLLBACK for an error, and doing it again after a lost connection finds it done.
 */
import type { Transaction } from 'kysely';
import type { Instant } from '../core/time.ts';
import { keepLease } from '../store/database/leases.ts';
import type { Lease } from '../store/database/leases.ts';
import type { OrderSave } from '../orders/orders-answers.ts';
import { slowestLookMs } from '../orders/slowest-look.ts';
import type { Db, DbOrTransaction, Tables } from '../store/schema/schema.ts';
import type { SettleAmountRule } from './settle-amount.ts';
import { saveAnswer } from './settle-attempts-answers.ts';
import {
  close,
  markPlannedUnknown,
  findAttempt,
  markSent,
  plannedRow,
  redate,
  saveAwaiting,
  saveEvent,
  saveFailedSeen,
  saveOpenSeen,
} from './settle-attempts-changes.ts';
import { isAccepted } from './attempt-store.ts';
import { openAttemptsMet, redateCalls, saveCallByHand, saveDenied, saveNotTaken } from './calls-by-hand.ts';
import type { Planning, SettlementAttemptStore } from './attempt-store.ts';
import type { CallStore } from './call-store.ts';
import type { FailedSettlement, OrderKey, PlannedAttempt } from './settle-order.ts';
import {
  listBalances,
  listFailedSettlements,
  listOpenAttempts,
  plannedOf,
  usedOnDay,
} from './settle-candidates.ts';
import { findEvidence, listShownBalances, newestShown, saveEvidence } from './settle-evidence.ts';
import {
  booksId,
  databaseIdentity,
  isSend,
  readGuard,
  requireTrusted,
  saveHold,
  serverStart,
  takeTurn,
} from './settle-guard.ts';
import type { Turn } from './settle-guard.ts';
import { looksOf } from './settle-looks.ts';
import { refusalOf, REFUSALS, StaleLook } from './settle-intent.ts';
import type { Basis, Refusal } from './settle-intent.ts';
import { unitOfWork } from '../store/database/unit-of-work.ts';

export interface AttemptStoreOptions {
  lease: Lease;
  /** How looks are kept; its run is the one that changes count for. */
  saving: Omit<OrderSave, 'answers'>;
  amountRule: SettleAmountRule;
  /** So long after the time of a call by hand a look may be heard that shows what was before it. */
  callLagMs: (slowestLookMs: number) => number;
  now(): Instant;
}

type Trx = Transaction<Tables>;
type InTurn = <T>(work: (trx: Trx) => Promise<T>, turn?: Partial<Turn>) => Promise<T>;

export function sqlAttemptStore(db: Db, options: AttemptStoreOptions): SettlementAttemptStore {
  const { lease, saving } = options;
  const { runId } = saving;
  const inTurn: InTurn = (work, turn = {}) =>
    unitOfWork(db, async (trx) => {
      await takeTurn(trx, { lease, ...turn });
      return work(trx);
    });
  return {
    ...readingsOf(db, options),
    ...decisionsOf(db, options),
    ...callsOf(db, inTurn, options),
    ...looksOf(db, { ...options, listOpen: listOpenAttempts }),
    plan: async (planned, basis) => {
      const identity = await databaseIdentity(db);
      try {
        return await inTurn((trx) => plan(trx, { planned, basis, identity }, options), { identity });
      } catch (error) {
        if (error instanceof StaleLook) return 'stale';
        throw error;
      }
    },
    markSent: async (reqId, sent, basis) => {
      const identity = await databaseIdentity(db);
      return inTurn(async (trx) => {
        const { sequence, attempt } = await markSent(trx, { reqId, sent, runId });
        await requireHolding(trx, { planned: plannedOf(attempt), basis, identity }, options);
        return sequence;
      });
    },
    saveAnswer: (reqId, answer, known) =>
      inTurn((trx) => saveAnswer(trx, { reqId, answer, known, runId, fence: lease.fence }), {
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
        if (latestSend) await markPlannedUnknown(trx, { latestSend, at: options.now(), runId });
      });
    },
  };
}

function callsOf(db: Db, inTurn: InTurn, options: AttemptStoreOptions): CallStore {
  const { runId } = options.saving;
  return {
    openMet: (named) => openAttemptsMet(db, named),
    saveCall: async (call, server, allow) => {
      const identity = await databaseIdentity(db);
      const keep = async (trx: Trx): Promise<void> => {
        const { holdUntil } = await requireTrusted(trx, { identity, server });
        allow({ holdUntil, open: await openAttemptsMet(trx, call) });
        await saveCallByHand(trx, { ...call, runId });
      };
      await inTurn(keep, { identity });
    },
    saveNotTaken: (reqId) => unitOfWork(db, (trx) => saveNotTaken(trx, reqId)),
    saveDenied: (denial) => inTurn(async (trx) => saveDenied(trx, denial, await callLagOf(trx, options))),
    redateCalls: (told) => inTurn((trx) => redateCalls(trx, told)),
  };
}

type Readings = Pick<
  SettlementAttemptStore,
  | 'listFailed'
  | 'listOpen'
  | 'findOpen'
  | 'usedOn'
  | 'slowestLookMs'
  | 'balancesOf'
  | 'shownBalancesOf'
  | 'findEvidence'
  | 'newestShown'
  | 'guard'
  | 'booksId'
  | 'serverStart'
  | 'isSend'
  | 'isApproved'
>;

function readingsOf(db: Db, options: AttemptStoreOptions): Readings {
  return {
    listFailed: () => listFailed(db, options),
    listOpen: () => listOpenAttempts(db),
    findOpen: async (reqId) => (await listOpenAttempts(db, reqId))[0],
    usedOn: (day) => usedOnDay(db, day),
    slowestLookMs: () => slowestLookMs(db),
    balancesOf: (accountNo, from) => listBalances(db, { accountNo, from }),
    shownBalancesOf: (accountNo, from) => listShownBalances(db, { accountNo, from }),
    findEvidence: (reqId, digest) => findEvidence(db, { reqId, digest }),
    newestShown: (reqId) => newestShown(db, reqId),
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

/** What people were shown, and what they decided; no change of an attempt, so out of turn. */
function decisionsOf(
  db: Db,
  { lease, saving: { runId } }: AttemptStoreOptions,
): Pick<SettlementAttemptStore, 'saveEvidence' | 'saveApproval'> {
  return {
    saveEvidence: (evidence) =>
      unitOfWork(db, async (trx) => {
        await keepLease(trx, lease);
        await saveEvidence(trx, { evidence, runId });
      }),
    saveApproval: (approval) =>
      unitOfWork(db, async (trx) => {
        await keepLease(trx, lease);
        await saveApproval(trx, approval);
      }),
  };
}

async function listFailed(
  db: DbOrTransaction,
  options: AttemptStoreOptions,
  asked: { only?: OrderKey; except?: string } = {},
): Promise<FailedSettlement[]> {
  const { amountRule } = options;
  const callLagMs = await callLagOf(db, options);
  return listFailedSettlements(db, { amountRule, callLagMs, now: options.now(), ...asked });
}

async function callLagOf(db: DbOrTransaction, { callLagMs }: AttemptStoreOptions): Promise<number> {
  return callLagMs(await slowestLookMs(db));
}

interface Intent {
  planned: PlannedAttempt;
  basis: Basis;
  /** Of the database, as it was right before the transaction. */
  identity: string;
}

async function plan(trx: Trx, intent: Intent, options: AttemptStoreOptions): Promise<Planning> {
  const { planned, basis } = intent;
  const known = await findAttempt(trx, planned.reqId);
  if (known !== undefined) {
    if (known.account_no === planned.accountNo && known.out_order_no === planned.outOrderNo) return 'planned';
    throw new Error(`Bug: the request ${planned.reqId} was planned for another settlement`);
  }
  const refusal = await refusalIn(trx, intent, options);
  if (refusal !== undefined) return refusal;
  // The indices have the last word; a claim that somebody else has is no error (H8, M3).
  const row = await trx
    .insertInto('settle_attempt')
    .values(plannedRow(planned, options.lease.fence))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return 'taken';
  await saveEvent(trx, row, { runId: planned.runId, at: planned.plannedAt, note: '' });
  requireFresh(basis);
  return 'planned';
}

/**
 * What speaks against it by all that is stored, the attempt itself left out.
 * @throws Stopped
 * @throws StaleLook where nothing does, but somebody else may be shown something else just now
 */
async function refusalIn(
  trx: Trx,
  { planned, basis, identity }: Intent,
  options: AttemptStoreOptions,
): Promise<Refusal | undefined> {
  const { holdUntil } = await requireTrusted(trx, { identity, server: basis.server });
  const except = planned.reqId;
  const [order] = await listFailed(trx, options, { only: planned, except });
  const used = await usedOnDay(trx, basis.limits.day, except);
  const refusal = refusalOf({ order, used, holdUntil }, planned, basis);
  if (refusal === undefined && order?.isAskedFor === true)
    throw new StaleLook('somebody else asks for its batch just now');
  return refusal;
}

/** @throws StaleLook which undoes the transaction it is asked in */
async function requireHolding(trx: Trx, intent: Intent, options: AttemptStoreOptions): Promise<void> {
  const refusal = await refusalIn(trx, intent, options);
  if (refusal !== undefined) throw new StaleLook(REFUSALS[refusal]);
  requireFresh(intent.basis);
}

/** @throws StaleLook which undoes the transaction it is asked in */
function requireFresh({ isFresh }: Basis): void {
  if (!isFresh()) throw new StaleLook();
}

async function saveApproval(
  trx: Trx,
  approval: Parameters<SettlementAttemptStore['saveApproval']>[0],
): Promise<void> {
  await trx
    .insertInto('settle_approval')
    .values({
      plan_digest: approval.planDigest,
      approved_by: approval.approvedBy,
      approved_at: approval.approvedAt,
      run_id: approval.runId,
      orders: approval.orders,
      amount_fen: approval.amountFen,
      eligible_orders: approval.eligible?.orders ?? null,
      eligible_fen: approval.eligible?.sumFen ?? null,
    })
    .onConflict((conflict) => conflict.columns(['plan_digest', 'run_id']).doNothing())
    .execute();
}
