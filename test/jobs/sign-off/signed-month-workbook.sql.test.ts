/** A workbook of a day in a signed month says whether its own run is what was signed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { testFolder } from '../../intake/in-folder.ts';
import { publish } from '../../reports/publish.ts';
import { DAY, WITH_OPEN, firstOfMarch, sectionOf, sign } from './signed-world.ts';

const folder = await testFolder();
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  const books = await firstOfMarch(db);
  await books.balance('A1', { at: '2026-04-01 00:00:05', fen: 100_570n });
  await books.night('2026-03-31');
  await sign(db, '2026-03', { by: '李娜', ...WITH_OPEN });
  await books.deposits('A1', [{ orderNo: 'D3', at: '2026-03-01 13:00:00', amountFen: 30n }]);
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_570n });
  await books.night(DAY);
  await books.night('2026-03-02');
});
afterAll(() => database.close());

const lines = async (runId: string): Promise<unknown[]> => {
  const book = await publish(database.db, { runId, path: folder.path(`${runId}.xlsx`) });
  return sectionOf(book, '签核').map(([first]) => first);
};

test('another version of one of its days names the one that was signed', async () => {
  expect(await lines('nightly-2026-03-01-v2')).toContain(
    '注意：2026-03 签核的是 nightly-2026-03-01-v1，本表是另一版。',
  );
});

test('a day that was proven after the month was signed is none of what was signed', async () => {
  expect(await lines('nightly-2026-03-02-v1')).toContain('注意：2026-03 签核的内容不含本表。');
});
