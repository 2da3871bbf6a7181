/** Adjusting entries of explained breaks: a ledger file that, once it is imported, ends them in the next night. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { faultsOf } from '../../helpers/cli.ts';
import { Books } from '../../helpers/company/books.ts';
import { commandBooks } from '../command-books.ts';

const { reconWith, onDatabase, file } = commandBooks();
const [A, B] = ['6217000000000000001', '6217000000000000002'];
const CLOCK = ['--clock', '2026-03-02T02:00:00Z'];
const at = '2026-03-01 09:00:00';

const DEPOSITS: Record<string, bigint> = {
  SWAP: 459_000n,
  TWICE: 82_000n,
  WRONG: 300_000n,
  LOST: 128_800n,
  FEE: 4_997_000n,
};
const total = Object.values(DEPOSITS).reduce((fen, one) => fen + one, 1_000_000n);
/** Interest that no record shows. */
const INTEREST = 1_234n;

/** The embedded database is made by the first command. */
beforeAll(async () => {
  await reconWith({}, 'breaks', 'list');
  await onDatabase(async (db) => {
    const books = new Books(db);
    for (const account of [A, B]) {
      const opening = '2026-03-01 00:00:00';
      await books.account(account, { fen: 1_000_000n, at: opening });
      await books.entries(account, [
        { id: `O${account}`, kind: 'opening', amountFen: 1_000_000n, at: opening },
      ]);
      await books.proven(account, '2026-03-01', '2026-03-04');
    }
    const deposits = Object.entries(DEPOSITS).map(([orderNo, amountFen]) => ({
      orderNo,
      at,
      amountFen: orderNo === 'FEE' ? 5_000_000n : amountFen,
      ...(orderNo === 'FEE' && { feeFen: 3_000n }),
    }));
    await books.deposits(A, deposits);
    const entry = (id: string, reference: string, amountFen: bigint) => ({ id, reference, amountFen, at });
    await books.entries(A, [
      entry('E1', 'SWAP', 495_000n),
      entry('E2', 'TWICE', 82_000n),
      entry('E3', 'TWICE', 82_000n),
      entry('E4', 'NONE', 5_500n),
      entry('E5', '', 7_700n),
      entry('E6', 'FEE', 5_000_000n),
    ]);
    await books.entries(B, [entry('F1', 'WRONG', 300_000n)]);
    for (let day = 2; day <= 3; day++) {
      await books.balance(A, { at: `2026-03-0${day} 00:00:10`, fen: total + INTEREST });
      await books.balance(B, { at: `2026-03-0${day} 00:00:10`, fen: 1_000_000n });
    }
    await books.night('2026-03-01');
  });
});

async function statuses(): Promise<string[]> {
  const { stdout } = await reconWith(
    {},
    'breaks',
    'list',
    '--all',
    '--json',
    '--clock',
    '2026-03-03T02:00:00Z',
  );
  const { breaks } = JSON.parse(stdout) as {
    breaks: { accountNo: string; class: string; reference: string; status: string }[];
  };
  return breaks.map(
    (one) =>
      `${one.accountNo === A ? 'A' : 'B'} ${one.class} ${one.reference.replace(A, 'A').replace(B, 'B')} ${one.status}`,
  );
}

test('nothing is proposed of what nobody explained', async () => {
  const out = await file('none.csv', '');
  const { status, stderr } = await reconWith({}, 'breaks', 'entries', '--out', out, ...CLOCK);
  expect(status).toBe(2);
  expect(faultsOf(stderr)).toEqual([
    'no break of that kind is explained: recon breaks explain ID --reason TEXT',
  ]);
});

test('what is proposed is taken by ledger import, books nothing before, and ends the breaks', async () => {
  const explain = ['breaks', 'explain', '--age-min', '0', '--reason', '三月补记', '--by', '李娜', ...CLOCK];
  expect((await reconWith({}, ...explain)).status).toBe(0);
  const out = await file('adjusting.csv', '');
  const proposed = await reconWith({}, 'breaks', 'entries', '--out', out, ...CLOCK);
  expect([proposed.status, proposed.stderr]).toEqual([0, '']);
  const lines = (await readFile(out, 'utf8')).trim().split('\r\n');
  const rows = lines.slice(1).map((line) =>
    line
      .split(',')
      .filter((_, n) => [1, 2, 3, 4, 7].includes(n))
      .join(' '),
  );
  const booked = '2026-03-02 10:00:00';
  expect(rows.map((row) => row.replace(A, 'A').replace(B, 'B'))).toEqual([
    `A deposit 3000.00 WRONG ${booked}`,
    `A deposit -360.00 SWAP ${booked}`,
    `A deposit -820.00 TWICE ${booked}`,
    `A fee -30.00 FEE ${booked}`,
    `A deposit 1288.00 LOST ${booked}`,
    `A adjustment 12.34  ${booked}`,
  ]);
  expect(proposed.stdout).toMatch(
    /^not proposed: B[0-9a-f]{15} \(ledger_only\): a wrong entry ends when it is corrected or withdrawn itself: E4$/m,
  );
  expect(proposed.stdout).toContain('6 entries, 5,510.34 gross; nothing was booked');
  const again = await file('again.csv', '');
  await reconWith({}, 'breaks', 'entries', '--out', again, '--clock', '2026-03-02T05:00:00Z');
  expect(await readFile(again, 'utf8')).toBe(await readFile(out, 'utf8'));
  const imported = await reconWith({}, 'ledger', 'import', out, '--source', 'adjusting', ...CLOCK);
  expect([imported.status, imported.stderr]).toEqual([0, '']);
  await onDatabase(async (db) => {
    await new Books(db).night('2026-03-02');
  });
  expect(await statuses()).toEqual([
    'A account WRONG closed',
    'A amount SWAP closed',
    'A duplicate TWICE closed',
    'A fee FEE closed',
    'A ledger_only E5 open',
    'A ledger_only NONE open',
    'A platform_only LOST closed',
    'A unexplained A closed',
    'B ledger_only WRONG open',
  ]);
});

test('one that is named and not explained is refused, as is another ending', async () => {
  const refused = async (...args: string[]): Promise<string[]> => {
    const { status, stderr } = await reconWith({}, 'breaks', 'entries', ...args, ...CLOCK);
    expect(status).toBe(2);
    return faultsOf(stderr);
  };
  expect(await refused('B0123456789abcde', '--out', 'x.csv')).toEqual([
    'B0123456789abcde is no open break that is explained',
  ]);
  expect(await refused('--out', 'x.txt')).toEqual([
    '--out is missing or does not end in .csv: it takes the file to be written',
  ]);
});
