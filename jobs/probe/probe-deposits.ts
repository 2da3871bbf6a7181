/** The deposit listing: whose number it takes and which days it holds (U24, U44). */
import { listMember, countMember } from '../../src/platform/decode-members.ts';
import { isJsonObject, member } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { addDays, addMonthClamped } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import type { AskedAccount } from './probe-account.ts';
import { judged, leftOpen } from './probe-finding.ts';
import type { Judged, Probing } from './probe-finding.ts';
import type { KnownDeposit } from './probe-facts.ts';
import { MADE_UP, isAccepted, saidBy, textOf } from './probe-line.ts';
import type { Heard } from './probe-line.ts';

/** Why nothing can be said of listings, and what to give. */
export function noDeposit({ facts }: Probing): string {
  if (facts.accounts.length === 0) return 'no deposit is known: give --account NO, and --day D of one';
  const when = facts.day === undefined ? `in the last ${LOOKED_BACK_DAYS} days` : `on ${facts.day}`;
  const { length } = facts.accounts;
  const whose = length === 1 ? 'the asked account' : `${length} asked accounts`;
  return `no deposit of ${whose} ${when}: give --account NO and --day D of one`;
}

export interface Listing {
  heard: Heard;
  /** Undefined where the answer does not state it. */
  total: number | undefined;
  records: readonly JsonObject[];
}

export interface AskedDays {
  startDate: Day;
  endDate: Day;
}

export interface ListingAsk extends AskedDays {
  payeeAcctNo: string;
  pageSize?: number;
}

/** The first page; an empty number of records is an answer like another. */
export async function list(
  { line, profile }: Pick<Probing, 'line' | 'profile'>,
  ask: ListingAsk,
): Promise<Listing> {
  const { pageSize } = profile.deposits;
  const heard = await line.ask('query/deposit', { page: 1, pageSize, ...ask });
  if (!isAccepted(heard)) return { heard, total: undefined, records: [] };
  const records = (listMember(heard.biz, 'depositList') ?? []).filter(isJsonObject);
  return { heard, total: countMember(heard.biz, 'total'), records };
}

/** A deposit, and the number under which the platform lists it. */
export interface ListedDeposit {
  deposit: KnownDeposit;
  payeeAcctNo: string;
}

/** Days before today in which a deposit is looked for where none is known; a span every platform allows. */
const LOOKED_BACK_DAYS = 28;

/** The one of our tables, else the latest (by its time of day) that the platform lists for one of these accounts. */
export async function findDeposit(
  at: Probing,
  accounts: readonly AskedAccount[],
): Promise<KnownDeposit | undefined> {
  const { facts, today } = at;
  if (facts.deposit !== undefined) return facts.deposit;
  const span =
    facts.day === undefined
      ? { startDate: addDays(today, -LOOKED_BACK_DAYS), endDate: today }
      : { startDate: facts.day, endDate: addDays(facts.day, 1) };
  for (const { accountNo, eleAcctNo } of accounts) {
    for (const payeeAcctNo of [accountNo, eleAcctNo]) {
      if (payeeAcctNo === undefined) continue;
      const { records } = await list(at, { ...span, payeeAcctNo });
      const found = latest(records, { before: today, day: facts.day });
      if (found !== undefined) return { accountNo, ...found };
    }
  }
  return undefined;
}

/** A deposit of midnight could belong to either day; one late in its day tells most. */
function latest(
  records: readonly JsonObject[],
  { before, day }: { before: Day; day: Day | undefined },
): Omit<KnownDeposit, 'accountNo'> | undefined {
  const timed = records
    .map((record) => ({
      time: textOf(member(record, 'depositTime')),
      orderNo: textOf(member(record, 'orderNo')),
    }))
    .filter(({ time }) => /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(time) && time.slice(0, 10) < before)
    .filter(({ time }) => day === undefined || time.startsWith(day));
  const [last] = timed.toSorted((a, b) => (a.time.slice(11) < b.time.slice(11) ? 1 : -1));
  return last && { day: last.time.slice(0, 10), orderNo: last.orderNo };
}

/** U24. The number that lists it goes on with the rest. */
export async function probeNumber(
  at: Probing,
  accounts: readonly AskedAccount[],
  deposit: KnownDeposit | undefined,
): Promise<{ finding: Judged; listed: ListedDeposit | undefined }> {
  const { profile } = at;
  const subject = {
    u: 'U24',
    key: 'deposits.accountField',
    tried: 'query/deposit with either number of an account',
  };
  if (deposit === undefined) {
    return { finding: leftOpen(profile, { ...subject, answer: noDeposit(at) }), listed: undefined };
  }
  const { accountNo, day } = deposit;
  const known = accounts.find((account) => account.accountNo === accountNo);
  const span = { startDate: day, endDate: addDays(day, 1) };
  const tried = [
    { field: 'accountNo', payeeAcctNo: accountNo },
    ...(known?.eleAcctNo === undefined ? [] : [{ field: 'eleAcctNo', payeeAcctNo: known.eleAcctNo }]),
  ];
  const found: typeof tried = [];
  const answers: string[] = [];
  let isUnheard = false;
  for (const one of tried) {
    const listing = await list(at, { ...span, payeeAcctNo: one.payeeAcctNo });
    if ((listing.total ?? 0) > 0) found.push(one);
    isUnheard ||= listing.heard.kind === 'silent';
    answers.push(
      `${one.field}: ${listing.total === undefined ? saidBy(listing.heard) : `${listing.total} records`}`,
    );
  }
  const answer = `${answers.join('; ')} of ${day}${tried.length === 1 ? '; its eleAcctNo is not known' : ''}`;
  const [works] = found;
  if (works === undefined) {
    const told = `${answer}, though ${deposit.orderNo} is known: is it this platform's?`;
    return { finding: leftOpen(profile, { ...subject, answer: told }), listed: undefined };
  }
  const listed = { deposit, payeeAcctNo: works.payeeAcctNo };
  if (isUnheard) return { finding: leftOpen(profile, { ...subject, answer }), listed };
  const field = found.length > 1 ? 'both' : works.field;
  const { accountField } = profile.deposits;
  const fits = accountField === 'both' || field === 'both' || accountField === field;
  const finding = judged(profile, { ...subject, answer, found: field, fits, change: { value: field } });
  return { finding, listed };
}

