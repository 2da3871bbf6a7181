/** `recon backfill`: a range of days, all accounts or some, window by window, resumable; never a settlement. */
import { withContext } from './command.ts';
import type { CommonOptions } from './command.ts';
import { parseRange } from './day-arguments.ts';
import { outcomeOf } from './nightly.ts';
import { runRange } from './run-range.ts';

export interface BackfillOptions extends CommonOptions {
  from: string;
  to: string;
  account?: string[];
  failOnBreaks?: boolean;
}

export function backfillCommand(options: BackfillOptions): Promise<void> {
  return withContext(options, { platform: true }, async (context) => {
    const range = parseRange(options, context.zone.dayOf(context.clock.wall()));
    const accounts = [...new Set(options.account)].toSorted();
    return outcomeOf(await runRange(context, { job: 'backfill', ...range, accounts }), options);
  });
}
