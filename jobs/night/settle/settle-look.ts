/**
 * One fresh look at a transfer order, through a query of its batch, kept like every look; and what of it must fit
 * before its settlement may be retried (docs/reliability.md 2.2, step 1).
 */
import type { Fen } from '../../../src/core/fen.ts';
import { WrongRequest } from '../../../src/core/errors.ts';
import { maskPersonal } from '../../../src/core/mask.ts';
import { isPlainWord } from '../../../src/core/refund-words.ts';
import { epochMs, SECOND_MS } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import { unitText } from '../../../src/store/orders/order-claims.ts';
import type { ClaimedUnit } from '../../../src/store/orders/order-claims.ts';
import type { UnitKey } from '../../../src/store/orders/order-due.ts';
import type { ListedOrder, OrderAnswer } from '../../../src/orders/orders.ts';
import { settleAmountFen } from '../../../src/settlements/settle-amount.ts';
import type { SettleAmountRule } from '../../../src/settlements/settle-amount.ts';
import { recordText } from '../../../src/settlements/settle-looks.ts';
import type { LookStored } from '../../../src/settlements/settle-looks.ts';
import type { PlannedAttempt, OrderKey } from '../../../src/settlements/settle-order.ts';
import { answerOfBoth, askBatch } from '../collect/ask-order.ts';
import type { BatchAsked } from '../collect/ask-order.ts';
import { keyOf, oneAtATime } from '../collect/one-at-a-time.ts';
import type { LookReason, PlanLine } from './settle-policy.ts';
import type { SettlePorts } from './settle-ports.ts';
import { isUnanswered } from '../../context/unanswered.ts';

/** An order, the platform's number of it where that is known, and the numbers its batch can be asked by. */
export interface Lookable extends OrderKey {
  orderNo: string;
  outBatchNo: string;
  batchNo: string;
}

export interface SettleLook {
  answer: OrderAnswer;
  /** The order as its batch lists it; undefined when it does not, or another payer's, or another record may stand for it. */
  order: ListedOrder | undefined;
  /** Why its record cannot be taken at its word, in sentences. */
  doubts: readonly string[];
  /** The answer was signed, and the signature was right. */
  signed: boolean;
  /** The platform's time as the answer states it. */
  timestamp: Instant | undefined;
  timestampSigned: boolean;
  /** Our clocks before it was asked: what it shows is no older. */
  askedAt: Instant;
  askedMonoMs: number;
  /**
   * Our wall clock at the request that was answered, which was right then: whose is off is refused (ENV-13). Undefined
   * where none was.
   */
  requestedAt: Instant | undefined;
  /** Our wall clock after the answer: it may have been set since it was asked. */
  heardAt: Instant;
  /** Whether the store took it in. */
  kept: boolean;
  /** What it lists of each order, and what was known of open attempts just before it was stored, and just after. */
  stored: LookStored;
}

/**
 * A look without an answer is a look that shows nothing.
 * @param notBefore what it shows was seen after that, whatever the platform's time as we estimate it says
 * @throws what stops the work
 */
export function lookAtOrder(ports: SettlePorts, order: Lookable, notBefore?: Instant): Promise<SettleLook> {
  return oneAtATime(ports.clock, unitsOf(order).map(keyOf), async () => {
    const { clock, book } = ports;
    const claimed = await claimOf(ports, order);
    const [askedAt, askedMonoMs] = [clock.wall(), clock.monoMs()];
    const asked = await askAnswered(ports, listedFirst(unitsOf(order), claimed), notBefore);
    const heardAt = clock.wall();
    const { answer, outcome } = asked;
    let stored: LookStored = { records: new Map(), before: [], after: [] };
    const kept = await book.saveLook(answer, claimed, (known) => (stored = known));
    return {
      answer,
      ...listedAs(stored, order),
      signed: outcome?.signed === true,
      timestamp: outcome?.timestamp,
      timestampSigned: outcome?.timestampSigned === true,
      askedAt,
      askedMonoMs,
      requestedAt: outcome?.requestedAt,
      heardAt,
      kept,
      stored,
    };
  });
}

/**
 * Looks of one call at open attempts. Those of one batch are judged by one look as long as it holds: a later one may change
 * what is known of all of them, and then nobody could approve what was shown of the first.
 */
