/**
 * Settings: the environment and one file of variables, read once, whole, and named together when wrong. The
 * environment wins over the file. This is the only place that sees `process.env`.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import {
  checkBlanks,
  databasePasswords,
  fileFault,
  maskDatabaseUrl,
  readChannelCode,
  readCron,
  readDatabaseUrl,
  readFileName,
  readFolder,
  readFolderName,
  readNewFileName,
  readOneOf,
} from './config-checks.ts';
import type { AddFault, Given, Read } from './config-checks.ts';
import { mailPasswords, readAlerts } from './config-alerts.ts';
import type { AlertSettings } from './config-alerts.ts';
import { readListeners } from './config-listeners.ts';
import type { Listening } from './config-listeners.ts';
import { readPeople } from './config-people.ts';
import type { Person } from './config-people.ts';
import { booksPasswords, readBooksDatabase } from './config-books.ts';
import type { BooksSettings } from './config-books.ts';
import { readPlatform } from './config-platform.ts';
import type { PlatformSettings } from './config-platform.ts';
import { readRetention } from './config-retention.ts';
import type { Retention } from './config-retention.ts';
import { DATABASE_TLS, databaseConnection, SSL_FILES } from './database-tls.ts';
import type { DatabaseTls } from './database-tls.ts';
import { readEnvFile } from './env-file.ts';
import { messageOf, WrongInput } from '../errors.ts';
import { usualMarkFile } from '../machine.ts';
import { maskText } from '../mask.ts';
import { nearest } from '../nearest.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from './setting-names.ts';
import { LOG_LEVELS } from '../log.ts';
import type { LogLevel } from '../log.ts';

export type { Person, Role } from './config-people.ts';
export type { PlatformCredential, PlatformSettings, PlatformSigning } from './config-platform.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const REPORT_LOCALES = ['zh-CN', 'en'] as const;
export type ReportLocale = (typeof REPORT_LOCALES)[number];

export type SettingOrigin = 'environment' | 'file' | 'default' | 'not set';

/** One line of `recon config`. */
export interface SettingRow {
  name: SettingName;
  /** Secrets are masked; empty when not set. */
  value: string;
  from: SettingOrigin;
}

export interface Settings extends Listening {
  /** Undefined: the embedded database in `home`/db. */
  databaseUrl: string | undefined;
  /** How the way to `databaseUrl` is secured. */
  databaseTls: DatabaseTls;
  /** Absolute. */
  home: string;
  /** Absolute, outside `home`: what a restored `home` has forgotten is known there. */
  settleMarkFile: string;
  /** Undefined where the command does without and not all of it is set. */
  platform: PlatformSettings | undefined;
  channelCode: string | undefined;
  profileFile: string | undefined;
  reportLocale: ReportLocale;
  /** Absolute; undefined: files are imported by hand alone. */
  inbox: string | undefined;
  /** Undefined: no books are taken from a database of the company's. */
  books: BooksSettings | undefined;
  nightlyCron: string;
  snapshotCron: string;
  /** Whether units of nights are left to workers, and the platform's rate is shared with them. */
  workers: boolean;
  /** Who may work on breaks; undefined: whoever has a name. */
  people: readonly Person[] | undefined;
  /** Who says what is said of breaks, where the command does not state it. */
  user: string | undefined;
  /** How people are told of nights. */
  alerts: AlertSettings;
  /** For how many days `recon prune` leaves what can be pruned. */
  retention: Retention;
  logLevel: LogLevel;
  /** Texts that must appear in no log, error, file or report. */
  secrets: readonly string[];
  rows: readonly SettingRow[];
}

/** Variables of these prefixes are ours; one that is not known is a slip of the pen. */
const OUR_PREFIX = /^(?:RECON|PLATFORM|INTAKE|LEDGER|ALERT|RETAIN)_/;

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
  const settings = checkAll(found, { addFault, needs: sources.needs, env: sources.env });
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

