/** `recon ledger import` says how far the books are complete, and when every night waits for somebody to state it. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { commandBooks } from './command-books.ts';

const { reconWith, file } = commandBooks();

const LEDGER = `entry_id,account_no,kind,amount_fen,booked_at
E1,100001,deposit,500,2026-03-01 09:00:00
`;

test('a file that states no day where nights wait for one says so, and --complete-to ends it', async () => {
  const ledger = await file('erp.csv', LEDGER);
  await reconWith({}, 'accounts', 'import', await file('accounts.csv', 'account_no\n100001\n'));
  const delivered = { INTAKE_INBOX: path.dirname(ledger) };
  const read = async (env: Record<string, string>, ...options: string[]): Promise<string[]> => {
    const { status, stdout, stderr } = await reconWith(env, 'ledger', 'import', ledger, ...options);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return stdout.trimEnd().split('\n');
  };
  expect(await read({})).toEqual(['ledger: 1 row, 1 added, 0 changed, 0 unchanged']);
  expect(await read(delivered)).toEqual([
    'ledger: 1 row, 0 added, 0 changed, 1 unchanged',
    'note: no ledger states how far it is complete, so every night is incomplete (INTAKE_INBOX or',
    'LEDGER_DATABASE_URL is set); import the file again with --complete-to, the day after its last one',
  ]);
  expect(await read(delivered, '--complete-to', '2026-03-02')).toEqual([
    'ledger: 1 row, 0 added, 0 changed, 1 unchanged',
    'stated complete to 2026-03-02 00:00:00; a night that ends later is incomplete',
  ]);
  expect(await read(delivered)).toEqual(['ledger: 1 row, 0 added, 0 changed, 1 unchanged']);
});

test('books that are stated complete beyond today are taken at that word, and it is said what comes of it', async () => {
  const ledger = await file('early.csv', LEDGER.replace('E1', 'E2'));
  const stated = async (day: string): Promise<string[]> => {
    const options = [
      '--source',
      'early',
      '--complete-to',
      day,
      '--clock',
      '2026-03-01T20:00:00+08:00',
      '--force',
    ];
    const { status, stdout } = await reconWith({}, 'ledger', 'import', ledger, ...options);
    expect(status).toBe(0);
    return stdout.trimEnd().split('\n').slice(-2);
  };
  expect((await stated('2026-03-02')).at(-1)).toBe(
    'stated complete to 2026-03-02 00:00:00; a night that ends later is incomplete',
  );
  expect(await stated('2026-04-02')).toEqual([
    'note: that is yet to come, and until then no night waits for the books of its day; to take it back,',
    'import the file again with the --complete-to that is meant, and --replace',
  ]);
});
