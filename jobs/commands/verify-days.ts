/**
 * Sealed days read again through the platform and held against what is recorded of them: records, amount and content.
 * Nothing that is read here is stored.
 */
import pLimit from 'p-limit';
import type { Fen } from '../../src/core/fen.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import { lastDay, monthWalk } from '../../src/core/window.ts';
import type { DaySpan } from '../../src/core/window.ts';
import { readWindow } from '../../src/platform/deposit-walk.ts';
import type { WindowRead } from '../../src/platform/deposit-walk.ts';
import { listAccounts } from '../../src/store/intake/accounts.ts';
import { listSealedDays } from '../../src/store/deposits/sealed-days.ts';
import type { SealedDay } from '../../src/store/deposits/sealed-days.ts';
import type { Context } from '../context/context.ts';
import { numbersOf, numberToAsk, readByEither } from '../night/collect/listing-number.ts';
import type { ListedAccount } from '../night/collect/listing-number.ts';
import { isUnanswered } from '../context/unanswered.ts';
import type { DayRange } from '../context/day-arguments.ts';

export interface Amounts {
  records: number;
  amountFen: Fen;
}

/** Recorded, as it is now, and the second less the first. */
export interface Comparison {
  recorded: Amounts;
  actual: Amounts;
  difference: Amounts;
}

export interface AccountComparison extends Comparison {
  accountNo: string;
  from: Day;
  to: Day;
  /** Sealed days that were read. */
  days: number;
}

/** A day that is not as it was; where count and amount are, the content of its records is not. */
export interface DayComparison extends Comparison {
  accountNo: string;
  day: Day;
}

export interface DaysVerified {
  accounts: AccountComparison[];
  differences: DayComparison[];
  unread: { accountNo: string; from: Day; to: Day; reason: string }[];
}

export async function verifyDays(context: Context, range: DayRange): Promise<DaysVerified> {
  const { db, zone, clock, profile } = context;
  const verified: DaysVerified = { accounts: [], differences: [], unread: [] };
  const today = zone.dayOf(clock.wall());
  const progress = context.progress('sealed days');
  let total = 0;
  for (const row of await listAccounts(db)) {
    const account = { accountNo: row.account_no, eleAcctNo: row.ele_acct_no ?? undefined };
    const sealed = await listSealedDays(db, account.accountNo, range);
    if (sealed.length === 0) continue;
    const spans = spansOf(sealed).flatMap((span) => monthWalk(span, profile.deposits.endInclusive));
    progress.total((total += spans.length));
    const reader = { context, account, today, verified };
    const inTurn = pLimit(profile.http.rate.concurrency);
    const outcomes = await Promise.allSettled(
      spans.map((span) =>
        inTurn(async () => {
          context.signal.throwIfAborted();
          const read = await readDays(reader, span);
          progress.step();
          return read;
        }),
      ),
    );
    const actual = new Map(outcomes.flatMap(readOrThrow));
    compare(verified, account.accountNo, { sealed, actual });
  }
  progress.done();
  return verified;
}

function readOrThrow<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason as Error;
  return outcome.value;
}

/** Days next to each other are read together. */
function spansOf(days: readonly SealedDay[]): DaySpan[] {
  const spans: DaySpan[] = [];
  for (const { day } of days) {
    const last = spans.at(-1);
    if (last?.to === day) last.to = addDays(day, 1);
    else spans.push({ from: day, to: addDays(day, 1) });
  }
  return spans;
}

interface Reader {
  context: Context;
  account: ListedAccount;
  today: Day;
  verified: DaysVerified;
}

interface DayRead extends Amounts {
  digest: string;
}

/** Days without records too; a window that does not settle is halved, and what still does not is said. */
async function readDays(reader: Reader, span: DaySpan): Promise<[Day, DayRead][]> {
  const { context, account, today, verified } = reader;
  const unread = (reasonText: string): [] => {
    const reason = maskPersonal(reasonText);
    verified.unread.push({ accountNo: account.accountNo, from: span.from, to: lastDay(span), reason });
    return [];
  };
  try {
    const { profile, zone } = context;
    const client = await context.platform();
    const reading = { client, profile, zone, knownAs: numbersOf(account), span, today };
    const numbers = numberToAsk(account, profile.deposits.accountField);
    const read = await readByEither(numbers, (accountNo) => readWindow({ ...reading, accountNo }));
    if (read.settled) return daysRead(span, read);
    if ('refused' in read) return unread(`the platform refused: ${read.refused.code} ${read.refused.msg}`);
    if (read.halves === undefined) return unread(read.reason);
    const halves = [await readDays(reader, read.halves[0]), await readDays(reader, read.halves[1])];
    return halves.flat();
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return unread(error.message);
  }
}

function daysRead(span: DaySpan, { pass }: WindowRead & { settled: true }): [Day, DayRead][] {
  const days: [Day, DayRead][] = [];
  for (let day = span.from; day < span.to; day = addDays(day, 1)) {
    const tally = pass.perDay.get(day);
    const digest = tally?.digest ?? '';
    days.push([day, { records: tally?.count ?? 0, amountFen: tally?.sumFen ?? 0n, digest }]);
  }
  return days;
}

function compare(
  verified: DaysVerified,
  accountNo: string,
  { sealed, actual }: { sealed: readonly SealedDay[]; actual: ReadonlyMap<Day, DayRead> },
): void {
  const recorded: Amounts = { records: 0, amountFen: 0n };
  const found: Amounts = { records: 0, amountFen: 0n };
  const read = sealed.filter(({ day }) => actual.has(day));
  for (const { day, record_count: records, sum_fen: amountFen, digest } of read) {
    const now = actual.get(day) ?? { records: 0, amountFen: 0n, digest: '' };
    add(recorded, { records, amountFen });
    add(found, now);
    if (now.digest === digest) continue;
    const own = {
      recorded: { records, amountFen },
      actual: { records: now.records, amountFen: now.amountFen },
    };
    verified.differences.push({ accountNo, day, ...own, difference: differenceOf(own) });
  }
  const [first, last] = [sealed.at(0)?.day ?? '', sealed.at(-1)?.day ?? ''];
  const totals = { recorded, actual: found };
  verified.accounts.push({
    accountNo,
    from: first,
    to: last,
    days: read.length,
    ...totals,
    difference: differenceOf(totals),
  });
}

function add(sum: Amounts, more: Amounts): void {
  sum.records += more.records;
  sum.amountFen += more.amountFen;
}

function differenceOf({ recorded, actual }: Pick<Comparison, 'recorded' | 'actual'>): Amounts {
  return {
    records: actual.records - recorded.records,
    amountFen: actual.amountFen - recorded.amountFen,
  };
}
