/** How `recon prune` is called; the work is loaded when it is. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { RETAINED_KINDS } from '../../src/core/config/config-retention.ts';
import type { RetainedKind } from '../../src/core/config/config-retention.ts';
import { command } from '../cli/declare.ts';
import type { PruneOptions } from './prune-command.ts';

export function declarePrune(): Command {
  return command(
    'prune',
    'removes by policy (RETAIN_… settings) what nothing needs any more: signed answers, files of former versions, delivered files, alerts; never evidence of what is open or signed off',
    'recon prune --dry-run\n  recon prune --kind answers --kind inbox',
  )
    .option('--dry-run', 'say what would go and what is kept and why; remove nothing')
    .option(
      `--kind <kind>`,
      `only this kind (${RETAINED_KINDS.join(', ')}); may be given several times`,
      kindsOf,
    )
    .action(async (options: PruneOptions) => (await import('./prune-command.ts')).pruneCommand(options));
}

function kindsOf(text: string, given: RetainedKind[] = []): RetainedKind[] {
  const kind = RETAINED_KINDS.find((one) => one === text);
  if (kind === undefined) throw new InvalidArgumentError(`It is one of ${RETAINED_KINDS.join(', ')}.`);
  return given.includes(kind) ? given : [...given, kind];
}