function checkAll(
  found: Found,
  options: { addFault: AddFault; needs: { platform: boolean }; env: Environment },
): Settings {
  const { addFault } = options;
  const usable = usableValues(found, addFault);
  const read = <T>(name: SettingName, check: (given: Given, addFault: AddFault) => T): T | undefined => {
    const value = usable.get(name);
    return value === undefined ? undefined : check({ name, value }, addFault);
  };
  /** Undefined where the usual value stands, which needs no check. */
  const readGiven: typeof read = (name, check) =>
    found.get(name)?.from === 'default' ? undefined : read(name, check);
  const databaseUrl = read('DATABASE_URL', readDatabaseUrl);
  const databaseTls = readDatabaseTls({ databaseUrl, read, addFault });
  const platform = readPlatform({ ...options, read, has: (name) => found.has(name) });
  const home = resolve(read('RECON_HOME', readFolderName) ?? SETTINGS.RECON_HOME.usual);
  const usualMark = usualMarkFile(options.env, { home, databaseUrl });
  return {
    databaseUrl,
    databaseTls,
    home,
    settleMarkFile: read('SETTLE_MARK_FILE', readNewFileName) ?? usualMark,
    platform,
    channelCode: read('PLATFORM_CHANNEL_CODE', readChannelCode),
    profileFile: read('PLATFORM_PROFILE', readFileName),
    reportLocale: read('REPORT_LOCALE', (given) => readOneOf(given, REPORT_LOCALES, addFault)) ?? 'zh-CN',
    inbox: read('INTAKE_INBOX', readFolder),
    books: readBooksDatabase({ addFault, read, has: (name) => found.has(name) }),
    nightlyCron: readGiven('NIGHTLY_CRON', readCron) ?? SETTINGS.NIGHTLY_CRON.usual,
    snapshotCron: readGiven('SNAPSHOT_CRON', readCron) ?? SETTINGS.SNAPSHOT_CRON.usual,
    ...readListeners(read, addFault),
    workers: readWorkers({ databaseUrl, read, addFault }),
    people: read('RECON_PEOPLE', readPeople),
    alerts: readAlerts({ addFault, read, has: (name) => found.has(name) }),
    retention: readRetention(read),
    user: read('RECON_USER', ({ value }) => value),
    logLevel:
      read('LOG_LEVEL', (given) => readOneOf(given, LOG_LEVELS, addFault)) ?? SETTINGS.LOG_LEVEL.usual,
    secrets: secretsOf(usable, databaseUrl),
    rows: SETTING_NAMES.map((name) => {
      if (name === 'DATABASE_TLS') return tlsRow({ databaseUrl, databaseTls }, found);
      const isUsualMark = name === 'SETTLE_MARK_FILE' && !found.has(name);
      return isUsualMark ? { name, value: usualMark, from: 'default' } : rowOf(name, found);
    }),
  };
}

/** Several processes need a database that they can share. */
function readWorkers(of: { databaseUrl: string | undefined; read: Read; addFault: AddFault }): boolean {
  const { databaseUrl, read, addFault } = of;
  const isWanted = read('RECON_WORKERS', (given) => readOneOf(given, ['yes', 'no'], addFault)) === 'yes';
  if (isWanted && databaseUrl === undefined)
    addFault('workers need a PostgreSQL server: set DATABASE_URL, or leave out RECON_WORKERS and --workers');
  return isWanted;
}

/** Off where there is no server to speak to. */
function readDatabaseTls(of: {
  databaseUrl: string | undefined;
  read: Read;
  addFault: AddFault;
}): DatabaseTls {
  const { databaseUrl, read, addFault } = of;
  const stated = read('DATABASE_TLS', (given) => readOneOf(given, DATABASE_TLS, addFault));
  if (databaseUrl === undefined) return 'off';
  const connection = databaseConnection(databaseUrl, stated);
  if ('fault' in connection) {
    addFault(`DATABASE_URL ${connection.fault}`);
    return 'verify';
  }
  for (const name of ['ca', 'cert', 'key'] as const) {
    const file = connection.files[name];
    const fault = file === undefined ? undefined : fileFault(file);
    if (fault !== undefined) addFault(`DATABASE_URL names no ${SSL_FILES[name]} that can be read (${fault})`);
  }
  return connection.tls;
}

/** What is in force, wherever it was said. */
function tlsRow(of: Pick<Settings, 'databaseUrl' | 'databaseTls'>, found: Found): SettingRow {
  const stated = rowOf('DATABASE_TLS', found);
  if (of.databaseUrl === undefined || stated.value === of.databaseTls) return stated;
  const isOfAddress = new URL(of.databaseUrl).searchParams.has('sslmode');
  const from = isOfAddress ? rowOf('DATABASE_URL', found).from : 'default';
  return { name: 'DATABASE_TLS', value: of.databaseTls, from };
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
  const ofMail = mailPasswords(usable.get('ALERT_MAIL_URL') ?? '');
  const ofBooks = booksPasswords(usable.get('LEDGER_DATABASE_URL') ?? '');
  return [...whole.filter((value) => value !== undefined), ...passwords, ...ofBooks, ...ofMail];
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