export async function probeDays(at: Probing, listed: ListedDeposit | undefined): Promise<Judged[]> {
  return [await endDate(at, listed), await span(at, listed), await future(at, listed)];
}

async function endDate(at: Probing, listed: ListedDeposit | undefined): Promise<Judged> {
  const { profile } = at;
  const subject = {
    u: 'U44',
    key: 'deposits.endInclusive',
    tried: 'a day with a deposit, alone and with the next',
  };
  if (listed === undefined) return leftOpen(profile, { ...subject, answer: noDeposit(at) });
  const { payeeAcctNo, deposit } = listed;
  const [day, next] = [deposit.day, addDays(deposit.day, 1)];
  const ask = (startDate: Day, end: Day): Promise<Listing> =>
    list(at, { startDate, endDate: end, payeeAcctNo });
  const listings = [await ask(day, day), await ask(day, next), await ask(next, next)];
  const [alone, both, nextAlone] = listings.map(({ total }) => total);
  if (alone === undefined || both === undefined || nextAlone === undefined) {
    const unread = listings.find(({ total }) => total === undefined);
    return leftOpen(profile, { ...subject, answer: unread === undefined ? '' : saidBy(unread.heard) });
  }
  const answer = `${day}: ${alone}, to ${next}: ${both}, ${next}: ${nextAlone} records`;
  const isIn = alone > 0 && both === alone + nextAlone;
  const isOut = alone === 0 && both > 0 && nextAlone === 0;
  if (!isIn && !isOut)
    return leftOpen(profile, { ...subject, answer: `${answer}; ask again when the days are quiet` });
  const found = isIn ? 'yes' : 'no';
  const { endInclusive } = profile.deposits;
  const fits = endInclusive === 'unknown' || endInclusive === found;
  const told = endInclusive === 'unknown' ? `${answer}; unknown is right either way` : answer;
  return judged(profile, { ...subject, answer: told, found, fits, change: { value: found } });
}

/** So far back that the longest span tried ends before today. */
const SPAN_BACK_DAYS = 40;

/** An account nobody has is listed too, and empty: a span can be tried without knowing any. */
async function span(at: Probing, listed: ListedDeposit | undefined): Promise<Judged> {
  const { profile, today } = at;
  const startDate = addDays(today, -SPAN_BACK_DAYS);
  const month = addMonthClamped(startDate);
  const payeeAcctNo = listed?.payeeAcctNo ?? MADE_UP;
  const [exact, beyond] = [
    await list(at, { startDate, endDate: month, payeeAcctNo, pageSize: 1 }),
    await list(at, { startDate, endDate: addDays(month, 1), payeeAcctNo, pageSize: 1 }),
  ];
  const answer = `one month: ${saidBy(exact.heard)}; a day more: ${saidBy(beyond.heard)}`;
  const tried = `query/deposit from ${startDate} to ${month}, and one day more`;
  const subject = { u: 'U44', key: 'deposits.windowMonths', tried, answer };
  if (exact.heard.kind === 'silent' || beyond.heard.kind === 'silent') return leftOpen(profile, subject);
  const isAllowed = isAccepted(exact.heard);
  const found = !isAllowed ? 'less than a month' : isAccepted(beyond.heard) ? 'more than a month' : '1';
  return judged(profile, { ...subject, found, fits: isAllowed });
}

/** The job's last window may end tomorrow, as long as it is not known whether the end counts. */
async function future(at: Probing, listed: ListedDeposit | undefined): Promise<Judged> {
  const { profile, today } = at;
  const payeeAcctNo = listed?.payeeAcctNo ?? MADE_UP;
  const { heard } = await list(at, {
    startDate: today,
    endDate: addDays(today, 1),
    payeeAcctNo,
    pageSize: 1,
  });
  const inForce = 'windows may end tomorrow';
  const subject = { u: 'U44', key: '', tried: 'query/deposit to tomorrow', answer: saidBy(heard), inForce };
  if (heard.kind === 'silent') return leftOpen(profile, subject);
  const found = isAccepted(heard) ? 'a future endDate is accepted' : 'a future endDate is refused';
  return judged(profile, { ...subject, found, fits: isAccepted(heard) });
}
