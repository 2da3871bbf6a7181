/**
 * Fetches what is due: newest month first, so many at once as the platform allows, within the night's budget of
 * vouchers and minutes (VCH-08, VCH-09, U51). What is filed is never asked for again; what got no answer is asked
 * for by the next run, and nothing is dropped.
 */
import pLimit from 'p-limit';
import { MINUTE_MS } from '../../../src/core/time.ts';
import { countDueVouchers, listDueVouchers } from '../../../src/store/vouchers/voucher-choice.ts';
import type { DueVoucher, VoucherFilter } from '../../../src/store/vouchers/voucher-choice.ts';
import type { VoucherAnswer } from '../../../src/store/vouchers/voucher-save.ts';
import type { Context } from '../../context/context.ts';
import { askVoucher } from './voucher-ask.ts';
import { openFiling } from './voucher-filing.ts';
import type { Filing } from './voucher-filing.ts';
import type { VoucherRun } from './voucher-run.ts';
import { VoucherWriter } from './voucher-writer.ts';

/** Why the rest was left over; empty where nothing was. */
export type FetchEnd = '' | 'perNight' | 'minutes' | 'unanswered';

export interface Fetched {
  /** Due when it began. */
  due: number;
  /** Asked for, with an answer: filed, rejected or not there. */
  answered: number;
  /** Asked for, without an answer that says anything. */
  unanswered: number;
  end: FetchEnd;
}

/** Units that are listed at once; a page of the list, not the list, is in memory. */
const PAGE_VOUCHERS = 2_000;
/** So many questions in a row without any answer: the platform is away, and asking on would take days (N1). */
const UNANSWERED_MAX = 50;
/** A platform that answers nothing must not fill the log; the count says the rest. */
const FAILURES_LOGGED_MAX = 100;

export async function fetchVouchers(context: Context, run: VoucherRun): Promise<Fetched> {
  const { db, profile } = context;
  const { kinds, perNight } = profile.vouchers;
  const filter: VoucherFilter = { today: run.today, kinds, window: run.window };
  const due = await countDueVouchers(db, filter);
  if (due === 0) return { due, answered: 0, unanswered: 0, end: '' };
  const fetcher = new Fetcher(context, run, await openFiling(context));
  fetcher.progress.total(Math.min(due, perNight));
  try {
    await fetcher.askAll(filter, Math.min(due, perNight));
  } finally {
    await fetcher.close();
  }
  const end = fetcher.end === '' && due > perNight ? 'perNight' : fetcher.end;
  return { due, answered: fetcher.answered, unanswered: fetcher.unanswered, end };
}

class Fetcher {
  readonly progress: ReturnType<Context['progress']>;
  readonly #context: Context;
  readonly #filing: Filing;
  readonly #writer: VoucherWriter;
  readonly #endsAtMs: number;
  #unansweredInRow = 0;
  #filed = 0;
  answered = 0;
  unanswered = 0;
  end: FetchEnd = '';

  constructor(context: Context, run: VoucherRun, filing: Filing) {
    const { db, clock, profile } = context;
    const { retryDays, minutes } = profile.vouchers;
    this.#context = context;
    this.#filing = filing;
    this.#writer = new VoucherWriter(db, { runId: run.runId, today: run.today, retryDays });
    this.#endsAtMs = clock.monoMs() + minutes * MINUTE_MS;
    this.progress = context.progress('vouchers');
  }

  /** Asks page after page; what failed lies behind the page and is not met again. */
  async askAll(filter: VoucherFilter, most: number): Promise<void> {
    const { db, profile } = this.#context;
    const inTurn = pLimit(profile.http.rate.concurrency);
    let after: DueVoucher | undefined;
    for (let left = most; left > 0 && this.end === '';) {
      const limit = Math.min(PAGE_VOUCHERS, left);
      const units = await listDueVouchers(db, filter, { after, limit });
      const outcomes = await Promise.allSettled(units.map((unit) => inTurn(() => this.#ask(unit))));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason as Error;
      if (units.length < limit) return;
      left -= units.length;
      after = units.at(-1);
    }
  }

  /** What was answered before something failed is kept. */
  async close(): Promise<void> {
    try {
      await this.#writer.close();
    } finally {
      await this.#filing.close();
      this.progress.done();
    }
  }

  async #ask(unit: DueVoucher): Promise<void> {
    this.#context.signal.throwIfAborted();
    if (this.end === '') this.end = this.#endNow();
    if (this.end !== '') return;
    const answer = await askVoucher(this.#context, unit, this.#filing);
    this.#count(answer);
    await this.#writer.add(answer);
    this.progress.step({ filed: this.#filed });
  }

  #endNow(): FetchEnd {
    if (this.#unansweredInRow >= UNANSWERED_MAX) return 'unanswered';
    return this.#context.clock.monoMs() >= this.#endsAtMs ? 'minutes' : '';
  }

  #count(answer: VoucherAnswer): void {
    const { log } = this.#context;
    const { accountNo, kind, number } = answer.unit;
    if (answer.kind !== 'unanswered') {
      this.#unansweredInRow = 0;
      this.answered += 1;
      if (answer.kind === 'files') this.#filed += 1;
      return;
    }
    this.#unansweredInRow += 1;
    this.unanswered += 1;
    if (this.unanswered > FAILURES_LOGGED_MAX) return;
    log.error({ event: 'voucher.unanswered', accountNo, kind, reference: number, reason: answer.reason });
  }
}
