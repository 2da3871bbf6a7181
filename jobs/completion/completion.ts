/** `recon completion`: a script for a shell, made from the commands as they are declared. */
import type { Command } from 'commander';
import { finish } from '../cli/command.ts';
import type { CommonOptions } from '../cli/command.ts';
import { commandTree } from './command-tree.ts';
import type { CompletedCommand } from './command-tree.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

const SCRIPTS: Readonly<Record<Shell, (tree: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export function completionCommand(shell: Shell, options: CommonOptions, self: Command): Promise<void> {
  return finish(options, () => {
    const script = SCRIPTS[shell](commandTree(rootOf(self)));
    return Promise.resolve({ status: 0, document: { schema: 1, shell, script }, text: script });
  });
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
