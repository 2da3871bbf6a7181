/** `recon explain` by the executable: what it prints, and what it says of a number that nothing bears. */
import { beforeAll, expect, test } from 'vitest';
import { faultsOf } from '../../helpers/cli.ts';
import { Books } from '../../helpers/company/books.ts';
import { commandBooks } from '../command-books.ts';

const { recon, reconWith, onDatabase } = commandBooks();

beforeAll(async () => {
  await recon('breaks', 'list');
  await onDatabase(async (db) => {
    const books = new Books(db);
    const opening = '2026-03-01 00:00:00';
    await books.account('A1', { fen: 0n, at: opening });
    await books.account('A2');
    await books.entries('A1', [{ id: 'O', kind: 'opening', amountFen: 0n, at: opening }]);
    await books.proven('A1', '2026-02-20', '2026-03-02');
    await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
    await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 600n });
    await books.night('2026-03-01', { accounts: ['A1'] });
  });
});

test('a number is printed as one screen, in the language of the reports, and as one document', async () => {
  const english = await reconWith({ REPORT_LOCALE: 'en' }, 'explain', 'D1');
  expect([english.status, english.stderr]).toEqual([0, '']);
  expect(english.stdout).toContain('Platform record: Deposit D1 · Account A1\n  Amount         5.00 yuan');
  expect((await recon('explain', 'D1')).stdout).toContain('平台记录: 充值 D1 · 账户 A1');
  const { stdout } = await recon('explain', 'A1', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    schema: 1,
    asked: 'A1',
    account: { accountNo: 'A1', movements: [{ kind: 'deposit', count: 1, amountFen: 500 }] },
  });
});

test('a day of an account that no run has proven is none, and the account still has breaks of another day', async () => {
  expect((await recon('explain', 'A1')).stdout).toContain('余额不明差异');
  const { status, stdout, stderr } = await recon('explain', 'A1', '--day', '2026-03-02');
  expect([status, stdout, faultsOf(stderr)]).toEqual([
    2,
    '',
    [
      'no run has come to a verdict on account A1 for 2026-03-02 or a later day; "recon accounts show A1" lists its days, "recon nightly --day D" proves one',
    ],
  ]);
});

test('what is not there says where it was looked for and what to try', async () => {
  const unknown = await recon('explain', 'A11111');
  expect(unknown.status).toBe(2);
  expect(faultsOf(unknown.stderr)).toEqual([
    expect.stringMatching(
      /^nothing bears "A11111".*: looked for in accounts, deposits, .* show numbers to try$/,
    ),
  ]);
  expect(faultsOf((await recon('explain', 'A2')).stderr)).toEqual([
    'no run has come to a verdict on account A2; "recon accounts show A2" lists its days, "recon nightly --day D" proves one',
  ]);
  expect(faultsOf((await recon('explain', 'A1', '--day', '2026-3-1')).stderr)).toEqual([
    '--day "2026-3-1" is not a day; write yyyy-MM-dd, such as 2026-03-01',
  ]);
});
