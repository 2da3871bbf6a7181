/**
 * H18: what docs/operations.md says of backups, done by its own commands: pg_dump and a copy of RECON_HOME, all of it
 * lost, restored to another database and another folder. The books are whole again, the next nights are green, what was
 * paid after the backup is not paid again, and nothing is retried until a person has looked at it.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addMs } from '../../../src/core/time.ts';
import { startRecon } from '../../helpers/child.ts';
import type { Ended } from '../../helpers/child.ts';
import { ledgerCsv, ordersCsv } from '../../helpers/company/company-files.ts';
import type { BookLine } from '../../helpers/company/company-files.ts';
import { databaseToSpoil, onPostgres, serverUrl } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { Night, at } from '../../helpers/night.ts';
import { dropDatabase, onServer } from '../../helpers/server.ts';

const run = promisify(execFile);
const RESTORED = `recon_restored_${process.pid}`;
/** A process begins its clock a second after it was started, or some more on a busy machine. */
const START_MS = 1_500;
/** Queries show at once what was sent, so that nobody has to live through more than half a minute. */
const SETTLE = { viewLagSeconds: 0, marginSeconds: 0 };

/** PostgreSQL comes with it; a machine that has the one without the other says so and leaves the test out. */
const hasPgDump = spawnSync('pg_dump', ['--version']).status === 0;
if (onPostgres && !hasPgDump)
  console.warn('pg_dump is not installed (postgresql-client): no backup was restored here');

let night: Night;
let database: TestDatabase;
let folder: string;
/** Where the processes to come keep their books. */
let place: { DATABASE_URL: string; RECON_HOME: string };

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'recon-restored-'));
  database = await databaseToSpoil();
  night = await Night.open({ now: '2026-03-02 08:00:00', database, profile: { settle: SETTLE } });
  place = { DATABASE_URL: database.url ?? '', RECON_HOME: path.join(folder, 'lost') };
});
afterEach(async () => {
  await night.close();
  await database.close();
  if (serverUrl !== undefined) await dropDatabase(serverUrl, RESTORED);
  await rm(folder, { recursive: true, force: true });
});

test.runIf(onPostgres && hasPgDump)(
  'restored elsewhere, the books are whole, the next nights green, and a person confirms what is retried',
  { timeout: 300_000 },
  async () => {
    await tradeOfThreeDays();
    await deliver('02');
    expect(await nightOf('02', '03')).toMatchObject({ verdict: 'reconciled', settlements: ['T1 1 SUCCESS'] });

    const backup = await backUp();
    await deliver('03');
    expect(await nightOf('03', '04')).toMatchObject({ verdict: 'reconciled', settlements: ['T2 1 SUCCESS'] });
    const archived = await vouchersIn(place.RECON_HOME);
    expect(archived).toHaveLength(6);

    await night.database.close();
    await rm(place.RECON_HOME, { recursive: true });
    await restore(backup);

    night.moveTo('2026-03-05 02:00:00');
    for (const command of ['migrate', 'doctor', 'verify']) await done(command);
    // What came after the backup is handed in again, orders first.
    await deliver('03');
    await deliver('04');
    // That T2 was retried on the 4th is forgotten: by the platform's word it is of the day of its order.
    expect(await nightOf('03', '05')).toEqual({
      verdict: 'reconciled_with_timing',
      timing: ['late T2 -10000'],
      settlements: [],
    });
    expect(await nightOf('04', '05')).toEqual({ verdict: 'reconciled', timing: [], settlements: [] });
    expect(await vouchersIn(place.RECON_HOME)).toEqual(expect.arrayContaining(archived));
    await done('verify');
    expect([sent(), paid('T2')]).toEqual([2, 1]);

    const early = await settle();
    expect(early).toMatchObject({ status: 1, heldUntil: expect.any(String) as string });
    night.moveTo('2026-03-05 02:30:00');
    const unseen = await settle();
    expect(unseen).toMatchObject({ status: 1, heldUntil: null, isAfterRestore: true, needsApproval: true });
    expect(sent()).toBe(2);
    const approved = await settle('--approve', unseen.digest, '--by', 'Li Na');
    expect(approved).toMatchObject({ status: 0, settlements: [{ reference: 'T3', outcome: 'SUCCESS' }] });

    await deliver('05');
    expect(await nightOf('05', '06')).toMatchObject({ verdict: 'reconciled' });
    await done('verify');
    expect([sent(), paid('T1'), paid('T2'), paid('T3')]).toEqual([3, 1, 1, 1]);
  },
);

/** Each day a deposit, and a transfer whose settlement fails and succeeds once it is retried. */
async function tradeOfThreeDays(): Promise<void> {
  await night.accounts(
    { no: 'P', opening: { fen: 100_000n, at: '2026-03-02 00:00:00' }, autoSettle: false },
    { no: 'Q', opening: { fen: 0n, at: '2026-03-02 00:00:00' }, autoSettle: true },
  );
  for (const [no, day] of [
    [1, '02'],
    [2, '03'],
    [3, '04'],
  ] as const) {
    night.deposits({
      payeeAcctNo: 'P',
      orderNo: `D${no}`,
      amountFen: 50_000n,
      depositTime: `2026-03-${day} 10:00:00`,
    });
    const settled = { state: 'FAIL', delayMs: 60_000, remark: '账户异常' } as const;
    const retries = [{ state: 'SUCCESS', delayMs: 0 }] as const;
    night.sandbox.seedTransfers([
      {
        outBatchNo: `B${no}`,
        payerAcctNo: 'P',
        submittedAt: `2026-03-${day} 09:00:00`,
        orders: [
          {
            outOrderNo: `T${no}`,
            payeeAcctNo: 'Q',
            amountFen: 10_000n,
            settle: { ...settled, retries: [...retries] },
          },
        ],
      },
    ]);
  }
}

