/**
 * Originals that are missing from the archive, or changed in it, are asked for again at the platform. What comes is
 * held against the recorded digest: the same bytes are the original; others are evidence too and are filed beside it
 * under their own digest, and that they differ is said.
 */
import pLimit from 'p-limit';
import { Stopped } from '../../../src/core/errors.ts';
import { countArchived, listArchived } from '../../../src/store/vouchers/voucher-checks.ts';
import type { DueVoucher } from '../../../src/store/vouchers/voucher-choice.ts';
import { findOrderOf, saveGivenInstead } from '../../../src/store/vouchers/voucher-lost.ts';
import { markZip } from '../../../src/store/vouchers/voucher-marks.ts';
import type { VoucherAnswer } from '../../../src/store/vouchers/voucher-save.ts';
import { checkOriginal } from '../../../src/vouchers/archive.ts';
import { originalPathOf } from '../../../src/vouchers/names.ts';
import type { Context } from '../../context/context.ts';
import { askVoucher } from './voucher-ask.ts';
import { openFiling } from './voucher-filing.ts';
import type { Filing } from './voucher-filing.ts';
import type { VoucherRun } from './voucher-run.ts';

export interface LostOriginal {
  accountNo: string;
  kind: DueVoucher['kind'];
  number: string;
  /** Below RECON_HOME, and the digest on record. */
  path: string;
  sha256: string;
  /** What was wrong with it. */
  found: 'missing' | 'changed';
  /** restored: the same bytes came; differs: others came; not_given: none came. */
  result: 'restored' | 'differs' | 'not_given';
  /** Where the platform's other files lie now. */
  givenPaths: string[];
  reason: string;
}

const PAGE_FILES = 1_000;
/** So many questions in a row without any answer: the platform is away, and asking on would take days (N1). */
const UNANSWERED_MAX = 50;

/** @throws Stopped when the disk refuses */
export async function putLostBack(context: Context, run: VoucherRun): Promise<LostOriginal[]> {
  const { db, profile } = context;
  const progress = context.progress('originals');
  progress.total(await countArchived(db, run.window));
  const lost: LostOriginal[] = [];
  const search = new Search(context, run);
  const inTurn = pLimit(profile.http.rate.concurrency);
  const look = async (sha256: string): Promise<LostOriginal[]> => {
    context.signal.throwIfAborted();
    const found = await search.look(sha256);
    progress.step({ lost: lost.length });
    return found;
  };
  try {
    for (let after = ''; ;) {
      const digests = await listArchived(db, run.window, { after, limit: PAGE_FILES });
      const outcomes = await Promise.allSettled(digests.map((sha256) => inTurn(() => look(sha256))));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') throw outcome.reason as Error;
        lost.push(...outcome.value);
      }
      after = digests.at(-1) ?? after;
      if (digests.length < PAGE_FILES) return lost;
    }
  } finally {
    await search.close();
    progress.done();
  }
}

class Search {
  readonly #context: Context;
  readonly #run: VoucherRun;
  /** Most runs lose nothing, and the process that checks files is heavy. */
  #filing: Promise<Filing> | undefined;
  #unansweredInRow = 0;

  constructor(context: Context, run: VoucherRun) {
    this.#context = context;
    this.#run = run;
  }

  async close(): Promise<void> {
    await (await this.#filing)?.close();
  }

  /** Nothing where it is whole. */
  async look(sha256: string): Promise<LostOriginal[]> {
    const found = await stateOf(this.#context, sha256);
    const unit = found === 'whole' ? undefined : await findOrderOf(this.#context.db, sha256);
    if (found === 'whole' || unit === undefined) return [];
    const { accountNo, kind, number } = unit;
    const outcome = await this.#ask(unit, sha256);
    if (outcome.result === 'restored') await markZip(this.#context.db, unit.month);
    const lost = { accountNo, kind, number, path: originalPathOf(sha256), sha256, found, ...outcome };
    const { log } = this.#context;
    log[outcome.result === 'restored' ? 'warn' : 'error']({ event: 'original.looked_for', ...lost });
    return [lost];
  }

  async #ask(unit: DueVoucher, sha256: string): Promise<Became> {
    if (this.#unansweredInRow >= UNANSWERED_MAX) return notGiven('the platform did not answer any more');
    const answer = await askVoucher(this.#context, unit, await (this.#filing ??= openFiling(this.#context)));
    this.#unansweredInRow = answer.kind === 'unanswered' ? this.#unansweredInRow + 1 : 0;
    return becomeOf(this.#context, this.#run, { answer, sha256 });
  }
}

type Became = Pick<LostOriginal, 'result' | 'givenPaths' | 'reason'>;

const notGiven = (reason: string): Became => ({ result: 'not_given', givenPaths: [], reason });

/** One that cannot be read is as good as changed: what is under its name is no evidence any more. */
async function stateOf(
  { files, settings }: Context,
  sha256: string,
): Promise<'whole' | 'missing' | 'changed'> {
  try {
    return (await checkOriginal(files, { home: settings.home, sha256 })).result;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return 'changed';
  }
}

async function becomeOf(
  { db }: Context,
  run: VoucherRun,
  { answer, sha256 }: { answer: VoucherAnswer; sha256: string },
): Promise<Became> {
  if (answer.kind !== 'files') return notGiven(answer.reason);
  const kept = answer.files.filter(({ condition }) => condition !== 'rejected');
  if (kept.some((file) => file.sha256 === sha256)) return { result: 'restored', givenPaths: [], reason: '' };
  if (kept.length === 0) return notGiven(answer.files.map(({ remark }) => remark).join('; '));
  const { unit, reqId, askedAt } = answer;
  await saveGivenInstead(db, { unit, lostSha256: sha256, files: kept, reqId, askedAt, runId: run.runId });
  return {
    result: 'differs',
    givenPaths: kept.map((file) => originalPathOf(file.sha256)),
    reason: 'the platform gives another file than the one on record',
  };
}
