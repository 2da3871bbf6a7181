/** Wrong settings and files, each with every fault that must be named, in the words it is named in. */
import type { WrongCase } from './wrong-calls.ts';

/** Put into the folder before the cases run. */
export const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'empty.csv': '',
  'columns.csv': 'account_no,nmae,name,name\n1,2,3,4\n',
  'not-a-table.csv': 'hello\nworld\n',
  'binary.csv': Uint8Array.from([0xff, 0xff, 0x00, 0x81, 0xff, 0x0a]),
  'short.csv': 'entry_id,account_no\n1,2\n',
  'ledger.csv': 'entry_id,account_no,kind,amount_fen,booked_at\nE1,100001,deposit,1,2026-03-01 10:00:00\n',
  'no-json.json': '{"service": ',
  'unknown-key.json': '{"service": {"tmeZone": "Asia/Shanghai"}, "rate": 3}',
  'wrong-value.json': '{"http": {"maxAttempts": 0}, "fees": 7}',
  'lines.env': 'RECON_HOME=./x\nthis line says nothing\n',
  'no-key.pem': 'not a key',
};

const RSA = { PLATFORM_API_KEY: undefined, PLATFORM_APP_ID: 'app', PLATFORM_SIGN_TYPE: 'RSA2' };

export const WRONG_FILES: readonly WrongCase[] = [
  {
    name: 'a file that is not there',
    args: ['accounts', 'import', '{folder}/nothing.csv'],
    faults: ['cannot read {folder}/nothing.csv: there is no such file'],
  },
  {
    name: 'a file that is a folder',
    args: ['accounts', 'import', '{folder}'],
    faults: ['cannot read {name}: it is not a file'],
  },
  {
    name: 'an empty file',
    args: ['accounts', 'import', '{folder}/empty.csv'],
    faults: ['empty.csv is empty'],
  },
  {
    name: 'columns that are wrong in two ways',
    args: ['accounts', 'import', '{folder}/columns.csv'],
    faults: ['unknown column "nmae"', 'column "name" is there twice'],
  },
  {
    name: 'a file that is no table',
    args: ['accounts', 'import', '{folder}/not-a-table.csv'],
    faults: [
      'not-a-table.csv is not a table of accounts: its first row holds none of the columns account_no, …',
    ],
  },
  {
    name: 'a file that is no text',
    args: ['accounts', 'import', '{folder}/binary.csv'],
    faults: ['binary.csv is neither UTF-8 nor GBK; save it as CSV UTF-8'],
  },
  {
    name: 'a profile that is no JSON',
    args: ['config'],
    faults: ['it is not JSON: …'],
    env: { PLATFORM_PROFILE: '{folder}/no-json.json' },
  },
  {
    name: 'a ledger without its columns',
    args: ['ledger', 'import', '{folder}/short.csv'],
    faults: [
      'column "kind" is missing',
      'column "booked_at" is missing',
      'column "amount_fen" or "amount_yuan" is missing',
    ],
  },
  {
    name: 'a ledger complete to no instant',
    args: ['ledger', 'import', '{folder}/ledger.csv', '--complete-to', 'tomorrow'],
    faults: [
      '--complete-to "tomorrow" is not an instant; write 2026-03-02, "2026-03-02 02:00:00" or 2026-03-02T02:00:00+08:00',
    ],
  },
];

const setting = (
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  ...faults: readonly string[]
): WrongCase => ({ name: `I2: ${name}`, args: ['nightly'], env, faults });

