/**
 * What must hold at every send and at the end, whatever happened: checked against what the platform truly accepted
 * and paid, never against what the job believes (docs/reliability.md 2.1, invariants 12–18 and 24).
 */
import type { Clock, HttpRequest } from '../../src/core/ports.ts';
import { epochMs, instantOf } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import type { Lease } from '../../src/store/database/leases.ts';
import { REFUND_PATH, SETTLE_PATH } from './world/bank.ts';
import type { Bank } from './world/bank.ts';
import type { BookStore } from './book-store.ts';
import { canaryIn } from './canaries.ts';
import type { SeedPlan } from './world/draw-plan.ts';
import { checkEnd } from './end-checks.ts';
import type { Kernel } from './world/kernel.ts';
import type { MortalProcess } from './world/mortal-process.ts';
import type { Witness } from './mortal-book.ts';
import { profileOf, ZONE } from './world/profiles.ts';
import { checkRefund, checkSend } from './send-checks.ts';

export type ViolationKind =
  | 'double payment'
  | 'paid and refunded'
  | 'sent though refunded'
  | 'closed wrongly'
  | 'never resolved'
  | 'sent unrecorded'
  | 'sent without the lease'
  | 'sent twice'
  | 'sent stale'
  | 'sent unseen'
  | 'sent too soon'
  | 'beyond a limit'
  | 'strange state retried'
  | 'canary'
  | 'call within a change';

export interface Violation {
  kind: ViolationKind;
  what: string;
  atMs: number;
}

/** A settlement as it left; times since the beginning. */
export interface Send {
  reqId: string;
  outOrderNo: string;
  runId: string;
  process: string;
  amountFen: bigint;
  atMs: number;
  /** The service day on the clock of who sends. */
  day: Day;
}

/** A refund by hand as it left. */
export interface RefundSend {
  reqId: string;
  outOrderNos: readonly string[];
  atMs: number;
}

/** What a book was told an attempt came to. */
export interface Closed {
  reqId: string;
  outcome: string;
  atMs: number;
}

export interface ProcessFacts {
  process: string;
  lease: Lease;
  runId: string;
  mode: string;
  approves: boolean;
  /** A person's approval was given to this very process. */
  isApproving: boolean;
}

export class Oracle {
  readonly violations: Violation[] = [];
  readonly sends: Send[] = [];
  readonly refunds: RefundSend[] = [];
  readonly closings: Closed[] = [];
  /** Sends that were answered late, and when that can have been stored. */
  readonly answers: { reqId: string; atMs: number }[] = [];
  /** By reqId: as the how manieth thing that took effect it was committed as sent, or a call by hand as leaving. */
  readonly commits = new Map<string, number>();
  /** Who had the lease, from which effect on. */
  readonly leaseHolders: { process: string; since: number }[] = [];
  /** Several things may take effect in one millisecond, one after the other. */
  #effects = 0;
  /** Of each database that was put back: when, and from when it was. */
  readonly restores: { copiedMs: number; atMs: number }[] = [];
  /** The day of the last one into another database after something was sent, which no memory can overlook. */
  shownRestoreOn: Day | undefined;
  /** Requests of which no byte left: the connection was refused. */
  readonly refused = new Set<string>();
  /** Told of every send. */
  whenSent: () => void = () => undefined;
  readonly #processes = new Map<MortalProcess, ProcessFacts>();
  readonly #plans = new Map<string, { outOrderNo: string; plannedMs: number }>();
  readonly #reqIds = new Set<string>();
  readonly plan: SeedPlan;
  readonly bank: Bank;
  readonly store: BookStore;
  readonly kernel: Kernel;

  constructor(of: { plan: SeedPlan; bank: Bank; store: BookStore; kernel: Kernel }) {
    this.plan = of.plan;
    this.bank = of.bank;
    this.store = of.store;
    this.kernel = of.kernel;
  }

  violated(kind: ViolationKind, what: string): void {
    this.violations.push({ kind, what, atMs: this.kernel.nowMs });
  }

