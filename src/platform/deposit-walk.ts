/**
 * Reads one window of one account so that nothing is lost or doubled (docs/reconciliation.md 3.6, U44, U45).
 * A reading of all its pages is a pass; a pass is verified when its total stayed the same, no record came
 * twice and as many distinct records came as the total says. What is stored where is the caller's business.
 */
import type { Fen } from '../core/fen.ts';
import type { Profile } from '../core/profile/profile.ts';
import { addDays } from '../core/time.ts';
import type { Day, Instant, Zone } from '../core/time.ts';
import { askedDates, halve, windowOf } from '../core/window.ts';
import type { AskedDates, DaySpan } from '../core/window.ts';
import type { PlatformClient } from './client.ts';
import type { DepositPage } from './contract.ts';
import { DepositTally } from './deposit-tally.ts';
import type { DayTally, SortedPage } from './deposit-tally.ts';
import type { Accepted, Refused } from './outcome.ts';
import { counted } from '../core/text.ts';

export interface WindowReading {
  client: Pick<PlatformClient, 'call'>;
  profile: Profile;
  zone: Zone;
  /** The number the listing is asked with (U24). */
  accountNo: string;
  /** The other numbers of that account: records may state any of them. */
  knownAs?: readonly string[];
  /** The days to collect; at most a month (DEP-03). */
  span: DaySpan;
  /** The running day: a window that reaches into it keeps growing. */
  today: Day;
  /** Takes each page as it comes, of every pass; the next page waits for it. */
  onPage?: (page: ReadPage) => Promise<void> | void;
}

/** One page as it was read, with what is needed to trace its records to the answer. */
export interface ReadPage extends SortedPage {
  /** 1 for the first reading of the window, and so on. */
  passNo: number;
  page: number;
  total: number;
  bizText: string;
  signed: boolean;
  reqId: string;
  requestedAt: Instant;
  timestamp: Instant | undefined;
}

/** What one reading of all pages saw. */
export interface Pass {
  pages: number;
  /** The total of the first page; of the last one where it changed. */
  firstTotal: number;
  total: number;
  /** Distinct records of all pages, also those outside the span. */
  distinct: number;
  duplicates: number;
  /** Numbers that came twice with different content (P2). */
  changed: readonly string[];
  /** Records outside the asked dates (P17). */
  outside: number;
  insideCount: number;
  insideUnreadable: number;
  insideSumFen: Fen;
  /** Over everything inside the span, in any order. */
  digest: string;
  perDay: ReadonlyMap<Day, DayTally>;
  /** Every page was signed. */
  signed: boolean;
  verified: boolean;
  /** Why it is not verified; empty where it is. */
  reason: string;
}

export type WindowRead =
  /** `passes`: how many readings it took. */
  | { settled: true; pass: Pass; passes: number }
  /** Not settled: to be halved where it can be, else the window is incomplete. */
  | { settled: false; total: number; passes: number; reason: string; halves: [DaySpan, DaySpan] | undefined }
  /** The platform refused the question itself. */
  | { settled: false; refused: Refused; passes: number };

/** No account has two million deposits in a window; a total beyond that is halved down or a fault. */
const PAGES_MAX = 20_000;

/**
 * Reads a window until it settles: a verified pass at once; else again up to `deposits.maxRereads` times.
 * Where halving cannot help (a single day, or one that is still growing) two consecutive passes with the
 * same records inside settle it too, if they saw at least as many as the total said when they began.
 * @throws NotSent, OutcomeUnknown, SignatureWrong, NotThePlatform, Stopped of the client; `onPage`'s own
 */
export async function readWindow(reading: WindowReading): Promise<WindowRead> {
  const { profile, span } = reading;
  const halves = halve(span);
  const passesMax = 1 + profile.deposits.maxRereads;
  const mayGrow = halves === undefined || reachesToday(reading);
  let before: Pass | undefined;
  for (let passNo = 1; ; passNo++) {
    const read = await readWindowPass(reading, passNo);
    if ('refused' in read) return { settled: false, refused: read.refused, passes: passNo };
    const { pass } = read;
    if (pass.verified || !profile.deposits.verify) return { settled: true, pass, passes: passNo };
    if (mayGrow && before && saysTheSame(before, pass)) {
      return { settled: true, pass: { ...pass, verified: true, reason: '' }, passes: passNo };
    }
    if (passNo >= passesMax || pass.pages === 0) {
      return { settled: false, total: pass.total, passes: passNo, reason: pass.reason, halves };
    }
    before = pass;
  }
}

