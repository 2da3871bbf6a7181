/** The worker as a command. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { CommonOptions } from '../cli/command.ts';
import { command } from '../cli/declare.ts';

/** So that the end of one unit does not leave the platform idle. */
const UNITS_AT_A_TIME = 2;
const UNITS_MAX = 64;

export function declareWorker(): Command {
  const redrive = command(
    'redrive',
    'hands out again the units that were given up after five tries',
    'recon worker redrive',
  ).action(async (options: CommonOptions) => (await import('./worker-command.ts')).redriveCommand(options));
  return command(
    'worker',
    'stays running: does the units of nights that are run with --workers, on any number of machines',
    'recon worker --concurrency 2',
  )
    .option('--kinds <names>', 'only units of these kinds, by commas: deposits, orders, balances')
    .option('--concurrency <number>', 'units at a time', atATime, UNITS_AT_A_TIME)
    .action(async (options: CommonOptions & { kinds?: string; concurrency: number }) =>
      (await import('./worker-command.ts')).workerCommand(options),
    )
    .addCommand(redrive);
}

function atATime(text: string): number {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= UNITS_MAX) return number;
  throw new InvalidArgumentError(`Units at a time are a whole number from 1 to ${UNITS_MAX}.`);
}
