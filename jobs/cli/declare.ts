/** How commands are declared: the options all of them have, and one way in which a wrong call is told. */
import { Command, InvalidArgumentError, Option } from 'commander';

/** A command or a group of commands; what is wrong with a call is told by `main.ts`, once and in one way. */
export function bare(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
}

/** A command with the options all commands have. */
export function command(name: string, description: string, example: string): Command {
  return bare(name, description)
    .addOption(new Option('--json', 'print one JSON document on stdout'))
    .addOption(new Option('--env-file <file>', 'read settings from this file too; the environment wins'))
    .addOption(
      new Option('--log-level <level>', 'how much to log').choices(['debug', 'info', 'warn', 'error']),
    )
    .addOption(new Option('--clock <instant>', 'rehearse: the clock starts at this instant and runs on'))
    .addHelpText('after', `\nExample:\n  ${example}`)
    .allowExcessArguments(false);
}

/** The reader of an option that is a port; 0 takes a free one. */
export function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 65_535) return number;
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
}

/** The reader of an option that may be given several times. */
export const collect = (value: string, known: string[] = []): string[] => [...known, value];
