/** Reads windows of deposits, so many at a time, in verified passes, and stores what they list (DEP-12). */
import pLimit from 'p-limit';
import type { Transaction } from 'kysely';
import { maskPersonal } from '../../../src/core/mask.ts';
import type { DaySpan } from '../../../src/core/window.ts';
import { readWindow } from '../../../src/platform/deposit-walk.ts';
import type { ReadPage, WindowRead } from '../../../src/platform/deposit-walk.ts';
import type { ListedRecord } from '../../../src/store/deposits/record-faults.ts';
import { saveFailedWindow, splitWindow } from '../../../src/store/deposits/windows.ts';
import type { Tables } from '../../../src/store/schema/schema.ts';
import type { Context } from '../../context/context.ts';
import { platformTime } from '../../context/platform-time.ts';
import { isUnanswered } from '../../context/unanswered.ts';
import type { Claim, UnitRun } from '../../units/unit.ts';
import { daysOf, evidenceOf, factsOf, faultOf } from './deposit-facts.ts';
import { DepositWriter, WindowInFlight } from './deposit-writer.ts';
import { numbersOf, numberToAsk, readByEither } from './listing-number.ts';
import type { ListedAccount } from './listing-number.ts';
import { counted } from '../../../src/core/text.ts';

export interface Collected {
  records: number;
  windows: number;
  pages: number;
  rereads: number;
  added: number;
  changed: number;
  failed: number;
}

export const NOTHING_COLLECTED: Readonly<Collected> = {
  records: 0,
  windows: 0,
  pages: 0,
  rereads: 0,
  added: 0,
  changed: 0,
  failed: 0,
};

export interface WindowToRead {
  account: ListedAccount;
  span: DaySpan;
}

/** One collection of windows: bounded in flight, written in batches, counted. */
export class Collector {
  readonly #context: Context;
  readonly #run: UnitRun;
  readonly #writer: DepositWriter;
  readonly #progress: ReturnType<Context['progress']>;
  readonly #claim: Claim;
  readonly collected: Collected = { ...NOTHING_COLLECTED };
  /** Records that could not be read, of all windows. */
  readonly unreadable: ListedRecord[] = [];
  #total = 0;

  /** @param claim on the windows: what is stored counts only while it is held */
  constructor(context: Context, run: UnitRun, claim: Claim, progress: ReturnType<Context['progress']>) {
    this.#context = context;
    this.#run = run;
    this.#claim = claim;
    this.#progress = progress;
    this.#writer = new DepositWriter(context.db, { runId: run.runId, day: run.toDay }, claim);
  }

  async readAll(windows: readonly WindowToRead[]): Promise<void> {
    const inTurn = pLimit(this.#context.profile.http.rate.concurrency);
    this.#total = windows.length;
    this.#progress.total(this.#total);
    const work = windows.map((window) => inTurn(() => this.#readOrSplit(window)));
    const outcomes = await Promise.allSettled(work);
    const saved = await this.#writer.close();
    this.collected.added = saved.added;
    this.collected.changed = saved.changed;
    this.#progress.done();
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason as Error;
  }

  /** A window that does not settle is halved, down to a day; what still does not settle has failed. */
  async #readOrSplit(window: WindowToRead, former?: WindowInFlight): Promise<void> {
    this.#context.signal.throwIfAborted();
    const { account, span } = window;
    const { runId } = this.#run;
    const flight = new WindowInFlight(former);
    try {
      const read = await this.#readOne(window, flight);
      if (!read.settled && 'halves' in read && read.halves !== undefined) {
        const { halves } = read;
        await this.#change((trx) => splitWindow(trx, { runId, accountNo: account.accountNo, span }, halves));
        this.#total += 2;
        this.#progress.total(this.#total);
        for (const half of halves) await this.#readOrSplit({ account, span: half }, flight);
      } else if (!read.settled) {
        await this.#fail(window, 'refused' in read ? refusalText(read.refused) : read.reason);
      }
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      await this.#fail(window, error.message);
    }
    this.#progress.step({ records: this.collected.records, pages: this.collected.pages });
  }

  async #fail({ account, span }: WindowToRead, reasonText: string): Promise<void> {
    const reason = maskPersonal(reasonText);
    this.collected.failed += 1;
    const { accountNo } = account;
    this.#context.log.error({ event: 'window.failed', accountNo, from: span.from, to: span.to, reason });
    const { runId } = this.#run;
    await this.#change((trx) => saveFailedWindow(trx, { runId, accountNo, span, reason }));
  }

  #change(change: (trx: Transaction<Tables>) => Promise<void>): Promise<void> {
    return this.#context.db.transaction().execute(async (trx) => {
      await change(trx);
      await this.#claim.keep(trx);
    });
  }

  /** Reads one window, hands its rows to the writer, and records it when it settled. */
  async #readOne({ account, span }: WindowToRead, flight: WindowInFlight): Promise<WindowRead> {
    const numbers = numberToAsk(account, this.#context.profile.deposits.accountField);
    const read = await readByEither(numbers, (accountNo) =>
      this.#readAs({ account, span }, { flight, accountNo }),
    );
    if (read.settled && read.pass.outside > 0) {
      const reason = `${counted(read.pass.outside, 'record lies', 'records lie')} outside the asked dates`;
      return { settled: false, total: read.pass.total, passes: read.passes, reason, halves: undefined };
    }
    if (read.settled) await this.#saveWindow({ account, span }, { flight, read });
    return read;
  }

  async #readAs(
    { account, span }: WindowToRead,
    { flight, accountNo }: { flight: WindowInFlight; accountNo: string },
  ): Promise<WindowRead> {
    const { profile, zone } = this.#context;
    const read = await readWindow({
      client: await this.#context.platform(),
      profile,
      zone,
      accountNo,
      knownAs: numbersOf(account),
      span,
      today: this.#run.today,
      onPage: (page) => this.#takePage({ account, flight }, page),
    });
    this.collected.rereads += read.passes - 1;
    return read;
  }

  async #takePage(
    { account, flight }: { account: ListedAccount; flight: WindowInFlight },
    page: ReadPage,
  ): Promise<void> {
    this.collected.pages += 1;
    if (page.passNo > 1) flight.isReadAgain = true;
    const answer = evidenceOf(account.accountNo, page);
    // By the clock that brackets close by: it says whether a balance of the same second holds the record.
    const seenAt = platformTime(this.#context.clock, await this.#context.platform()).now();
    const facts = factsOf(page, { accountNo: account.accountNo, answer, seenAt });
    const faults = page.unreadable.map((record) => faultOf(account.accountNo, record));
    this.unreadable.push(...faults);
    await this.#writer.add(flight, facts, faults);
  }

  async #saveWindow(
    { account, span }: WindowToRead,
    { flight, read }: { flight: WindowInFlight; read: WindowRead & { settled: true } },
  ): Promise<void> {
    const { pass } = read;
    this.collected.windows += 1;
    this.collected.records += pass.insideCount;
    await this.#writer.finish(flight, {
      runId: this.#run.runId,
      accountNo: account.accountNo,
      span,
      passes: read.passes,
      pages: pass.pages,
      total: pass.total,
      distinct: pass.distinct,
      inside: pass.insideCount,
      sumFen: pass.insideSumFen,
      digest: pass.digest,
      days: pass.verified ? daysOf(span, this.#run.today, pass.perDay) : [],
      readAt: this.#context.clock.wall(),
      unverified: pass.verified ? '' : pass.reason,
    });
  }
}

function refusalText(refused: { code: string; msg: string }): string {
  return `the platform refused: ${refused.code} ${refused.msg}`;
}
