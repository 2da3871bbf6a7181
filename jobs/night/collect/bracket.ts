/**
 * Step 2 of the night: the balance of each account between two equal readings, with a look at its open orders and
 * newest deposits in between, so that balance and records belong together (docs/reconciliation.md 3.4). Only this
 * repeats when the account moved.
 */
import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type { Fen } from '../../../src/core/fen.ts';
import { maskPersonal } from '../../../src/core/mask.ts';
import { addDays, addMs, epochMs } from '../../../src/core/time.ts';
import type { Day, Instant } from '../../../src/core/time.ts';
import type { AccountInfo } from '../../../src/platform/contract.ts';
import type { Accepted } from '../../../src/platform/outcome.ts';
import type { AnswerEvidence } from '../../../src/store/deposits/answers.ts';
import { saveAnswers } from '../../../src/store/deposits/answers.ts';
import { saveSnapshot } from '../../../src/store/deposits/snapshots.ts';
import type { Snapshot } from '../../../src/store/deposits/snapshots.ts';
import { unitOfWork } from '../../../src/store/database/unit-of-work.ts';
import { askOpenOrders } from './ask-open-orders.ts';
import type { Claim } from '../../units/unit.ts';
import { Collector } from './collector.ts';
import type { Context } from '../../context/context.ts';
import type { ListedAccount } from './listing-number.ts';
import { platformTime } from '../../context/platform-time.ts';
import { NO_PROGRESS } from '../../context/progress.ts';
import { isUnanswered } from '../../context/unanswered.ts';

export interface BracketRun {
  runId: string;
  purpose: 'snapshot' | 'bracket';
  toDay: Day;
  /** From this day on nothing has been collected yet. */
  fromDay: Day;
  /** What is stored counts only while it is held. */
  claim: Claim;
}

export interface Bracketed {
  accountNo: string;
  /** Undefined when no balance could be read. */
  snapshot: Snapshot | undefined;
  reason: string;
  /** When the platform said that it knows no such account. */
  unknownAt?: Instant;
}

/** Takes and stores a bracketed balance of each account; one that cannot be read is said, never zero. */
export async function bracketAccounts(
  context: Context,
  run: BracketRun,
  accounts: readonly ListedAccount[],
): Promise<Bracketed[]> {
  const progress = context.progress('balances');
  progress.total(accounts.length);
  const inTurn = pLimit(context.profile.http.rate.concurrency);
  const outcomes = await Promise.allSettled(
    accounts.map((account) =>
      inTurn(async () => {
        context.signal.throwIfAborted();
        const bracketed = await bracketAccount(context, run, account);
        progress.step();
        return bracketed;
      }),
    ),
  );
  progress.done();
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason as Error;
    return outcome.value;
  });
}

/** Why there is no balance, by account. */
export function unreadBalances(bracketed: readonly Bracketed[]): Record<string, string> {
  const unread = bracketed.filter(({ snapshot }) => snapshot === undefined);
  return Object.fromEntries(unread.map(({ accountNo, reason }) => [accountNo, reason]));
}

/** When the platform said of an account that it knows none, by account. */
export function unknownAccounts(bracketed: readonly Bracketed[]): Record<string, Instant> {
  return Object.fromEntries(
    bracketed.flatMap(({ accountNo, unknownAt }) =>
      unknownAt === undefined ? [] : [[accountNo, unknownAt]],
    ),
  );
}

async function bracketAccount(context: Context, run: BracketRun, account: ListedAccount): Promise<Bracketed> {
  const { accountNo } = account;
  try {
    const snapshot = await takeBracket(context, run, account);
    context.log.info({ event: 'balance.read', accountNo, state: snapshot.state, tries: snapshot.tries });
    return { accountNo, snapshot, reason: '' };
  } catch (error) {
    if (!isUnanswered(error) && !(error instanceof BalanceRefused)) throw error;
    const reason = maskPersonal(error.message);
    context.log.error({ event: 'balance.unread', accountNo, reason });
    const unknown = error instanceof AccountUnknown ? { unknownAt: error.at } : {};
    return { accountNo, snapshot: undefined, reason, ...unknown };
  }
}

/** The balance, or what it must be seen with, could not be had. */
class BalanceRefused extends Error {}

/** The platform says that there is no such account. */
class AccountUnknown extends BalanceRefused {
  readonly at: Instant;

  constructor(message: string, at: Instant) {
    super(message);
    this.at = at;
  }
}

interface Reading {
  answered: Accepted<AccountInfo>;
  /** The platform's own time of it, whole seconds. */
  at: Instant;
  /** Just before it was sent, in the platform's time as well as we know it, but never after `at`. */
  openedAt: Instant;
}

async function takeBracket(context: Context, run: BracketRun, account: ListedAccount): Promise<Snapshot> {
  const triesMax = context.profile.bracket.triesMax;
  let first = await readBalance(context, account);
  for (let tries = 1; ; tries++) {
    await collectOpenOrders(context, run, { account, first });
    await collectNewest(context, run, account);
    const second = await readBalance(context, account);
    const state = stateOf(first.answered.answer, second.answered.answer);
    if (state !== 'moving' || tries >= triesMax) {
      return storeBracket(context, run, { account, first, second, state, tries });
    }
    first = second;
  }
}

