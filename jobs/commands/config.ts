/** `recon config`: the settings and the profile in force and where each came from; opens and calls nothing. */
import { hostEnvironment, readSettings, settingsInForce } from '../../src/core/config/config.ts';
import { profileAssumptions } from '../../src/core/profile/profile.ts';
import { Zone } from '../../src/core/time.ts';
import { finish, hideInMessages } from '../cli/command.ts';
import type { CommonOptions } from '../cli/command.ts';
import { clockOf, readProfileOf } from '../context/context.ts';
import { tableText } from '../cli/table-text.ts';

export interface ConfigOptions extends CommonOptions {
  /** Every key of the profile, not only those that differ from their default. */
  profile?: boolean;
}

/** The longest value is a list of a thousand characters; a terminal is 80 to 120 places wide. */
const WIDEST = 40;

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
              ['profile', 'value', 'default, if other', 'question'],
              shown.map(({ key, value, default: usual, u, changed }) => [
                key,
                value,
                changed ? usual : '',
                u,
              ]),
              { widest: { 1: WIDEST, 2: WIDEST } },
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
