/** A break that is of another amount once its adjusting entry is booked is adjusted by a further entry. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { commandBooks } from '../command-books.ts';

const { reconWith, onDatabase, file } = commandBooks();
const A = '6217000000000000001';
const OPENING = 1_000_000n;
const at = '2026-03-01 09:00:00';

beforeAll(async () => {
  await reconWith({}, 'breaks', 'list');
  await onDatabase(async (db) => {
    const books = new Books(db);
    const opening = '2026-03-01 00:00:00';
    await books.account(A, { fen: OPENING, at: opening });
    await books.entries(A, [{ id: 'O1', kind: 'opening', amountFen: OPENING, at: opening }]);
    await books.proven(A, '2026-03-01', '2026-03-05');
    await books.deposits(A, [{ orderNo: 'SWAP', at, amountFen: 459_000n }]);
    await books.entries(A, [{ id: 'E1', reference: 'SWAP', amountFen: 495_000n, at }]);
    for (let day = 2; day <= 4; day++)
      await books.balance(A, { at: `2026-03-0${day} 00:00:10`, fen: OPENING + 459_000n });
    await books.night('2026-03-01');
  });
});

/** Status and difference by break. */
async function amounts(): Promise<{ id: string; differenceFen: number; status: string }[]> {
  const clock = ['--clock', '2026-03-05T02:00:00Z'];
  const { stdout } = await reconWith({}, 'breaks', 'list', '--all', '--class', 'amount', '--json', ...clock);
  const { breaks } = JSON.parse(stdout) as {
    breaks: { id: string; differenceFen: number; status: string }[];
  };
  return breaks.map(({ id, differenceFen, status }) => ({ id, differenceFen, status }));
}

/** Explains what is open and imports what is proposed; @returns its numbers and amounts, the same once imported */
async function adjust(day: string): Promise<string[]> {
  const clock = ['--clock', `${day}T02:00:00Z`];
  await reconWith({}, 'breaks', 'explain', '--account', A, '--reason', '补记', '--by', '李娜', ...clock);
  const out = await file('adjusting.csv', '');
  await reconWith({}, 'breaks', 'entries', '--account', A, '--out', out, ...clock);
  const imported = await reconWith({}, 'ledger', 'import', out, '--source', 'adjusting', ...clock);
  expect([imported.status, imported.stderr]).toEqual([0, '']);
  const again = await file('again.csv', '');
  await reconWith({}, 'breaks', 'entries', '--account', A, '--out', again, ...clock);
  expect(await readFile(again, 'utf8')).toBe(await readFile(out, 'utf8'));
  const lines = (await readFile(out, 'utf8')).trim().split('\r\n').slice(1);
  return lines.map((line) =>
    line
      .split(',')
      .filter((_, n) => n === 0 || n === 3)
      .join(' '),
  );
}

test('an entry that is corrected besides is adjusted back by a further entry, which leaves the first as it was booked', async () => {
  const first = await adjust('2026-03-02');
  await onDatabase(async (db) => {
    const books = new Books(db);
    await books.entries(A, [{ id: 'E1', reference: 'SWAP', amountFen: 459_000n, at }]);
    await books.night('2026-03-02');
  });
  const [found] = await amounts();
  expect(found).toMatchObject({ differenceFen: 36_000, status: 'open' });
  const second = await adjust('2026-03-03');
  expect([...first, ...second]).toEqual([`ADJ-${found?.id}-1 -360.00`, `ADJ-${found?.id}-2 360.00`]);
  await onDatabase(async (db) => {
    await new Books(db).night('2026-03-03');
  });
  expect(await amounts()).toMatchObject([{ id: found?.id, status: 'closed' }]);
});