  processStarted(process: MortalProcess, facts: ProcessFacts): void {
    this.#processes.set(process, facts);
  }

  /** To be told when it took effect. */
  leaseTaken({ name }: MortalProcess): void {
    this.leaseHolders.push({ process: name, since: ++this.#effects });
  }

  factsOf(process: MortalProcess): ProcessFacts {
    const facts = this.#processes.get(process);
    if (facts === undefined) throw new Error(`Bug: ${process.name} works without a lease`);
    return facts;
  }

  witness(process: MortalProcess): Witness {
    return (method, args, result) => {
      if (method === 'isApproved' && result === true) this.factsOf(process).approves = true;
      if (method === 'plan') {
        const [planned] = args as readonly [{ reqId: string; outOrderNo: string }];
        const { reqId, outOrderNo } = planned;
        this.#plans.set(reqId, { outOrderNo, plannedMs: this.kernel.nowMs });
      }
      const [reqId, told] = args as readonly [string, { outcome: string }];
      if (method === 'markSent') {
        this.commits.set(reqId, ++this.#effects);
      }
      if (method === 'saveCall') {
        const [call] = args as readonly [{ reqId: string }];
        this.commits.set(call.reqId, ++this.#effects);
      }
      if (method === 'close') {
        this.closings.push({ reqId, outcome: told.outcome, atMs: this.kernel.nowMs });
      }
    };
  }

  /** Right before the first byte. */
  async beforePost(
    process: MortalProcess,
    at: { request: HttpRequest; clock: Clock; offsetMs: number },
  ): Promise<void> {
    const { body, url } = at.request;
    const reqId = /"reqId":"([^"]*)"/.exec(body)?.[1] ?? '';
    if (this.#reqIds.has(reqId)) this.violated('sent twice', `the request ${reqId} leaves a second time`);
    this.#reqIds.add(reqId);
    if (process.bookCalls > 0) this.violated('call within a change', `${process.name} calls ${url}`);
    const leaked = canaryIn(body);
    if (leaked !== undefined) this.violated('canary', `${leaked} stands in a request`);
    this.#checkFresh(body, at);
    if (url.endsWith(REFUND_PATH)) checkRefund(this, process, { reqId, body });
    if (url.endsWith(SETTLE_PATH))
      await checkSend(this, process, { reqId, body, day: ZONE.dayOf(at.clock.wall()) });
  }

  /** N15: a request carries the time of its send, to the second, corrected or not. */
  #checkFresh(body: string, { clock, offsetMs }: { clock: Clock; offsetMs: number }): void {
    const text = /"reqTime":"([^"]*)"/.exec(body)?.[1] ?? '';
    const reqTimeMs = epochMs(ZONE.parseCompact(text) ?? instantOf(0));
    const wallMs = epochMs(clock.wall());
    const ages = [wallMs - reqTimeMs, wallMs + offsetMs - reqTimeMs];
    // The text is cut to the second below.
    if (ages.some((ageMs) => ageMs >= 0 && ageMs < 2_000)) return;
    this.violated('sent stale', `reqTime ${text} at ${clock.wall()}, offset ${offsetMs} ms`);
  }

  /** The network refused the connection: it was sent and never left. */
  isRefused(reqId: string): boolean {
    return this.refused.has(reqId);
  }

  /** The order of an attempt, and since when there is one. */
  planOf(reqId: string): { outOrderNo: string; plannedMs: number } {
    const plan = this.#plans.get(reqId);
    if (plan === undefined) throw new Error(`Bug: ${reqId} was never planned`);
    return plan;
  }

  async finish(): Promise<void> {
    const attempts = await this.kernel.during(() => this.store.attempts());
    checkEnd(this, attempts);
  }

  get margins() {
    return profileOf(this.plan.rules).settle;
  }

  /** A wall instant of a host as time since the beginning, its skew included. */
  sinceBeginning(instant: string): number {
    return epochMs(instant) - this.plan.beginsMs;
  }
}
