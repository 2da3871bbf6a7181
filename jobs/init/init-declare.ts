/** How `recon init` is called; the work is loaded when it is. */
import type { Command } from 'commander';
import { command } from '../cli/declare.ts';
import type { InitOptions } from './init-command.ts';

export function declareInit(): Command {
  return command(
    'init',
    'makes what a first night needs: settings, profile, sample files and folders; writes over nothing',
    'recon init /srv/recon',
  )
    .argument('[folder]', 'where; made where it is not there', '.')
    .option('--dry-run', 'say what would be made; make nothing')
    .option('--no-ask', 'ask nothing, on a terminal either')
    .action(async (folder: string, options: InitOptions) =>
      (await import('./init-command.ts')).initCommand(folder, options),
    );
}
