/**
 * What one reading of a window saw, counted record by record: which numbers, how many twice, and per day
 * count, sum and a digest that does not depend on the order of the list (P1, P2). Of each record only its
 * number and a fingerprint are kept.
 */
import { contentOf } from '../core/records/deposit-content.ts';
import type { Fen } from '../core/fen.ts';
import { addDays } from '../core/time.ts';
import type { Day, Instant, Zone } from '../core/time.ts';
import type { Window } from '../core/window.ts';
import type { DepositPage, DepositRecord, UnreadableRecord } from './contract.ts';
import { DigestSum, digestOf, fingerprintOf } from './digest-sum.ts';

/** One day's deposits of one account, comparable between two readings. */
export interface DayTally {
  count: number;
  /** Records of the day that could not be read; they are not in count and sum. */
  unreadable: number;
  sumFen: Fen;
  /** 32 hex digits over all records of the day, readable or not, in any order. */
  digest: string;
}

/** Records of one page, told apart. */
export interface SortedPage {
  /** Inside the span, each once: what was seen before with equal content is left out. */
  inside: readonly DepositRecord[];
  /** All that is stored of each record of `inside` (`contentOf`). */
  contents: readonly string[];
  /** 32 hex digits over the content of each record of `inside`: equal digests are equal records. */
  digests: readonly string[];
  /** Unreadable records inside the span, or of unknown time. */
  unreadable: readonly UnreadableRecord[];
  /** Outside the asked dates altogether: the platform did not answer what was asked (P17). */
  outside: readonly DepositRecord[];
}

export interface TallyOptions {
  zone: Zone;
  /** What is collected. */
  span: Window;
  /** What was asked for: the span, and the day after it where endDate may be exclusive. */
  asked: Window;
}

/** Numbers that came twice with different content are named up to here; beyond, they are only counted. */
const NAMED_MAX = 100;

interface OpenTally {
  count: number;
  unreadable: number;
  sumFen: Fen;
  digest: DigestSum;
}

/** A day with its bounds: the next record mostly lies in the same one, and need not be placed by the calendar. */
interface OpenDay {
  window: Window;
  tally: OpenTally;
}

export class DepositTally {
  duplicates = 0;
  outside = 0;
  /** Numbers seen twice in this reading with different content (P2). */
  readonly changed: string[] = [];
  readonly #options: TallyOptions;
  /** Number → the first bits of its content's digest, as a number that costs eight bytes. */
  readonly #seen = new Map<string, number>();
  readonly #days = new Map<Day, OpenDay>();
  #lastDay: OpenDay | undefined;
  /** Unreadable records whose time is not known belong to no day, and still must be the same in every reading. */
  readonly #undated: OpenTally = emptyTally();

  constructor(options: TallyOptions) {
    this.#options = options;
  }

  /** Counts a page in; returns its records told apart. */
  add(page: DepositPage): SortedPage {
    const { span, asked } = this.#options;
    const inside: DepositRecord[] = [];
    const contents: string[] = [];
    const digests: string[] = [];
    const outside: DepositRecord[] = [];
    for (const record of page.deposits) {
      const content = contentOf(record);
      const digest = digestOf(content);
      const isNew = this.#see(record.orderNo, digest);
      if (isNew && holds(span, record.depositedAt)) {
        count(this.#tallyAt(record.depositedAt), digest, record.amountFen);
        inside.push(record);
        contents.push(content);
        digests.push(digest);
      } else if (isNew && !holds(asked, record.depositedAt)) {
        this.outside += 1;
        outside.push(record);
      }
    }
    const unreadable = page.unreadable.filter((record) => this.#addUnreadable(record));
    return { inside, contents, digests, unreadable, outside };
  }

  get distinct(): number {
    return this.#seen.size;
  }

  days(): ReadonlyMap<Day, DayTally> {
    const closed = [...this.#days].map(([day, { tally }]) => [day, closeTally(tally)] as const);
    return new Map(closed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** All that lies inside the span, in one. */
  total(): DayTally {
    const sum = emptyTally();
    const parts = [this.#undated, ...[...this.#days.values()].map(({ tally }) => tally)];
    for (const part of parts) {
      sum.count += part.count;
      sum.unreadable += part.unreadable;
      sum.sumFen += part.sumFen;
      sum.digest.merge(part.digest);
    }
    return closeTally(sum);
  }

  /** An unreadable record counts among the distinct ones: it is there, whatever is wrong with it. */
  #addUnreadable(record: UnreadableRecord): boolean {
    const { reference, depositedAt, reason } = record;
    const digest = digestOf([reference, depositedAt ?? '', reason].join('\0'));
    const isInside = depositedAt === undefined || holds(this.#options.span, depositedAt);
    if (!this.#see(reference, digest) || !isInside) return false;
    count(depositedAt === undefined ? this.#undated : this.#tallyAt(depositedAt), digest);
    return true;
  }

  /** Whether the record is new, or known with other content. */
  #see(number: string, digest: string): boolean {
    const fingerprint = fingerprintOf(digest);
    const known = this.#seen.get(number);
    if (known === undefined) {
      this.#seen.set(number, fingerprint);
      return true;
    }
    this.duplicates += 1;
    if (known === fingerprint) return false;
    if (this.changed.length < NAMED_MAX) this.changed.push(number);
    return true;
  }

  #tallyAt(instant: Instant): OpenTally {
    if (!this.#lastDay || !holds(this.#lastDay.window, instant)) this.#lastDay = this.#dayAt(instant);
    return this.#lastDay.tally;
  }

  #dayAt(instant: Instant): OpenDay {
    const { zone } = this.#options;
    const day = zone.dayOf(instant);
    const known = this.#days.get(day);
    if (known) return known;
    const window = { from: zone.dayStart(day), to: zone.dayStart(addDays(day, 1)) };
    const opened = { window, tally: emptyTally() };
    this.#days.set(day, opened);
    return opened;
  }
}

function emptyTally(): OpenTally {
  return { count: 0, unreadable: 0, sumFen: 0n, digest: new DigestSum() };
}

/** With an amount it is a deposit, without one an unreadable record. */
function count(tally: OpenTally, digest: string, amountFen?: Fen): void {
  if (amountFen === undefined) tally.unreadable += 1;
  else {
    tally.count += 1;
    tally.sumFen += amountFen;
  }
  tally.digest.add(digest);
}

function closeTally({ count, unreadable, sumFen, digest }: OpenTally): DayTally {
  return { count, unreadable, sumFen, digest: digest.hex() };
}

function holds(window: Window, instant: Instant): boolean {
  return instant >= window.from && instant < window.to;
}
