/**
 * Reads every archived original, every file of the standing bundles and all that was published again and holds its bytes against the digest
 * that was recorded: what is missing, changed or unreadable is named and kept (I5; the archive serves for decades).
 */
import path from 'node:path';
import pLimit from 'p-limit';
import { Stopped } from '../../../src/core/errors.ts';
import { findStandingBundle, listStandingBundles } from '../../../src/store/vouchers/voucher-bundles.ts';
import type { BundleRow } from '../../../src/store/vouchers/voucher-bundles.ts';
import { listPublished } from '../../../src/store/runs/published-runs.ts';
import { countArchived, listArchived, saveChecks } from '../../../src/store/vouchers/voucher-checks.ts';
import type { CheckFault } from '../../../src/store/vouchers/voucher-checks.ts';
import { originalPathOf } from '../../../src/vouchers/names.ts';
import type { Context } from '../../context/context.ts';
import type { DayRange } from '../../context/day-arguments.ts';
import { windowOfRange } from '../../context/day-arguments.ts';
import { prunedFiles, prunedNameOf } from '../../prune/pruned-files.ts';
import { bundleFolder } from './voucher-paths.ts';
import { filesOfBundle } from './voucher-place.ts';

export interface ArchiveFault extends CheckFault {
  /** Below RECON_HOME. */
  path: string;
}

export interface ArchiveVerified {
  originals: number;
  bundles: number;
  /** Workbooks, results and manifests of runs. */
  reports: number;
  /** Of them those that are not there because they were pruned by policy. */
  pruned: number;
  faults: ArchiveFault[];
}

/** Digests that are listed at once. */
const PAGE_FILES = 1_000;
/** So many files are read at once: a disk is not made faster by more. */
const READ_AT_ONCE = 4;
const EVERY_MONTH = { from: '0000-00', to: '9999-12' };

/** @param range only vouchers that moved money on these days, the bundles of their months, and runs about them */
export async function verifyArchive(context: Context, range: DayRange | undefined): Promise<ArchiveVerified> {
  const window = range && windowOfRange(context.zone, range);
  const months = window ? { from: window.fromMonth, to: window.toMonth } : EVERY_MONTH;
  const bundles = await listStandingBundles(context.db, months);
  const reports = await recordedReports(context, range);
  const progress = context.progress('archive');
  const checker = new ArchiveChecker(context, progress);
  progress.total((await countArchived(context.db, window)) + bundles.length + reports.length);
  let originals = 0;
  for (let after = ''; ;) {
    const digests = await listArchived(context.db, window, { after, limit: PAGE_FILES });
    await checker.check(digests.map((sha256) => ({ path: originalPathOf(sha256), sha256 })));
    originals += digests.length;
    after = digests.at(-1) ?? after;
    if (digests.length < PAGE_FILES) break;
  }
  for (const bundle of bundles) await checker.checkBundle(bundle);
  const pruned = await checker.checkReports(reports);
  progress.done();
  return { originals, bundles: bundles.length, reports: reports.length, pruned, faults: checker.faults };
}

/** Below RECON_HOME as it is today: the whole of it may have been moved since. */
async function recordedReports({ db }: Context, range: DayRange | undefined): Promise<Recorded[]> {
  const files = await listPublished(db, range);
  return files.map(({ path: file, sha256 }) => ({ path: file, sha256 }));
}

interface Recorded {
  path: string;
  sha256: string;
}

class ArchiveChecker {
  readonly #context: Context;
  readonly #progress: ReturnType<Context['progress']>;
  readonly faults: ArchiveFault[] = [];

  constructor(context: Context, progress: ReturnType<Context['progress']>) {
    this.#context = context;
    this.#progress = progress;
  }

  async check(recorded: readonly Recorded[]): Promise<void> {
    const faults = await this.#look(recorded, () => this.#progress.step({ faults: this.faults.length }));
    await this.#keep(recorded, faults);
  }

  /** What was pruned by policy is no fault; what lies there all the same is held against its digest. @returns how many */
  async checkReports(recorded: readonly Recorded[]): Promise<number> {
    const pruned = await prunedFiles(this.#context.db, recorded);
    const faults = await this.#look(recorded, () => this.#progress.step({ faults: this.faults.length }));
    const isPruned = (of: Recorded & { result: string }): boolean =>
      of.result === 'missing' && pruned.has(prunedNameOf(of));
    await this.#keep(
      recorded,
      faults.filter((fault) => !isPruned(fault)),
    );
    return faults.filter(isPruned).length;
  }

  /** A night may put a new version in its place meanwhile: then that one is looked at. */
  async checkBundle(bundle: BundleRow): Promise<void> {
    const key = { accountNo: bundle.account_no, month: bundle.month };
    let recorded = await this.#recordedOf(bundle);
    let faults = await this.#look(recorded);
    const standing = faults.length > 0 ? await findStandingBundle(this.#context.db, key) : undefined;
    if (standing !== undefined && standing.version !== bundle.version) {
      recorded = await this.#recordedOf(standing);
      faults = await this.#look(recorded);
    }
    await this.#keep(recorded, faults);
    this.#progress.step({ faults: this.faults.length });
  }

  async #recordedOf(bundle: BundleRow): Promise<Recorded[]> {
    const { settings } = this.#context;
    const folder = bundleFolder({ accountNo: bundle.account_no, month: bundle.month });
    const files = await filesOfBundle(this.#context, path.join(settings.home, folder), bundle);
    return files.flatMap(({ name, sha256 }) =>
      sha256 === undefined ? [] : [{ path: path.join(folder, name), sha256 }],
    );
  }

  async #look(recorded: readonly Recorded[], onFile = () => undefined as void): Promise<ArchiveFault[]> {
    const inTurn = pLimit(READ_AT_ONCE);
    const faults = await Promise.all(
      recorded.map((file) =>
        inTurn(async () => {
          this.#context.signal.throwIfAborted();
          const fault = await this.#faultOf(file);
          onFile();
          return fault ?? [];
        }),
      ),
    );
    return faults.flat();
  }

  async #faultOf({ path: place, sha256 }: Recorded): Promise<ArchiveFault | undefined> {
    const { files, settings } = this.#context;
    const file = path.join(settings.home, place);
    try {
      if ((await files.size(file)) === undefined)
        return { path: place, sha256, actualSha256: null, result: 'missing' };
      const actualSha256 = await files.sha256(file);
      return actualSha256 === sha256 ? undefined : { path: place, sha256, actualSha256, result: 'changed' };
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return { path: place, sha256, actualSha256: null, result: 'unreadable' };
    }
  }

  async #keep(recorded: readonly Recorded[], faults: readonly ArchiveFault[]): Promise<void> {
    const { db, log, clock } = this.#context;
    const wrong = new Set(faults.map(({ sha256 }) => sha256));
    const whole = recorded.map(({ sha256 }) => sha256).filter((sha256) => !wrong.has(sha256));
    await saveChecks(db, { at: clock.wall(), whole, faults });
    for (const fault of faults) {
      this.faults.push(fault);
      log.error({ event: 'archive.fault', path: fault.path, result: fault.result, sha256: fault.sha256 });
    }
  }
}
