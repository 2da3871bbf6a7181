/**
 * What `recon init` asks on a terminal, so that a first folder needs no editor: each answer is checked by the rule of its
 * setting, and each may be left empty and filled in later. A secret is not shown as it is typed.
 */
import type { Readable, Writable } from 'node:stream';
import { intro, isCancel, outro, password, select, text } from '@clack/prompts';
import { REPORT_LOCALES } from '../../src/core/config/config.ts';
import type { ReportLocale } from '../../src/core/config/config.ts';
import { checkBlanks, readDatabaseUrl, readPlatformUrl } from '../../src/core/config/config-checks.ts';
import type { AddFault, Given } from '../../src/core/config/config-checks.ts';
import type { SettingName } from '../../src/core/config/setting-names.ts';
import { Stopped } from '../../src/core/errors.ts';

/** A terminal; another one in tests. */
export interface Terminal {
  input?: Readable;
  output?: Writable;
}

export interface Answers {
  /** Empty: to be filled in later. */
  settings: Partial<Record<SettingName, string>>;
  companyName: string;
}

const LATER = 'leave it empty to fill it in later';

/** @throws Stopped when the person breaks off: nothing is made then */
export async function askPerson(folder: string, terminal: Terminal = {}): Promise<Answers> {
  intro(`Settings for ${folder}; every one can be changed in .env and profile.json later`, terminal);
  const companyName = await asked(
    'company name',
    { message: 'Name of your company, as workbooks show it' },
    terminal,
  );
  const url = await asked(
    'PLATFORM_URL',
    {
      message: `Address of the platform (${LATER})`,
      placeholder: 'https://pay.example.com',
      check: readPlatformUrl,
    },
    terminal,
  );
  const key = await asked('PLATFORM_API_KEY', { message: `API key (${LATER})` }, terminal);
  const secret = await askedSecret(
    'PLATFORM_SECRET',
    `Secret of the API key, not shown (${LATER})`,
    terminal,
  );
  const database = await asked(
    'DATABASE_URL',
    {
      message: 'Address of PostgreSQL (leave it empty for an embedded database, which is for trying)',
      placeholder: 'postgres://recon:password@127.0.0.1:5432/recon',
      check: readDatabaseUrl,
    },
    terminal,
  );
  const locale = given(
    await select<ReportLocale>({
      message: 'Language of workbooks and alerts',
      options: REPORT_LOCALES.map((value) => ({ value, label: LANGUAGES[value] })),
      ...terminal,
    }),
  );
  outro('Thank you', terminal);
  const settings = {
    PLATFORM_URL: url,
    PLATFORM_API_KEY: key,
    PLATFORM_SECRET: secret,
    REPORT_LOCALE: locale,
  };
  return { companyName, settings: database === '' ? settings : { ...settings, DATABASE_URL: database } };
}

const LANGUAGES: Readonly<Record<ReportLocale, string>> = { 'zh-CN': '中文', en: 'English' };

type Check = (given: Given, addFault: AddFault) => unknown;

async function asked(
  name: string,
  { message, placeholder, check }: { message: string; placeholder?: string; check?: Check },
  terminal: Terminal,
): Promise<string> {
  const validate = (value = ''): string | undefined => faultOf({ name, value }, false, check);
  const answer = await text({
    message,
    validate,
    ...(placeholder !== undefined && { placeholder }),
    ...terminal,
  });
  return given(answer);
}

async function askedSecret(name: string, message: string, terminal: Terminal): Promise<string> {
  return given(
    await password({ message, validate: (value = '') => faultOf({ name, value }, true), ...terminal }),
  );
}

/** The first thing that is wrong with an answer; an empty one is none. */
function faultOf(answer: Given, secret: boolean, check?: Check): string | undefined {
  const { name, value } = answer;
  if (value === '') return undefined;
  const faults: string[] = [];
  const addFault: AddFault = (sentence) => faults.push(sentence);
  if (checkBlanks(answer, addFault, secret)) check?.(answer, addFault);
  // A file of settings escapes nothing.
  const marks = ["'", '"', '`'].filter((mark) => value.includes(mark));
  if (marks.length > 1)
    faults.push(`${name} holds more than one kind of quotation marks, which no setting can hold`);
  return faults[0];
}

function given<T extends string>(answer: T | undefined | symbol): T {
  if (isCancel(answer)) throw new Stopped('broken off: nothing was made');
  return (answer ?? '') as T;
}
