/** `recon init` at a terminal: what is typed is checked as its setting is, a secret is not shown, breaking off makes nothing. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askPerson } from '../../../jobs/init/ask.ts';
import type { Answers } from '../../../jobs/init/ask.ts';
import { parseEnv } from 'node:util';
import { envText, NEEDED } from '../../../jobs/init/env-text.ts';

const ENTER = '\r';
const CTRL_C = '\u0003';
const DOWN = '\u001B[B';

/** A person who types a line whenever the question is asked anew, and reads what the terminal shows. */
class Person {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  shown = '';
  constructor() {
    this.output.on('data', (chunk: Buffer) => (this.shown += chunk.toString('utf8')));
  }

  async answers(...typed: readonly (readonly [after: string, keys: string])[]): Promise<Answers> {
    const done = askPerson('/srv/recon', { input: this.input, output: this.output });
    let isOver = false;
    const watched = done.finally(() => (isOver = true));
    for (const [after, keys] of typed) {
      await expect.poll(() => isOver || this.shown.includes(after), { timeout: 20_000 }).toBe(true);
      this.shown = this.shown.slice(this.shown.indexOf(after));
      this.input.write(keys);
    }
    return watched;
  }
}

const COMPANY = 'Name of your company';
const ADDRESS = 'Address of the platform';
const KEY = 'API key (';
const SECRET = 'Secret of the API key';
const DATABASE = 'Address of PostgreSQL';
const LANGUAGE = 'Language of workbooks';

test('what is typed stands in the settings, and the secret is never shown', async () => {
  const person = new Person();
  let all = '';
  person.output.on('data', (chunk: Buffer) => (all += chunk.toString('utf8')));
  const answers = await person.answers(
    [COMPANY, `示例科技${ENTER}`],
    [ADDRESS, `http://pay.example.com${ENTER}`],
    ['must be https', `${'\u007F'.repeat(30)}https://pay.example.com${ENTER}`],
    [KEY, `key-1${ENTER}`],
    [SECRET, `s3cret${ENTER}`],
    [DATABASE, `postgres://recon:pw@db.example/recon${ENTER}`],
    [LANGUAGE, `${DOWN}${ENTER}`],
  );
  expect(answers).toEqual({
    companyName: '示例科技',
    settings: {
      PLATFORM_URL: 'https://pay.example.com',
      PLATFORM_API_KEY: 'key-1',
      PLATFORM_SECRET: 's3cret',
      DATABASE_URL: 'postgres://recon:pw@db.example/recon',
      REPORT_LOCALE: 'en',
    },
  });
  expect(all).not.toContain('s3cret');
  const written = parseEnv(envText({ ...NEEDED, ...answers.settings }));
  expect(written).toEqual(answers.settings);
});

test('each may be left for later: the settings are those of a folder that nobody was asked for', async () => {
  const questions = [COMPANY, ADDRESS, KEY, SECRET, DATABASE, LANGUAGE];
  const answers = await new Person().answers(...questions.map((question) => [question, ENTER] as const));
  expect(answers).toEqual({ companyName: '', settings: { ...NEEDED, REPORT_LOCALE: 'zh-CN' } });
});

test('broken off, it makes nothing', async () => {
  const broken = new Person().answers([COMPANY, `A${ENTER}`], [ADDRESS, CTRL_C]);
  await expect(broken).rejects.toThrow('broken off: nothing was made');
});

test.each([
  ['a blank around it', ' key', 'begins with a blank'],
  ['marks of two kinds', `a'b"c`, 'more than one kind of quotation marks'],
])('a key with %s is asked for again', async (_name, typed, told) => {
  const person = new Person();
  const answers = await person.answers(
    [COMPANY, ENTER],
    [ADDRESS, ENTER],
    [KEY, `${typed}${ENTER}`],
    [told, `${'\u007F'.repeat(typed.length)}good${ENTER}`],
    [SECRET, ENTER],
    [DATABASE, ENTER],
    [LANGUAGE, ENTER],
  );
  expect(answers.settings.PLATFORM_API_KEY).toBe('good');
});
