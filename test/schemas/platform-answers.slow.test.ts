/** What the commands that ask the platform really answer is what the schemas say. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { databaseToSpoil } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { Night } from '../helpers/night.ts';
import { faultsOfAnswer } from './validator.ts';

const DAY = '2026-03-04';
const LIMIT_MS = 120_000;
let night: Night;
let database: TestDatabase;

beforeAll(async () => {
  database = await databaseToSpoil();
  night = await Night.open({ now: '2026-03-05 02:00:00', database });
  await night.accounts({ no: 'A1', opening: { fen: 100n, at: `${DAY} 00:00:00` } });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: `${DAY} 09:00:00` });
});
afterAll(async () => {
  await night.close();
  await database.close();
});

/** The embedded database of the commands is another one than the test's: the account list is taken in by them. */
async function answerOf(...args: string[]): Promise<unknown> {
  const env = { ...night.environment(), ...(database.url !== undefined && { DATABASE_URL: database.url }) };
  const { stdout } = await runCli([...args, '--json', '--clock', '2026-03-04T18:00:00Z'], { env });
  return JSON.parse(stdout);
}

test(
  'a night and what is asked around it answer as their schemas say',
  async () => {
    const asked: [string, ...string[]][] = [
      ['accounts import', `${night.home}/import-1.csv`],
      ['snapshot'],
      ['nightly', '--day', DAY],
      ['backfill', '--from', DAY, '--to', DAY],
      ['settle', '--dry-run'],
      ['vouchers', '--from', DAY, '--to', DAY],
      ['verify'],
      ['call', 'acct/queryInfo', '{"accountNo":"A1"}'],
      ['doctor'],
    ];
    for (const [answer, ...args] of asked) {
      const document = await answerOf(...answer.split(' '), ...args);
      expect([answer, ...(await faultsOfAnswer(answer, document))]).toEqual([answer]);
    }
  },
  LIMIT_MS,
);
