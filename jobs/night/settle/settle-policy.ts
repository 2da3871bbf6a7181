/**
 * Which failed settlements are retried now, and for every other one why it is not (docs/settlements.md,
 * U34, U37, M5, M10): pure, over what is stored, what the accounts are, and what the run has used of its limits.
 */
import { createHash } from 'node:crypto';
import type { Fen } from '../../../src/core/fen.ts';
import { jsonText } from '../../../src/core/json.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { Day, Instant } from '../../../src/core/time.ts';
import { settleRemark } from '../../../src/platform/requests/settle-remark.ts';
import type { FailedSettlement, OrderKey } from '../../../src/settlements/settle-order.ts';
import type { DayUsed } from '../../../src/settlements/settle-intent.ts';
import { coolingDown } from './settle-cooling.ts';

export interface PlanLine extends OrderKey {
  orderNo: string;
  outBatchNo: string;
  batchNo: string;
  payeeAccountNo: string;
  amountFen: Fen;
  attemptNo: number;
  remark: string;
  /** As it was known when this was planned. */
  lastShownAt: Instant | undefined;
}

/** Why a settlement is not retried: by what is stored … */
export type StoredReason =
  | 'id_kind'
  | 'ambiguous'
  | 'namesake'
  | 'not_moved'
  | 'fault'
  | 'refunded'
  | 'amount_unknown'
  | 'account_not_listed'
  | 'open_attempt'
  | 'max_attempts'
  | 'cool_down'
  | 'remark_unfit';
/** … by what the platform says of its payee, by the limits of the run … */
export type RunReason = 'account_not_active' | 'account_unread' | 'left_over';
/** … or by the look right before it. */
export type LookReason =
  | 'unanswered'
  | 'look_unsigned'
  | 'look_not_kept'
  | 'not_listed'
  | 'state_changed'
  | 'facts_differ'
  | 'taken'
  | 'look_stale'
  | 'capped'
  | 'held';

export interface NotRetried extends OrderKey {
  payeeAccountNo: string;
  amountFen: Fen | undefined;
  code: StoredReason | RunReason | LookReason;
  /** For people; masked. */
  reason: string;
  /** Where waiting cures it: until then. */
  until?: Instant;
}

/** What the platform says of an account, or why it could not be read. */
export type AccountStanding = { state: string } | { unread: string };

export interface PolicyFacts {
  failed: readonly FailedSettlement[];
  profile: Pick<Profile, 'settle' | 'account'>;
  now: Instant;
  /** By account number. */
  standings: ReadonlyMap<string, AccountStanding>;
  /** What the service day has used of its limits before, whichever command sent it. */
  used: DayUsed;
  /** The service day of the plan; it is carried out, and approved, on no other. */
  day: Day;
  /** People's own remark instead of the profile's. */
  remark?: string | undefined;
}

export interface RetryPlan {
  lines: readonly PlanLine[];
  notRetried: readonly NotRetried[];
  /** All that may be retried now, whatever the limits of the day leave of it. */
  eligible: { orders: number; sumFen: Fen };
  /** With what the day has sent already more, or more money, than is retried unseen (M10). */
  isBreakerTripped: boolean;
  /** Of the lines, of the day, and of all that is eligible; whoever approves approves exactly these. */
  digest: string;
}

export function planRetries(facts: PolicyFacts): RetryPlan {
  const { lines: wished, notRetried } = wishes(facts);
  const judged = wished.map((line) => refusedByAccount(line, facts) ?? line);
  const eligible = judged.filter(isLine);
  const fitting = withinLimits(eligible, facts);
  const all = { orders: eligible.length, sumFen: sumOf(eligible) };
  const { used, profile, day } = facts;
  const { breaker } = profile.settle;
  return {
    lines: fitting.lines,
    notRetried: [...notRetried, ...judged.filter(isNotRetried), ...fitting.leftOver].toSorted(byKey),
    eligible: all,
    isBreakerTripped:
      all.orders > 0 &&
      (used.attempts + all.orders > breaker.orders || used.sumFen + all.sumFen > breaker.fen),
    digest: planDigest(fitting.lines, { day, eligible: all }),
  };
}

/** The payees whose state decides, each once. */
export function payeesToAsk(facts: Wishing): string[] {
  return [...new Set(wishes(facts).lines.map(({ payeeAccountNo }) => payeeAccountNo))].toSorted();
}

/** SHA-256 (hex) of what would be sent, on which day and out of how much, in whichever order the lines stand. */
export function planDigest(
  lines: readonly PlanLine[],
  { day, eligible }: Pick<RetryPlan, 'eligible'> & { day: Day },
): string {
  const canonical = lines
    .toSorted(byKey)
    .map((line) => [
      line.accountNo,
      line.outOrderNo,
      line.payeeAccountNo,
      line.amountFen,
      line.attemptNo,
      line.remark,
    ]);
  const whole = [day, eligible.orders, eligible.sumFen, canonical];
  return createHash('sha256').update(jsonText(whole), 'utf8').digest('hex');
}

export function sumOf(lines: readonly PlanLine[]): Fen {
  return lines.reduce((sum, { amountFen }) => sum + amountFen, 0n);
}

type Wishing = Omit<PolicyFacts, 'standings' | 'used' | 'day'>;

function wishes(facts: Wishing): { lines: PlanLine[]; notRetried: NotRetried[] } {
  const judged = facts.failed.map((order) => wish(order, facts));
  return { lines: judged.filter(isLine), notRetried: judged.filter(isNotRetried) };
}

function isLine(judged: PlanLine | NotRetried): judged is PlanLine {
  return 'attemptNo' in judged;
}

function isNotRetried(judged: PlanLine | NotRetried): judged is NotRetried {
  return !isLine(judged);
}

