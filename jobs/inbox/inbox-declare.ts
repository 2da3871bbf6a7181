/** How `recon inbox` is called; the work is loaded when it is. */
import type { Command } from 'commander';
import { command } from '../cli/declare.ts';
import type { InboxOptions } from './inbox-command.ts';

export function declareInbox(): Command {
  return command(
    'inbox',
    'takes in the files that were delivered to INTAKE_INBOX, as the start of a night does',
    'recon inbox --dry-run',
  )
    .option('--dry-run', 'say what would be taken in; read, move and store nothing')
    .action(async (options: InboxOptions) => (await import('./inbox-command.ts')).inboxCommand(options));
}
