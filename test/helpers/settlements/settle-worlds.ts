/** The two books of the retried settlements, each with what a test needs to prepare and to look behind it. */
import { sql } from 'kysely';
import type { Clock } from '../../../src/core/ports.ts';
import type { Instant } from '../../../src/core/time.ts';
import { takeLease } from '../../../src/store/database/leases.ts';
import type { Lease } from '../../../src/store/database/leases.ts';
import { saveOrders } from '../../../src/orders/orders.ts';
import type { OrderAnswer } from '../../../src/orders/orders.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import type { SettleAmountRule } from '../../../src/settlements/settle-amount.ts';
import { sqlAttemptStore } from '../../../src/settlements/settle-attempts.ts';
import type {
  AttemptAnswer,
  OpenAttempt,
  SettlementAttemptStore,
} from '../../../src/settlements/attempt-store.ts';
import type { PlannedAttempt } from '../../../src/settlements/settle-order.ts';
import type { Basis, DayLimits } from '../../../src/settlements/settle-intent.ts';
import { emptyTables } from '../dump.ts';
import { MemoryBooks } from './memory-books.ts';
import { MemoryAttemptStore } from './memory-attempt-store.ts';
import { RULES, batchAnswer, batchUnit, enrolled, listed } from '../company/order-answers.ts';
import { lookAt, second } from '../company/order-observations.ts';
import { anAccount } from '../company/run-rows.ts';
import { zone } from '../service-time.ts';

export interface BookAsked {
  runId?: string;
  amountRule?: SettleAmountRule;
  callLagMs?: number;
  now?: Instant;
}

export interface SettleWorld {
  reset(): Promise<void>;
  /** On the account list, active now. */
  listAccount(accountNo: string): Promise<void>;
  /** Batches that are asked for. */
  enrol(...outBatchNos: readonly string[]): Promise<void>;
  /** The lease, from whoever has it. */
  takeLease(holder: string): Promise<Lease>;
  open(lease: Lease, asked?: BookAsked): SettlementAttemptStore;
  /** All events: `1 T1/1 PLANNED run-1`, with outcome and note where there are any. */
  events(): Promise<string[]>;
  /** The numbers of those after which only a person can end the attempt. */
  awaited(): Promise<bigint[]>;
  /** A first look, before any run. */
  see(answer: OrderAnswer): Promise<void>;
  /** As if put back from a backup made somewhere else. */
  replace(): Promise<void>;
}

const DAY = '2026-03-01';

function savingOf(runId: string) {
  return { runId, day: DAY, today: '2026-03-02', zone, rules: RULES, keepsList: true };
}

function optionsOf(
  lease: Lease,
  { runId = 'run-1', amountRule = 'realAmount', callLagMs = 0, now }: BookAsked = {},
) {
  return {
    lease,
    saving: savingOf(runId),
    amountRule,
    callLagMs: () => callLagMs,
    now: () => now ?? second(0),
  };
}

type EventLine = { no: bigint; out: string; attempt: number; state: string; run: string; rest: string[] };

function lineOf({ no, out, attempt, state, run, rest }: EventLine): string {
  return [no, `${out}/${attempt}`, state, run, ...rest.filter((word) => word !== '')].join(' ');
}

export function memoryWorld(): SettleWorld {
  let books = new MemoryBooks();
  return {
    reset: () => {
      books = new MemoryBooks();
      return Promise.resolve();
    },
    listAccount: (accountNo) => {
      books.listedAccounts.add(accountNo);
      return Promise.resolve();
    },
    enrol: () => Promise.resolve(),
    takeLease: (holder) => Promise.resolve(books.takeLease(holder)),
    open: (lease, asked) => new MemoryAttemptStore(books, optionsOf(lease, asked)),
    events: () =>
      Promise.resolve(
        books.events.map((event) =>
          lineOf({
            no: event.sequence,
            out: event.outOrderNo,
            attempt: event.attemptNo,
            state: event.state,
            run: event.runId,
            rest: [event.outcome ?? '', event.note],
          }),
        ),
      ),
    awaited: () =>
      Promise.resolve(books.events.filter(({ isAwaiting }) => isAwaiting).map(({ sequence }) => sequence)),
    see: (answer) => {
      books.keepLook(answer, DAY);
      return Promise.resolve();
    },
    replace: () => {
      books.restore(books.backup(), { isReplaced: true, isStarted: true });
      return Promise.resolve();
    },
  };
}

const STOPPED_CLOCK: Clock = {
  wall: () => second(0),
  monoMs: () => 0,
  sleep: () => Promise.reject(new Error('Bug: taking a lease waits for nothing')),
};

/** Another database, with all rows as they were written; or the same, where the rows were written again. */
export type Replacing = 'another database' | 'the same rows again';

