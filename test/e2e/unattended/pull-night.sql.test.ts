/** A night takes its books from the company's database: without those of its day it says so and is not green. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COMPANY_DATABASES } from '../../helpers/company-database.ts';
import type { CompanyDatabase } from '../../helpers/company-database.ts';
import type { NightOutcome } from '../../helpers/findings.ts';
import { Night } from '../../helpers/night.ts';

const INCOMPLETE = 'the ledger is complete only to an instant before the cut';

const said = ({ result }: NightOutcome): string[] =>
  result.accounts.map(({ accountNo, verdict, reason }) => `${accountNo} ${verdict} ${reason}`.trim());

for (const { kind, isThere, open } of COMPANY_DATABASES) {
  describe.skipIf(!isThere)(`nights with the books of ${kind}`, () => {
    let night: Night;
    let company: CompanyDatabase;
    let closed: string;

    beforeEach(async () => {
      night = await Night.open({ now: '2026-03-11 02:00:00' });
      company = await open();
      await company.run(`create table voucher (voucher_no varchar(40), account_no varchar(40), amount_fen bigint,
        ref varchar(40), booked_at timestamp null, changed_at timestamp null);
        create table closing (day date)`);
      const query = path.join(night.home, 'ledger.sql');
      closed = path.join(night.home, 'closed.sql');
      await writeFile(
        query,
        `select voucher_no as entry_id, account_no, 'deposit' as kind, amount_fen, ref as reference, booked_at, changed_at
         from voucher`,
      );
      await writeFile(closed, 'select max(day) as closed from closing');
      night.settings['LEDGER_DATABASE_URL'] = company.url;
      night.settings['LEDGER_DATABASE_QUERY'] = query;
      await night.accounts({ no: 'A1', opening: { fen: 1_000n, at: '2026-03-08 00:00:00' } });
      night.deposits({
        payeeAcctNo: 'A1',
        orderNo: 'D1',
        amountFen: 500n,
        depositTime: '2026-03-10 09:00:00',
      });
      await company.run(
        `insert into voucher values ('E1', 'A1', 500, 'D1', '2026-03-10 09:00:00', '2026-03-10 09:00:00')`,
      );
    });
    afterEach(async () => {
      await night.close();
      await company.close();
    });

    test('books of a day that is over are whole, those of a day that is not closed are not', async () => {
      expect(said(await night.settlingNight('2026-03-10'))).toEqual(['A1 reconciled']);
      night.settings['LEDGER_DATABASE_CLOSED_QUERY'] = closed;
      await company.run(`insert into closing values ('2026-03-10')`);
      night.moveTo('2026-03-12 02:00:00');
      expect(said(await night.settlingNight('2026-03-11'))).toEqual([
        `A1 incomplete ${INCOMPLETE} (ledger to 2026-03-11 00:00:00)`,
      ]);
      await company.run(`insert into closing values ('2026-03-11')`);
      expect(said(await night.settlingNight('2026-03-11'))).toEqual(['A1 reconciled']);
    });

    test('books of a day that is opened again are whole no more until it is closed', async () => {
      night.settings['LEDGER_DATABASE_CLOSED_QUERY'] = closed;
      await company.run(`insert into closing values ('2026-03-10')`);
      expect(said(await night.settlingNight('2026-03-10'))).toEqual(['A1 reconciled']);
      await company.run(`update closing set day = '2026-03-09'`);
      expect(said(await night.settlingNight('2026-03-10'))).toEqual([
        `A1 incomplete ${INCOMPLETE} (ledger to 2026-03-10 00:00:00)`,
      ]);
      await company.run(`insert into voucher values ('E2', 'A1', 7, 'D9', '2026-03-10 19:00:00', '2026-03-11 03:00:00');
        update closing set day = '2026-03-10'`);
      const closedAnew = await night.settlingNight('2026-03-10');
      expect(closedAnew.result.accounts.map(({ verdict }) => verdict)).toEqual(['breaks']);
    });

    test('books of a day that is opened again to delete of them are whole no more either', async () => {
      night.settings['LEDGER_DATABASE_CLOSED_QUERY'] = closed;
      await company.run(`insert into closing values ('2026-03-10')`);
      expect(said(await night.settlingNight('2026-03-10'))).toEqual(['A1 reconciled']);
      await company.run(`update closing set day = '2026-03-09'; delete from voucher`);
      await expect(night.settlingNight('2026-03-10')).rejects.toThrow('no longer yields 1 entry');
      const accounts = await night.db.selectFrom('run_account').select('reason').execute();
      expect(accounts.map(({ reason }) => reason)).toContainEqual(
        expect.stringContaining('ledger to 2026-03-10 00:00:00'),
      );
    });

    test('another ledger that is whole does not stand for the one that never came from the database', async () => {
      night.settings['LEDGER_DATABASE_SOURCE'] = 'erp';
      await night.db
        .insertInto('ledger_source')
        .values({ source: 'files', complete_to: '2026-03-10T16:00:00.000Z', missing_days: [] })
        .execute();
      await company.run(`update voucher set account_no = 'nobody'`);
      await expect(night.settlingNight('2026-03-10')).rejects.toThrow('row "E1", account_no "nobody"');
      const accounts = await night.db.selectFrom('run_account').select(['verdict', 'reason']).execute();
      const told = accounts.map(({ verdict, reason }) => `${verdict} ${reason}`);
      expect(told).toEqual([expect.stringMatching(/^incomplete .*erp has not come yet/)]);
    });

    test('books that the database has no more keep a night from being whole, and it is told of', async () => {
      await night.settlingNight('2026-03-10');
      await company.run('delete from voucher');
      night.moveTo('2026-03-12 02:00:00');
      await expect(night.settlingNight('2026-03-11')).rejects.toThrow(
        'no longer yields 1 entry that was pulled',
      );
      const runs = await night.db.selectFrom('run').select(['to_day', 'verdict']).orderBy('to_day').execute();
      expect(runs.map(({ verdict }) => verdict)).toEqual(['reconciled', 'incomplete']);
    });

    test('a database that is not there, or a row that is refused, keeps no night from being proven, and the command fails', async () => {
      const wrong = new URL(company.url);
      wrong.port = '1';
      night.settings['LEDGER_DATABASE_URL'] = wrong.href;
      await expect(night.settlingNight('2026-03-10')).rejects.toThrow("cannot read the company's database");
      const [run] = await night.db.selectFrom('run').select('verdict').execute();
      expect(run?.verdict).toBe('incomplete');
      night.settings['LEDGER_DATABASE_URL'] = company.url;
      await company.run(`update voucher set account_no = 'nobody'`);
      await expect(night.settlingNight('2026-03-10')).rejects.toThrow('row "E1", account_no "nobody"');
      expect(await night.db.selectFrom('ledger_entry').selectAll().execute()).toEqual([]);
    });
  });
}
