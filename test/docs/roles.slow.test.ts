/**
 * docs/deploy/roles.sql: the owner migrates, nights run as the runner, who cannot change what they stand on, and the
 * reader changes nothing. By psql, as an operator runs it.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/store/database/database-postgres.ts';
import { addMs } from '../../src/core/time.ts';
import { faultOf, startRecon } from '../helpers/child.ts';
import type { Child, Ended } from '../helpers/child.ts';
import { accountsCsv, ledgerCsv, ordersCsv } from '../helpers/company/company-files.ts';
import type { BookLine } from '../helpers/company/company-files.ts';
import { onPostgres, serverUrl } from '../helpers/database.ts';
import { quietLog } from '../helpers/log.ts';
import { Night } from '../helpers/night.ts';
import { dropDatabase, onServer } from '../helpers/server.ts';

const run = promisify(execFile);
const SCRIPT = path.join(import.meta.dirname, '..', '..', 'docs', 'deploy', 'roles.sql');
const NAME = `recon_roles_${process.pid}`;
const ROLES = { owner: `${NAME}_owner`, runner: `${NAME}_runner`, reader: `${NAME}_reader` };
type Role = keyof typeof ROLES;
const NOW = '2026-03-02 08:00:00';
const START_MS = 1_500;
const ORDER = { outBatchNo: 'B1', outOrderNo: 'T1', submittedAt: '2026-03-02 09:00:00' };
/** But for the deposit D2. */
const ENTRIES: readonly BookLine[] = [
  { id: 'E1', account: 'P', kind: 'deposit', fen: 50_000n, reference: 'D1', at: '2026-03-02 10:00:00' },
  { id: 'E2', account: 'P', kind: 'transfer_out', fen: -10_000n, reference: 'T1', at: '2026-03-02 09:05:00' },
  { id: 'E3', account: 'Q', kind: 'transfer_in', fen: 10_000n, reference: 'T1', at: '2026-03-02 09:05:00' },
];
const NO_RIGHT = '42501';
const READ_ONLY = '25006';

/** PostgreSQL comes with it; a machine that has the one without the other says so and leaves these tests out. */
const hasPsql = spawnSync('psql', ['--version']).status === 0;
if (onPostgres && !hasPsql) console.warn('psql is not installed (postgresql-client): no role was made here');

interface Nightly {
  run: { verdict: string };
  settlements: { reference: string; outcome: string }[];
  breaks: { id: string; class: string; reference: string; severity: string }[];
}

let night: Night;
let folder: string;
const children: Child[] = [];

function address(role?: Role): string {
  const url = new URL(serverUrl ?? '');
  url.pathname = `/${NAME}`;
  if (role !== undefined) url.username = ROLES[role];
  return url.href;
}

async function giveRoles(): Promise<void> {
  const names = Object.entries(ROLES).map(([role, name]) => `--set=${role}=${name}`);
  await run('psql', ['--quiet', `--dbname=${address()}`, ...names, `--file=${SCRIPT}`]);
}

function recon(role: Role, ...args: readonly string[]): Child {
  const clock = addMs(night.clock.wall(), START_MS);
  const settings = {
    ...night.environment(),
    RECON_HOME: path.join(folder, 'home'),
    DATABASE_URL: address(role),
  };
  const child = startRecon([...args, '--clock', clock, '--log-level', 'error'], settings);
  children.push(child);
  return child;
}

async function done(role: Role, ...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr }: Ended = await recon(role, ...args).ended;
  expect({ args, status, said: status === 0 ? '' : stdout + stderr }).toEqual({ args, status: 0, said: '' });
  return stdout;
}

/** The code of the refusal; empty where there was none. */
async function refusals(role: Role, ...statements: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: address(role) });
  await client.connect();
  try {
    const found: string[] = [];
    for (const statement of statements) {
      found.push(
        await client.query(statement).then(
          () => '',
          (error: unknown) => (error instanceof pg.DatabaseError ? (error.code ?? '') : String(error)),
        ),
      );
    }
    return found;
  } finally {
    await client.end();
  }
}

async function imported(what: 'accounts' | 'orders' | 'ledger', text: string): Promise<void> {
  const file = path.join(folder, `${what}.csv`);
  await writeFile(file, text);
  await done('runner', what, 'import', file);
}