export const WRONG_SETTINGS: readonly WrongCase[] = [
  setting(
    'nothing set',
    { PLATFORM_URL: undefined, PLATFORM_API_KEY: undefined, PLATFORM_SECRET: undefined },
    'neither PLATFORM_API_KEY nor PLATFORM_APP_ID is set',
    'PLATFORM_SECRET is not set',
    'PLATFORM_URL is not set',
  ),
  setting('a slip in the scheme', { PLATFORM_URL: 'htp://x' }, 'PLATFORM_URL is not a URL: "htp://x"'),
  setting(
    'plain http to another machine',
    { PLATFORM_URL: 'http://platform.example' },
    'PLATFORM_URL must be https (http is for this machine only): "http://platform.example"',
  ),
  setting(
    'a line break after the secret',
    { PLATFORM_SECRET: 'topsecret\n' },
    'PLATFORM_SECRET ends with a line break',
  ),
  setting(
    'two credentials',
    { PLATFORM_APP_ID: 'app' },
    'PLATFORM_API_KEY and PLATFORM_APP_ID are both set: keep one',
  ),
  setting(
    'RSA2 with an API key',
    { PLATFORM_SIGN_TYPE: 'RSA2' },
    'PLATFORM_SIGN_TYPE RSA2 goes with PLATFORM_APP_ID only',
  ),
  setting(
    'key files that are not there',
    { ...RSA, PLATFORM_PRIVATE_KEY_FILE: '{folder}/a.pem', PLATFORM_PUBLIC_KEY_FILE: '{folder}/b.pem' },
    'PLATFORM_PRIVATE_KEY_FILE names no file that can be read: "{folder}/a.pem" (there is no such file)',
    'PLATFORM_PUBLIC_KEY_FILE names no file that can be read: "{folder}/b.pem" (there is no such file)',
  ),
  setting(
    'key files that hold no keys',
    {
      ...RSA,
      PLATFORM_PRIVATE_KEY_FILE: '{folder}/no-key.pem',
      PLATFORM_PUBLIC_KEY_FILE: '{folder}/no-key.pem',
    },
    'PLATFORM_PRIVATE_KEY_FILE does not hold a private RSA key (…',
    'PLATFORM_PUBLIC_KEY_FILE does not hold a public RSA key (…',
  ),
  setting(
    'another kind of database',
    { DATABASE_URL: 'mysql://u:topsecret@h/d' },
    'DATABASE_URL is not an address such as postgres://user:password@host:5432/name',
  ),
  setting(
    'a home that is a file',
    { RECON_HOME: '{folder}/ledger.csv' },
    'RECON_HOME is no folder: "{folder}/ledger.csv" (it is something else)',
  ),
  setting(
    'a schedule that is none',
    { NIGHTLY_CRON: 'at two' },
    'NIGHTLY_CRON is not a cron expression such as "0 2 * * *": "at two"',
  ),
  setting(
    'a port that is none',
    { HEALTH_PORT: '99999' },
    'HEALTH_PORT must be a port from 0 to 65535: "99999"',
  ),
  setting(
    'a language we do not have',
    { REPORT_LOCALE: 'fr' },
    'REPORT_LOCALE must be one of zh-CN, en: "fr"',
  ),
  setting(
    'a mistyped name',
    { PLATFORM_SECRT: 'topsecret' },
    'PLATFORM_SECRT is not a setting (did you mean PLATFORM_SECRET?)',
  ),
  setting(
    'a profile that is not there',
    { PLATFORM_PROFILE: '{folder}/none.json' },
    'PLATFORM_PROFILE names no file that can be read: "{folder}/none.json" (there is no such file)',
  ),
  setting(
    'a profile with unknown keys',
    { PLATFORM_PROFILE: '{folder}/unknown-key.json' },
    'unknown key "service.tmeZone" (did you mean "service.timeZone"?)',
    'unknown key "rate"',
  ),
  setting(
    'a profile with wrong values',
    { PLATFORM_PROFILE: '{folder}/wrong-value.json' },
    'http.maxAttempts must be at least 1: 0',
    'fees must be an object: 7',
  ),
  {
    name: 'I2: a file of settings that is not there',
    args: ['config', '--env-file', '{folder}/none.env'],
    faults: ['the file of --env-file cannot be read: "{folder}/none.env" (there is no such file)'],
  },
  {
    name: 'I2: a file of settings with a line that says nothing',
    args: ['config', '--env-file', '{folder}/lines.env'],
    faults: ['line 2 of {folder}/lines.env is not NAME=value'],
  },
  {
    name: 'I2: settings and arguments wrong at once',
    args: ['nightly', '--day', 'today'],
    env: { HEALTH_PORT: 'x', LOG_LEVEL: 'loud' },
    faults: [
      'HEALTH_PORT must be a port from 0 to 65535: "x"',
      'LOG_LEVEL must be one of debug, info, warn, error: "loud"',
      '--day "today" is not a day; write yyyy-MM-dd, such as 2026-03-01',
    ],
  },
];
