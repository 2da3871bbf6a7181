/** How `recon accounts` is called; the work is loaded when it is. */
import type { Command } from 'commander';
import type { CommonOptions } from '../cli/command.ts';
import { bare, command } from '../cli/declare.ts';
import type { AccountShowOptions } from '../explain/account-chain.ts';

export function declareAccounts(): Command {
  return bare('accounts', 'the registry accounts the books are proven for')
    .addCommand(
      command('import', 'takes in a file of accounts', 'recon accounts import accounts.csv')
        .argument('<file>', 'CSV or .xlsx')
        .action(async (file: string, options: CommonOptions) =>
          (await import('./accounts.ts')).importAccountsCommand(file, options),
        ),
    )
    .addCommand(
      command('list', 'lists the accounts', 'recon accounts list --json').action(
        async (options: CommonOptions) => (await import('./accounts.ts')).listAccountsCommand(options),
      ),
    )
    .addCommand(
      command(
        'show',
        'the chain of an account day by day: opening, in, out, fees, closing, what stays unexplained, which run proved it',
        'recon accounts show 100001 --from 2026-03-01 --to 2026-03-31',
      )
        .argument('<number>', 'the account')
        .option('--from <day>', 'from this day on, yyyy-MM-dd; the latest 40 proofs when left out')
        .option('--to <day>', 'up to this day')
        .action(async (number: string, options: AccountShowOptions) =>
          (await import('../explain/account-chain.ts')).showAccountCommand(number, options),
        ),
    );
}
