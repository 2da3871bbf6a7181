/** `recon backfill`: a range of days, all accounts or some, window by window, resumable; never a settlement. */
import type { Day } from '../../src/core/time.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions } from '../cli/command.ts';
import { parseRange } from '../context/day-arguments.ts';
import { outcomeOf } from './nightly.ts';
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
  const needs: CommandNeeds<{ fromDay: Day; toDay: Day }> = {
    platform: true,
    arguments: ({ zone, clock }) => parseRange(options, zone.dayOf(clock.wall())),
  };
  return withContext(options, needs, async (context, range) => {
    const accounts = [...new Set(options.account)].toSorted();
    // The voucher of a transfer belongs to two accounts: a backfill of some of them leaves vouchers to the nights.
    const mayFetchVouchers = options.vouchers !== false && accounts.length === 0;
    const request = { job: 'backfill', ...range, accounts, mayFetchVouchers } as const;
    return outcomeOf(context.db, await reconcileRange(context, request), options);
  });
}
