/**
 * `recon doctor`: what a night needs, checked one by one: settings, profile, disk, database, clock, credentials.
 * A check that fails never keeps the others from being made, and nothing is changed.
 */
import type { Settings } from '../../src/core/config/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { hostEnvironment, readSettings } from '../../src/core/config/config.ts';
import { WrongInput } from '../../src/core/errors.ts';
import { openLog } from '../../src/core/log.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import { profileAssumptions, readProfile } from '../../src/core/profile/profile.ts';
import { Zone } from '../../src/core/time.ts';
import { EXIT, finish, hideInMessages } from '../cli/command.ts';
import type { CommonOptions, Outcome } from '../cli/command.ts';
import { clockOf, readProfileOf } from '../context/context.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkBooks } from './doctor-books.ts';
import { checkAlerts } from './doctor-alerts.ts';
import { checkDisk } from './doctor-disk.ts';
import { checkInbox } from './doctor-inbox.ts';
import { checkPlatform } from './doctor-platform.ts';
import type { Check } from './doctor-check.ts';

export function doctorCommand(options: CommonOptions): Promise<void> {
  return finish(options, async () => outcomeOf(await examine(options)));
}

interface Examined {
  checks: Check[];
  /** The settings or the profile are wrong, so that no command would start. */
  isMisconfigured: boolean;
}

async function examine(options: CommonOptions): Promise<Examined> {
  const found = findSettings(options);
  const { settings } = found;
  if (settings !== undefined) hideInMessages(settings.secrets);
  const read = findProfile(settings);
  const zone = new Zone(read.profile.service.timeZone);
  const clock = clockOf(options, zone);
  const log = openLog({ level: options.logLevel ?? 'error', secrets: settings?.secrets ?? [], clock });
  const checks = [nodeCheck(), ...found.checks, ...read.checks];
  const now = zone.localText(clock.wall());
  checks.push({ name: 'time zone', state: 'ok', detail: `${zone.name}, where it is ${now} now` });
  if (settings !== undefined) {
    checks.push(...(await checkDisk(settings.home)));
    const times = { zone, now: clock.wall(), realNow: systemClock().wall() };
    checks.push(...(await checkInbox(settings.inbox, times)));
    checks.push(...(await checkBooks(settings.books, { zone, realNow: () => systemClock().wall() })));
    const { checks: onDatabase, known } = await checkDatabase(settings, { log, zone, clock });
    checks.push(...onDatabase);
    const parts = { settings, profile: read.profile, clock, log };
    checks.push(...(await checkPlatform(parts, known)));
  }
  checks.push(companyCheck(read.profile));
  if (settings !== undefined) checks.push(checkAlerts(settings));
  const isMisconfigured = [...found.checks, ...read.checks].some(({ state }) => state === 'fail');
  return { checks, isMisconfigured };
}

function nodeCheck(): Check {
  return { name: 'node', state: 'ok', detail: process.versions.node };
}

/** Who signs a workbook signs for a company. */
function companyCheck({ company }: Profile): Check {
  return company.name === ''
    ? {
        name: 'company',
        state: 'warn',
        detail: 'company.name is not set in the profile: workbooks name no company',
      }
    : { name: 'company', state: 'ok', detail: company.name };
}

/** Where only the platform's settings are missing, the rest can still be looked at. */
function findSettings(options: CommonOptions): { settings: Settings | undefined; checks: Check[] } {
  const env = hostEnvironment();
  const read = (platform: boolean) => readSettings({ env, envFile: options.envFile, needs: { platform } });
  try {
    const settings = read(true);
    const set = settings.rows.filter(({ from }) => from === 'environment' || from === 'file').length;
    return { settings, checks: [{ name: 'settings', state: 'ok', detail: `${set} set, the rest usual` }] };
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    return { settings: orUndefined(() => read(false)), checks: failures('settings', error) };
  }
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WrongInput) return undefined;
    throw error;
  }
}

function failures(name: string, error: WrongInput): Check[] {
  const sentences = error.faults.length > 0 ? error.faults : [error.message];
  return sentences.map((detail) => ({ name, state: 'fail', detail }));
}

/** With a wrong profile the other checks are made with the defaults. */
function findProfile(settings: Settings | undefined): { profile: Profile; checks: Check[] } {
  try {
    const profile = settings === undefined ? readProfile(undefined, 'defaults') : readProfileOf(settings);
    const changed = profileAssumptions(profile).filter((key) => key.changed);
    const values = changed.map(({ key, value }) => `${key} = ${value}`).join(', ');
    const detail = changed.length === 0 ? 'its defaults' : `${changed.length} not at default: ${values}`;
    return { profile, checks: [{ name: 'profile', state: 'ok', detail }] };
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    return { profile: readProfile(undefined, 'defaults'), checks: failures('profile', error) };
  }
}

function outcomeOf({ checks, isMisconfigured }: Examined): Outcome {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(
    ({ name, state, detail }) => `${state.padEnd(4)}  ${name.padEnd(width)}  ${detail}`,
  );
  const hasFailed = checks.some(({ state }) => state === 'fail');
  const status = isMisconfigured ? EXIT.wrongInput : hasFailed ? EXIT.failed : EXIT.done;
  return { status, document: { schema: 1, checks }, text: lines.join('\n') };
}
