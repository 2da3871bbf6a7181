/** How `recon runs` is called; the work is loaded when it is. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { CommonOptions } from '../cli/command.ts';
import { bare, command } from '../cli/declare.ts';
import type { RunListOptions } from './runs.ts';

export function declareRuns(): Command {
  return bare('runs', 'what ran, for which days, and what each run came to')
    .addCommand(
      command(
        'list',
        'lists the latest runs, all versions of them',
        'recon runs list --from 2026-03-01 --to 2026-03-31',
      )
        .option('--day <day>', 'only runs that have this day, yyyy-MM-dd')
        .option('--from <day>', 'only runs that have this day or a later one')
        .option('--to <day>', 'only runs that have this day or an earlier one')
        .option('--last <count>', 'so many, the latest first (default: 30)', count)
        .action(async (options: RunListOptions) => (await import('./runs.ts')).listRunsCommand(options)),
    )
    .addCommand(
      command(
        'show',
        'one run: its steps, accounts, findings, windows and files',
        'recon runs show nightly-2026-03-01-v1',
      )
        .argument('<run>', 'the run')
        .action(async (run: string, options: CommonOptions) =>
          (await import('./runs.ts')).showRunCommand(run, options),
        ),
    );
}

function count(text: string): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new InvalidArgumentError('It is a whole number from 1 to 9999.');
}
