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
import { shanghai, takeAccounts, withdraw } from '../books.ts';
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

    async function pull(over: Partial<PullRequest> = {}): Promise<Pulled> {
      const env = {
        LEDGER_DATABASE_URL: company.url,
        LEDGER_DATABASE_QUERY: folder.path('ledger.sql'),
        LEDGER_DATABASE_LOOK_BACK: '0',
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
      };
      const shared = { db: own.db, zone: shanghai, clock, log: quietLog, signal, books };
      const { pulls } = await pullBooks({ ...shared, ...usual, pieceRows: 1, ...over });
      return pulls[0] ?? expect.unreachable();
    }

    const countEntries = async (): Promise<number> =>
      (await own.db.selectFrom('ledger_entry').select('entry_no').execute()).length;

    test('what was changed at one time is in one piece, and the day is stated once all is there', async () => {
      expect(await pull()).toMatchObject({
        pieces: 5,
        rows: 9,
        added: 9,
        completeTo: '2026-03-10T16:00:00.000Z',
      });
      expect(await pull()).toMatchObject({ pieces: 1, rows: 1, added: 0, unchanged: 1 });
      await company.run('delete from voucher');
      expect(await pull()).toMatchObject({ pieces: 1, rows: 0, completeTo: '2026-03-10T16:00:00.000Z' });
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

    test('a row whose change lies ahead hides nothing that comes before it', async () => {
      await company.run(
        `insert into voucher values ('E10', 'A1', 10, '2026-03-05 09:00:00', '2037-01-01 09:00:00')`,
      );
      await pull();
      const [mark] = await own.db.selectFrom('pull_mark').selectAll().execute();
      expect(mark?.changed_to.slice(0, 4)).not.toBe('2037');
    });

    test('a source that was withdrawn is read from the beginning', async () => {
      await pull();
      await withdraw(own.db, { source: 'ledger', confirmed: true });
      expect(await pull()).toMatchObject({ changedFrom: null, replaced: 9 });
    });
  });
}
