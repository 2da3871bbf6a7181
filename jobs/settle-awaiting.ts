/**
 * What a person needs to decide about an attempt that stays open past the view lag: why, since when, and what the
 * balance of the account it leaves did meanwhile (docs/reliability.md 2.3 a).
 */
import { createHash } from 'node:crypto';
import type { Fen } from '../src/core/fen.ts';
import { jsonText } from '../src/core/json.ts';
import { addMs, DAY_MS, SECOND_MS } from '../src/core/time.ts';
import type { Instant } from '../src/core/time.ts';
import type { BalanceSeen, OpenAttempt } from '../src/store/settle-book.ts';
import type { SettlePorts } from './settle-ports.ts';
import { isUnanswered } from './unanswered.ts';

/** Between two readings the balance fell by what the settlement pays out, or by more. */
export interface MoneyLeft {
  from: Instant;
  to: Instant;
  fen: Fen;
  /** By exactly that, its fee included or not. */
  isExact: boolean;
}

export interface Awaiting {
  /** Whoever approves approves that this attempt, seen so, was not paid: 16 hex digits. */
  digest: string;
  since: Instant;
  /** Why it does not end by itself; masked. */
  why: string;
  /** Of the account the money would have left, from before the send until now, oldest first. */
  balances: readonly BalanceSeen[];
  left: readonly MoneyLeft[];
  /** There is a balance from before it can have been sent, and one from after that. */
  isComparable: boolean;
}

/** Balances of the days before are shown too: nobody sees a fall without what was there before. */
const DAYS_BEFORE = 3;
const DIGEST_DIGITS = 16;

export async function awaitingOf(ports: SettlePorts, attempt: OpenAttempt, why: string): Promise<Awaiting> {
  const { plannedAt, payeeAccountNo, reqId } = attempt;
  const known = await ports.book.balancesOf(payeeAccountNo, addMs(plannedAt, -DAYS_BEFORE * DAY_MS));
  const now = await balanceNow(ports, payeeAccountNo);
  const balances = now === undefined ? known : [...known, now];
  const usualFeeFen = ports.profile.fees.settle?.feeFen;
  const left = moneyLeft({ usualFeeFen, ...attempt }, balances);
  const isComparable = areComparable(attempt, balances);
  const seen = left.map(({ from, to, fen }) => [from, to, fen]);
  const digest = createHash('sha256')
    .update(jsonText([reqId, why, seen, isComparable]), 'utf8')
    .digest('hex');
  const since = attempt.sent?.sentAt ?? plannedAt;
  return { digest: digest.slice(0, DIGEST_DIGITS), since, why, balances, left, isComparable };
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
  return balances.slice(1).flatMap(({ at, balanceFen }, place) => {
    const before = balances[place];
    if (before === undefined || isBefore(at, plannedAt)) return [];
    const fen = before.balanceFen - balanceFen;
    return fen >= amountFen ? [{ from: before.at, to: at, fen, isExact: sums.includes(fen) }] : [];
  });
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

async function balanceNow(
  { client, clock }: SettlePorts,
  accountNo: string,
): Promise<BalanceSeen | undefined> {
  const at = clock.wall();
  try {
    const outcome = await client.call('acct/queryInfo', { accountNo });
    if (outcome.kind === 'refused' || !outcome.signed) return undefined;
    const { accountNo: said = accountNo, balanceFen } = outcome.answer;
    return said === accountNo && balanceFen !== undefined ? { at, balanceFen } : undefined;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return undefined;
  }
}
