/** What only the books can tell is wrong: refused with exit status 2, and the books stay as they were. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/store/database/database.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { asFarAsOurs, faultsOf, runCli, temporaryFolder } from '../../helpers/cli.ts';
import type { TemporaryFolder } from '../../helpers/cli.ts';
import { serverUrl, testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { quietLog } from '../../helpers/log.ts';

let folder: TemporaryFolder;
let server: TestDatabase | undefined;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = serverUrl === undefined ? undefined : await testDatabase();
});
afterAll(async () => {
  await server?.close();
  await folder.remove();
});

const ACCOUNTS = `account_no,role,opening_fen,opening_at
100001,FQ,100,2026-03-01 00:00:00
100001,JS,,
,XX,1.5,yesterday
`;
const LEDGER = `entry_id,account_no,kind,amount_fen,booked_at
E1,999999,deposit,1,2026-03-01 10:00:00
`;

/** One after the other: the embedded database is one process's at a time. */
const REFUSED: readonly { args: readonly string[]; faults: readonly string[] }[] = [
  {
    args: ['nightly'],
    faults: ['there are no accounts yet: recon accounts import FILE comes first'],
  },
  {
    args: ['backfill', '--from', '2026-03-01', '--to', '2026-03-01', '--account', '7', '--account', '8'],
    faults: ['7', '8'],
  },
  { args: ['snapshot'], faults: ['there are no accounts yet: recon accounts import FILE comes first'] },
  { args: ['report', '--run', 'nightly-x'], faults: ['there is no run "nightly-x"'] },
  { args: ['report', '--day', '2026-03-01'], faults: ['no night has been run for 2026-03-01'] },
  { args: ['breaks', 'show', 'B1'], faults: ['there is no break "B1"; "recon breaks list --all" shows all'] },
  { args: ['breaks', 'list', '--account', '7'], faults: ['account 7 is not in the account list'] },
  {
    args: ['accounts', 'import', '{folder}/accounts.csv'],
    faults: [
      'row 3, account_no "100001": is in row 2 already',
      'row 4, account_no: is required',
      'row 4, role "XX": must be one of FQ, JS',
      'row 4, opening_fen "1.5": must be a whole number of fen, such as -1250, of at most 10^15',
      'row 4, opening_at "yesterday": must be yyyy-MM-dd, …',
    ],
  },
  {
    args: ['ledger', 'import', '{folder}/ledger.csv'],
    faults: ['there are no accounts yet: recon accounts import FILE comes first'],
  },
  {
    args: ['ledger', 'import', '{folder}/ledger.csv', '--source', ' '],
    faults: ['a source is named by 1 to 64 letters, digits, blanks, ".", "_" or "-"'],
  },
];

test(
  'I1: unknown accounts, runs, breaks and faulty rows are named, and no table has a row',
  { timeout: 240_000 },
  async () => {
    const home = path.join(folder.path, 'home');
    await writeFile(path.join(folder.path, 'accounts.csv'), ACCOUNTS);
    await writeFile(path.join(folder.path, 'ledger.csv'), LEDGER);
    const env = {
      RECON_HOME: home,
      PLATFORM_URL: 'http://127.0.0.1:9',
      PLATFORM_API_KEY: 'ak_test',
      PLATFORM_SECRET: 'topsecret',
      LOG_LEVEL: 'error',
      ...(server?.url !== undefined && { DATABASE_URL: server.url }),
    };
    for (const { args, faults } of REFUSED) {
      const said = await runCli(
        args.map((arg) => arg.replace('{folder}', folder.path)),
        { env },
      );
      const hasTrace = /^\s+at /m.test(said.stderr);
      expect({ args, faults: faultsOf(said.stderr), status: said.status, hasTrace }).toEqual({
        args,
        faults: faults.map(asFarAsOurs),
        status: 2,
        hasTrace: false,
      });
    }
    const address = server?.url === undefined ? { folder: path.join(home, 'db') } : { url: server.url };
    const books = await openDatabase(address, quietLog);
    try {
      expect(await rowsOf(books.db)).toEqual([]);
    } finally {
      await books.close();
    }
  },
);

/** Tables that are not empty, the migrator's own and where the audit trail stands aside. */
async function rowsOf(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%' and table_name <> 'audit_trail'
    order by 1`.execute(db);
  expect(tables.length).toBeGreaterThan(20);
  const filled: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from ${sql.table(name)}`.execute(db);
    if (rows[0]?.n !== 0) filled.push(`${name} ${rows[0]?.n}`);
  }
  return filled;
}
