/** A large pull is taken in piece by piece, and goes on behind the last one that is in the books. */
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readSettings } from '../../../src/core/config/config.ts';
import { pullBooks } from '../../../src/intake/pull/pull.ts';
import type { PullRequest, Pulled } from '../../../src/intake/pull/pull.ts';
import { COMPANY_DATABASES } from '../../helpers/company-database.ts';
import type { CompanyDatabase } from '../../helpers/company-database.ts';
import { emptiedDatabase } from '../../helpers/emptied-database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { quietLog } from '../../helpers/log.ts';
import { shanghai, takeAccounts, takeLedger, withdraw } from '../books.ts';
import { testFolder } from '../in-folder.ts';

const folder = await testFolder();
const clock: PullRequest['clock'] = {
  wall: () => '2026-03-10T18:00:00.000Z',
  monoMs: () => 0,
  sleep: () => Promise.reject(new Error('nothing here sleeps')),
};

for (const { kind, isThere, open } of COMPANY_DATABASES) {
  describe.skipIf(!isThere)(`pieces of ${kind}`, () => {
    let company: CompanyDatabase;
    let own: TestDatabase;

    beforeAll(async () => {
      company = await open();
      await company.run(`create table voucher (entry_id varchar(40), account_no varchar(40), amount_fen bigint,
        booked_at timestamp null, changed_at timestamp null)`);
      await writeFile(folder.path('ledger.sql'), `select v.*, 'deposit' as kind from voucher v`);
    });
    afterAll(() => company?.close());
    beforeEach(async () => {
      own = await emptiedDatabase();
      await takeAccounts(own.db, await folder.write('accounts.csv', 'account_no\nA1\n'));
      await company.run('delete from voucher');
      for (let n = 1; n <= 9; n++) {
        const at = `2026-03-0${Math.ceil(n / 2)} 09:00:00`;
        await company.run(`insert into voucher values ('E${n}', 'A1', ${n}, '${at}', '${at}')`);
      }
    });

    async function pull(over: Partial<PullRequest> = {}, lookBack = '0'): Promise<Pulled> {
      const env = {
        LEDGER_DATABASE_URL: company.url,
        LEDGER_DATABASE_QUERY: folder.path('ledger.sql'),
        LEDGER_DATABASE_LOOK_BACK: lookBack,
      };
      const { books } = readSettings({ env, needs: { platform: false } });
      if (books === undefined) throw new Error('there are no books');
      const { signal } = new AbortController();
      const usual = {
        days: undefined,
        rehearse: false,
        replace: false,
        force: false,
        adjustmentKind: 'adjustment',
        keep: () => Promise.resolve(),
      };
      const shared = { db: own.db, zone: shanghai, clock, log: quietLog, signal, books };
      const { pulls } = await pullBooks({ ...shared, ...usual, pieceRows: 1, ...over });
      return pulls[0] ?? expect.unreachable();
    }

    const days = (fromDay: string, toDay: string): Partial<PullRequest> => ({ days: { fromDay, toDay } });

    const firstFile = (): Promise<{ name: string }> =>
      own.db
        .selectFrom('intake_file')
        .select('name')
        .where('kind', '=', 'ledger')
        .orderBy('name')
        .executeTakeFirstOrThrow();

    const countEntries = async (): Promise<number> =>
      (await own.db.selectFrom('ledger_entry').select('entry_no').execute()).length;

    test('what is told while it is read counts all pieces', async () => {
      const told: number[] = [];
      await pull({ pieceRows: 4, progress: (rows) => void told.push(rows) });
      expect(told).toEqual(told.toSorted((left, right) => left - right));
      expect(told.at(-1)).toBe(9);
    });

    test('what was changed at one time is in one piece, and the day is stated once all is there', async () => {
      expect(await pull()).toMatchObject({
        pieces: 5,
        rows: 9,
        added: 9,
        completeTo: '2026-03-10T16:00:00.000Z',
      });
      expect(await pull()).toMatchObject({ pieces: 1, rows: 1, added: 0, unchanged: 1 });
      await company.run('delete from voucher');
      const lacks = [expect.stringContaining('no longer yields the row that was changed last')];
      expect(await pull()).toMatchObject({ pieces: 1, rows: 0, completeTo: null, lacks });
    });

    test('a piece that is refused ends the pull, and the next one goes on from there', async () => {
      await company.run(`update voucher set account_no = 'nobody' where entry_id = 'E5'`);
      expect(await pull()).toMatchObject({
        pieces: 3,
        added: 4,
        stored: false,
        faultCount: 1,
        completeTo: null,
      });
      expect(await countEntries()).toBe(4);
      expect(await own.db.selectFrom('ledger_source').selectAll().execute()).toEqual([]);
      await company.run(`update voucher set account_no = 'A1'`);
      const on = await pull();
      expect(on).toMatchObject({ changedFrom: '2026-03-02T01:00:00.000Z', rows: 7, added: 5, unchanged: 2 });
      expect(await countEntries()).toBe(9);
    });

    test('two rows of one entry are refused also where they would be in two pieces', async () => {
      await company.run(
        `insert into voucher values ('e9', 'A1', 3, '2026-03-05 09:00:00', '2026-03-07 09:00:00')`,
      );
      expect(await pull()).toMatchObject({ added: 10 });
      await withdraw(own.db, { source: 'ledger', confirmed: true });
      await company.run(
        `insert into voucher values ('E1', 'A1', 5, '2026-03-02 09:00:00', '2026-03-06 09:00:00')`,
      );
      const before = await countEntries();
      await expect(pull()).rejects.toThrow('ledger.sql yields more than one row of one entry_id:\n- E1');
      expect(await countEntries()).toBe(before);
    });

    test('a number that is given again is refused also where the first row was read long ago', async () => {
      await pull();
      await company.run(
        `insert into voucher values ('E1', 'A1', 55, '2026-03-09 09:00:00', '2026-03-09 09:00:00')`,
      );
      const refusal = 'ledger.sql yields more than one row of one entry_id:\n- E1';
      await expect(pull()).rejects.toThrow(refusal);
      await expect(pull(days('2026-03-09', '2026-03-09'))).rejects.toThrow(refusal);
      const [first] = await own.db
        .selectFrom('ledger_entry')
        .selectAll()
        .where('entry_id', '=', 'E1')
        .execute();
      expect(first).toMatchObject({ amount_fen: 1n, current: true });
      for (const blank of [' ', '\t', '\r\n']) {
        await company.run(`update voucher set entry_id = 'E1${blank}' where amount_fen = 55`);
        await expect(pull()).rejects.toThrow(refusal);
      }
      // What not every database holds, none can be asked for.
      for (const blank of ['\u00A0', '\u2003', '\uFEFF', '\u3000']) {
        await company.run(`update voucher set entry_id = 'E1${blank}' where amount_fen = 55`);
        const faults = [expect.objectContaining({ column: 'entry_id' })];
        expect(await pull()).toMatchObject({ stored: false, faultCount: 1, faults });
      }
      await company.run(`update voucher set entry_id = '2026-03 E1' where amount_fen = 55`);
      expect(await pull()).toMatchObject({ added: 1, replaced: 0 });
    });

    test('a row whose change lies ahead hides nothing that comes before it', async () => {
      await company.run(
        `insert into voucher values ('E10', 'A1', 10, '2026-03-05 09:00:00', '2037-01-01 09:00:00')`,
      );
      await pull();
      const [mark] = await own.db.selectFrom('pull_mark').selectAll().execute();
      expect(mark?.changed_to.slice(0, 4)).not.toBe('2037');
    });

    test('a query without a row proves no books to be empty', async () => {
      await company.run('delete from voucher');
      expect(await pull()).toMatchObject({
        rows: 0,
        completeTo: null,
        lacks: [expect.stringContaining('yields no row')],
      });
    });

    test('days that are not stated whole yet are read whatever is said of their changes, and so is the look back', async () => {
      await pull();
      await own.db.updateTable('ledger_source').set({ complete_to: '2026-03-03T16:00:00.000Z' }).execute();
      for (const day of ['03', '04'])
        await company.run(
          `insert into voucher values ('L${day}', 'A1', 1, '2026-03-${day} 10:00:00', '2026-02-01 09:00:00')`,
        );
      expect(await pull()).toMatchObject({ rows: 4, added: 1, completeTo: '2026-03-10T16:00:00.000Z' });
      await own.db.updateTable('ledger_source').set({ complete_to: '2026-03-03T16:00:00.000Z' }).execute();
      expect(await pull({}, '24')).toMatchObject({ added: 1, completeTo: '2026-03-10T16:00:00.000Z' });
    });

    test('books with an entry that the database has no more are not stated whole, until it is withdrawn', async () => {
      await pull();
      await company.run(`delete from voucher where entry_id = 'E7'`);
      await own.db.updateTable('ledger_source').set({ complete_to: '2026-03-03T16:00:00.000Z' }).execute();
      const lacks = [
        expect.stringMatching(
          /no longer yields 1 entry that was .* recon ledger pull --from 2026-03-04 --to 2026-03-10 --replace/,
        ),
      ];
      expect(await pull()).toMatchObject({ stored: true, completeTo: null, lacks });
      const replaced = { ...days('2026-03-04', '2026-03-10'), replace: true, force: true };
      expect(await pull(replaced)).toMatchObject({
        withdrawn: 1,
        lacks: [],
        completeTo: '2026-03-10T16:00:00.000Z',
      });
      expect(await pull()).toMatchObject({ lacks: [], completeTo: '2026-03-10T16:00:00.000Z' });
    });

    test('days that are named state nothing of the days before them that were never pulled', async () => {
      expect(await pull(days('2026-03-02', '2026-03-05'))).toMatchObject({ added: 7, completeTo: null });
      await pull();
      await own.db.updateTable('ledger_source').set({ complete_to: '2026-03-03T16:00:00.000Z' }).execute();
      expect(await pull(days('2026-03-05', '2026-03-05'))).toMatchObject({ completeTo: null });
      const [known] = await own.db.selectFrom('ledger_source').select('complete_to').execute();
      expect(known?.complete_to).toBe('2026-03-03T16:00:00.000Z');
      expect(await pull(days('2026-03-04', '2026-03-05'))).toMatchObject({
        completeTo: '2026-03-05T16:00:00.000Z',
      });
    });

    test('days that are named are no more whole than all of them where the database was set back', async () => {
      await company.run(`delete from voucher where booked_at >= '2026-03-05'`);
      const at = (wall: string): Partial<PullRequest> => ({ clock: { ...clock, wall: () => wall } });
      await pull(at('2026-03-05T18:00:00.000Z'));
      await company.run(`update voucher set changed_at = '2026-03-01 09:00:00'`);
      await company.run(`delete from voucher where entry_id = 'E7'`);
      const isSetBack = [expect.stringContaining('no longer yields the row that was changed last')];
      const next = at('2026-03-08T18:00:00.000Z');
      expect(await pull(next)).toMatchObject({ completeTo: null, lacks: isSetBack });
      const named = { ...next, ...days('2026-03-06', '2026-03-08') };
      expect(await pull(named)).toMatchObject({ completeTo: null, lacks: isSetBack });
      await company.run(`update voucher set changed_at = '2026-03-08 09:00:00' where entry_id = 'E6'`);
      expect(await pull(named)).toMatchObject({ completeTo: '2026-03-08T16:00:00.000Z', lacks: [] });
    });

    test('days that are replaced are those that were named, also where the database has nothing of one', async () => {
      await pull();
      await company.run(`delete from voucher where entry_id in ('E9', 'E8', 'E7')`);
      const replaced = { ...days('2026-03-03', '2026-03-05'), replace: true };
      await expect(pull(replaced)).rejects.toThrow('would withdraw 3 of the 5');
      expect(await pull({ ...replaced, force: true })).toMatchObject({ rows: 2, withdrawn: 3, lacks: [] });
    });

    test('what a person withdraws of a pull is whole no more, and the next pull brings it back', async () => {
      await pull({ pieceRows: 100 });
      await withdraw(own.db, { file: (await firstFile()).name, confirmed: true });
      const [known] = await own.db.selectFrom('ledger_source').select('complete_to').execute();
      expect(known?.complete_to).toBeNull();
      expect(await pull()).toMatchObject({ changedFrom: null, replaced: 9 });
    });

    test('what was not stated whole after a withdrawal stays to be read as a whole, however many days pass', async () => {
      const at = (wall: string): Partial<PullRequest> => ({ clock: { ...clock, wall: () => wall } });
      const isGone = [
        expect.stringContaining('no longer yields 1 entry that was pulled and booked from 2026-03-04'),
      ];
      await pull(at('2026-03-05T18:00:00.000Z'), '48');
      await withdraw(own.db, { file: (await firstFile()).name, confirmed: true });
      await company.run(`delete from voucher where entry_id = 'E7'`);
      for (const wall of ['2026-03-05T19:00:00.000Z', '2026-03-06T18:00:00.000Z', '2026-03-09T18:00:00.000Z'])
        expect(await pull(at(wall), '48')).toMatchObject({ completeTo: null, lacks: isGone });
      const replaced = { ...days('2026-03-01', '2026-03-09'), replace: true, force: true };
      expect(await pull(replaced)).toMatchObject({ withdrawn: 1, lacks: [] });
      expect(await pull(at('2026-03-10T18:00:00.000Z'), '48')).toMatchObject({
        lacks: [],
        completeTo: '2026-03-10T16:00:00.000Z',
      });
    });

    test('what a file changes in books that are pulled is read anew', async () => {
      await pull();
      const text = 'entry_id,account_no,kind,amount_fen,booked_at\nE1,A1,deposit,7,2026-03-01 09:00:00\n';
      await takeLedger(own.db, { path: await folder.write('one.csv', text), source: 'ledger' });
      expect(await pull()).toMatchObject({ changedFrom: null, rows: 9, replaced: 1, unchanged: 8 });
    });

    test('a source that was withdrawn is read from the beginning', async () => {
      await pull();
      await withdraw(own.db, { source: 'ledger', confirmed: true });
      expect(await pull()).toMatchObject({ changedFrom: null, replaced: 9 });
    });
  });
}
