/** `recon config`: the settings and the profile in force and where each came from; opens and calls nothing. */
import { hostEnvironment, readSettings, settingsInForce } from '../src/core/config.ts';
import { profileAssumptions } from '../src/core/profile.ts';
import { Zone } from '../src/core/time.ts';
import { finish, hideInMessages } from './command.ts';
import type { CommonOptions } from './command.ts';
import { clockOf, readProfileOf } from './context.ts';
import { tableText } from './table-text.ts';

export interface ConfigOptions extends CommonOptions {
  /** Every key of the profile, not only those that differ from their default. */
  profile?: boolean;
}

export function configCommand(options: ConfigOptions): Promise<void> {
  return finish(options, () => {
    const needs = { platform: false };
    const settings = readSettings({ env: hostEnvironment(), envFile: options.envFile, needs });
    hideInMessages(settings.secrets);
    const profile = readProfileOf(settings);
    clockOf(options, new Zone(profile.service.timeZone));
    const rows = settingsInForce(settings);
    const keys = profileAssumptions(profile);
    const shown = options.profile === true ? keys : keys.filter(({ changed }) => changed);
    const text = [
      tableText(
        ['setting', 'value', 'from'],
        rows.map(({ name, value, from }) => [name, value, from]),
      ),
      '',
      ...(shown.length === 0
        ? ['the profile has its defaults everywhere (--profile shows them)']
        : [
            tableText(
              ['profile', 'value', 'default', 'question'],
              shown.map(({ key, value, default: usual, u }) => [key, value, usual, u]),
            ),
          ]),
    ].join('\n');
    return Promise.resolve({
      status: 0,
      document: { schema: 1, settings: rows, profile: keys },
      text,
    });
  });
}
