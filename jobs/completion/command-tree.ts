/** The commands as a completion needs them, read from commander's own tree: what is declared is completed. */
import type { Command } from 'commander';

export interface Word {
  word: string;
  says: string;
}

export interface CompletedOption extends Word {
  /** A value follows; one of these, or any where there are none. */
  takesValue: boolean;
  choices: readonly string[];
}

export interface CompletedCommand {
  /** `recon ledger import` */
  path: string;
  commands: readonly Word[];
  options: readonly CompletedOption[];
  /** What its first argument may be; empty: anything. */
  choices: readonly string[];
}

/** The command and all below it. */
export function commandTree(command: Command, before = ''): CompletedCommand[] {
  const path = `${before} ${command.name()}`.trim();
  const own: CompletedCommand = {
    path,
    commands: command.commands.map((one) => ({ word: one.name(), says: one.description() })),
    options: [...command.options.flatMap(optionOf), HELP],
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
  return [own, ...command.commands.flatMap((one) => commandTree(one, path))];
}

const HELP: CompletedOption = {
  word: '--help',
  says: 'display help for command',
  takesValue: false,
  choices: [],
};

function optionOf({ long, description, required, optional, argChoices }: Command['options'][number]) {
  if (long === undefined || long === null) return [];
  return [{ word: long, says: description, takesValue: required || optional, choices: argChoices ?? [] }];
}
