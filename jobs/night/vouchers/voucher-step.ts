/**
 * Step 7 of the night: the due list is filled, what is due is fetched within the budget, and the bundles that changed
 * are made (docs/architecture.md 3). A run that died goes on where it stopped; what is left over is said.
 */
import path from 'node:path';
import { isJsonObject, jsonText, member } from '../../../src/core/json.ts';
import { findRun, saveRunFacts } from '../../../src/store/runs/runs.ts';
import { listBundlesOf } from '../../../src/store/vouchers/voucher-bundles.ts';
import { countAskedVouchers } from '../../../src/store/vouchers/voucher-choice.ts';
import type { VoucherCounts } from '../../../src/store/vouchers/voucher-choice.ts';
import { fillVoucherDue } from '../../../src/store/vouchers/voucher-due.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { unitOfWork } from '../../../src/store/database/unit-of-work.ts';
import { highestWriteNo } from '../../../src/store/database/writing.ts';
import type { Context } from '../../context/context.ts';
import { bundleVouchers } from './voucher-bundle.ts';
import { fetchVouchers } from './voucher-fetch.ts';
import type { FetchEnd } from './voucher-fetch.ts';
import { putLostBack } from './voucher-lost.ts';
import type { LostOriginal } from './voucher-lost.ts';
import { placeOfBundle } from './voucher-paths.ts';
import type { VoucherRun } from './voucher-run.ts';

/** A part of a bundle that was made. `path`: where it lies now; `relativePath`: below RECON_HOME. */
export interface MadePart {
  path: string;
  relativePath: string;
  pages: number;
  files: number;
}

export interface VoucherReport extends VoucherCounts {
  /** To be asked for when the run began. */
  due: number;
  /** Asked for without an answer that says anything; they are among those left over. */
  unanswered: number;
  /** Still to be asked for when it ended, and why; the next run goes on with them. */
  leftOver: number;
  leftOverBy: FetchEnd;
  bundles: MadePart[];
  /** Originals that were not in the archive as they are on record, where they were looked for (`--bundle`). */
  lost: LostOriginal[];
}

/** @throws Stopped when the disk refuses; what was fetched until then is kept */
export async function voucherStep(context: Context, run: VoucherRun): Promise<VoucherReport> {
  const { db, zone, clock, profile, log, settings } = context;
  const { autoWithdrawType } = profile.vouchers;
  await fillVoucherDue(db, { timeZone: zone.name, autoWithdrawType });
  const { due, answered, unanswered, end } = await fetchVouchers(context, run);
  const lost = run.isEveryBundle === true ? await putLostBack(context, run) : [];
  await bundleVouchers(context, run);
  const counts = await countAskedVouchers(db, run.runId);
  const leftOver = due - answered;
  const bundles = await partsMade(db, run.runId, settings.home);
  const report = {
    due: counts.asked + leftOver,
    ...counts,
    unanswered,
    leftOver,
    leftOverBy: end,
    bundles,
    lost,
  };
  // A workbook written again looks no further than this.
  const known = { writtenUpTo: await unitOfWork(db, highestWriteNo), endedAt: clock.wall() };
  const { bundles: made, lost: looked, ...numbers } = report;
  const facts = { vouchers: { ...numbers, bundles: made, lost: looked.length, ...known } };
  await saveRunFacts(db, run.runId, jsonText(facts));
  const isWhole = leftOver === 0 && looked.length === 0;
  const sizes = { bundles: made.length, lost: looked.length };
  log[isWhole ? 'info' : 'warn']({ event: 'vouchers.archived', ...numbers, ...sizes });
  return report;
}

async function partsMade(db: Db, runId: string, home: string): Promise<MadePart[]> {
  const bundles = await listBundlesOf(db, runId);
  return bundles.flatMap(({ parts }) => parts.map((part) => asLies(part, home)));
}

/** The member `vouchers` of a result. */
export type VoucherResult = Pick<
  VoucherReport,
  'fetched' | 'missing' | 'rejected' | 'givenUp' | 'leftOver' | 'bundles'
>;

/** As the run recorded it: the list itself says only who asked last, which a later run overwrites. */
export async function voucherResult(
  { db, home }: { db: Db; home: string },
  runId: string,
): Promise<VoucherResult> {
  const facts = (await findRun(db, runId))?.facts;
  const kept = isJsonObject(facts) ? member(facts, 'vouchers') : undefined;
  const count = (name: string): number => {
    const value = isJsonObject(kept) ? member(kept, name) : undefined;
    return typeof value === 'number' ? value : 0;
  };
  const bundles = isJsonObject(kept) ? member(kept, 'bundles') : undefined;
  return {
    fetched: count('fetched'),
    missing: count('missing'),
    rejected: count('rejected'),
    givenUp: count('givenUp'),
    leftOver: count('leftOver'),
    bundles: Array.isArray(bundles) ? (bundles as MadePart[]).map((part) => asLies(part, home)) : [],
  };
}

/** RECON_HOME may have been moved since it was recorded. */
function asLies({ path: recorded, pages, files }: Omit<MadePart, 'relativePath'>, home: string): MadePart {
  const relativePath = placeOfBundle(recorded);
  return { path: path.join(home, relativePath), relativePath, pages, files };
}
