/**
 * Step 1 of the night: the deposits of all accounts, window by window, each in a verified pass, resumable at
 * any point (docs/reconciliation.md 3.6, DEP-12). An empty or failed answer is never zero.
 */
import pLimit from 'p-limit';
import { maskPersonal } from '../../../src/core/mask.ts';
import type { Day } from '../../../src/core/time.ts';
import type { DaySpan } from '../../../src/core/window.ts';
import { readWindow } from '../../../src/platform/deposit-walk.ts';
import type { ReadPage, WindowRead } from '../../../src/platform/deposit-walk.ts';
import { cureNameless } from '../../../src/store/deposits/record-faults.ts';
import type { ListedRecord } from '../../../src/store/deposits/record-faults.ts';
import {
  dropDoubtfulWindows,
  listOpenWindows,
  replanWindows,
  saveFailedWindow,
  splitWindow,
} from '../../../src/store/deposits/windows.ts';
import type { Context } from '../../context/context.ts';
import { daysOf, evidenceOf, factOf, faultOf } from './deposit-facts.ts';
import { DepositWriter, WindowInFlight } from './deposit-writer.ts';
import { accountsOfRun, numbersOf, numberToAsk, readByEither } from './listing-number.ts';
import type { ListedAccount } from './listing-number.ts';
import { platformTime } from '../../context/platform-time.ts';
import { isUnanswered } from '../../context/unanswered.ts';
import { findVanished } from './vanished.ts';

export interface CollectRun {
  runId: string;
  /** The last day of the run: the day on which a change counts as noticed. */
  toDay: Day;
  /** The running day, taken once when the run began. */
  today: Day;
}

export interface Collected {
  records: number;
  windows: number;
  pages: number;
  rereads: number;
  added: number;
  changed: number;
  failed: number;
}

export interface WindowToRead {
  account: ListedAccount;
  span: DaySpan;
}

/** Reads all windows the run planned and has not verified yet; those that cannot be read are marked failed. */
export async function collectDeposits(
  context: Context,
  run: CollectRun,
  accounts: readonly ListedAccount[],
  spans: ReadonlyMap<string, readonly DaySpan[]>,
): Promise<Collected> {
  const planned = [...spans].flatMap(([accountNo, own]) => own.map((span) => ({ accountNo, span })));
  await dropDoubtfulWindows(context.db, run.runId, context.zone.name);
  await replanWindows(context.db, run.runId, planned);
  const collector = new Collector(context, run, context.progress('deposits'));
  const open = await listOpenWindows(context.db, run.runId);
  const accountOf = accountsOfRun(accounts);
  await collector.readAll(
    open.map((row) => ({
      account: accountOf(row.account_no),
      span: { from: row.from_day, to: row.to_day },
    })),
  );
  await cureNameless(context.db, { runId: run.runId, timeZone: context.zone.name }, collector.unreadable);
  await findVanished(context, run, accounts);
  return collector.collected;
}

/** One collection of windows: bounded in flight, written in batches, counted. */
export class Collector {
  readonly #context: Context;
  readonly #run: CollectRun;
  readonly #writer: DepositWriter;
  readonly #progress: ReturnType<Context['progress']>;
  readonly collected: Collected = {
    records: 0,
    windows: 0,
    pages: 0,
    rereads: 0,
    added: 0,
    changed: 0,
    failed: 0,
  };
  /** Records that could not be read, of all windows. */
  readonly unreadable: ListedRecord[] = [];
  #total = 0;

  constructor(context: Context, run: CollectRun, progress: ReturnType<Context['progress']>) {
    this.#context = context;
    this.#run = run;
    this.#progress = progress;
    this.#writer = new DepositWriter(context.db, { runId: run.runId, day: run.toDay });
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
  async #readOrSplit(window: WindowToRead): Promise<void> {
    this.#context.signal.throwIfAborted();
    const { account, span } = window;
    const { runId } = this.#run;
    try {
      const read = await this.#readOne(window);
      if (!read.settled && 'halves' in read && read.halves !== undefined) {
        await splitWindow(this.#context.db, { runId, accountNo: account.accountNo, span }, read.halves);
        this.#total += 2;
        this.#progress.total(this.#total);
        for (const half of read.halves) await this.#readOrSplit({ account, span: half });
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
    await saveFailedWindow(this.#context.db, { runId: this.#run.runId, accountNo, span, reason });
  }

  /** Reads one window, hands its rows to the writer, and records it when it settled. */
  async #readOne({ account, span }: WindowToRead): Promise<WindowRead> {
    const flight = new WindowInFlight();
    const numbers = numberToAsk(account, this.#context.profile.deposits.accountField);
    const read = await readByEither(numbers, (accountNo) =>
      this.#readAs({ account, span }, { flight, accountNo }),
    );
    if (read.settled && read.pass.outside > 0) {
      const reason = `${read.pass.outside} records lie outside the asked dates`;
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
    const answer = evidenceOf(account.accountNo, page);
    // By the clock that brackets close by: it says whether a balance of the same second holds the record.
    const seenAt = platformTime(this.#context.clock, await this.#context.platform()).now();
    const facts = page.inside.map((record, at) =>
      factOf(record, { accountNo: account.accountNo, answer, seenAt, digest: page.digests[at] ?? '' }),
    );
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
