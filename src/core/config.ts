/**
 * Settings: the environment and one file of variables, read once, whole, and named together when wrong. The
 * environment wins over the file. This is the only place that sees `process.env`.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import {
  checkBlanks,
  databasePasswords,
  maskDatabaseUrl,
  readChannelCode,
  readCron,
  readDatabaseUrl,
  readFileName,
  readFolderName,
  readOneOf,
  readPlatformUrl,
  readPort,
} from './config-checks.ts';
import type { AddFault, Given } from './config-checks.ts';
import { readEnvFile } from './env-file.ts';
import { messageOf, WrongInput } from './errors.ts';
import { maskText } from './mask.ts';
import { nearest } from './nearest.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const REPORT_LOCALES = ['zh-CN', 'en'] as const;
export type ReportLocale = (typeof REPORT_LOCALES)[number];

/** How requests are signed (ENV-10): RSA2 only in app mode, and without the secret (SIG-08). */
export type PlatformSigning =
  { signType: 'MD5'; secret: string } | { signType: 'RSA2'; privateKeyFile: string; publicKeyFile: string };

/** One credential, never both (ENV-06). */
export type PlatformCredential =
  | { mode: 'apiKey'; apiKey: string; signing: PlatformSigning & { signType: 'MD5' } }
  | { mode: 'app'; appId: string; signing: PlatformSigning };

export interface PlatformSettings {
  /** Before `/api/open/virtualBank`, without a trailing slash. */
  url: string;
  credential: PlatformCredential;
}

export type SettingOrigin = 'environment' | 'file' | 'default' | 'not set';

/** One line of `recon config`. */
export interface SettingRow {
  name: SettingName;
  /** Secrets are masked; empty when not set. */
  value: string;
  from: SettingOrigin;
}

export interface Settings {
  /** Undefined: the embedded database in `home`/db. */
  databaseUrl: string | undefined;
  /** Absolute. */
  home: string;
  /** Undefined where the command does without and not all of it is set. */
  platform: PlatformSettings | undefined;
  channelCode: string | undefined;
  profileFile: string | undefined;
  reportLocale: ReportLocale;
  nightlyCron: string;
  snapshotCron: string;
  healthPort: number | undefined;
  logLevel: LogLevel;
  /** Texts that must appear in no log, error, file or report. */
  secrets: readonly string[];
  rows: readonly SettingRow[];
}

/** Every setting with its default; `hidden` says how much of it a person may see. */
const SETTINGS = {
  DATABASE_URL: { usual: undefined, hidden: 'password' },
  RECON_HOME: { usual: './var', hidden: 'nothing' },
  PLATFORM_URL: { usual: undefined, hidden: 'nothing' },
  PLATFORM_API_KEY: { usual: undefined, hidden: 'all' },
  PLATFORM_APP_ID: { usual: undefined, hidden: 'nothing' },
  PLATFORM_SECRET: { usual: undefined, hidden: 'all' },
  PLATFORM_SIGN_TYPE: { usual: 'MD5', hidden: 'nothing' },
  PLATFORM_PRIVATE_KEY_FILE: { usual: undefined, hidden: 'nothing' },
  PLATFORM_PUBLIC_KEY_FILE: { usual: undefined, hidden: 'nothing' },
  PLATFORM_CHANNEL_CODE: { usual: undefined, hidden: 'nothing' },
  PLATFORM_PROFILE: { usual: undefined, hidden: 'nothing' },
  REPORT_LOCALE: { usual: 'zh-CN', hidden: 'nothing' },
  NIGHTLY_CRON: { usual: '0 2 * * *', hidden: 'nothing' },
  SNAPSHOT_CRON: { usual: '0 0 * * *', hidden: 'nothing' },
  HEALTH_PORT: { usual: undefined, hidden: 'nothing' },
  LOG_LEVEL: { usual: 'info', hidden: 'nothing' },
} as const satisfies Record<string, { usual: string | undefined; hidden: 'nothing' | 'all' | 'password' }>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** Variables of these prefixes are ours; one that is not known is a slip of the pen. */
const OUR_PREFIX = /^(?:RECON|PLATFORM)_/;

/** A copy of the process's environment. */
export function hostEnvironment(): Environment {
  return { ...process.env };
}

