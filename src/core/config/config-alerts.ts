/** The ways in which people are told of nights, each with what it needs; one that is set in part is a fault. */
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf, messageOf } from '../errors.ts';
import { fileFault, isThisMachine, readOneOf } from './config-checks.ts';
import type { AddFault, Given, Read } from './config-checks.ts';
import { SETTINGS } from './setting-names.ts';
import type { SettingName } from './setting-names.ts';

export interface MailSettings {
  host: string;
  port: number;
  /** From the first byte; otherwise by STARTTLS, but on this machine. */
  isTls: boolean;
  isThisMachine: boolean;
  user: string;
  password: string;
  from: string;
  to: readonly string[];
  /** The workbook goes along where it is not too large. */
  attaches: boolean;
}

/** Each undefined: people are not told in that way. */
export interface AlertChannels {
  webhook: { url: string; secret: string } | undefined;
  wecom: { url: string } | undefined;
  dingtalk: { url: string; secret: string } | undefined;
  feishu: { url: string; secret: string } | undefined;
  mail: MailSettings | undefined;
  command: { file: string } | undefined;
}

export type AlertChannel = keyof AlertChannels;

export const ALERT_CHANNELS = [
  'webhook',
  'wecom',
  'dingtalk',
  'feishu',
  'mail',
  'command',
] as const satisfies readonly AlertChannel[];

export interface AlertSettings {
  channels: AlertChannels;
  /** `HH:mm` in the service's zone: a night without a verdict by then is late. */
  lateAt: string;
  /** Whether nights are told of on which nothing is wrong. */
  tellsGreen: boolean;
  /** Where the files of `RECON_HOME` are seen from elsewhere; without a slash at its end. */
  filesUrl: string | undefined;
}

interface Sources {
  addFault: AddFault;
  has: (name: SettingName) => boolean;
  read: Read;
}

export function readAlerts(sources: Sources): AlertSettings {
  const { addFault, read } = sources;
  return {
    channels: {
      webhook: readSigned(sources, 'ALERT_WEBHOOK_URL', 'ALERT_WEBHOOK_SECRET'),
      wecom: readRobot(sources, 'ALERT_WECOM_URL'),
      dingtalk: readSigned(sources, 'ALERT_DINGTALK_URL', 'ALERT_DINGTALK_SECRET'),
      feishu: readSigned(sources, 'ALERT_FEISHU_URL', 'ALERT_FEISHU_SECRET'),
      mail: readMail(sources),
      command: read('ALERT_COMMAND', readCommand),
    },
    lateAt: read('ALERT_LATE_AT', readTimeOfDay) ?? SETTINGS.ALERT_LATE_AT.usual,
    tellsGreen: read('ALERT_GREEN', (given) => readOneOf(given, ['yes', 'no'], addFault)) === 'yes',
    filesUrl: read('ALERT_FILES_URL', readAddress)?.replace(/\/+$/, ''),
  };
}

function readRobot({ read }: Sources, name: SettingName): { url: string } | undefined {
  const url = read(name, readAddress);
  return url === undefined ? undefined : { url };
}

/** Whoever knows the address alone could speak in our name. */
function readSigned(
  { read, has, addFault }: Sources,
  name: SettingName,
  secretName: SettingName,
): { url: string; secret: string } | undefined {
  const [url, secret] = [read(name, readAddress), read(secretName, ({ value }) => value)];
  if (has(name) && !has(secretName)) addFault(`${secretName} is not set; ${name} needs it`);
  if (has(secretName) && !has(name)) addFault(`${name} is not set; ${secretName} goes with it`);
  return url === undefined || secret === undefined ? undefined : { url, secret };
}

/** What is shown of a wrong one is never its key. */
function readAddress({ name, value }: Given, addFault: AddFault): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) addFault(`${name} is not a URL`);
  else if (url.username !== '' || url.password !== '') addFault(`${name} must not hold a user or password`);
  else if (url.hash !== '') addFault(`${name} must have no fragment`);
  else if (url.protocol === 'http:' && !isThisMachine(url.hostname))
    addFault(`${name} must be https (http is for this machine only)`);
  else return value;
  return undefined;
}

const MAIL_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

function readMail(sources: Sources): MailSettings | undefined {
  const { read, has, addFault } = sources;
  const server = read('ALERT_MAIL_URL', readMailServer);
  const from = read('ALERT_MAIL_FROM', readMailAddresses)?.[0];
  const to = read('ALERT_MAIL_TO', readMailAddresses);
  const attaches = read('ALERT_MAIL_ATTACH', (given) => readOneOf(given, ['yes', 'no'], addFault)) === 'yes';
  const parts = ['ALERT_MAIL_URL', 'ALERT_MAIL_FROM', 'ALERT_MAIL_TO'] as const;
  if (parts.some(has))
    for (const name of parts) if (!has(name)) addFault(`${name} is not set; mail needs it`);
  return server === undefined || from === undefined || to === undefined
    ? undefined
    : { ...server, from, to, attaches };
}

function readMailServer(
  { name, value }: Given,
  addFault: AddFault,
): Omit<MailSettings, 'from' | 'to' | 'attaches'> | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const port = url?.protocol === 'smtp:' || url?.protocol === 'smtps:' ? MAIL_PORTS[url.protocol] : undefined;
  if (url === undefined || port === undefined || url.hostname === '') {
    addFault(`${name} is not an address such as smtps://user:password@mail.example:465`);
    return undefined;
  }
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (user === undefined || password === undefined) {
    addFault(`${name} has a % that is no escape; write %25`);
    return undefined;
  }
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1');
  return {
    host,
    port: url.port === '' ? port : Number(url.port),
    isTls: url.protocol === 'smtps:',
    isThisMachine: isThisMachine(url.hostname),
    user,
    password,
  };
}

/** Every form in which the password of a mail server may turn up. */
export function mailPasswords(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password } = new URL(value);
  return [...new Set([password, decoded(password) ?? ''])].filter((text) => text !== '');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Addresses alone, so that no name or header can hide among them. */
function readMailAddresses({ name, value }: Given, addFault: AddFault): string[] | undefined {
  const addresses = value.split(',').map((text) => text.trim());
  const wrong = addresses.find((text) => !/^[^\s@<>"(),:;\\[\]]{1,64}@[A-Za-z0-9.-]{1,253}$/.test(text));
  if (wrong === undefined) return addresses;
  addFault(`${name} takes mail addresses by commas: ${JSON.stringify(wrong)}`);
  return undefined;
}

function readCommand({ name, value }: Given, addFault: AddFault): { file: string } | undefined {
  const file = resolve(value);
  const fault = fileFault(file) ?? executableFault(file);
  if (fault === undefined) return { file };
  addFault(`${name} names no program that can be run: ${JSON.stringify(value)} (${fault})`);
  return undefined;
}

function executableFault(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch (error) {
    return codeOf(error) === 'EACCES' ? 'it may not be executed: chmod +x' : messageOf(error);
  }
}

function readTimeOfDay({ name, value }: Given, addFault: AddFault): string | undefined {
  if (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)) return value;
  addFault(`${name} must be a time of day such as 06:00: ${JSON.stringify(value)}`);
  return undefined;
}
