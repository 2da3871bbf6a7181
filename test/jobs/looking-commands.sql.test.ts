/** Runs, the chain of an account and the books, as an operator looks through them. */
import { beforeAll, expect, test } from 'vitest';
import { faultsOf } from '../helpers/cli.ts';
import { Books } from '../helpers/company/books.ts';
import { commandBooks } from './command-books.ts';

const { reconWith, onDatabase } = commandBooks();
const recon = (...args: string[]) => reconWith({ REPORT_LOCALE: 'en' }, ...args);

beforeAll(async () => {
  await recon('runs', 'list');
  await onDatabase(async (db) => {
    const books = new Books(db);
    const opening = '2026-03-01 00:00:00';
    await books.account('A1', { fen: 0n, at: opening });
    await books.entries('A1', [
      { id: 'O', kind: 'opening', amountFen: 0n, at: opening },
      { id: 'E1', amountFen: 500n, at: '2026-03-01 10:00:00', reference: 'D1' },
      {
        id: 'E2',
        amountFen: 300n,
        at: '2026-03-02 10:00:00',
        reference: 'D2',
        counterparty: '李 13812345678',
      },
    ]);
    await books.proven('A1', '2026-02-20', '2026-03-03');
    await books.deposits('A1', [
      { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n },
      { orderNo: 'D2', at: '2026-03-02 10:00:00', amountFen: 300n },
    ]);
    await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 500n });
    await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 801n });
    await books.night('2026-03-01');
    await books.night('2026-03-02');
  });
});

/** The lines of a table without titles, each with single blanks. */
const rowsOf = (stdout: string, title: string): string[] =>
  stdout
    .slice(stdout.indexOf(title))
    .split('\n')
    .slice(2)
    .map((line) => line.trim().replaceAll(/ +/g, ' '));

test('runs are listed by day and span, the latest first, and at most as many as asked for', async () => {
  const ids = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await recon('runs', 'list', ...args, '--json');
    return (JSON.parse(stdout) as { runs: { runId: string }[] }).runs.map(({ runId }) => runId);
  };
  expect(await ids()).toEqual(['nightly-2026-03-02-v1', 'nightly-2026-03-01-v1']);
  expect(await ids('--day', '2026-03-01')).toEqual(['nightly-2026-03-01-v1']);
  expect(await ids('--from', '2026-03-02', '--to', '2026-03-05')).toEqual(['nightly-2026-03-02-v1']);
  expect(await ids('--last', '1')).toEqual(['nightly-2026-03-02-v1']);
  expect(await ids('--from', '2026-03-03')).toEqual([]);
  const wrong = await recon(
    'runs',
    'list',
    '--day',
    '2026-03-01',
    '--from',
    '2026-03-02',
    '--to',
    '2026-03-01',
  );
  expect([wrong.status, faultsOf(wrong.stderr)]).toEqual([
    2,
    [
      '--day is both ends of a span: it goes without --from and --to',
      '--to 2026-03-01 is before --from 2026-03-02',
    ],
  ]);
});

test('a run is shown with what it came to, and a mistyped one says which was meant', async () => {
  const { stdout } = await recon('runs', 'show', 'nightly-2026-03-02-v1');
  expect(stdout).toContain('verdict        breaks');
  expect(stdout).toMatch(/^A1 +breaks +8\.01 +8\.00 +0\.01 +0\.01$/m);
  expect(stdout).toContain('found: unexplained 1');
  expect(faultsOf((await recon('runs', 'show', 'nightly-2026-03-02')).stderr)).toEqual([
    'there is no run "nightly-2026-03-02" (did you mean nightly-2026-03-02-v1?); "recon runs list" shows what there is',
  ]);
});

test('a run that has its verdict and not its files is listed as one that is not published', async () => {
  const stateAfter = async (step: string): Promise<string | undefined> => {
    await onDatabase(async (db) => {
      await db.updateTable('run').set({ step }).where('run_id', '=', 'nightly-2026-03-02-v1').execute();
    });
    const [row] = rowsOf((await recon('runs', 'list')).stdout, 'run ');
    return / breaks (\D+) 20/.exec(row ?? '')?.[1];
  };
  expect(await stateAfter('proven')).toBe('finished, not published');
  expect(await stateAfter('published')).toBe('finished');
});

test('the chain of an account says day by day what it held, what stays unexplained, and which run proved it', async () => {
  const { stdout } = await recon('accounts', 'show', 'A1');
  expect(rowsOf(stdout, 'Days ')).toEqual([
    '2026-03-01 0.00 5.00 0.00 0.00 5.00 5.00 0.00 Reconciled nightly-2026-03-01-v1',
    '2026-03-02 5.00 3.00 0.00 0.00 8.00 8.01 0.01 Breaks found nightly-2026-03-02-v1',
    'To go on: recon explain A1 --day yyyy-MM-dd',
    '',
  ]);
  const one = await recon('accounts', 'show', 'A1', '--from', '2026-03-02', '--json');
  expect(JSON.parse(one.stdout)).toMatchObject({
    account: { accountNo: 'A1' },
    days: [{ runId: 'nightly-2026-03-02-v1', computedFen: 800, platformFen: 801, unexplainedFen: 1 }],
  });
  expect(faultsOf((await recon('accounts', 'show', 'A11')).stderr)).toEqual([
    'there is no account "A11" (did you mean A1?); "recon accounts list" shows all',
  ]);
});

test('the books are listed by account, source and day, the latest first, personal numbers masked', async () => {
  const { stdout } = await recon('ledger', 'list', '--account', 'A1', '--from', '2026-03-01');
  expect(rowsOf(stdout, 'entry ').map((row) => row.split(' ')[0])).toEqual(['E2', 'E1', 'O', '']);
  const day = await recon('ledger', 'list', '--day', '2026-03-02', '--json');
  expect(JSON.parse(day.stdout)).toMatchObject({
    entries: [{ entryId: 'E2', file: 'accounts.csv', fileRow: null, counterparty: '李 138****5678' }],
    more: false,
  });
  expect((await recon('ledger', 'list', '--source', 'nix')).status).toBe(2);
});

test('the list of accounts names their groups where it gathers any', async () => {
  expect((await recon('accounts', 'list')).stdout).not.toContain('group');
  await onDatabase(async (db) => {
    await db.updateTable('account').set({ account_group: '华东' }).where('account_no', '=', 'A1').execute();
  });
  const { stdout } = await recon('accounts', 'list');
  expect(stdout).toMatch(/^account +name .* group$/m);
  expect(stdout).toMatch(/^A1 .* 华东$/m);
});