/**
 * Reads and checks all settings. A setting that is empty counts as not set.
 * @param sources.envFile path of a file of variables; relative paths in settings are relative to the working folder
 * @param sources.needs what the command cannot do without
 * @throws WrongInput naming every fault at once, no secret among them
 */
export function readSettings(sources: {
  env: Environment;
  envFile?: string | undefined;
  needs: { platform: boolean };
}): Settings {
  const faults: string[] = [];
  const addFault: AddFault = (sentence) => faults.push(sentence);
  const found = collect(sources, addFault);
  const settings = checkAll(found, { addFault, needs: sources.needs });
  if (faults.length === 0) return settings;
  throw new WrongInput(
    'wrong settings:',
    faults.map((fault) => maskText(fault, settings.secrets)),
  );
}

/** The settings in force and where each came from, secrets masked. */
export function settingsInForce(settings: Settings): readonly SettingRow[] {
  return settings.rows;
}

type Found = ReadonlyMap<SettingName, { value: string; from: SettingOrigin }>;

function collect(sources: { env: Environment; envFile?: string | undefined }, addFault: AddFault): Found {
  const file = sources.envFile === undefined ? {} : readEnvFile(sources.envFile, addFault);
  const ours = [...Object.keys(sources.env), ...Object.keys(file)].filter((name) => OUR_PREFIX.test(name));
  for (const name of new Set(ours)) if (!Object.hasOwn(SETTINGS, name)) addFault(unknownName(name));
  const found = new Map<SettingName, { value: string; from: SettingOrigin }>();
  for (const name of SETTING_NAMES) {
    const { usual } = SETTINGS[name];
    if (sources.env[name]) found.set(name, { value: sources.env[name], from: 'environment' });
    else if (file[name]) found.set(name, { value: file[name], from: 'file' });
    else if (usual !== undefined) found.set(name, { value: usual, from: 'default' });
  }
  return found;
}

function unknownName(name: string): string {
  const meant = nearest(name, SETTING_NAMES);
  return `${name} is not a setting${meant === undefined ? '' : ` (did you mean ${meant}?)`}`;
}

function checkAll(found: Found, options: { addFault: AddFault; needs: { platform: boolean } }): Settings {
  const { addFault } = options;
  const usable = usableValues(found, addFault);
  const read = <T>(name: SettingName, check: (given: Given, addFault: AddFault) => T): T | undefined => {
    const value = usable.get(name);
    return value === undefined ? undefined : check({ name, value }, addFault);
  };
  const databaseUrl = read('DATABASE_URL', readDatabaseUrl);
  const platform = readPlatform({ ...options, found, read });
  return {
    databaseUrl,
    home: resolve(read('RECON_HOME', readFolderName) ?? SETTINGS.RECON_HOME.usual),
    platform,
    channelCode: read('PLATFORM_CHANNEL_CODE', readChannelCode),
    profileFile: read('PLATFORM_PROFILE', readFileName),
    reportLocale: read('REPORT_LOCALE', (given) => readOneOf(given, REPORT_LOCALES, addFault)) ?? 'zh-CN',
    nightlyCron: read('NIGHTLY_CRON', readCron) ?? SETTINGS.NIGHTLY_CRON.usual,
    snapshotCron: read('SNAPSHOT_CRON', readCron) ?? SETTINGS.SNAPSHOT_CRON.usual,
    healthPort: read('HEALTH_PORT', readPort),
    logLevel:
      read('LOG_LEVEL', (given) => readOneOf(given, LOG_LEVELS, addFault)) ?? SETTINGS.LOG_LEVEL.usual,
    secrets: secretsOf(usable, databaseUrl),
    rows: SETTING_NAMES.map((name) => rowOf(name, found)),
  };
}

/** The values without blanks or controls where none belong. */
function usableValues(found: Found, addFault: AddFault): ReadonlyMap<SettingName, string> {
  const usable = new Map<SettingName, string>();
  for (const [name, { value }] of found) {
    const secret = SETTINGS[name].hidden !== 'nothing';
    if (checkBlanks({ name, value }, addFault, secret)) usable.set(name, value);
  }
  return usable;
}

function secretsOf(usable: ReadonlyMap<SettingName, string>, databaseUrl: string | undefined): string[] {
  const passwords = databaseUrl === undefined ? [] : (databasePasswords(databaseUrl) ?? []);
  const whole = SETTING_NAMES.filter((name) => SETTINGS[name].hidden === 'all').map((name) =>
    usable.get(name),
  );
  return [...whole.filter((value) => value !== undefined), ...passwords];
}

