/**
 * The checks of single settings: each reads one text and returns its value, or names the fault in a sentence
 * that begins with the setting's name and never shows a secret (I2).
 */
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type * as nodeCron from 'node-cron';

import { codeOf, messageOf } from '../errors.ts';
import type { SettingName } from './setting-names.ts';

/** Takes faults; all are named together at the end (CONTRIBUTING.md). */
export type AddFault = (sentence: string) => void;

/** A setting that was given, by name. */
export interface Given {
  name: string;
  value: string;
}

/**
 * Blanks around a value come from copying, and a line break in it from a file read whole: the platform would
 * refuse every call for its signature. False when the value may not be used further.
 */
export function checkBlanks(given: Given, addFault: AddFault, secret: boolean): boolean {
  const { name, value } = given;
  if (/^\s/.test(value)) addFault(`${name} begins with a blank${secret ? '' : `: ${JSON.stringify(value)}`}`);
  else if (/[\r\n]\s*$/.test(value)) addFault(`${name} ends with a line break`);
  else if (/\s$/.test(value))
    addFault(`${name} ends with a blank${secret ? '' : `: ${JSON.stringify(value)}`}`);
  else if (/\p{Cc}/u.test(value)) addFault(`${name} contains a control character`);
  else if (secret && /\s/.test(value)) addFault(`${name} contains a blank`);
  else return true;
  return false;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name of an address is this very machine. */
export function isThisMachine(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

const PATH_OF_ALL_CALLS = '/api/open/virtualBank';

/** The platform's address without a trailing slash (ENV-03); plain http only to this very machine (S14). */
export function readPlatformUrl(given: Given, addFault: AddFault): string | undefined {
  const { name, value } = given;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    addFault(`${name} is not a URL: ${JSON.stringify(withoutUserInfo(value))}`);
  } else if (url.username !== '' || url.password !== '') {
    addFault(`${name} must not hold a user or password`);
  } else if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    addFault(`${name} must be https (http is for this machine only): ${JSON.stringify(value)}`);
  } else if (url.search !== '' || url.hash !== '') {
    addFault(`${name} must have no query and no fragment: ${JSON.stringify(value)}`);
  } else if (url.pathname.includes(PATH_OF_ALL_CALLS)) {
    addFault(`${name} must end before ${PATH_OF_ALL_CALLS}: ${JSON.stringify(value)}`);
  } else {
    return value.replace(/\/+$/, '');
  }
  return undefined;
}

/** A PostgreSQL address; what is shown of a wrong one is never its password. */
export function readDatabaseUrl(given: Given, addFault: AddFault): string | undefined {
  const { name, value } = given;
  if (!/^postgres(?:ql)?:\/\//.test(value) || !URL.canParse(value)) {
    addFault(`${name} is not an address such as postgres://user:password@host:5432/name`);
    return undefined;
  }
  const database = decodeURIComponentOr(new URL(value).pathname.slice(1));
  if (database === undefined || databasePasswords(value) === undefined) {
    addFault(`${name} has a % that is no escape; write %25`);
    return undefined;
  }
  if (database === '') addFault(`${name} names no database after its host`);
  return database === '' ? undefined : value;
}

/** Every form in which the password of a database address may turn up; undefined when it cannot be decoded. */
export function databasePasswords(value: string): string[] | undefined {
  const url = new URL(value);
  const written = [url.password, url.searchParams.get('password') ?? ''].filter((text) => text !== '');
  const decoded = written.map(decodeURIComponentOr);
  return decoded.includes(undefined) ? undefined : [...new Set([...written, ...(decoded as string[])])];
}

