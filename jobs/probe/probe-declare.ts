/** How `recon probe` is called; loaded with the executable, while the command itself is loaded when it is called. */
import type { Command } from 'commander';
import { command } from '../cli/declare.ts';
import type { ProbeOptions } from './probe.ts';

export function declareProbe(): Command {
  return command(
    'probe',
    'finds out by harmless queries which values of the profile this platform confirms; stores nothing',
    'recon probe --account 100001 --write profile.json',
  )
    .option('--account <number>', 'an account with deposits; from our own tables when left out')
    .option('--batch <number>', "a transfer batch, by the company's number or the platform's")
    .option('--withdrawal <number>', "a withdrawal, by the company's number or the platform's")
    .option('--day <day>', 'a past day with deposits, yyyy-MM-dd; the last weeks when left out')
    .option('--thorough', 'also use one reqId twice on queries')
    .option('--write <file>', 'save the profile in force with the contradicted keys changed')
    .option('--force', 'replace the file of --write')
    .addHelpText(
      'after',
      '\nExit status: 0 when the questions were asked, whatever was found; 1 when the platform could not be asked at all (address, credential, clock)',
    )
    .action(async (options: ProbeOptions) => (await import('./probe.ts')).probeCommand(options));
}
