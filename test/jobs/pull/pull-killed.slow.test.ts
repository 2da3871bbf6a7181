/** Kill -9 while a large ledger is pulled from MariaDB: the next pull goes on, and nothing is twice or lost. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PullResult } from '../../../src/intake/pull/pull.ts';
import { writeFile } from 'node:fs/promises';
import { openMysql, isMysqlThere } from '../../helpers/company-database.ts';
import { serverUrl, testDatabase } from '../../helpers/database.ts';
import { ended, lineWith, runCli, startCli, temporaryFolder } from '../../helpers/cli.ts';

/** One piece and a part of the next. */
const ROWS = 220_000;
const isThere = serverUrl !== undefined && (await isMysqlThere());

describe.skipIf(!isThere)('a ledger of MariaDB', () => {
  test('a pull that was killed is gone on with', async () => {
    const [folder, server, company] = [await temporaryFolder(), await testDatabase(), await openMysql()];
    const at = (name: string): string => path.join(folder.path, name);
    const env = {
      RECON_HOME: at('home'),
      DATABASE_URL: server.url ?? '',
      LEDGER_DATABASE_URL: company.url,
      LEDGER_DATABASE_QUERY: at('ledger.sql'),
      LEDGER_DATABASE_LOOK_BACK: '1',
    };
    try {
      await company.run(`create table voucher (entry_id varchar(40), account_no varchar(40), amount_fen bigint,
        booked_at datetime, changed_at datetime, key (changed_at));
        insert into voucher with recursive one (n) as (select 1 union all select n + 1 from one where n < 1000)
          select concat('E', (a.n - 1) * 1000 + b.n), 'A1', (a.n - 1) * 1000 + b.n,
            '2026-01-01' + interval ((a.n - 1) * 1000 + b.n) second, '2026-01-01' + interval ((a.n - 1) * 1000 + b.n) second
          from one a join one b where a.n <= ${ROWS / 1000}`);
      await writeFile(at('ledger.sql'), `select v.*, 'deposit' as kind from voucher v`);
      await writeFile(at('accounts.csv'), 'account_no\nA1\n');
      expect((await runCli(['accounts', 'import', at('accounts.csv')], { env })).status).toBe(0);
      const child = startCli(['ledger', 'pull'], { env });
      const end = ended(child);
      await lineWith(child, 'file.imported');
      child.kill('SIGKILL');
      expect((await end).signal).toBe('SIGKILL');
      const { stdout } = await runCli(['ledger', 'pull', '--json'], { env });
      const { pulls } = JSON.parse(stdout) as PullResult;
      expect(pulls[0]?.faultCount).toBe(0);
      const entries = server.db
        .selectFrom('ledger_entry')
        .select((eb) => [
          eb.fn.countAll<bigint>().as('all'),
          eb.fn.count<bigint>('entry_id').distinct().as('ids'),
          eb.fn.max('version').as('version'),
        ]);
      expect(await entries.executeTakeFirst()).toEqual({ all: BigInt(ROWS), ids: BigInt(ROWS), version: 1 });
    } finally {
      await company.close();
      await server.close();
      await folder.remove();
    }
  }, 180_000);
});
