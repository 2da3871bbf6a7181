/**
 * What a person needs to decide about an attempt that stays open past the view lag: why, since when, and what the
 * balance of the account it leaves did meanwhile (docs/reliability.md 2.3 a).
 */
import { createHash } from 'node:crypto';
import { yuanForPeople } from '../../../src/core/fen.ts';
import type { Fen } from '../../../src/core/fen.ts';
import { jsonText } from '../../../src/core/json.ts';
import { addMs, DAY_MS, SECOND_MS } from '../../../src/core/time.ts';
import type { Day, Instant } from '../../../src/core/time.ts';
import { heldOfBalance } from '../../../src/settlements/held-of-balance.ts';
import { knownText } from '../../../src/settlements/attempt-store.ts';
import type { BalanceSeen, OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import type { SettlePorts } from './settle-ports.ts';
import { isUnanswered } from '../../context/unanswered.ts';

/** Between two readings the balance, or what of it is not frozen, fell by what the settlement pays out, or by more. */
export interface MoneyLeft {
  from: Instant;
  to: Instant;
  fen: Fen;
  /** By exactly that, its fee included or not. */
  isExact: boolean;
  /** It is there still, frozen since: a platform may do that with what it is about to pay. */
  isFrozen: boolean;
}

export interface Awaiting {
  /**
   * Whoever approves approves that this attempt, seen so, was not paid: 16 hex digits, the same for as long as the same
   * is shown on that day; empty where nothing can be approved now (`missing`).
   */
  digest: string;
  /** Why nothing can be approved now, and what to do; masked; absent: its digest can be approved. */
  missing?: string;
  since: Instant;
  /** What came back of its send, as it is stored; `note`: masked. */
  answer: Pick<OpenAttempt, 'state' | 'isClaimed' | 'answeredAt' | 'note'>;
  /** When kept looks since then last showed it under way, and paid out; absent: none did. */
  openShownAt?: Instant;
  movedShownAt?: Instant;
  /** When any look since it was planned, also an older one, last showed anything else than the plain failure. */
  elseShownAt?: Instant;
  /** Why it does not end by itself; masked. */
  why: string;
  /** The same in the platform's words, which no approval is of: they may be others each time; masked. */
  said?: string;
  /** Of the account the money would have left, from before the send until now, oldest first. */
  balances: readonly BalanceSeen[];
  left: readonly MoneyLeft[];
  /** Frozen on it now, and perhaps what is about to be paid out; absent: nothing is known to be. */
  frozenForItFen?: Fen;
  /** The platform, asked for its balance now, does not know the account; absent: it does. */
  isAccountUnknown?: true;
  /** There is a balance from before it can have been sent, and one from after that. */
  isComparable: boolean;
}

/** Balances of the days before are shown too: nobody sees a fall without what was there before. */
const DAYS_BEFORE = 3;
const DIGEST_DIGITS = 16;

interface Told {
  why: string;
  said: string | undefined;
  /** What the query showed, by kinds alone. */
  shown: string;
  unasked: string | undefined;
}

/** Keeps what is shown, by its digest: what is approved is compared with that (`settle-approval.ts`). */
export async function awaitingOf(
  ports: SettlePorts,
  attempt: OpenAttempt,
  { why, said, shown, unasked }: Told,
): Promise<Awaiting> {
  const { book, clock, zone, profile } = ports;
  const { plannedAt, payeeAccountNo, reqId } = attempt;
  const from = addMs(plannedAt, -DAYS_BEFORE * DAY_MS);
  const read = await book.balancesOf(payeeAccountNo, from);
  const wereShown = await book.shownBalancesOf(payeeAccountNo, from);
  const asked = await balanceNow(ports, payeeAccountNo);
  const now = asked === 'account_unknown' ? undefined : asked;
  const balances = inOrder(read, wereShown, now === undefined ? [] : [now]);
  const usualFeeFen = profile.fees.settle?.feeFen;
  const left = moneyLeft({ usualFeeFen, ...attempt }, balances);
  const isComparable = areComparable(attempt, balances);
  const frozenForItFen = now && frozenForIt({ usualFeeFen, ...attempt }, balances);
  const unknown = asked === 'account_unknown' && { isAccountUnknown: true as const };
  const frozen = frozenForItFen === undefined ? {} : { frozenForItFen };
  const told = {
    why,
    ...(said !== undefined && { said }),
    balances,
    left,
    ...frozen,
    ...unknown,
    isComparable,
  };
  // With what its look has changed.
  const stored = (await book.findOpen(reqId)) ?? attempt;
  const awaiting = { ...knownOf(stored), ...told };
  const missing = unasked ?? whyUnsure(attempt, { asked, frozenForItFen });
  if (asked === undefined) return { digest: '', ...(missing !== undefined && { missing }), ...awaiting };
  const shownAt = clock.wall();
  const known = knownText(stored);
  const digest = digestOf(awaiting, { reqId, day: zone.dayOf(shownAt), shown, known });
  await book.saveEvidence({ reqId, digest, shownAt, why, shown, known, balance: now });
  return missing === undefined ? { digest, ...awaiting } : { digest: '', missing, ...awaiting };
}

/** Why no approval holds, whatever is known of the attempt: until then, or until a query is answered. */
export function whyUnasked(
  { zone }: SettlePorts,
  { heldUntil, unanswered }: { heldUntil: Instant | undefined; unanswered: string | undefined },
): string | undefined {
  if (heldUntil !== undefined) {
    return (
      `the database was restored, moved or copied, and nothing is approved before ${zone.localText(heldUntil)}. Look at ` +
      'it as it is then'
    );
  }
  return unanswered === undefined
    ? undefined
    : `no query of it was answered now (${unanswered}). Call it again, and look at what is shown once one is answered`;
}

/** Why no approval holds, by the balance as it is now. */
function whyUnsure(
  { payeeAccountNo }: OpenAttempt,
  { asked, frozenForItFen }: { asked: BalanceAsked; frozenForItFen: Fen | undefined },
): string | undefined {
  if (asked === undefined) {
    return (
      `the balance of ${payeeAccountNo} cannot be read now, so nobody can say whether money left it. Call it again ` +
      'when it can be read'
    );
  }
  return frozenForItFen === undefined
    ? undefined
    : `${yuanForPeople(frozenForItFen)} yuan are frozen on ${payeeAccountNo}, and were not before it was sent, as far ` +
        'as is known: it may be about to be paid. Ask the platform; call it again when they are not frozen any more';
}

/** What a person is told of all that is known of it (`knownText`). */
function knownOf(attempt: OpenAttempt) {
  const { state, isClaimed, answeredAt, note, sent, plannedAt } = attempt;
  const { openShownAt, movedShownAt } = attempt;
  const [elseShownAt] = [attempt.elseShownAt, attempt.unkeptAt]
    .filter((time) => time !== undefined)
    .toSorted()
    .toReversed();
  const isElseShown = elseShownAt !== undefined && !isBefore(elseShownAt, plannedAt);
  return {
    since: sent?.sentAt ?? plannedAt,
    answer: { state, isClaimed, answeredAt, note },
    ...(openShownAt && { openShownAt }),
    ...(movedShownAt && { movedShownAt }),
    ...(isElseShown && { elseShownAt }),
  };
}

/** Of what people were shown only the last of several readings that say the same. */
function inOrder(
  read: readonly BalanceSeen[],
  wereShown: readonly BalanceSeen[],
  now: readonly BalanceSeen[],
): BalanceSeen[] {
  const known = [
    ...read.map((balance) => ({ balance, isKept: true })),
    ...wereShown.map((balance) => ({ balance, isKept: false })),
  ].toSorted(({ balance: one }, { balance: other }) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  const all = [...known, ...now.map((balance) => ({ balance, isKept: true }))];
  return all
    .filter(({ balance, isKept }, place) => isKept || !isSameLevel(balance, all[place + 1]?.balance))
    .map(({ balance }) => balance);
}

/** Of what changes only when something else is shown: not of the moment at which a balance is read once more. */
function digestOf(
  { balances, left, isComparable, isAccountUnknown }: Omit<Awaiting, 'digest'>,
  { reqId, day, shown, known }: { reqId: string; day: Day; shown: string; known: string },
): string {
  const changes = balances
    .filter((balance, place) => !isSameLevel(balance, balances[place - 1]))
    .map(({ balanceFen, frozenFen }) => [balanceFen, frozenFen ?? '']);
  const sums = left.map(({ fen, isExact, isFrozen }) => [fen, isExact, isFrozen]);
  const seen = [reqId, day, shown, known, changes, sums, isComparable, isAccountUnknown === true];
  const digest = createHash('sha256').update(jsonText(seen), 'utf8').digest('hex');
  return digest.slice(0, DIGEST_DIGITS);
}

function isSameLevel(one: BalanceSeen, other: BalanceSeen | undefined): boolean {
  return one.balanceFen === other?.balanceFen && one.frozenFen === other.frozenFen;
}

/** What can be paid out of it; undefined where nobody knows what of it is frozen. */
export function availableFen({ balanceFen, frozenFen }: BalanceSeen): Fen | undefined {
  return frozenFen === undefined ? undefined : balanceFen - frozenFen;
}

type Paying = Pick<OpenAttempt, 'amountFen' | 'feeFen' | 'plannedAt'>;

/** Our clock and the platform's may be so far apart. */
const CLOCKS_MS = 20 * SECOND_MS;

/**
 * Only what was read since it was planned counts, each against the one before it: when it was sent a restored database
 * does not know. Where the fee is not known, because the answer got lost, it may be the usual one.
 */
export function moneyLeft(
  { amountFen, feeFen, usualFeeFen = 0n, plannedAt }: Paying & { usualFeeFen?: Fen | undefined },
  balances: readonly BalanceSeen[],
): MoneyLeft[] {
  const sums = [amountFen, amountFen + (feeFen ?? usualFeeFen)];
  return balances.slice(1).flatMap((balance, place): MoneyLeft[] => {
    const before = balances[place];
    if (before === undefined || isBefore(balance.at, plannedAt)) return [];
    const span = { from: before.at, to: balance.at };
    const [was, is] = [availableFen(before), availableFen(balance)];
    const fell = before.balanceFen - balance.balanceFen;
    const held = was === undefined || is === undefined ? 0n : was - is;
    if (fell >= amountFen) return [{ ...span, fen: fell, isExact: sums.includes(fell), isFrozen: false }];
    return held >= amountFen ? [{ ...span, fen: held, isExact: sums.includes(held), isFrozen: true }] : [];
  });
}

/**
 * What is frozen now and may be what it is about to pay out: the amount or more beyond the lowest since the last reading
 * from before it was planned; where there is none, exactly the amount. Undefined: nothing is known to be.
 */
export function frozenForIt(
  { amountFen, feeFen, usualFeeFen = 0n, plannedAt }: Paying & { usualFeeFen?: Fen | undefined },
  balances: readonly BalanceSeen[],
): Fen | undefined {
  const stated = balances.flatMap(({ at, frozenFen: fen }) => (fen === undefined ? [] : [{ at, fen }]));
  const now = balances.at(-1)?.frozenFen;
  if (now === undefined) return undefined;
  const first = stated.findLastIndex(({ at }) => isBefore(at, plannedAt));
  if (first === -1) return [amountFen, amountFen + (feeFen ?? usualFeeFen)].includes(now) ? now : undefined;
  const lowest = stated.slice(first).reduce((least, { fen }) => (fen < least ? fen : least), now);
  return now - lowest >= amountFen ? now - lowest : undefined;
}

/** Without both, nobody sees whether anything left. */
function areComparable({ plannedAt }: Paying, balances: readonly BalanceSeen[]): boolean {
  const [first, last] = [balances[0], balances.at(-1)];
  return (
    first !== undefined &&
    last !== undefined &&
    isBefore(first.at, plannedAt) &&
    !isBefore(last.at, plannedAt)
  );
}

function isBefore(at: Instant, plannedAt: Instant): boolean {
  return at < addMs(plannedAt, -CLOCKS_MS);
}

/** Undefined: nobody says. That there is no such account is an answer: no later one has a balance. */
type BalanceAsked = BalanceSeen | 'account_unknown' | undefined;

async function balanceNow({ client, clock }: SettlePorts, accountNo: string): Promise<BalanceAsked> {
  const at = clock.wall();
  try {
    const outcome = await client.call('acct/queryInfo', { accountNo });
    if (!outcome.signed) return undefined;
    if (outcome.kind === 'refused') return outcome.class === 'NOT_FOUND' ? 'account_unknown' : undefined;
    const { accountNo: said = accountNo, balanceFen, frozenFen, availableFen, amountFault } = outcome.answer;
    if (said !== accountNo || balanceFen === undefined || amountFault !== undefined) return undefined;
    return { at, balanceFen, frozenFen: heldOfBalance({ balanceFen, frozenFen, availableFen }) };
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return undefined;
  }
}