/** The asked dates reach into the running day, where records arrive between two pages. */
function reachesToday({ profile, span, today }: WindowReading): boolean {
  return askedDates(span, profile.deposits.endInclusive).endDate >= today;
}

function saysTheSame(before: Pass, pass: Pass): boolean {
  return before.digest === pass.digest && sawAll(before) && sawAll(pass);
}

/** A list that only grows shows at least what it held at the start; one that shows less has lost something. */
function sawAll(pass: Pass): boolean {
  return pass.distinct >= pass.firstTotal && pass.changed.length === 0;
}

/**
 * Reads all pages of the asked dates once. At most one page more than the total needs is asked, and none at
 * all beyond 20,000 pages: such a pass comes back with `pages: 0`.
 */
export async function readWindowPass(
  reading: WindowReading,
  passNo: number,
): Promise<{ pass: Pass } | { refused: Refused }> {
  const { profile, zone, span } = reading;
  const asked = askedDates(span, profile.deposits.endInclusive);
  const state: PassState = {
    tally: new DepositTally({
      zone,
      span: windowOf(zone, span),
      asked: windowOf(zone, { from: asked.startDate, to: addDays(asked.endDate, 1) }),
    }),
    pages: 0,
    totals: [],
    signed: true,
    faults: [],
  };
  for (let page = 1; ; page++) {
    const outcome = await askPage(reading, { asked, page });
    if (outcome.kind === 'refused') return { refused: outcome };
    const { total, deposits, unreadable } = outcome.answer;
    state.totals.push(total);
    const pagesNeeded = Math.ceil(total / profile.deposits.pageSize);
    if (pagesNeeded > PAGES_MAX) return { pass: closePass({ ...state, pages: 0 }) };
    await takePage(reading, { state, page, passNo, outcome });
    const isEmpty = deposits.length + unreadable.length === 0;
    if (page >= pagesNeeded || isEmpty) return { pass: closePass(state) };
  }
}

interface PassState {
  tally: DepositTally;
  pages: number;
  totals: number[];
  signed: boolean;
  faults: string[];
}

function askPage(
  { client, profile, accountNo, knownAs = [] }: WindowReading,
  { asked, page }: { asked: AskedDates; page: number },
): Promise<Accepted<DepositPage> | Refused> {
  const { pageSize } = profile.deposits;
  return client.call('query/deposit', { ...asked, payeeAcctNo: accountNo, page, pageSize }, { knownAs });
}

interface TakenPage {
  state: PassState;
  page: number;
  passNo: number;
  outcome: Accepted<DepositPage>;
}

async function takePage(reading: WindowReading, { state, page, passNo, outcome }: TakenPage): Promise<void> {
  const { answer, bizText, signed, reqId, requestedAt, timestamp } = outcome;
  state.pages += 1;
  state.signed &&= signed;
  if (answer.page !== undefined && answer.page !== page) {
    state.faults.push(`page ${page} was asked, page ${answer.page} came`);
  }
  const sorted = state.tally.add(answer);
  const origin = { passNo, page, total: answer.total, bizText, signed, reqId, requestedAt, timestamp };
  await reading.onPage?.({ ...sorted, ...origin });
}

function closePass({ tally, pages, totals, signed, faults }: PassState): Pass {
  const inside = tally.total();
  const firstTotal = totals[0] ?? 0;
  const total = totals.at(-1) ?? 0;
  const reasons = [...faults];
  if (pages === 0) reasons.push(`total ${total} is more than ${PAGES_MAX} pages`);
  const different = new Set(totals).size;
  if (different > 1) reasons.push(`total went from ${firstTotal} to ${total} while reading`);
  if (tally.duplicates > 0) reasons.push(`${counted(tally.duplicates, 'record')} came twice`);
  if (pages > 0 && tally.distinct !== total)
    reasons.push(`${tally.distinct} distinct records, total ${total}`);
  return {
    pages,
    firstTotal,
    total,
    distinct: tally.distinct,
    duplicates: tally.duplicates,
    changed: tally.changed,
    outside: tally.outside,
    insideCount: inside.count,
    insideUnreadable: inside.unreadable,
    insideSumFen: inside.sumFen,
    digest: inside.digest,
    perDay: tally.days(),
    signed,
    verified: reasons.length === 0,
    reason: reasons.join('; '),
  };
}