export function databaseWorld(db: () => Db, replacing: Replacing = 'another database'): SettleWorld {
  return {
    reset: () => emptyTables(db(), 'all'),
    listAccount: (accountNo) => anAccount(db(), { account_no: accountNo }),
    enrol: (...outBatchNos) => enrolled(db(), outBatchNos.map(batchUnit)),
    takeLease: (holder) => takeLapsed(db(), holder),
    open: (lease, asked) => sqlAttemptStore(db(), optionsOf(lease, asked)),
    awaited: async () => {
      const events = db().selectFrom('settle_event').where('is_awaiting', '=', true);
      const rows = await events.select('sequence').orderBy('sequence').execute();
      return rows.map(({ sequence }) => sequence);
    },
    events: async () => {
      const rows = await db().selectFrom('settle_event').selectAll().orderBy('sequence').execute();
      return rows.map((row) =>
        lineOf({
          no: row.sequence,
          out: row.out_order_no,
          attempt: row.attempt_no,
          state: row.state,
          run: row.run_id,
          rest: [row.outcome ?? '', row.note],
        }),
      );
    },
    see: async (answer) => {
      await saveOrders(db(), { ...savingOf('before'), answers: [answer] });
    },
    replace: async () => {
      if (replacing === 'another database') {
        await setGuardBack(db(), { database_identity: 'another' });
        return;
      }
      const rows = await db().selectFrom('settle_guard').selectAll().execute();
      await db().deleteFrom('settle_guard').execute();
      await db().insertInto('settle_guard').values(rows).execute();
    },
  };
}

/** As a machine leaves it that was set back, or put elsewhere, with all its files: no row was written again. */
export async function setGuardBack(
  db: Db,
  guard: { sequence?: bigint; hold_until?: null; database_identity?: string },
): Promise<void> {
  const written_by = sql<bigint>`pg_current_xact_id()::text::bigint`;
  await db
    .updateTable('settle_guard')
    .set({ ...guard, written_by })
    .execute();
}

async function takeLapsed(db: Db, holder: string): Promise<Lease> {
  await db
    .updateTable('lease')
    .set({ until: second(-1) })
    .execute();
  return takeLease(db, { name: 'settle', holder, realClock: STOPPED_CLOCK });
}

/** Orders whose settlement has failed, as `anAttempt()` plans them: nothing else is retried. */
export async function failedIn(world: SettleWorld, ...outOrderNos: readonly string[]): Promise<void> {
  await world.listAccount('Q');
  await world.enrol('B1');
  const orders = outOrderNos.map((outOrderNo) => listed('SUCCESS', { outOrderNo, settleState: 'FAIL' }));
  await world.see(batchAnswer(0, orders));
}

/** The first attempt of `T1` of payer `P`, of 9970 fen to `Q`, unless it says otherwise. */
export function anAttempt(over: Partial<PlannedAttempt> = {}): PlannedAttempt {
  const { outOrderNo = 'T1', attemptNo = 1 } = over;
  return {
    accountNo: 'P',
    outOrderNo,
    attemptNo,
    reqId: `req-${outOrderNo}-${attemptNo}`,
    orderNo: `N-${outOrderNo}`,
    payeeAccountNo: 'Q',
    amountFen: 9_970n,
    remark: `recon retry ${attemptNo}`,
    runId: 'run-1',
    runner: 'runner-1',
    plannedAt: second(10),
    ...over,
  };
}

/** The day all of these attempts are planned on. */
export const PLAN_DAY = { from: second(0), to: second(86_400) };

const LIMITS: DayLimits = { day: PLAN_DAY, maxPerRun: 100, maxFenPerRun: 1_000_000n, maxAttempts: 3 };

/** A look that still holds, at an order of which nothing but its failure was ever shown; and one that does not. */
export const FRESH: Basis = {
  isFresh: () => true,
  lastShownAt: undefined,
  limits: LIMITS,
  server: '',
  refusal: () => undefined,
};
export const STALE: Basis = { ...FRESH, isFresh: () => false };

/** The same with other limits. */
export function under(over: Partial<DayLimits>): Basis {
  return { ...FRESH, limits: { ...LIMITS, ...over } };
}

export const STAMP = { reqTime: second(11), sentAt: second(12), sentMonoMs: 12_000 };

export function anAnswer(state: AttemptAnswer['state'], over: Partial<AttemptAnswer> = {}): AttemptAnswer {
  return {
    state,
    answeredAt: second(13),
    code: '',
    isClaimed: false,
    note: '',
    feeFen: undefined,
    feeType: '',
    evidence: undefined,
    ...over,
  };
}

export function notFoundAnswer(seconds: number, outBatchNo: string): OrderAnswer {
  const { day: _day, ...moments } = lookAt(seconds);
  return { kind: 'not_found', unit: batchUnit(outBatchNo), moments };
}

/** `anAttempt()` as it is open once it is planned. */
export const PLANNED = {
  ...anAttempt(),
  outBatchNo: 'B1',
  batchNo: 'N-B1',
  state: 'PLANNED',
  sent: undefined,
  answeredAt: undefined,
  feeFen: undefined,
  note: '',
  isClaimed: false,
  openSeenAt: undefined,
  failedSeenAt: undefined,
  openShownAt: undefined,
  movedShownAt: undefined,
  elseShownAt: undefined,
  unkeptAt: undefined,
  unfailedShownAt: undefined,
  oddShownAt: undefined,
  isFollowed: false,
  isBeside: false,
  besideEndedAt: undefined,
} as const satisfies OpenAttempt;