/** The address with its password hidden, for people. */
export function maskDatabaseUrl(value: string): string {
  return value.replace(/^([a-z]+:\/\/[^:@/]*):.*@/, '$1:****@').replace(/([?&]password=)[^&#]*/g, '$1****');
}

function withoutUserInfo(value: string): string {
  return value.replace(/\/\/[^/]*@/, '//****@');
}

function decodeURIComponentOr(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

export function readOneOf<T extends string>(
  given: Given,
  accepted: readonly T[],
  addFault: AddFault,
): T | undefined {
  const found = accepted.find((word) => word === given.value);
  if (found === undefined) {
    addFault(`${given.name} must be one of ${accepted.join(', ')}: ${JSON.stringify(given.value)}`);
  }
  return found;
}

/** A TCP port; 0 lets the system choose one. */
export function readPort(given: Given, addFault: AddFault): number | undefined {
  const port = /^\d{1,5}$/.test(given.value) ? Number(given.value) : Number.NaN;
  if (port <= 65_535) return port;
  addFault(`${given.name} must be a port from 0 to 65535: ${JSON.stringify(given.value)}`);
  return undefined;
}

const TOKEN_LENGTH_MIN = 16;

/** What is sent in a header, and is not to be guessed; it is not shown. */
export function readToken(given: Given, addFault: AddFault): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(given.value))
    addFault(`${given.name} must be letters, digits and signs of ASCII`);
  else if (given.value.length < TOKEN_LENGTH_MIN)
    addFault(
      `${given.name} must have at least ${TOKEN_LENGTH_MIN} characters (openssl rand -hex 24 makes one)`,
    );
  else return given.value;
  return undefined;
}

/** An address or name of this machine to listen on. */
export function readHost(given: Given, addFault: AddFault): string | undefined {
  if (isIP(given.value) !== 0 || /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/.test(given.value)) {
    return given.value;
  }
  addFault(`${given.name} must be a host such as 127.0.0.1: ${JSON.stringify(given.value)}`);
  return undefined;
}

/** A cron expression of five or six fields. The package is loaded here: most commands are called without one. */
export function readCron(given: Given, addFault: AddFault): string | undefined {
  const { validate } = createRequire(import.meta.url)('node-cron') as typeof nodeCron;
  if (validate(given.value)) return given.value;
  addFault(`${given.name} is not a cron expression such as "0 2 * * *": ${JSON.stringify(given.value)}`);
  return undefined;
}

/** The channel code becomes a part of a path (SMS-01), so it is a plain word. */
export function readChannelCode(given: Given, addFault: AddFault): string | undefined {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(given.value)) return given.value;
  addFault(`${given.name} must be up to 64 letters, digits, _ or -: ${JSON.stringify(given.value)}`);
  return undefined;
}

/** A folder that is there or can still be made. */
export function readFolderName(given: Given, addFault: AddFault): string | undefined {
  const fault = folderFault(given.value);
  if (fault === undefined) return given.value;
  addFault(`${given.name} is no folder: ${JSON.stringify(given.value)} (${fault})`);
  return undefined;
}

/** The same, absolute. */
export function readFolder(given: Given, addFault: AddFault): string | undefined {
  const folder = readFolderName(given, addFault);
  return folder === undefined ? undefined : resolve(folder);
}

function folderFault(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : 'it is something else';
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : reasonOf(error);
  }
}

/** A file that is there and can be read; its content is the caller's business. */
export function readFileName(given: Given, addFault: AddFault): string | undefined {
  const fault = fileFault(given.value);
  if (fault === undefined) return given.value;
  addFault(`${given.name} names no file that can be read: ${JSON.stringify(given.value)} (${fault})`);
  return undefined;
}

/** Why a path is no file that can be read. */
export function fileFault(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return 'it is not a file';
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  return code === 'EACCES' ? 'permission denied' : messageOf(error);
}

/** A file that the job writes; it need not be there yet. */
export function readNewFileName(given: Given, addFault: AddFault): string | undefined {
  const fault = statSync(given.value, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!fault) return resolve(given.value);
  addFault(`${given.name} is no file: ${JSON.stringify(given.value)} (it is a folder)`);
  return undefined;
}

/** A setting's value where it is given, after its check. */
export type Read = <T>(name: SettingName, check: (given: Given, addFault: AddFault) => T) => T | undefined;