export class BatchLooks {
  readonly #ports: SettlePorts;
  readonly #looks = new Map<string, SettleLook>();

  constructor(ports: SettlePorts) {
    this.#ports = ports;
  }

  /** @throws what stops the work */
  async at(order: Lookable, notBefore?: Instant): Promise<SettleLook> {
    const known = this.#looks.get(batchText(order));
    if (known === undefined || !freshnessOf(this.#ports, known)()) return this.anew(order, notBefore);
    const { answer } = known;
    if (answer.kind !== 'batch' || (notBefore ?? '') > answer.moments.seenAt)
      return this.anew(order, notBefore);
    return { ...known, ...listedAs(known.stored, order) };
  }

  /** @throws what stops the work */
  async anew(order: Lookable, notBefore?: Instant): Promise<SettleLook> {
    const look = await lookAtOrder(this.#ports, order, notBefore);
    this.#looks.set(batchText(order), look);
    return look;
  }
}

function batchText({ outBatchNo, batchNo }: Lookable): string {
  return `${outBatchNo}\t${batchNo}`;
}

/** So often what somebody else asks is waited for; then it is taken over, because who died stores nothing. */
const WAITS_MAX = 50;
const WAIT_MS = 100;

/** What is taken over holds all orders of the batch: nobody knows what was shown of them. */
async function claimOf(
  { book, clock, signal }: SettlePorts,
  { outBatchNo, batchNo }: Lookable,
): Promise<readonly ClaimedUnit[]> {
  const batch = outBatchNo || batchNo;
  for (let waits = 0; ; waits++) {
    const claimed = await book.claimLook(batch, { takesOver: waits >= WAITS_MAX });
    if (claimed !== undefined) return claimed;
    await clock.sleep(WAIT_MS, signal);
  }
}

/** By the company's number first, as the order is asked for elsewhere. */
function unitsOf({ outBatchNo, batchNo }: Lookable): UnitKey[] {
  return [
    { kind: 'batch' as const, numberKind: 'out' as const, number: outBatchNo },
    { kind: 'batch' as const, numberKind: 'platform' as const, number: batchNo },
  ].filter(({ number }) => number !== '');
}

/** By the number that is on the list: when it is asked for again is planned there. */
function listedFirst(units: readonly UnitKey[], claimed: readonly ClaimedUnit[]): UnitKey[] {
  const listed = new Set(claimed.map(unitText));
  const isListed = (unit: UnitKey): boolean => listed.has(unitText(unit));
  return [...units.filter(isListed), ...units.filter((unit) => !isListed(unit))];
}

type MaybeAsked = Omit<BatchAsked, 'outcome'> & Partial<BatchAsked>;

async function askAnswered(
  ports: SettlePorts,
  [unit, other]: readonly UnitKey[],
  notBefore: Instant | undefined,
): Promise<MaybeAsked> {
  if (unit === undefined) {
    const nameless: UnitKey = { kind: 'batch', numberKind: 'out', number: '' };
    return { answer: { kind: 'failed', unit: nameless, reason: 'no number of its batch is known' } };
  }
  const asked = await askOnce(ports, unit, notBefore);
  if (asked.answer.kind !== 'not_found' || other === undefined) return asked;
  const found = await askOnce(ports, other, notBefore);
  const last = found.answer.kind === 'not_found' ? asked : found;
  return { ...last, answer: answerOfBoth(asked.answer, found.answer) };
}

async function askOnce(
  ports: SettlePorts,
  unit: UnitKey,
  notBefore: Instant | undefined,
): Promise<MaybeAsked> {
  try {
    return await askBatch(ports, unit, notBefore);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    const failed = { kind: 'failed' as const, unit, reason: maskPersonal(error.message) };
    // What cannot be asked for is not answered later either.
    return { answer: error instanceof WrongRequest ? failed : { ...failed, isUnanswered: true } };
  }
}

/** The order as its batch lists it, as it was judged when the look was stored; none when it does not, or unclearly. */
function listedAs({ records }: LookStored, order: OrderKey): Pick<SettleLook, 'order' | 'doubts'> {
  const record = records.get(recordText(order));
  return { order: record?.order, doubts: record?.doubts ?? [] };
}

/**
 * What a look shows is true for so long, on each of our clocks, from before its request (docs/reliability.md 2.3 b).
 */
const LOOK_AGE_MS_MAX = 10 * SECOND_MS;

/** Asked within the transactions that store an intent, because waiting for them may have taken any time. */
export function freshnessOf(
  { clock }: { clock: Pick<SettlePorts['clock'], 'wall' | 'monoMs'> },
  look: SettleLook,
): () => boolean {
  return () => {
    const ages = [epochMs(clock.wall()) - epochMs(look.askedAt), clock.monoMs() - look.askedMonoMs];
    return ages.every((ageMs) => ageMs >= 0 && ageMs <= LOOK_AGE_MS_MAX);
  };
}

/** Why nothing can be concluded from a look; undefined when it is the platform's word, and kept. */
export function lookFault(look: SettleLook): { code: LookReason; reason: string } | undefined {
  const { answer, order, doubts } = look;
  if (answer.kind === 'failed') return { code: 'unanswered', reason: answer.reason };
  if (answer.kind === 'not_found') {
    return { code: 'not_listed', reason: 'the platform does not know its batch' };
  }
  if (!look.signed) {
    return { code: 'look_unsigned', reason: 'the answer to the query is not signed' };
  }
  if (!look.kept) return { code: 'look_not_kept', reason: 'what the query says could not be kept' };
  if (order === undefined)
    return { code: 'not_listed', reason: 'its batch does not list it, or lists it twice' };
  return doubts.length === 0 ? undefined : { code: 'facts_differ', reason: maskPersonal(doubts.join('; ')) };
}

/** Why a settlement that was planned is not sent after all; undefined when the look says exactly what is stored. */
export function lookForbids(
  look: SettleLook,
  line: PlanLine,
  amountRule: SettleAmountRule,
): { code: LookReason; reason: string } | undefined {
  const fault = lookFault(look);
  const { order } = look;
  if (fault !== undefined || order === undefined) return fault;
  const refund = mayBeRefunded(order);
  if (refund !== undefined) return { code: 'state_changed', reason: refund };
  if (order.settlement !== 'failed') {
    const said = order.settleState === '' ? 'not stated' : order.settleState;
    return { code: 'state_changed', reason: maskPersonal(`its settlement is ${said} now`) };
  }
  const reason = otherFacts(order, line, amountRule);
  return reason === undefined ? undefined : { code: 'facts_differ', reason };
}

/** What of it may be of a refund, done or waiting; undefined: it moved its money, and nothing speaks of one. */
export function mayBeRefunded(order: ListedOrder): string | undefined {
  if (order.meaning !== 'moved' || !isPlainWord(order.state)) {
    return maskPersonal(`the order is ${order.state || 'without a state'} now`);
  }
  const isRefunded = (order.refundFen ?? 0n) !== 0n || order.refundWaits;
  return isRefunded ? 'it is refunded now, at least in part' : undefined;
}

/**
 * What a listed order states otherwise than it was planned: then it is another order, or nobody knows what it pays
 * out to whom (docs/reconciliation.md 3.8, 9).
 */
export function otherFacts(
  order: ListedOrder,
  planned: Pick<PlannedAttempt, 'orderNo' | 'payeeAccountNo' | 'amountFen'>,
  amountRule: SettleAmountRule,
): string | undefined {
  const amountFen = settleAmountFen(order, amountRule);
  if (amountFen !== planned.amountFen) {
    return differs('the amount', { now: amountFen, planned: planned.amountFen });
  }
  if (isOther(order.payeeAccountNo, planned.payeeAccountNo)) {
    return differs('the payee', { now: order.payeeAccountNo, planned: planned.payeeAccountNo });
  }
  if (isOther(order.orderNo, planned.orderNo)) {
    return differs("the platform's number", { now: order.orderNo, planned: planned.orderNo });
  }
  return undefined;
}

/** What is not stated contradicts nothing. */
function isOther(now: string, planned: string): boolean {
  return now !== '' && now !== planned;
}

function differs(
  what: string,
  { now, planned }: { now: Fen | string | undefined; planned: Fen | string },
): string {
  return `${what} is ${now ?? 'not stated'} now, ${planned} was planned`;
}
