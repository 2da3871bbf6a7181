/** `recon inbox`: what is delivered is taken in once, by the rules of the imports, and put away where people find it. */
import { mkdir, readFile, readdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { dayInName } from '../../../jobs/inbox/inbox-place.ts';
import type { InboxFile } from '../../../jobs/inbox/take-inbox.ts';
import { commandBooks } from '../command-books.ts';

const { reconWith, file, onDatabase } = commandBooks();

const NOW = '2026-03-02 01:00:00';
const LONG_AGO = new Date('2026-01-01T00:00:00Z');
const LEDGER = 'entry_id,account_no,kind,amount_fen,booked_at\n';

let inbox: string;
let count = 0;

beforeEach(async () => {
  count += 1;
  inbox = path.join(path.dirname(await file('here', '')), `inbox-${count}`);
  await mkdir(inbox);
});

/** As it is delivered: written, then quiet for a while. */
async function deliver(name: string, text: string, changed = LONG_AGO): Promise<string> {
  const to = path.join(inbox, name);
  await mkdir(path.dirname(to), { recursive: true });
  await writeFile(to, text);
  await utimes(to, changed, changed);
  return to;
}

async function take(...options: string[]): Promise<{ status: number | null; files: InboxFile[] }> {
  const args = ['inbox', '--json', '--clock', NOW, ...options];
  const { status, stdout, stderr } = await reconWith({ INTAKE_INBOX: inbox }, ...args);
  const document = JSON.parse(stdout) as { schema: number; files?: InboxFile[] };
  if (document.files === undefined) throw new Error(stderr);
  return { status, files: document.files };
}

const outcomes = (files: readonly InboxFile[]): string[] =>
  files.map(({ file: name, outcome, movedTo }) => `${name} ${outcome} ${movedTo ?? ''}`.trim());

async function lyingIn(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(inbox, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(inbox, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

interface Booked {
  account_no: string;
  source: string;
  entry_id: string;
  version: number;
}

async function booked(like: string): Promise<Booked[]> {
  let rows: Booked[] = [];
  await onDatabase(async (db) => {
    rows = await db
      .selectFrom('ledger_entry')
      .select(['account_no', 'source', 'entry_id', 'version'])
      .where('entry_id', 'like', like)
      .orderBy('entry_id')
      .orderBy('version')
      .execute();
  });
  return rows;
}

test('accounts come before orders and ledgers, so that one delivery needs no order of its own', async () => {
  await deliver('ledger/erp/erp-2026-03-01.csv', `${LEDGER}E1,700001,deposit,100,2026-03-01 09:00:00\n`);
  await deliver('ledger/2026-03-01.csv', `${LEDGER}U1,700001,deposit,7,2026-03-01 10:00:00\n`);
  await deliver(
    'orders/of-march.csv',
    'kind,out_order_no,payer_account_no,amount_fen,submitted_at\nwithdrawal,W700,700001,5,2026-03-01 11:00:00\n',
  );
  await deliver('accounts/list.csv', 'account_no\n700001\n');
  const dry = await take('--dry-run');
  expect(outcomes(dry.files)).toEqual([
    'accounts/list.csv ready',
    'orders/of-march.csv ready',
    'ledger/2026-03-01.csv ready',
    'ledger/erp/erp-2026-03-01.csv ready',
  ]);
  const { status, files } = await take();
  expect(status).toBe(0);
  expect(outcomes(files)).toEqual([
    'accounts/list.csv done done/2026-03-02/accounts/list.csv',
    'orders/of-march.csv done done/2026-03-02/orders/of-march.csv',
    'ledger/2026-03-01.csv done done/2026-03-02/ledger/2026-03-01.csv',
    'ledger/erp/erp-2026-03-01.csv done done/2026-03-02/ledger/erp/erp-2026-03-01.csv',
  ]);
  expect(files.map(({ source, completeTo }) => [source, completeTo])).toEqual([
    ['', null],
    ['', null],
    ['ledger', '2026-03-01T16:00:00.000Z'],
    ['erp', '2026-03-01T16:00:00.000Z'],
  ]);
  expect(await booked('E1')).toEqual([{ account_no: '700001', source: 'erp', entry_id: 'E1', version: 1 }]);
  expect((await take()).files).toEqual([]);
});

test('a file with faults is put away with the words of the import beside it, and nothing of it is kept', async () => {
  const text = `${LEDGER}F1,799999,deposit,1.5,2026-03-01 09:00:00\n`;
  const lies = await deliver('ledger/erp/2026-03-01.csv', text);
  const { stderr } = await reconWith({}, 'ledger', 'import', lies, '--source', 'erp');
  const { status, files } = await take();
  expect(status).toBe(1);
  expect(outcomes(files)).toEqual([
    'ledger/erp/2026-03-01.csv failed failed/2026-03-02/ledger/erp/2026-03-01.csv',
  ]);
  const failed = path.join(inbox, 'failed/2026-03-02/ledger/erp');
  const beside = await readFile(path.join(failed, '2026-03-01.csv.faults.txt'), 'utf8');
  expect(`recon: ${beside}`).toBe(stderr.replace(lies, 'ledger/erp/2026-03-01.csv'));
  expect(beside).toContain('amount_fen "1.5"');
  expect(await readFile(path.join(failed, '2026-03-01.csv'), 'utf8')).toBe(text);
  await deliver('ledger/erp/2026-03-01.csv', `${text}# again`);
  expect(outcomes((await take()).files)).toEqual([
    'ledger/erp/2026-03-01.csv failed failed/2026-03-02/ledger/erp/2026-03-01-2.csv',
  ]);
  expect(await lyingIn('failed')).toEqual([
    'failed/2026-03-02/ledger/erp/2026-03-01-2.csv',
    'failed/2026-03-02/ledger/erp/2026-03-01-2.csv.faults.txt',
    'failed/2026-03-02/ledger/erp/2026-03-01.csv',
    'failed/2026-03-02/ledger/erp/2026-03-01.csv.faults.txt',
  ]);
  expect(await booked('F1')).toEqual([]);
});

test('what is not finished waits, what lies elsewhere or is no file stays, and each says why', async () => {
  await deliver('accounts/a.csv.part', 'account_no\n1\n');
  // Files are dated by a coarser clock than this one: a second back is older than what is made after it.
  await deliver('accounts/b.csv', 'account_no\n1\n', new Date(Date.now() - 1_000));
  await deliver('ledger/2026-03-02.csv', LEDGER);
  await deliver('accounts/.hidden', '');
  await deliver('notes.txt', '');
  await deliver('ledger/erp/old/2026-03-01.csv', LEDGER);
  await symlink('/etc/hostname', path.join(inbox, 'accounts/c.csv'));
  const { status, files } = await take();
  expect(files.map(({ file: name, outcome, reason }) => `${name} ${outcome}: ${reason}`)).toEqual([
    'accounts/a.csv.part waiting: by its name it is not finished; whoever writes it renames it then',
    'accounts/b.csv waiting: it was changed within the last 30 seconds and may still be written',
    'accounts/c.csv misplaced: it is no regular file',
    'ledger/2026-03-02.csv waiting: it states 2026-03-02, which is not over yet (today is 2026-03-02)',
    'ledger/erp/old/2026-03-01.csv misplaced: it lies in none of accounts/, orders/, ledger/ and ledger/NAME/',
    'notes.txt misplaced: it lies in none of accounts/, orders/, ledger/ and ledger/NAME/',
  ]);
  expect(status).toBe(1);
  await rename(path.join(inbox, 'accounts/a.csv.part'), path.join(inbox, 'accounts/a.csv'));
  expect(outcomes((await take()).files)).toContain('accounts/a.csv done done/2026-03-02/accounts/a.csv');
});

test('a ledger file that states no day is refused: nobody could tell what it is complete for', async () => {
  await deliver('ledger/erp/latest.csv', LEDGER);
  const [refused] = (await take()).files;
  expect(refused).toMatchObject({
    outcome: 'failed',
    reason: 'its name states no day: write the last day it is complete for, such as erp-2026-03-01.csv',
  });
  expect(
    [
      'x-20260301',
      '2026-02-28_2026-03-01.csv',
      'o12026030100.csv',
      '2026-02-30.csv',
      'e_2026.03.01.xlsx',
    ].map(dayInName),
  ).toEqual(['2026-03-01', '2026-03-01', undefined, undefined, '2026-03-01']);
});

test('a file of an earlier day brings its entries and takes back no completeness; books of another source are refused', async () => {
  const rows = [1, 2, 3, 4].map((n) => `L${n},700002,deposit,${n}00,2026-02-2${n} 09:00:00\n`).join('');
  await deliver('accounts/list.csv', 'account_no\n700002\n');
  await deliver('ledger/late/2026-03-01.csv', LEDGER);
  expect((await take()).status).toBe(0);
  await deliver('ledger/late/2026-02-24.csv', `${LEDGER}${rows}`);
  expect((await take()).status).toBe(0);
  await deliver('ledger/other/2026-03-01.csv', `${LEDGER}${rows.replaceAll('L', 'O')}`);
  const { files } = await take();
  expect(files[0]?.outcome).toBe('failed');
  expect(files[0]?.reason).toContain('4 of its 4 new entries (10.00 yuan together) are in the books already');
  await onDatabase(async (db) => {
    const sources = await db
      .selectFrom('ledger_source')
      .select(['source', 'complete_to'])
      .where('source', 'in', ['late', 'other'])
      .execute();
    expect(sources).toEqual([
      { source: 'late', complete_to: '2026-03-01T16:00:00.000Z' },
      { source: 'other', complete_to: null },
    ]);
  });
});

async function completeTo(source: string): Promise<string | null | undefined> {
  let stated: string | null | undefined;
  await onDatabase(async (db) => {
    const known = await db
      .selectFrom('ledger_source')
      .select('complete_to')
      .where('source', '=', source)
      .executeTakeFirst();
    stated = known?.complete_to;
  });
  return stated;
}

test('a ledger is complete to no day of which a file was refused or waits, until one of it is taken in', async () => {
  const to = (day: string, bad = ''): Promise<string> =>
    deliver(`ledger/held/held-2026-02-${day}.csv`, `${LEDGER}${bad}`);
  await to('20');
  await take();
  await to('21', 'H1,nobody,deposit,1,2026-02-21 09:00:00\n');
  await to('22');
  expect(outcomes((await take()).files).map((text) => text.split(' ')[1])).toEqual(['failed', 'done']);
  expect(await completeTo('held')).toBe('2026-02-20T16:00:00.000Z');
  await to('23');
  await deliver('ledger/held/more-2026-02-21.csv', LEDGER, new Date());
  await take();
  expect(await completeTo('held')).toBe('2026-02-20T16:00:00.000Z');
  await deliver('ledger/held/more-2026-02-21.csv', LEDGER);
  await take();
  expect(await completeTo('held')).toBe('2026-02-23T16:00:00.000Z');
});

test('a day whose file failed is whole when a person says so, and not by whatever he takes in', async () => {
  await deliver('ledger/byhand/2026-02-20.csv', LEDGER);
  await take();
  await deliver('ledger/byhand/2026-02-21.csv', `${LEDGER}H2,nobody,deposit,1,2026-02-21 09:00:00\n`);
  await deliver('ledger/byhand/2026-02-22.csv', LEDGER);
  await deliver('ledger/byhand/2026-02-23.csv', `${LEDGER}H3,nobody,deposit,1,2026-02-23 09:00:00\n`);
  await deliver('ledger/byhand/2026-02-24.csv', LEDGER);
  await take();
  expect(await completeTo('byhand')).toBe('2026-02-20T16:00:00.000Z');
  const mended = await file('2026-02-21.csv', LEDGER);
  const byHand = ['ledger', 'import', mended, '--source', 'byhand'];
  await reconWith({}, ...byHand);
  expect(await completeTo('byhand')).toBe('2026-02-20T16:00:00.000Z');
  await reconWith({}, ...byHand, '--complete-to', '2026-02-22');
  expect(await completeTo('byhand')).toBe('2026-02-22T16:00:00.000Z');
  await reconWith({}, ...byHand, '--complete-to', '2026-02-24');
  expect(await completeTo('byhand')).toBe('2026-02-24T16:00:00.000Z');
});

test('a file that could not be moved after it was taken in is moved later, and changes nothing by then', async () => {
  await deliver('accounts/list.csv', 'account_no,name\n700003,first\n');
  await writeFile(path.join(inbox, 'done'), 'in the way');
  const { status, stderr } = await reconWith({ INTAKE_INBOX: inbox }, 'inbox', '--clock', NOW);
  expect(status).toBe(1);
  expect(stderr).toContain('cannot move accounts/list.csv of the inbox to done/2026-03-02/accounts');
  const put = await file('put-right.csv', 'account_no,name\n700003,put right\n');
  expect((await reconWith({}, 'accounts', 'import', put)).status).toBe(0);
  await rename(path.join(inbox, 'done'), path.join(inbox, '.out-of-the-way'));
  expect(outcomes((await take()).files)).toEqual([
    'accounts/list.csv done done/2026-03-02/accounts/list.csv',
  ]);
  const nameNow = async (): Promise<string | undefined> => {
    let name: string | undefined;
    await onDatabase(async (db) => {
      const row = await db
        .selectFrom('account')
        .select('name')
        .where('account_no', '=', '700003')
        .executeTakeFirst();
      name = row?.name;
      expect(await db.selectFrom('inbox_file').selectAll().execute()).toEqual([]);
    });
    return name;
  };
  expect(await nameNow()).toBe('put right');
  // The same file delivered once more is meant.
  await deliver('accounts/list.csv', 'account_no,name\n700003,first\n');
  await take();
  expect(await nameNow()).toBe('first');
});

test('an inbox that is not there, or not set, is said', async () => {
  const gone = path.join(inbox, 'gone');
  const away = await reconWith({ INTAKE_INBOX: gone }, 'inbox');
  expect([away.status, away.stderr.trim()]).toEqual([
    1,
    `recon: the inbox cannot be read: ${gone}: there is no such folder`,
  ]);
  const unset = await reconWith({}, 'inbox');
  expect([unset.status, unset.stderr.trim()]).toEqual([
    2,
    'recon: INTAKE_INBOX is not set: there is no folder to look at',
  ]);
});
