/** Settings of the company's own database, from which its books are taken. */
import { resolve } from 'node:path';
import { databasePasswords, fileFault, readFileName } from './config-checks.ts';
import type { AddFault, Given, Read } from './config-checks.ts';
import { SSL_FILES, databaseConnection } from './database-tls.ts';
import type { DatabaseConnection } from './database-tls.ts';
import type { SettingName } from './setting-names.ts';
import { SOURCE_NAME, SOURCE_SIGNS } from '../text.ts';

export interface BooksSettings {
  kind: 'postgres' | 'mysql';
  connection: DatabaseConnection;
  /** Files of SQL, absolute: what yields the ledger, the orders, and how far the books are closed. */
  query: string | undefined;
  ordersQuery: string | undefined;
  closedQuery: string | undefined;
  /** What the ledger is called here. */
  source: string;
  /** What was changed so many hours before the mark is read again. */
  lookBackHours: number;
}

interface Sources {
  addFault: AddFault;
  has: (name: SettingName) => boolean;
  read: Read;
}

const URL_NAME = 'LEDGER_DATABASE_URL';
const QUERIES = [
  'LEDGER_DATABASE_QUERY',
  'LEDGER_DATABASE_ORDERS_QUERY',
  'LEDGER_DATABASE_CLOSED_QUERY',
] as const;

export function readBooksDatabase({ addFault, has, read }: Sources): BooksSettings | undefined {
  const address = read(URL_NAME, readAddress);
  const [query, ordersQuery, closedQuery] = QUERIES.map((name) => {
    const file = read(name, readFileName);
    return file === undefined ? undefined : resolve(file);
  });
  const source = read('LEDGER_DATABASE_SOURCE', readSource);
  const lookBackHours = read('LEDGER_DATABASE_LOOK_BACK', readHours);
  for (const name of QUERIES)
    if (has(name) && !has(URL_NAME)) addFault(`${URL_NAME} is not set; ${name} goes with it`);
  if (has(URL_NAME) && !has(QUERIES[0]) && !has(QUERIES[1]))
    addFault(`${QUERIES[0]} is not set; ${URL_NAME} needs it, or ${QUERIES[1]}`);
  if (has(QUERIES[2]) && !has(QUERIES[0])) addFault(`${QUERIES[0]} is not set; ${QUERIES[2]} goes with it`);
  if (address === undefined || source === undefined || lookBackHours === undefined) return undefined;
  return { ...address, query, ordersQuery, closedQuery, source, lookBackHours };
}

/** Every form in which its password may turn up. */
export function booksPasswords(value: string): string[] {
  if (!URL.canParse(value)) return [];
  return databasePasswords(value) ?? [new URL(value).password];
}

/** What an address may say besides how the way is secured: a wish that is dropped may read other tables. */
const READ = ['host', 'password'];

/** What is shown of a wrong one is never its password. */
function readAddress(
  { name, value }: Given,
  addFault: AddFault,
): Pick<BooksSettings, 'kind' | 'connection'> | undefined {
  const form = /^(postgres(?:ql)?|mysql|mariadb):\/\//.exec(value);
  if (form === null || !URL.canParse(value) || new URL(value).hostname === '') {
    addFault(`${name} is not an address such as mysql://user:password@host:3306/name or postgres://…`);
    return undefined;
  }
  const url = new URL(value);
  if (databasePasswords(value) === undefined || !isDecodable(url.pathname) || !isDecodable(url.username)) {
    addFault(`${name} has a % that is no escape; write %25`);
    return undefined;
  }
  if (url.pathname.length < 2)
    addFault(`${name} names no database after its host, as mysql://host:3306/name does`);
  const connection = databaseConnection(value, undefined);
  if ('fault' in connection) {
    addFault(`${name} ${connection.fault}`);
    return undefined;
  }
  for (const key of new Set(new URL(connection.url).searchParams.keys()))
    if (!READ.includes(key))
      addFault(`${name} says ${key}, which is not read here; the query says it, or its user`);
  for (const key of ['ca', 'cert', 'key'] as const) {
    const file = connection.files[key];
    const fault = file === undefined ? undefined : fileFault(file);
    if (fault !== undefined) addFault(`${name} names no ${SSL_FILES[key]} that can be read (${fault})`);
  }
  return { kind: form[1]?.startsWith('postgres') === true ? 'postgres' : 'mysql', connection };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

function readSource({ name, value }: Given, addFault: AddFault): string | undefined {
  if (SOURCE_NAME.test(value)) return value;
  addFault(`${name} is named by ${SOURCE_SIGNS}: ${JSON.stringify(value)}`);
  return undefined;
}

/** A year of hours: who wants more than that empties the mark by another query. */
const HOURS_MAX = 8_760;

function readHours({ name, value }: Given, addFault: AddFault): number | undefined {
  const hours = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (hours <= HOURS_MAX) return hours;
  addFault(`${name} must be hours from 0 to ${HOURS_MAX}: ${JSON.stringify(value)}`);
  return undefined;
}
