/** `recon backfill`: a range of days, all accounts or some, window by window, resumable; never a settlement. */
import type { Day } from '../../src/core/time.ts';
import { runJob } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Job } from '../cli/command.ts';
import { parseRange } from '../context/day-arguments.ts';
import { flagsOf, goesOn, outcomeOf } from './nightly.ts';
import type { RunResult } from '../night/publish/result.ts';
import { reconcileRange } from '../night/night.ts';

export interface BackfillOptions extends CommonOptions {
  from?: string | undefined;
  to?: string | undefined;
  account?: string[];
  failOnBreaks?: boolean;
  /** False with `--no-vouchers`. */
  vouchers?: boolean;
}

export function backfillCommand(options: BackfillOptions): Promise<void> {
  return runJob(options, backfillJob(options));
}

export function backfillJob(options: BackfillOptions): Job<{ fromDay: Day; toDay: Day }, RunResult> {
  const needs: CommandNeeds<{ fromDay: Day; toDay: Day }> = {
    platform: true,
    arguments: ({ zone, clock }) => parseRange(options, zone.dayOf(clock.wall())),
    afterStop: ({ fromDay, toDay }) =>
      goesOn('backfill', [
        `--from ${fromDay} --to ${toDay}`,
        ...(options.account ?? []).map((accountNo) => `--account ${accountNo}`),
        ...flagsOf(options),
      ]),
  };
  const work: ReturnType<typeof backfillJob>['work'] = async (context, range) => {
    const accounts = [...new Set(options.account)].toSorted();
    // The voucher of a transfer belongs to two accounts: a backfill of some of them leaves vouchers to the nights.
    const mayFetchVouchers = options.vouchers !== false && accounts.length === 0;
    const request = { job: 'backfill', ...range, accounts, mayFetchVouchers } as const;
    return outcomeOf(context, await reconcileRange(context, request), options);
  };
  return { needs, work };
}