/** Everything that is stored speaks for it, or the first thing that speaks against it. */
function wish(order: FailedSettlement, facts: Wishing): PlanLine | NotRetried {
  const { amountFen, nextAttemptNo: attemptNo } = order;
  const against = againstOrder(order, facts.profile.settle) ?? againstAttempt(order, facts);
  if (against !== undefined) return { ...named(order), ...against };
  if (amountFen === undefined || amountFen <= 0n) {
    return {
      ...named(order),
      code: 'amount_unknown',
      reason: 'the platform does not state what it pays out',
    };
  }
  const remark = settleRemark(facts.profile, { attemptNo, own: facts.remark });
  if ('fault' in remark) return { ...named(order), code: 'remark_unfit', reason: remark.fault };
  const { accountNo, outOrderNo, orderNo, outBatchNo, batchNo, payeeAccountNo, lastShownAt } = order;
  const numbers = { accountNo, outOrderNo, orderNo, outBatchNo, batchNo };
  return { ...numbers, payeeAccountNo, amountFen, attemptNo, remark: remark.text, lastShownAt };
}

type Against = Pick<NotRetried, 'code' | 'reason' | 'until'>;

function againstOrder(order: FailedSettlement, settle: Profile['settle']): Against | undefined {
  if (settle.idKind !== 'child') {
    const reason = `settle.idKind is ${settle.idKind}: whose number the platform takes is not known to be the order's`;
    return { code: 'id_kind', reason };
  }
  if (order.effectiveState !== 'moved') {
    return { code: 'not_moved', reason: `its transfer is not done: ${order.effectiveState}` };
  }
  if (order.faults.length > 0) {
    return { code: 'fault', reason: `its records contradict each other: ${order.faults.join(', ')}` };
  }
  if (order.refundFen !== 0n) return { code: 'refunded', reason: 'it was refunded, at least in part' };
  if (order.refundUnseen !== undefined) return unseen(order, order.refundUnseen);
  if (order.hasNamesake) {
    const number = order.orderNo === '' ? 'its own number' : "the platform's number of it";
    return {
      code: 'namesake',
      reason: `another order has ${number} too: the platform could not tell which is meant`,
    };
  }
  if (!order.payeeIsListed) {
    return { code: 'account_not_listed', reason: 'its payee is not on the account list, or not active now' };
  }
  return undefined;
}

function unseen({ accountNo, outOrderNo }: OrderKey, reqId: string): Against {
  const reason =
    'a refund of it by hand was accepted, or may have been, and no query has shown it done. Where the platform says ' +
    `that it took none of it: recon settle --not-refunded ${reqId} --payer ${accountNo} --order ${outOrderNo} --by NAME`;
  return { code: 'refunded', reason };
}

const TAKEN_TWICE =
  'two attempts were sent, of which the platform may have taken both: what queries show may be of either';

function againstAttempt(order: FailedSettlement, { profile, now }: Wishing): Against | undefined {
  const { maxAttempts } = profile.settle;
  if (order.hasOpenAttempt) {
    return { code: 'open_attempt', reason: 'what came of an earlier attempt is not certain yet' };
  }
  if (order.mayBeTakenTwice) return { code: 'max_attempts', reason: TAKEN_TWICE };
  if (order.attempts >= maxAttempts) {
    return {
      code: 'max_attempts',
      reason: `${order.attempts} attempts were made, at most ${maxAttempts} are`,
    };
  }
  return coolingDown(order, profile.settle, now);
}

function refusedByAccount(line: PlanLine, { standings, profile }: PolicyFacts): NotRetried | undefined {
  const standing = standings.get(line.payeeAccountNo) ?? { unread: 'nobody asked for it' };
  if ('unread' in standing) {
    return { ...named(line), code: 'account_unread', reason: `its payee's account: ${standing.unread}` };
  }
  if (profile.account.activeStates.includes(standing.state)) return undefined;
  return {
    ...named(line),
    code: 'account_not_active',
    reason: `its payee's account is in the state ${standing.state}`,
  };
}

/** In the order of their keys; one that is too large does not keep the smaller ones behind it from going. */
function withinLimits(
  eligible: readonly PlanLine[],
  { profile, used }: PolicyFacts,
): { lines: PlanLine[]; leftOver: NotRetried[] } {
  const { maxPerRun, maxFenPerRun } = profile.settle;
  const lines: PlanLine[] = [];
  const leftOver: NotRetried[] = [];
  let { attempts, sumFen } = used;
  for (const line of eligible.toSorted(byKey)) {
    if (attempts >= maxPerRun) {
      leftOver.push({
        ...named(line),
        code: 'left_over',
        reason: `at most ${maxPerRun} settlements are retried in a day`,
      });
    } else if (sumFen + line.amountFen > maxFenPerRun) {
      const reason = `with it more than ${maxFenPerRun} fen would be retried in a day`;
      leftOver.push({ ...named(line), code: 'left_over', reason });
    } else {
      lines.push(line);
      attempts += 1;
      sumFen += line.amountFen;
    }
  }
  return { lines, leftOver };
}

/** What a settlement is called in the list of those that are not retried. */
export function named(
  order: OrderKey & { payeeAccountNo: string; amountFen: Fen | undefined },
): Omit<NotRetried, 'code' | 'reason' | 'until'> {
  const { accountNo, outOrderNo, payeeAccountNo, amountFen } = order;
  return { accountNo, outOrderNo, payeeAccountNo, amountFen };
}

export function byKey(one: OrderKey, other: OrderKey): number {
  if (one.accountNo !== other.accountNo) return one.accountNo < other.accountNo ? -1 : 1;
  if (one.outOrderNo === other.outOrderNo) return 0;
  return one.outOrderNo < other.outOrderNo ? -1 : 1;
}
