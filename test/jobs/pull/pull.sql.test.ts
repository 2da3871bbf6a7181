/** `recon ledger pull`: books of a real database are taken in as those of a file are, and only what changed changes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PullResult, Pulled } from '../../../src/intake/pull/pull.ts';
import { COMPANY_DATABASES } from '../../helpers/company-database.ts';
import type { CompanyDatabase } from '../../helpers/company-database.ts';
import { commandBooks } from '../command-books.ts';

const { reconWith, file, onDatabase } = commandBooks();

const QUERY = `-- what an accountant writes
select voucher_no as entry_id, account_no, kind, amount as amount_yuan, ref as reference, partner as counterparty,
  booked_at, changed_at from voucher; -- all of it
`;
const NOW = '2026-03-06 02:00:00';

interface Told {
  status: number | null;
  stderr: string;
  result: PullResult;
  ledger: Pulled;
}

for (const { kind, isThere, open } of COMPANY_DATABASES) {
  describe.skipIf(!isThere)(`books of ${kind}`, () => {
    let company: CompanyDatabase;
    let query: string;
    let count = 0;
    let settings: Record<string, string>;

    beforeAll(async () => {
      company = await open();
      await company.run(`create table voucher (voucher_no varchar(40), account_no varchar(40), kind varchar(20),
        amount decimal(18, 4), ref varchar(40), partner varchar(80), booked_at timestamp(3) null,
        changed_at timestamp(6) null)`);
      await reconWith({}, 'accounts', 'import', await file('accounts.csv', 'account_no\n100001\n'));
    });
    afterAll(() => company?.close());
    beforeEach(async () => {
      await company.run('delete from voucher');
      query = await file('ledger.sql', QUERY);
      count += 1;
      settings = {
        LEDGER_DATABASE_URL: company.url,
        LEDGER_DATABASE_QUERY: query,
        LEDGER_DATABASE_SOURCE: `${kind} ${count}`,
      };
    });

    async function book(
      no: string,
      over: Partial<Record<'amount' | 'account' | 'booked' | 'changed', string>> = {},
    ) {
      const booked = over.booked ?? '2026-03-04 09:00:00.123';
      await company.run(`delete from voucher where voucher_no = '${no}'`);
      await company.run(`insert into voucher values ('${no}', '${over.account ?? '100001'}', 'deposit',
        ${over.amount ?? '12.5'}, '${no} ${kind} ${count}', '北京甲有限公司', '${booked}', '${over.changed ?? booked}')`);
    }

    async function pull(...options: string[]): Promise<Told> {
      const args = ['ledger', 'pull', '--json', '--clock', NOW, ...options];
      const { status, stdout, stderr } = await reconWith(settings, ...args);
      const result = JSON.parse(stdout) as PullResult;
      const [ledger] = result.pulls ?? [];
      if (ledger === undefined) throw new Error(stderr);
      return { status, stderr, result, ledger };
    }

    async function booked(): Promise<string[]> {
      let lines: string[] = [];
      await onDatabase(async (db) => {
        const rows = await db
          .selectFrom('ledger_entry')
          .select(['entry_id', 'version', 'amount_fen', 'booked_at', 'counterparty', 'current'])
          .where('source', '=', settings['LEDGER_DATABASE_SOURCE'] ?? '')
          .orderBy('entry_id')
          .orderBy('version')
          .execute();
        lines = rows.map(
          (row) =>
            `${row.entry_id}.${row.version} ${row.amount_fen} ${row.booked_at} ${row.current ? 'current' : 'former'}`,
        );
      });
      return lines;
    }

    const E1 = 'E1.1 1250 2026-03-04T01:00:00.123Z';

    test('what is there is taken in once; what is corrected is a new version; what is gone stays', async () => {
      await book('E1');
      await book('E2', { amount: '-3' });
      const first = await pull();
      expect(first.ledger).toMatchObject({ rows: 2, added: 2, changedFrom: null, stored: true, faults: [] });
      expect(first.ledger.completeTo).toBe('2026-03-05T16:00:00.000Z');
      expect(await booked()).toEqual([`${E1} current`, 'E2.1 -300 2026-03-04T01:00:00.123Z current']);

      expect((await pull()).ledger).toMatchObject({ rows: 2, added: 0, unchanged: 2, replaced: 0 });
      await book('E1', { amount: '13.00', changed: '2026-03-05 10:00:00.000' });
      await company.run(`delete from voucher where voucher_no = 'E2'`);
      expect((await pull()).ledger).toMatchObject({ rows: 1, replaced: 1, added: 0, withdrawn: 0 });
      expect(await booked()).toEqual([
        `${E1} former`,
        'E1.2 1300 2026-03-04T01:00:00.123Z current',
        'E2.1 -300 2026-03-04T01:00:00.123Z current',
      ]);
      const day = ['--from', '2026-03-04', '--to', '2026-03-04'];
      const refused = await reconWith(settings, 'ledger', 'pull', '--clock', NOW, ...day, '--replace');
      expect([refused.status, refused.stderr]).toEqual([
        2,
        expect.stringContaining('would withdraw 1 of the 2'),
      ]);
      expect((await pull(...day, '--replace', '--force')).ledger).toMatchObject({
        withdrawn: 1,
        unchanged: 1,
      });
    });

    test('only what was changed since the last pull is read, less the look back', async () => {
      settings['LEDGER_DATABASE_LOOK_BACK'] = '1';
      await book('E1', { booked: '2026-03-01 09:00:00' });
      await book('E2', { booked: '2026-03-04 09:00:00' });
      await pull();
      await book('E3', { booked: '2026-03-01 10:00:00', changed: '2026-03-04 08:30:00' });
      await book('E4', { booked: '2026-03-01 10:00:00', changed: '2026-03-02 08:30:00' });
      const { ledger } = await pull();
      expect(ledger).toMatchObject({
        changedFrom: '2026-03-04T00:00:00.000Z',
        rows: 2,
        added: 1,
        unchanged: 1,
      });
      const range = ['--from', '2026-03-01', '--to', '2026-03-01'];
      expect((await pull(...range)).ledger).toMatchObject({ rows: 3, added: 1, unchanged: 2 });
      // Another query is another ledger as far as anybody knows: it begins at the beginning.
      await file('ledger.sql', QUERY.replace('-- what', '-- all that'));
      expect((await pull()).ledger).toMatchObject({ changedFrom: null, rows: 4, unchanged: 4 });
    });

    test('one bad row and nothing is taken in, and every one is named', async () => {
      await book('E1');
      await book('E2', { amount: '1.005' });
      await book('E3', { account: 'nobody' });
      await company.run(
        `insert into voucher values ('E4', '100001', 'deposit', 1, 'r', '', '2026-03-04 09:00:00', null)`,
      );
      const { status, ledger } = await pull();
      expect([status, ledger.stored, ledger.completeTo, await booked()]).toEqual([2, false, null, []]);
      const named = ledger.faults.map(({ key, column, value }) => `${key} ${column} ${value}`).toSorted();
      expect(named).toEqual(['E2 amount_yuan 1.005', 'E3 account_no nobody', 'E4 changed_at ']);
      const { stderr } = await reconWith(settings, 'ledger', 'pull', '--clock', NOW);
      expect(stderr).toContain('- row "E3", account_no "nobody": is not in the account list');
    });

    test('a rehearsal stores nothing', async () => {
      await book('E1');
      const { status, ledger } = await pull('--dry-run');
      expect([status, ledger.added, ledger.stored, await booked()]).toEqual([0, 1, false, []]);
      expect((await pull()).ledger).toMatchObject({ added: 1, changedFrom: null });
    });

    test('books are complete no further than the company says that it has closed', async () => {
      settings['LEDGER_DATABASE_CLOSED_QUERY'] = await file(
        'closed.sql',
        `select cast('2026-03-03' as date) as closed`,
      );
      await book('E1');
      expect((await pull()).ledger.completeTo).toBe('2026-03-03T16:00:00.000Z');
      await file('closed.sql', 'select voucher_no from voucher where 1 = 0');
      const refused = await reconWith(settings, 'ledger', 'pull', '--clock', NOW);
      expect([refused.status, refused.stderr]).toEqual([
        2,
        expect.stringContaining('must yield one day or one time'),
      ]);
    });

    test('orders are taken into the registry', async () => {
      settings['LEDGER_DATABASE_ORDERS_QUERY'] = await file(
        'orders.sql',
        `select 'withdrawal' as kind, voucher_no as out_order_no, account_no as payer_account_no,
          amount as amount_yuan, booked_at as submitted_at, changed_at from voucher`,
      );
      await book(`O${kind}`);
      const { result } = await pull();
      expect(result.pulls.map(({ kind: of, added }) => `${of} ${added}`)).toEqual(['orders 1', 'ledger 1']);
      // Nothing rests on there being any: unlike a ledger's, no day of theirs is stated whole.
      await file(
        'orders.sql',
        `select 'withdrawal' as kind, voucher_no as out_order_no, account_no as payer_account_no,
          amount as amount_yuan, booked_at as submitted_at, changed_at from voucher where 1 = 0`,
      );
      expect((await pull()).result.pulls.map(({ kind: of, lacks }) => [of, lacks])).toEqual([
        ['orders', []],
        ['ledger', []],
      ]);
    });

    test('a query can neither write nor smuggle a second statement in, and is told what its columns lack', async () => {
      await book('E1');
      for (const text of [
        'select 1) q; delete from voucher; select * from (select 1',
        'delete from voucher',
      ]) {
        await file('ledger.sql', text);
        expect((await reconWith(settings, 'ledger', 'pull', '--clock', NOW)).status).toBe(1);
      }
      await file('ledger.sql', QUERY);
      expect((await pull()).ledger.rows).toBe(1);
      await file('ledger.sql', 'select voucher_no as entry_id, account_no as acount_no from voucher');
      const { status, stderr } = await reconWith(settings, 'ledger', 'pull', '--clock', NOW);
      expect(status).toBe(2);
      expect(stderr).toContain('unknown column "acount_no"; did you mean "account_no"?');
      expect(stderr).toContain('column "changed_at" is missing');
    });

    test('the doctor looks at it, and nobody is shown its password', async () => {
      const { stdout } = await reconWith(settings, 'doctor');
      expect(stdout).toContain('can be read, its queries have their columns');
      const wrong = new URL(company.url);
      wrong.password = 'S3cret%2Fword';
      wrong.port = '1';
      settings['LEDGER_DATABASE_URL'] = wrong.href;
      const told = [
        await reconWith(settings, 'doctor'),
        await reconWith(settings, 'ledger', 'pull', '--clock', NOW),
      ];
      expect(told.map(({ status }) => status)).toEqual([2, 1]);
      const config = await reconWith(settings, 'config');
      expect(config.stdout).toContain('****@127.0.0.1:1/');
      expect(JSON.stringify([told, config])).not.toMatch(/S3cret/);
    });
  });
}
