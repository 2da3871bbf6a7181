/** Settings of the company's own database: each that is wrong is named, with what to do, and no password is shown. */
import { expect, test } from 'vitest';
import { readSettings } from '../../src/core/config/config.ts';
import type { Environment } from '../../src/core/config/config.ts';
import { WrongInput } from '../../src/core/errors.ts';

const SQL = import.meta.filename;
const URL_NAME = 'LEDGER_DATABASE_URL';
const MYSQL = 'mysql://books:S3cret@127.0.0.1/erp';
const NO_ADDRESS = `${URL_NAME} is not an address such as mysql://user:password@host:3306/name or postgres://…`;
const NO_FILE = 'LEDGER_DATABASE_QUERY names no file that can be read:';

function faultsOf(env: Environment): readonly string[] {
  try {
    readSettings({ env, needs: { platform: false } });
    return [];
  } catch (error) {
    if (error instanceof WrongInput) return error.faults;
    throw error;
  }
}

const at = (url: string): Environment => ({ [URL_NAME]: url, LEDGER_DATABASE_QUERY: SQL });

test.each<[Environment, string]>([
  [at('oracle://books:S3cret@db/erp'), NO_ADDRESS],
  [at('mysql://books:S3cret@db:99999/erp'), NO_ADDRESS],
  [at('postgres://books:S3#cret@db/erp'), NO_ADDRESS],
  [
    at('mysql://books:S3cret@db:3306'),
    `${URL_NAME} names no database after its host, as mysql://host:3306/name does`,
  ],
  [at('mysql://books:S3%cret@db/erp'), `${URL_NAME} has a % that is no escape; write %25`],
  [
    at('postgres://books:S3cret@db/erp?sslrootcert=/nowhere/ca.pem'),
    `${URL_NAME} names no sslrootcert that can be read (there is no such file)`,
  ],
  [
    at('postgres://books:S3cret@db/erp?options=-c%20search_path%3Dbooks'),
    `${URL_NAME} says options, which is not read here; the query says it, or its user`,
  ],
  [
    at('mysql://books:S3cret@db/erp?charset=gbk'),
    `${URL_NAME} says charset, which is not read here; the query says it, or its user`,
  ],
  [
    { [URL_NAME]: MYSQL },
    `LEDGER_DATABASE_QUERY is not set; ${URL_NAME} needs it, or LEDGER_DATABASE_ORDERS_QUERY`,
  ],
  [{ LEDGER_DATABASE_QUERY: SQL }, `${URL_NAME} is not set; LEDGER_DATABASE_QUERY goes with it`],
  [
    { LEDGER_DATABASE_ORDERS_QUERY: SQL },
    `${URL_NAME} is not set; LEDGER_DATABASE_ORDERS_QUERY goes with it`,
  ],
  [
    { [URL_NAME]: MYSQL, LEDGER_DATABASE_ORDERS_QUERY: SQL, LEDGER_DATABASE_CLOSED_QUERY: SQL },
    'LEDGER_DATABASE_QUERY is not set; LEDGER_DATABASE_CLOSED_QUERY goes with it',
  ],
  [
    { [URL_NAME]: MYSQL, LEDGER_DATABASE_QUERY: '/nowhere/ledger.sql' },
    `${NO_FILE} "/nowhere/ledger.sql" (there is no such file)`,
  ],
  [
    { ...at(MYSQL), LEDGER_DATABASE_SOURCE: 'a/b' },
    'LEDGER_DATABASE_SOURCE is named by 1 to 64 letters, digits, blanks, ".", "_" or "-": "a/b"',
  ],
  [
    { ...at(MYSQL), LEDGER_DATABASE_LOOK_BACK: '2d' },
    'LEDGER_DATABASE_LOOK_BACK must be hours from 0 to 8760: "2d"',
  ],
  [
    { ...at(MYSQL), LEDGER_DATABASE_LOOK_BACK: '8761' },
    'LEDGER_DATABASE_LOOK_BACK must be hours from 0 to 8760: "8761"',
  ],
  [
    { ...at(MYSQL), LEDGER_DATABASE_LOOKBACK: '24' },
    'LEDGER_DATABASE_LOOKBACK is not a setting (did you mean LEDGER_DATABASE_LOOK_BACK?)',
  ],
])('%o is refused', (env, fault) => {
  expect(faultsOf(env)).toEqual([fault]);
});

test('all that is wrong is named at once', () => {
  const faults = faultsOf({
    [URL_NAME]: 'oracle://db/erp',
    LEDGER_DATABASE_QUERY: '/nowhere/ledger.sql',
    LEDGER_DATABASE_LOOK_BACK: '-1',
  });
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    URL_NAME,
    'LEDGER_DATABASE_QUERY',
    'LEDGER_DATABASE_LOOK_BACK',
  ]);
});

test.each([
  ['mysql://books:S3cret@db/erp', 'mysql'],
  ['mariadb://books@db/erp?sslmode=disable', 'mysql'],
  ['postgres://books:S3cret@db/erp', 'postgres'],
  ['postgresql:///erp?host=/var/run/postgresql', undefined],
  ['postgres://db/erp?host=/var/run/postgresql', 'postgres'],
])('%s is an address of %s', (url, kind) => {
  if (kind === undefined) expect(faultsOf(at(url))).toEqual([NO_ADDRESS]);
  else expect(readSettings({ env: at(url), needs: { platform: false } }).books?.kind).toBe(kind);
});