async function readBalance(context: Context, account: ListedAccount): Promise<Reading> {
  const client = await context.platform();
  const { accountNo, eleAcctNo } = account;
  const knownAs = eleAcctNo === undefined ? [] : [eleAcctNo];
  const outcome = await client.call('acct/queryInfo', { accountNo }, { knownAs });
  if (outcome.kind === 'refused') {
    const words = `the platform refused: ${outcome.code} ${outcome.msg}`;
    if (outcome.class !== 'NOT_FOUND') throw new BalanceRefused(words);
    throw new AccountUnknown(words, platformTime(context.clock, client).now());
  }
  const { amountFault } = outcome.answer;
  if (amountFault !== undefined) throw new BalanceRefused(`the balance is unreadable: ${amountFault}`);
  const sentAt = platformTime(context.clock, client).at(outcome.requestedAt);
  const at = outcome.timestamp ?? wholeSecond(sentAt);
  return { answered: outcome, at, openedAt: sentAt < at ? sentAt : at };
}

/** Where the platform states no time, ours to the second. */
function wholeSecond(instant: Instant): Instant {
  return addMs(instant, -(epochMs(instant) % 1_000));
}

function stateOf(first: AccountInfo, second: AccountInfo): Snapshot['state'] {
  if (first.balanceFen === undefined || second.balanceFen === undefined) return 'absent';
  const isSame =
    first.balanceFen === second.balanceFen &&
    first.frozenFen === second.frozenFen &&
    first.availableFen === second.availableFen;
  return isSame ? 'stable' : 'moving';
}

/** What the account has open, up to now: an order that is open at both readings is not in the balance. */
async function collectOpenOrders(
  context: Context,
  run: BracketRun,
  { account, first }: Pick<Bracket, 'account' | 'first'>,
): Promise<void> {
  const today = context.zone.dayOf(context.clock.wall());
  const purpose = run.purpose === 'snapshot' ? 'snapshot' : 'night';
  const asking = { runId: run.runId, toDay: run.toDay, today, purpose } as const;
  const { failed } = await askOpenOrders(context, asking, {
    accountNo: account.accountNo,
    notBefore: first.at,
    claim: run.claim,
  });
  if (failed > 0) {
    throw new BalanceRefused('the open orders could not be read, so the balance cannot be placed among them');
  }
}

/** The deposits of the running day, up to now: without them a balance has no place among the records. */
async function collectNewest(context: Context, run: BracketRun, account: ListedAccount): Promise<void> {
  const today = context.zone.dayOf(context.clock.wall());
  const collector = new Collector(context, { ...run, today }, run.claim, NO_PROGRESS);
  await collector.readAll([{ account, span: { from: run.fromDay, to: addDays(today, 1) } }]);
  if (collector.collected.failed > 0) {
    throw new BalanceRefused(
      'the newest deposits could not be read, so the balance cannot be placed among them',
    );
  }
}

interface Bracket {
  account: ListedAccount;
  first: Reading;
  second: Reading;
  state: Snapshot['state'];
  tries: number;
}

async function storeBracket(context: Context, run: BracketRun, bracket: Bracket): Promise<Snapshot> {
  const { account, first, second, state, tries } = bracket;
  const closedAt = platformTime(context.clock, await context.platform()).now();
  const { answer, bizText, signed, reqId, requestedAt } = first.answered;
  const evidence: AnswerEvidence = {
    sha256: createHash('sha256').update(bizText, 'utf8').digest('hex'),
    endpoint: 'acct/queryInfo',
    accountNo: account.accountNo,
    reqId,
    requestedAt,
    signed,
    bizText,
  };
  const snapshot: Snapshot = {
    account_no: account.accountNo,
    taken_at: first.at,
    // Looks within the bracket are stamped in the platform's time too.
    closed_at: closedAt > first.at ? closedAt : first.at,
    opened_at: first.openedAt,
    run_id: run.runId,
    purpose: run.purpose,
    balance_fen: answer.balanceFen ?? null,
    frozen_fen: answer.frozenFen ?? null,
    available_fen: answer.availableFen ?? null,
    account_state: answer.accountState ?? null,
    state,
    tries,
    spread_fen: spreadOf(answer.balanceFen, second.answered.answer.balanceFen),
    signed,
    answer_sha256: evidence.sha256,
  };
  await unitOfWork(context.db, async (trx) => {
    await saveAnswers(trx, [evidence]);
    await saveSnapshot(trx, snapshot);
    await run.claim.keep(trx);
  });
  return snapshot;
}

function spreadOf(first: Fen | undefined, second: Fen | undefined): Fen {
  return first === undefined || second === undefined ? 0n : second - first;
}

/** A name of its own: the midnight snapshot does not wait for a night that is still at work. */
export const SNAPSHOT_LEASE = 'snapshot';