function rowOf(name: SettingName, found: Found): SettingRow {
  const setting = found.get(name);
  if (setting === undefined) return { name, value: '', from: 'not set' };
  const { hidden } = SETTINGS[name];
  if (hidden === 'all') return { name, value: '****', from: setting.from };
  return {
    name,
    value: hidden === 'password' ? maskDatabaseUrl(setting.value) : setting.value,
    from: setting.from,
  };
}

type Read = <T>(name: SettingName, check: (given: Given, addFault: AddFault) => T) => T | undefined;

interface PlatformSources {
  addFault: AddFault;
  needs: { platform: boolean };
  found: Found;
  read: Read;
}

/** All of the platform's settings are checked as far as they are set; what is missing only where it is needed. */
function readPlatform(sources: PlatformSources): PlatformSettings | undefined {
  const { addFault, needs, found, read } = sources;
  const missing = (sentence: string): void => {
    if (needs.platform) addFault(sentence);
  };
  const url = read('PLATFORM_URL', readPlatformUrl);
  const credential = readCredential(sources, missing);
  if (!found.has('PLATFORM_URL')) missing('PLATFORM_URL is not set');
  return url === undefined || credential === undefined ? undefined : { url, credential };
}

function readCredential(
  { addFault, found, read }: PlatformSources,
  missing: AddFault,
): PlatformCredential | undefined {
  const value = (name: SettingName): string | undefined => read(name, (given) => given.value);
  const files = {
    privateKeyFile: read('PLATFORM_PRIVATE_KEY_FILE', readFileName),
    publicKeyFile: read('PLATFORM_PUBLIC_KEY_FILE', readFileName),
  };
  const signType = read('PLATFORM_SIGN_TYPE', (given) => readOneOf(given, ['MD5', 'RSA2'], addFault));
  const [byKey, byApp] = [found.has('PLATFORM_API_KEY'), found.has('PLATFORM_APP_ID')];
  if (byKey && byApp) addFault('PLATFORM_API_KEY and PLATFORM_APP_ID are both set: keep one');
  if (!byKey && !byApp) missing('neither PLATFORM_API_KEY nor PLATFORM_APP_ID is set');
  if (byKey && signType === 'RSA2') addFault('PLATFORM_SIGN_TYPE RSA2 goes with PLATFORM_APP_ID only');
  const secret = value('PLATFORM_SECRET');
  if (signType !== 'RSA2' && !found.has('PLATFORM_SECRET')) missing('PLATFORM_SECRET is not set');
  const md5 = signType === 'MD5' && secret !== undefined ? ({ signType, secret } as const) : undefined;
  const apiKey = value('PLATFORM_API_KEY');
  if (apiKey !== undefined) return md5 && { mode: 'apiKey', apiKey, signing: md5 };
  const signing = signType === 'RSA2' ? readKeyFiles(files, found, missing) : md5;
  const appId = value('PLATFORM_APP_ID');
  return appId === undefined || signing === undefined ? undefined : { mode: 'app', appId, signing };
}

function readKeyFiles(
  files: { privateKeyFile: string | undefined; publicKeyFile: string | undefined },
  found: Found,
  missing: AddFault,
): PlatformSigning | undefined {
  for (const name of ['PLATFORM_PRIVATE_KEY_FILE', 'PLATFORM_PUBLIC_KEY_FILE'] as const) {
    if (!found.has(name)) missing(`${name} is not set; RSA2 needs it`);
  }
  const { privateKeyFile, publicKeyFile } = files;
  if (privateKeyFile === undefined || publicKeyFile === undefined) return undefined;
  return { signType: 'RSA2', privateKeyFile, publicKeyFile };
}

/** The text of the profile file and how it is called; undefined text when none is set. */
export function readProfileFile(settings: Settings): { text: string | undefined; source: string } {
  if (settings.profileFile === undefined) return { text: undefined, source: 'the defaults' };
  try {
    return { text: readFileSync(settings.profileFile, 'utf8'), source: settings.profileFile };
  } catch (error) {
    throw new WrongInput(
      'wrong settings:',
      [`PLATFORM_PROFILE cannot be read: ${messageOf(error)}`],
      {},
      { cause: error },
    );
  }
}
