/**
 * A company whose backfill takes several units of each kind, on a PostgreSQL database of its own with the queue in it; the
 * night and its workers are the real executable in processes of their own, against one sandbox.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { addDays, addMs } from '../../../src/core/time.ts';
import { installUnitQueue } from '../../../src/store/units/unit-queue-pg-boss.ts';
import { databaseToSpoil } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { cut, fillPool } from '../../helpers/cut-connections.ts';
import { startRecon } from '../../helpers/child.ts';
import type { Child, Ended } from '../../helpers/child.ts';
import { quietLog } from '../../helpers/log.ts';
import { Night, at } from '../../helpers/night.ts';
import { sayingsOf } from '../../helpers/workbook-cells.ts';

export const FROM = '2024-11-01';
export const TO = '2025-04-30';
const NOW = '2025-05-02 02:00:00';
const LATER = '2025-05-02 02:20:00';
/** So long after it was started a process begins its clock, or ten seconds sooner or later: the platform takes that. */
const START_MS = 5_000;
const ACCOUNTS = Array.from({ length: 40 }, (_, nth) => `A${String(nth).padStart(2, '0')}`);

export class CompanyWithWorkers {
  readonly night: Night;
  readonly database: TestDatabase;
  readonly #folder: string;
  readonly #workers: Child[] = [];

  private constructor(night: Night, database: TestDatabase, folder: string) {
    this.night = night;
    this.database = database;
    this.#folder = folder;
  }

  static async open(options: { profile?: object } = {}): Promise<CompanyWithWorkers> {
    const database = await databaseToSpoil();
    if (database.url === undefined) throw new Error('workers are tested on PostgreSQL');
    await installUnitQueue({ url: database.url }, quietLog);
    const night = await Night.open({ now: NOW, database, ...options });
    await seed(night);
    return new CompanyWithWorkers(night, database, await mkdtemp(path.join(os.tmpdir(), 'recon-workers-')));
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) {
      worker.process.kill('SIGCONT');
      worker.process.kill('SIGKILL');
    }
    for (const worker of this.#workers) await worker.ended;
    await this.night.close();
    await this.database.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #address(): string {
    return this.database.url ?? '';
  }

