/** An opening that the account list states otherwise is put right in the list: the books lack nothing. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { faultsOf } from '../../helpers/cli.ts';
import { Books } from '../../helpers/company/books.ts';
import { at } from '../../helpers/service-time.ts';
import { commandBooks } from '../command-books.ts';

const { reconWith, onDatabase, file } = commandBooks();
const A = '6217000000000000001';
const CLOCK = ['--clock', '2026-03-03T02:00:00Z'];

beforeAll(async () => {
  await reconWith({}, 'breaks', 'list');
  await onDatabase(async (db) => {
    const books = new Books(db);
    const opening = { fen: 1_000_000n, at: '2026-03-01 00:00:00' };
    await books.account(A, opening);
    await books.entries(A, [{ id: 'O1', kind: 'opening', amountFen: opening.fen, at: opening.at }]);
    await books.proven(A, '2026-03-01', '2026-03-04');
    for (const day of [2, 3]) await books.balance(A, { at: `2026-03-0${day} 00:00:10`, fen: opening.fen });
    await books.night('2026-03-01');
    await db
      .updateTable('account')
      .set({ opening_fen: 1_000_100n, opening_at: at(opening.at) })
      .execute();
    await books.night('2026-03-02');
  });
});

test('no adjusting entry is proposed of it', async () => {
  await reconWith({}, 'breaks', 'explain', '--account', A, '--reason', '期初', '--by', '李娜', ...CLOCK);
  const out = await file('adjusting.csv', '');
  const { status, stderr } = await reconWith({}, 'breaks', 'entries', '--out', out, ...CLOCK);
  expect([status, ...faultsOf(stderr)]).toEqual([
    2,
    expect.stringMatching(
      /^B[0-9a-f]{15} \(period_changed\): it is nothing that the books lack: state the opening in the account list as it was$/,
    ),
  ]);
  expect(await readFile(out, 'utf8')).toBe('');
});
