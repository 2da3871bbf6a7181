/** How what is kept for years is fetched, looked at and pruned; the work is loaded when it is called. */
import type { Command } from 'commander';
import { collect, command } from '../cli/declare.ts';
import type { CommonOptions } from '../cli/command.ts';
import { declarePrune } from './prune-declare.ts';
import type { VerifyOptions } from '../commands/verify.ts';

export function declareArchive(): Command[] {
  return [
    command(
      'vouchers',
      'fetches, checks and files the vouchers that are due and bundles them by account and month',
      'recon vouchers --from 2026-03-01 --to 2026-03-31 --bundle',
    )
      .option('--from <day>', 'from this day on, all that is not there yet, also what was given up')
      .option('--to <day>', 'up to this day, all that is not there yet, also what was given up')
      .option('--bundle', 'look at every bundle, changed or not, and put lost files back')
      .action(async (options: CommonOptions & { from?: string; to?: string; bundle?: boolean }) =>
        (await import('../commands/vouchers.ts')).vouchersCommand(options),
      ),
    command(
      'verify',
      'reads sealed days, archived files and the audit trail of the breaks again and prints Recorded / Actual / Difference; changes nothing',
      'recon verify --from 2026-03-01 --to 2026-03-31',
    )
      .option('--from <day>', 'first day, yyyy-MM-dd; the first there is when left out')
      .option('--to <day>', 'last day, yyyy-MM-dd; today when left out')
      .option(
        '--trail <head>',
        'NUMBER:DIGEST of the audit trail, as the summary of a workbook states it; may be given several times',
        collect,
      )
      .action(async (options: VerifyOptions) =>
        (await import('../commands/verify.ts')).verifyCommand(options),
      ),
    declarePrune(),
  ];
}
