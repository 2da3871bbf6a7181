/** How `recon ledger` is called; the work is loaded when it is. */
import type { Command } from 'commander';
import type { CommonOptions } from '../cli/command.ts';
import { bare, command } from '../cli/declare.ts';
import type { PullOptions } from '../pull/pull-command.ts';
import type { LedgerListOptions } from './ledger-list.ts';
import type { LedgerImportOptions } from './ledger.ts';
import type { LedgerSourcesOptions, LedgerWithdrawOptions } from './ledger-books.ts';

export function declareLedger(): Command {
  return bare('ledger', "the company's books")
    .addCommand(declareImport())
    .addCommand(declarePull())
    .addCommand(declareList())
    .addCommand(
      command(
        'sources',
        'what each source has in the books, and the files that brought it',
        'recon ledger sources --source erp',
      )
        .option('--source <name>', 'the files of this source')
        .action(async (options: LedgerSourcesOptions & CommonOptions) =>
          (await import('./ledger-books.ts')).listSourcesCommand(options),
        ),
    )
    .addCommand(
      command(
        'withdraw',
        'takes what a file brought, or all of a source, out of the books; it is kept as withdrawn',
        'recon ledger withdraw 2026-03.csv --source erp',
      )
        .argument('[file]', 'the file, the name it had, or its id; without it the whole source')
        .option('--source <name>', 'the source it was taken in as, or the one to withdraw')
        .option('--yes', 'withdraw the whole source; without it, only say what that would be')
        .action(async (file: string | undefined, options: LedgerWithdrawOptions & CommonOptions) =>
          (await import('./ledger-books.ts')).withdrawCommand(file, options),
        ),
    );
}

function declareImport(): Command {
  return command(
    'import',
    'takes in a file of ledger entries',
    'recon ledger import 2026-03.csv --source erp --complete-to 2026-04-01',
  )
    .argument('<file>', 'CSV or .xlsx')
    .option('--source <name>', 'the ledger it comes from', 'ledger')
    .option('--replace', 'the file is the whole truth of its source for the period it spans')
    .option('--complete-to <instant>', 'the ledger is complete to there; a day means its beginning')
    .option('--force', 'it is meant, although the books have most of it, or --replace would withdraw much')
    .action(async (file: string, options: LedgerImportOptions) =>
      (await import('./ledger.ts')).importLedgerCommand(file, options),
    );
}

function declarePull(): Command {
  return command(
    'pull',
    "takes what is new from the company's database (LEDGER_DATABASE_URL), as the start of a night does",
    'recon ledger pull --dry-run',
  )
    .option('--from <day>', 'what was booked from this day on, yyyy-MM-dd, instead of what is new')
    .option('--to <day>', 'up to this day')
    .option('--dry-run', 'read and check all rows; store nothing')
    .option('--replace', 'the database is the whole truth of the days from --from to --to')
    .option('--force', 'it is meant, although the books have most of it, or --replace would withdraw much')
    .action(async (options: PullOptions) => (await import('../pull/pull-command.ts')).pullCommand(options));
}

function declareList(): Command {
  return command(
    'list',
    'lists the latest entries in the books, each with the row of its file',
    'recon ledger list --account 100001 --day 2026-03-01',
  )
    .option('--account <number>', 'only of this account')
    .option('--source <name>', 'only of this source')
    .option('--day <day>', 'only what was booked on this day, yyyy-MM-dd')
    .option('--from <day>', 'only what was booked from this day on')
    .option('--to <day>', 'only what was booked up to this day')
    .option('--all', 'the latest 10,000, not only the latest 200')
    .action(async (options: LedgerListOptions) =>
      (await import('./ledger-list.ts')).listLedgerCommand(options),
    );
}
