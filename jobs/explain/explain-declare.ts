/** How `recon explain` is called; the work is loaded when it is. */
import type { Command } from 'commander';
import { command } from '../cli/declare.ts';
import type { ExplainOptions } from './explain.ts';

export function declareExplain(): Command {
  return command(
    'explain',
    'traces any figure, order, entry or break: cell, movements, stored record, signed answer, match, row of the ledger file',
    'recon explain 100001 --day 2026-03-01\n  recon explain D20260301000123\n  recon explain B0123456789abcde --json',
  )
    .argument(
      '<number>',
      'an account; or the number of an order, batch, deposit, break or ledger entry: all that bear it are shown',
    )
    .option('--day <day>', 'of an account: the day, yyyy-MM-dd; the latest that was proven when left out')
    .action(async (number: string, options: ExplainOptions) =>
      (await import('./explain.ts')).explainCommand(number, options),
    );
}
