/** How `recon completion` is called; the work is loaded when it is. */
import { Argument } from 'commander';
import type { Command } from 'commander';
import type { CommonOptions } from '../cli/command.ts';
import { command } from '../cli/declare.ts';
import type { Shell } from './completion.ts';

export function declareCompletion(): Command {
  return command(
    'completion',
    'prints what completes commands and options in a shell',
    'recon completion bash > /etc/bash_completion.d/recon\n' +
      '  recon completion zsh > "${fpath[1]}/_recon"\n' +
      '  recon completion fish > ~/.config/fish/completions/recon.fish',
  )
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: Shell, options: CommonOptions, self: Command) =>
      (await import('./completion.ts')).completionCommand(shell, options, self),
    );
}
