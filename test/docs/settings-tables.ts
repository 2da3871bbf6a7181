/** The tables of settings and of the profile, from the code that reads them. */
import { readSettings, settingsInForce } from '../../src/core/config/config.ts';
import { profileAssumptions, readProfile } from '../../src/core/profile/profile.ts';
import { profileSchema } from '../../src/core/profile/profile-schema.ts';
import { acceptedBy } from './accepted.ts';
import { table } from './markdown.ts';
import { OPEN_QUESTIONS } from './open-questions.ts';
import { SETTING_WORDS } from './settings-words.ts';

function settingTable(): string {
  const rows = settingsInForce(readSettings({ env: {}, needs: { platform: false } })).map(
    ({ name, value, from }) => {
      // Where that is differs from user to user; its words say it.
      const isSame = from === 'default' && name !== 'SETTLE_MARK_FILE';
      return [`\`${name}\``, isSame ? `\`${value}\`` : '', SETTING_WORDS[name]];
    },
  );
  return table(['setting', 'default', 'what it is'], rows);
}

/** Longer values are read where they are printed. */
const SHOWN_LENGTH_MAX = 100;

function profileTable(): string {
  const accepted = acceptedBy(profileSchema);
  const rows = profileAssumptions(readProfile(undefined, 'defaults')).map((key) => {
    const usual =
      key.default.length > SHOWN_LENGTH_MAX ? '`recon config --json` has it' : `\`${key.default}\``;
    const question = OPEN_QUESTIONS[key.u]?.question;
    const answers = question === undefined ? '' : `${key.u}: ${question}`;
    return [
      `\`${key.key}\``,
      key.default === '' ? '' : usual,
      takes(accepted.get(key.key)),
      answers,
      key.description,
    ];
  });
  return table(['key', 'default', 'takes', 'open question', 'what it decides'], rows);
}

/** A list of all the endpoints' names says no more than that. */
function takes(words = ''): string {
  return words.length > SHOWN_LENGTH_MAX ? words.replace(/ \(.*/, '') : words;
}

export const SETTINGS_TABLES = {
  'profile-keys': profileTable,
  settings: settingTable,
} as const;