/** The company's files of a day: what it submitted, and what its books have of it. */
async function deliver(date: '02' | '03' | '04' | '05'): Promise<void> {
  const no = Number(date) - 1;
  const day = `2026-03-${date}`;
  const entry = (over: Pick<BookLine, 'account' | 'kind' | 'fen' | 'reference'>, time: string): BookLine => ({
    id: `${over.account}-${over.kind}-${over.reference}`,
    at: `${day} ${time}`,
    ...over,
  });
  const settled = { account: 'Q', kind: 'settlement', fen: -10_000n, reference: `T${no - 1}` };
  const entries = [
    ...(no > 1 ? [entry(settled, '02:30:00')] : []),
    ...(no < 4
      ? [
          entry({ account: 'P', kind: 'deposit', fen: 50_000n, reference: `D${no}` }, '10:00:00'),
          entry({ account: 'P', kind: 'transfer_out', fen: -10_000n, reference: `T${no}` }, '09:05:00'),
          entry({ account: 'Q', kind: 'transfer_in', fen: 10_000n, reference: `T${no}` }, '09:05:00'),
        ]
      : []),
  ];
  if (no < 4) {
    const order = { outBatchNo: `B${no}`, outOrderNo: `T${no}`, payer: 'P', payee: 'Q', fen: 10_000n };
    const submitted = ordersCsv([{ kind: 'transfer', ...order, submittedAt: `${day} 09:00:00` }]);
    await done('orders', 'import', await written(`orders-${date}.csv`, submitted));
  }
  await done('ledger', 'import', await written(`erp-${date}.csv`, ledgerCsv(entries)), '--source', 'erp');
}

async function written(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

interface Backup {
  dump: string;
  home: string;
}

/** The mark of what was sent is no part of it. */
async function backUp(): Promise<Backup> {
  const backup = { dump: path.join(folder, 'recon.dump'), home: path.join(folder, 'backup') };
  await run('pg_dump', ['--format=custom', `--file=${backup.dump}`, place.DATABASE_URL]);
  await cp(place.RECON_HOME, backup.home, { recursive: true, preserveTimestamps: true });
  return backup;
}

async function restore({ dump, home }: Backup): Promise<void> {
  const address = new URL(serverUrl ?? '');
  await onServer(address.href, (client) => client.query(`create database ${RESTORED} template template0`));
  address.pathname = `/${RESTORED}`;
  await run('pg_restore', [
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    `--dbname=${address.href}`,
    dump,
  ]);
  place = { DATABASE_URL: address.href, RECON_HOME: path.join(folder, 'restored') };
  await cp(home, place.RECON_HOME, { recursive: true, preserveTimestamps: true });
}

function recon(...args: readonly string[]): Promise<Ended> {
  const clock = addMs(night.clock.wall(), START_MS);
  const settings = { ...night.environment(), ...place };
  return startRecon([...args, '--clock', clock, '--log-level', 'error'], settings).ended;
}

async function done(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await recon(...args);
  expect({ args, status, said: status === 0 ? '' : stdout + stderr }).toEqual({ args, status: 0, said: '' });
  return stdout;
}

interface Nightly {
  run: { verdict: string };
  timing: { class: string; reference: string; differenceFen: number }[];
  settlements: { reference: string; attempt: number; outcome: string }[];
}

interface Told {
  verdict: string;
  timing: string[];
  settlements: string[];
}

/** The night of a day of March, called at two in the morning of another. */
async function nightOf(date: string, on: string): Promise<Told> {
  night.moveTo(`2026-03-${on} 02:00:00`);
  const {
    run: of,
    timing,
    settlements,
  } = JSON.parse(await done('nightly', '--day', `2026-03-${date}`, '--json')) as Nightly;
  return {
    verdict: of.verdict,
    timing: timing.map((item) => `${item.class} ${item.reference} ${item.differenceFen}`),
    settlements: settlements.map(({ reference, attempt, outcome }) => `${reference} ${attempt} ${outcome}`),
  };
}

interface Settled {
  digest: string;
  heldUntil: string | null;
  isAfterRestore: boolean;
  needsApproval: boolean;
  settlements: { reference: string; outcome: string }[];
}

async function settle(...options: readonly string[]): Promise<Settled & { status: number | null }> {
  const { status, stdout } = await recon('settle', '--json', ...options);
  return { status, ...(JSON.parse(stdout) as Settled) };
}

function sent(): number {
  return night.sandbox.requests().filter((request) => request.path.endsWith('/order/settle')).length;
}

function paid(outOrderNo: string): number {
  const nowMs = Date.parse(at('2026-03-06 03:00:00'));
  return night.sandbox.payouts().filter((payout) => payout.outOrderNo === outOrderNo && payout.atMs <= nowMs)
    .length;
}

async function vouchersIn(home: string): Promise<string[]> {
  const names = await readdir(path.join(home, 'vouchers'), { recursive: true });
  return names.filter((name) => name.endsWith('.pdf')).toSorted();
}