  /** Each process has a home of its own, as on a machine of its own. */
  #settings(name: string): Record<string, string> {
    const home = path.join(this.#folder, name);
    return { ...this.night.environment(), RECON_HOME: home, DATABASE_URL: this.#address };
  }

  startBackfill(...more: readonly string[]): Child {
    return this.#startBackfillAt(NOW, more);
  }

  /** The same command again, when what the first one saw of orders and balances has passed. */
  backfillLater(...more: readonly string[]): Promise<Ended> {
    return this.#startBackfillAt(LATER, more).ended;
  }

  #startBackfillAt(now: string, more: readonly string[]): Child {
    this.night.moveTo(now);
    const clock = addMs(at(now), START_MS);
    const range = ['--from', FROM, '--to', TO, '--no-vouchers', '--clock', clock, '--log-level', 'warn'];
    return startRecon(['backfill', ...range, ...more], this.#settings('night'));
  }

  backfill(...more: readonly string[]): Promise<Ended> {
    return this.startBackfill(...more).ended;
  }

  startWorker(settings: Readonly<Record<string, string>> = {}, ...more: readonly string[]): Child {
    const worker = startRecon(['worker', '--log-level', 'info', ...more], {
      ...this.#settings(`worker-${this.#workers.length}`),
      ...settings,
    });
    this.#workers.push(worker);
    return worker;
  }

  /** Until each worker that was started has told that it lives; what none of them does the night would do itself. */
  async untilAlive(): Promise<void> {
    for (;;) {
      const living = await this.night.db.selectFrom('worker').select('worker_id').execute();
      if (living.length >= this.#workers.length) return;
      await pause(20);
    }
  }

  /** A worker whose profile is not the night's. */
  async startStranger(): Promise<Child> {
    const profile = path.join(this.#folder, 'other-profile.json');
    await writeFile(profile, JSON.stringify({ deposits: { lookbackDays: 3 } }));
    return this.startWorker({ PLATFORM_PROFILE: profile });
  }

  /** What the workbook of the backfill says; each company's sandbox has an address of its own, and its digest. */
  async cells(): Promise<string[]> {
    const days = `${FROM}_${TO}`;
    const file = path.join(this.#folder, 'night', 'reports', days, 'v1', `reconciliation-${days}.xlsx`);
    const sayings = await sayingsOf(file, NOW.slice(0, 10));
    return sayings.filter((line) => !line.startsWith('Run | A: Settings digest'));
  }

  /** Some other command of an operator. */
  run(...args: readonly string[]): Promise<Ended> {
    return startRecon(args, this.#settings('night')).ended;
  }

  /** A unit takes seconds, so that something can happen in it. */
  slowDown(path: 'query/deposit' | 'account/queryWithdraw' | '*' = 'query/deposit'): void {
    this.night.sandbox.addFault({ kind: 'delay', ms: 160, path, times: null });
  }

  /** The server ends all sessions of the database, those of this test too. */
  async cutConnections(): Promise<void> {
    await cut(this.#address);
    await fillPool(this.night.db);
  }

  /** Until some unit of the kind has been begun so often. */
  async untilBegun(tries: number, kind = 'deposits'): Promise<void> {
    while ((await this.triesMost(kind)) < tries) await pause(20);
  }

  /** Until some unit could not be done and waits for another try. */
  async untilFailed(): Promise<void> {
    for (;;) {
      const { rows } = await sql`select from pgboss.job where state = 'retry'`.execute(this.night.db);
      if (rows.length > 0) return;
      await pause(20);
    }
  }

  async triesMost(kind = 'deposits'): Promise<number> {
    const { db } = this.night;
    const rows = await db.selectFrom('work_unit').select('tries').where('kind', '=', kind).execute();
    return Math.max(0, ...rows.map((row) => row.tries));
  }

  unitsGivenUp(): Promise<{ unit_id: string; tries: number }[]> {
    const { db } = this.night;
    return db.selectFrom('work_unit').select(['unit_id', 'tries']).where('state', '=', 'given_up').execute();
  }

  /** By account, of the latest run. */
  async verdicts(): Promise<Map<string, string>> {
    const rows = await this.night.db.selectFrom('run_account').select(['account_no', 'verdict']).execute();
    return new Map(rows.map((row) => [row.account_no, row.verdict]));
  }

  /** Windows of the account's past cannot be stored: whoever tries fails. */
  async refuseToStore(accountNo: string): Promise<void> {
    await sql`
      create function refuse() returns trigger language plpgsql as
        'begin raise exception ''% cannot be stored'', new.account_no; end'`.execute(this.night.db);
    await sql`
      create trigger refuse before insert or update on sync_window for each row
        when (new.state = 'verified' and new.account_no = ${sql.lit(accountNo)} and new.from_day < ${sql.lit(TO)})
        execute function refuse()`.execute(this.night.db);
  }

  async storeAgain(): Promise<void> {
    await sql`drop trigger refuse on sync_window`.execute(this.night.db);
  }

  /** A withdrawal cannot be stored: whoever tries fails. */
  async refuseToStoreOrder(outOrderNo: string): Promise<void> {
    await sql`
      create function refuse_order() returns trigger language plpgsql as
        'begin raise exception ''% cannot be stored'', new.out_order_no; end'`.execute(this.night.db);
    await sql`
      create trigger refuse before insert or update on withdrawal for each row
        when (new.out_order_no = ${sql.lit(outOrderNo)}) execute function refuse_order()`.execute(
      this.night.db,
    );
  }
}

/** Six months of some accounts; entries are missing or wrong here and there. */
async function seed(night: Night): Promise<void> {
  const opening = { fen: 1_000_000n, at: `${FROM} 00:00:00` };
  await night.accounts(...ACCOUNTS.map((no) => ({ no, opening })));
  const records: { no: string; orderNo: string; time: string; fen: bigint }[] = [];
  for (let day = FROM; day <= TO; day = addDays(day, 6)) {
    for (const no of ACCOUNTS) {
      const orderNo = `${no}D${String(records.length).padStart(5, '0')}`;
      records.push({ no, orderNo, time: `${day} 08:30:00`, fen: 1_000n + BigInt(records.length) });
    }
  }
  night.deposits(
    ...records.map(({ no, orderNo, time, fen }) => ({
      payeeAcctNo: no,
      orderNo,
      amountFen: fen,
      depositTime: time,
    })),
  );
  const entries = records.map(({ no, orderNo, time, fen }, nth) => ({
    id: `E${orderNo}`,
    account: no,
    fen: nth % 100 === 17 ? fen + 1n : fen,
    at: time,
    reference: nth % 2 === 0 ? orderNo : '',
  }));
  await night.entries(entries.filter((_, nth) => nth % 100 !== 50));
  await seedOrders(night);
}

const WITHDRAWALS_EACH = 6;
const SUBMITTED_AT = `${TO} 10:00:00`;

/** What each account withdraws and pays to the next one; some of it is under way. */
async function seedOrders(night: Night): Promise<void> {
  const withdrawals = ACCOUNTS.flatMap((acctNo) =>
    Array.from({ length: WITHDRAWALS_EACH }, (_, nth) => ({
      outOrderNo: `${acctNo}W${String(nth).padStart(2, '0')}`,
      acctNo,
      amountFen: 100n,
      submittedAt: SUBMITTED_AT,
      state: nth % 6 === 5 ? 'PROCESSING' : 'SUCCESS',
    })),
  );
  night.sandbox.seedWithdrawals(withdrawals);
  const payments = ACCOUNTS.map((payer, nth) => ({
    outBatchNo: `${payer}B`,
    outOrderNo: `${payer}B-1`,
    payer,
    payee: ACCOUNTS[(nth + 1) % ACCOUNTS.length] ?? '',
    fen: 500n,
    state: nth % 3 === 2 ? 'PROCESSING' : 'SUCCESS',
  }));
  night.sandbox.seedTransfers(
    payments.map(({ outBatchNo, outOrderNo, payer, payee, fen, state }) => ({
      outBatchNo,
      payerAcctNo: payer,
      submittedAt: SUBMITTED_AT,
      orders: [{ outOrderNo, payeeAcctNo: payee, amountFen: fen, state }],
    })),
  );
  const submittedAt = SUBMITTED_AT;
  await night.orders(
    ...withdrawals.map(({ outOrderNo, acctNo, amountFen: fen }) => {
      return { kind: 'withdrawal' as const, outOrderNo, payer: acctNo, fen, submittedAt };
    }),
    ...payments.map(({ state: _state, ...order }) => ({ kind: 'transfer' as const, ...order, submittedAt })),
  );
}
