/** How `recon alerts` is called; the work is loaded when it is. */
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { bare, command } from '../cli/declare.ts';
import type { AlertListOptions, AlertSendOptions, AlertTestOptions } from './alerts-command.ts';

export function declareAlerts(): Command {
  return bare('alerts', 'what people are told of nights, by the ways that ALERT_… settings name')
    .addCommand(
      command(
        'list',
        'what was raised, the latest first, and what became of it',
        'recon alerts list --state given_up',
      )
        .addOption(
          new Option('--state <state>', 'only with a delivery of that state').choices([
            'due',
            'sent',
            'given_up',
          ]),
        )
        .option('--last <count>', 'so many', count, 30)
        .action(async (options: AlertListOptions) =>
          (await import('./alerts-command.ts')).listAlertsCommand(options),
        ),
    )
    .addCommand(
      command('send', 'sends what is due, and raises a night that is late', 'recon alerts send')
        .option('--again', 'also what was given up')
        .action(async (options: AlertSendOptions) =>
          (await import('./alerts-command.ts')).sendAlertsCommand(options),
        ),
    )
    .addCommand(
      command('test', 'sends a test message by every way that is set', 'recon alerts test --channel mail')
        .option('--channel <name>', 'only by this one')
        .action(async (options: AlertTestOptions) =>
          (await import('./alerts-command.ts')).testAlertsCommand(options),
        ),
    );
}

function count(text: string): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new InvalidArgumentError('It is a whole number from 1 to 9999.');
}
