/** What a person does to the books while they are pulled, and after, is not taken for what the database says. */
import { sql } from 'kysely';
import type { KyselyPlugin, Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PullRequest, Pulled } from '../../../src/intake/pull/pull.ts';
import { keepLease, releaseLease, takeLease } from '../../../src/store/database/leases.ts';
import type { Tables } from '../../../src/store/schema/schema.ts';
import { COMPANY_DATABASES } from '../../helpers/company-database.ts';
import type { CompanyDatabase } from '../../helpers/company-database.ts';
import { emptiedDatabase } from '../../helpers/emptied-database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { takeAccounts, takeLedger, withdraw } from '../books.ts';
import { testFolder } from '../in-folder.ts';
import { VOUCHERS, atWall, pullVouchers } from './pull-desk.ts';

const folder = await testFolder();

for (const { kind, isThere, open } of COMPANY_DATABASES) {
  describe.skipIf(!isThere)(`books that are pulled of ${kind}`, () => {
    let company: CompanyDatabase;
    let own: TestDatabase;

    beforeAll(async () => {
      company = await open();
      await company.run(VOUCHERS);
    });
    afterAll(() => company?.close());
    beforeEach(async () => {
      own = await emptiedDatabase();
      await takeAccounts(own.db, await folder.write('accounts.csv', 'account_no\nA1\n'));
      await company.run('delete from voucher');
      for (const day of ['01', '02', '09']) await book(day);
    });

    const book = (day: string): Promise<void> =>
      company.run(
        `insert into voucher values ('E${day}', 'A1', 1, '2026-03-${day} 09:00:00', '2026-03-${day} 09:00:00')`,
      );

    const pull = (wall: string, db = own.db, over: Partial<PullRequest> = {}): Promise<Pulled> => {
      const of = { db, file: folder.path('ledger.sql'), lookBack: '48' };
      return pullVouchers(company, of, { ...atWall(wall), ...over });
    };

    const firstFile = async (): Promise<string> =>
      (
        await own.db
          .selectFrom('intake_file')
          .select('file_id')
          .where('kind', '=', 'ledger')
          .where('withdrawn_at', 'is', null)
          .orderBy('imported_at')
          .executeTakeFirstOrThrow()
      ).file_id;

    const standing = async (): Promise<string[]> =>
      (
        await own.db
          .selectFrom('ledger_entry')
          .select('entry_id')
          .where('current', '=', true)
          .orderBy('entry_id')
          .execute()
      ).map((row) => row.entry_id);

    const completeTo = async (): Promise<string | null | undefined> =>
      (await own.db.selectFrom('ledger_source').select('complete_to').executeTakeFirst())?.complete_to;

    /** The same database, in which somebody does something when the pull has looked how far it is. */
    function interrupted(work: () => Promise<unknown>): TestDatabase['db'] {
      let isDone = false;
      return after('pull_mark', async () => {
        if (isDone) return;
        isDone = true;
        await work();
      });
    }

    /** The same database, in which something is done after each statement that has the text. */
    function after(text: string, work: () => Promise<void>): TestDatabase['db'] {
      const looks = new WeakSet<object>();
      const plugin: KyselyPlugin = {
        transformQuery: ({ node, queryId }) => {
          const said = JSON.stringify(node, (_, value: unknown) => (typeof value === 'bigint' ? '' : value));
          if (said.includes(text)) looks.add(queryId);
          return node;
        },
        transformResult: async ({ result, queryId }) => {
          if (looks.has(queryId)) await work();
          return result;
        },
      };
      return own.db.withPlugin(plugin);
    }

    /** Until the work has ended or waits for what another has locked. */
    async function heldUp(work: Promise<unknown>): Promise<void> {
      let isOver = false;
      const ended = work.then(() => (isOver = true));
      for (;;) {
        const { rows } = await sql`
          select from pg_locks where not granted
            and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(own.db);
        if (rows.length > 0) return;
        if (isOver) return void (await ended);
      }
    }

    const MEANWHILE = 'were changed by somebody while they were pulled';

    test('what is withdrawn while a pull waits for its rows is read again by the next one', async () => {
      await pull('2026-03-05T18:00:00.000Z');
      const file = await firstFile();
      await book('10');
      const db = interrupted(() => withdraw(own.db, { file, confirmed: true }));
      await expect(pull('2026-03-10T18:00:00.000Z', db)).rejects.toThrow(MEANWHILE);
      expect([await standing(), await completeTo()]).toEqual([[], null]);
      expect(await pull('2026-03-10T19:00:00.000Z')).toMatchObject({
        completeTo: '2026-03-10T16:00:00.000Z',
      });
      expect(await standing()).toEqual(['E01', 'E02', 'E09', 'E10']);
    });

    test('what a file replaces while a pull waits for its rows is read again by the next one', async () => {
      await pull('2026-03-05T18:00:00.000Z');
      const text = 'entry_id,account_no,kind,amount_fen,booked_at\nE01,A1,deposit,7,2026-03-01 09:00:00\n';
      const path = await folder.write('one.csv', text);
      const db = interrupted(() => takeLedger(own.db, { path, source: 'ledger' }));
      await expect(pull('2026-03-10T18:00:00.000Z', db)).rejects.toThrow(MEANWHILE);
      expect(await pull('2026-03-10T19:00:00.000Z')).toMatchObject({ replaced: 1 });
    });

    test('what a pull told to be gone it tells until somebody settles it, whatever else is withdrawn', async () => {
      await pull('2026-03-02T18:00:00.000Z');
      const file = await firstFile();
      await company.run(
        `insert into voucher values ('E03', 'A1', 1, '2026-03-03 09:00:00', '2026-03-09 10:00:00')`,
      );
      await pull('2026-03-03T18:00:00.000Z');
      await company.run(`delete from voucher where entry_id = 'E03'`);
      await book('10');
      const isGone = [expect.stringContaining('no longer yields 1 entry that was pulled')];
      expect(await pull('2026-03-04T18:00:00.000Z')).toMatchObject({ completeTo: null, lacks: isGone });
      await withdraw(own.db, { file, confirmed: true });
      expect(await pull('2026-03-09T18:00:00.000Z')).toMatchObject({ completeTo: null, lacks: isGone });
    });

    test('a pull that was held up until another one had its lock stores nothing older over it', async () => {
      const lease = await takeLease(own.db, { name: 'pull', holder: 'held up' });
      const keep = (trx: Transaction<Tables>): Promise<void> => keepLease(trx, lease);
      await pull('2026-03-05T18:00:00.000Z', own.db, { keep });
      await book('10');
      const db = interrupted(async () => {
        await releaseLease(own.db, lease);
        await takeLease(own.db, { name: 'pull', holder: 'another' });
      });
      await expect(pull('2026-03-10T18:00:00.000Z', db, { keep })).rejects.toThrow('lost its lock pull');
      expect([await standing(), await completeTo()]).toEqual([
        ['E01', 'E02', 'E09'],
        '2026-03-05T16:00:00.000Z',
      ]);
    });

    test('what is withdrawn while the very first pull states how far it came is not stated whole', async () => {
      const done = { pieces: 0, stated: 0 };
      let withdrawn: Promise<unknown> | undefined;
      const meanwhile = async (): Promise<void> => {
        if (done.pieces < 2 || done.stated < 1 || withdrawn !== undefined) return;
        withdrawn = withdraw(own.db, { file: await firstFile(), confirmed: true });
        await heldUp(withdrawn);
      };
      const db = after('insert into ledger_source', async () => {
        done.stated += 1;
        await meanwhile();
      });
      const keep = async (): Promise<void> => {
        done.pieces += 1;
        await meanwhile();
      };
      expect(await pull('2026-03-10T18:00:00.000Z', db, { keep })).toMatchObject({ added: 3 });
      await withdrawn;
      expect([await standing(), await completeTo()]).toEqual([[], null]);
    });

    test('a pull that is withdrawn after a file was taken in leaves nothing whole either', async () => {
      await pull('2026-03-10T18:00:00.000Z');
      const file = await firstFile();
      const text = 'entry_id,account_no,kind,amount_fen,booked_at\nF1,A1,deposit,7,2026-03-01 09:00:00\n';
      await takeLedger(own.db, { path: await folder.write('one.csv', text), source: 'ledger' });
      await withdraw(own.db, { file, confirmed: true });
      expect(await completeTo()).toBeNull();
    });
  });
}