describe.runIf(onPostgres && hasPsql)('the roles of the database', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'recon-roles-'));
    await onServer(serverUrl ?? '', (client) => client.query(`create database ${NAME} template template0`));
    await giveRoles();
    const migrated = await startRecon(['migrate'], { RECON_HOME: folder, DATABASE_URL: address('owner') })
      .ended;
    expect(faultOf(migrated)).toBe('');
    await giveRoles();
    const opened = await openPostgres({ url: address() }, quietLog);
    night = await Night.open({ now: NOW, database: { ...opened, url: address() } });
    await tradeOfADay();
  }, 120_000);
  afterAll(async () => {
    for (const { process: child } of children) child.kill('SIGKILL');
    for (const child of children) await child.ended;
    await night.close();
    await night.database.close();
    await dropDatabase(serverUrl ?? '', NAME);
    await onServer(serverUrl ?? '', (client) => client.query(`drop role ${Object.values(ROLES).join(', ')}`));
    await rm(folder, { recursive: true, force: true });
  });

  test('the runner does a night with all its steps, and what people do afterwards', async () => {
    await imported(
      'orders',
      ordersCsv([{ kind: 'transfer', ...ORDER, payer: 'P', payee: 'Q', fen: 10_000n }]),
    );
    await imported('ledger', ledgerCsv(ENTRIES));
    for (const command of ['doctor', 'snapshot']) await done('runner', command);
    const { run: of, settlements, breaks } = JSON.parse(await done('runner', 'nightly', '--json')) as Nightly;
    expect(of.verdict).toBe('breaks');
    expect(settlements).toMatchObject([{ reference: 'T1', outcome: 'SUCCESS' }]);
    const [found] = breaks.filter(({ severity }) => severity === 'break');
    expect(found).toMatchObject({ class: 'platform_only', reference: 'D2' });
    await done('runner', 'breaks', 'explain', found?.id ?? '', '--reason', 'booked late', '--by', 'Li Na');
    await done(
      'runner',
      'sign-off',
      '--day',
      '2026-03-02',
      '--by',
      'Li Na',
      '--with-open',
      '--reason',
      'late',
    );
    await done('runner', 'alerts', 'list');
    await done('runner', 'verify');
  });

  test('the runner does units of a night as a worker', async () => {
    night.moveTo('2026-03-03 03:00:00');
    recon('runner', 'worker');
    await done('runner', 'backfill', '--from', '2026-03-02', '--to', '2026-03-02', '--workers');
    const units = await night.db.selectFrom('work_unit').select('state').execute();
    expect(new Set(units.map(({ state }) => state))).toEqual(new Set(['done']));
  });

  test('the runner makes and drops no table, and changes nothing of the evidence', async () => {
    const statements = [
      'create table mine (n int)',
      'drop table raw_answer',
      'truncate raw_answer',
      "update raw_answer set sha256 = ''",
      'delete from deposit_version',
      'update order_version set version = 2',
      'delete from break_event',
      "update settle_event set note = ''",
      'delete from settle_approval',
      'delete from signed_row',
      'delete from kysely_migration',
      'insert into pruned select * from pruned',
      'alter table run disable trigger all',
      'create role mine',
    ];
    const found = await refusals('runner', ...statements);
    expect(found).toEqual(statements.map(() => NO_RIGHT));
  });

  test('the runner sees what would be pruned, and only the owner prunes', async () => {
    const pruned = (role: Role, ...args: readonly string[]) => {
      const settings = {
        ...night.environment(),
        RECON_HOME: path.join(folder, 'home'),
        DATABASE_URL: address(role),
      };
      return startRecon(['prune', ...args], settings).ended;
    };
    expect((await pruned('runner', '--dry-run')).status).toBe(0);
    const refused = await pruned('runner');
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`the role ${ROLES.runner} may add to evidence and not take from it`),
    ]);
    const { status, stderr } = await pruned('owner');
    expect([status, stderr.includes('prune.done')]).toEqual([0, true]);
  });

  test('the reader reads the verdicts, and can change nothing, whatever it says of itself', async () => {
    const client = new pg.Client({ connectionString: address('reader') });
    await client.connect();
    const { rows } = await client.query('select distinct verdict from run_account order by verdict');
    await client.end();
    expect(rows).toEqual([{ verdict: 'breaks' }, { verdict: 'reconciled' }]);
    const statements = [
      'delete from run',
      "update account set name = ''",
      "insert into lease (name) values ('mine')",
      'truncate run',
      'create table mine (n int)',
      'create temporary table mine (n int)',
      'drop table run',
    ];
    const readOnly = await refusals('reader', ...statements);
    expect(new Set(readOnly)).toEqual(new Set([READ_ONLY]));
    const [set, ...found] = await refusals(
      'reader',
      'set default_transaction_read_only = off',
      ...statements,
    );
    expect([set, ...found]).toEqual(['', ...statements.map(() => NO_RIGHT)]);
    const refused = await recon('reader', 'breaks', 'list').ended;
    expect(refused.stderr).toContain(
      `the role ${ROLES.reader} may only read this database (default_transaction_read_only); name one that may write`,
    );
  });
});

async function tradeOfADay(): Promise<void> {
  const opening = { fen: 100_000n, at: '2026-03-02 00:00:00' };
  const lines = [
    { no: 'P', opening, autoSettle: false },
    { no: 'Q', opening, autoSettle: true },
  ];
  night.sandbox.seedAccounts(
    lines.map(({ no, autoSettle }) => ({ accountNo: no, balanceFen: opening.fen, autoSettle })),
  );
  await imported('accounts', accountsCsv(lines));
  const deposit = { payeeAcctNo: 'P', amountFen: 50_000n, depositTime: '2026-03-02 10:00:00' };
  night.deposits({ ...deposit, orderNo: 'D1' }, { ...deposit, orderNo: 'D2' });
  const settle = { state: 'FAIL', delayMs: 60_000, retries: [{ state: 'SUCCESS', delayMs: 0 }] } as const;
  const order = { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n };
  const { outBatchNo, submittedAt } = ORDER;
  night.sandbox.seedTransfers([
    {
      outBatchNo,
      submittedAt,
      payerAcctNo: 'P',
      orders: [{ ...order, settle: { ...settle, retries: [...settle.retries] } }],
    },
  ]);
  night.moveTo('2026-03-03 02:00:00');
}
