/**
 * A company whose settlements fail, with everything a process of its own: PostgreSQL, the platform, which pays
 * whatever it is asked to (its guard is off, its accounts are rich), and the job, one process a call.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { collectOrders } from '../../jobs/night/collect/collect-orders.ts';
import { openContext } from '../../jobs/context/context.ts';
import type { Context } from '../../jobs/context/context.ts';
import { NO_PROGRESS } from '../../jobs/context/progress.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Clock } from '../../src/core/ports.ts';
import { addMs } from '../../src/core/time.ts';
import { importAccounts } from '../../src/intake/import-accounts.ts';
import type { ImportRequest, ImportResult } from '../../src/intake/import-file.ts';
import { importOrders } from '../../src/intake/import-orders.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { startRecon } from '../helpers/child.ts';
import type { Child } from '../helpers/child.ts';
import { accountsCsv, ordersCsv } from '../helpers/company/company-files.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { markFileOf, removed, sureMark } from '../helpers/settlements/sure-mark.ts';
import { Network } from './network.ts';
import { startPlatform } from './platform-process.ts';
import type { PlatformProcess } from './platform-process.ts';

export const PAYER = 'P';
const PAYEES = ['Q1', 'Q2', 'Q3'];
/** Rich: whoever pays twice must not be kept from it by an empty account. */
const RICH_FEN = '1000000000000';

/** Time for a late request to show; the platform lets an accepted retry wait for a part of it. */
const MARGIN_SECONDS = 1;
const QUEUE_MS = 700;
/** As many as a profile allows. */
export const ATTEMPTS_MAX = 10;

export interface WorldOptions {
  /** How long a process waits for an answer. */
  patienceMs: number;
}

/** What becomes of the retries of one order, one after the other; after these they are paid at once. */
export type Script = readonly { state: 'SUCCESS' | 'FAIL'; delayMs: number }[];

/** The host's clock, which can be put forward. */
class ForwardClock implements Clock {
  readonly #real = systemClock();
  aheadMs = 0;

  wall(): string {
    return addMs(this.#real.wall(), this.aheadMs);
  }

  monoMs(): number {
    return this.#real.monoMs();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#real.sleep(ms, signal);
  }
}

export class LiveWorld {
  readonly home: string;
  readonly platform: PlatformProcess;
  readonly network: Network;
  readonly #clock = new ForwardClock();
  readonly #database: TestDatabase;
  #context: Context | undefined;
  #orders = 0;

  private constructor(parts: {
    home: string;
    platform: PlatformProcess;
    network: Network;
    database: TestDatabase;
  }) {
    this.home = parts.home;
    this.platform = parts.platform;
    this.network = parts.network;
    this.#database = parts.database;
  }

  /** Needs a server in DATABASE_URL. */
  static async open(options: WorldOptions): Promise<LiveWorld> {
    const platform = await startPlatform();
    const world = new LiveWorld({
      platform,
      home: await mkdtemp(path.join(os.tmpdir(), 'recon-live-')),
      network: await Network.open(platform.settings.PLATFORM_URL),
      database: await testDatabase(),
    });
    await world.#begin(options);
    return world;
  }

  async #begin({ patienceMs }: WorldOptions): Promise<void> {
    const timeouts = { headersMs: patienceMs, bodyMs: patienceMs, deadlineMs: patienceMs };
    const settle = {
      marginSeconds: MARGIN_SECONDS,
      viewLagSeconds: 0,
      coolDownMinutes: 0,
      maxAttempts: ATTEMPTS_MAX,
      breaker: { orders: 100_000, fen: 1_000_000_000_000 },
    };
    const http = { rate: { perSecond: 1_000, concurrency: 4 }, timeouts };
    await writeFile(this.#profilePath(), JSON.stringify({ service: { name: 'live' }, http, settle }));
    await this.platform.tell('/switches', { settleGuard: false, settleQueueMs: QUEUE_MS });
    await this.platform.tell('/accounts', {
      accounts: [PAYER, ...PAYEES].map((accountNo) => ({
        accountNo,
        balanceFen: RICH_FEN,
        autoSettle: accountNo !== PAYER,
      })),
    });
    const environment = this.#settings(this.platform.settings.PLATFORM_URL);
    this.#context = await openContext({ logLevel: 'error' }, { platform: true }, environment, this.#clock);
    const lines = [PAYER, ...PAYEES].map((no) => ({ no, autoSettle: no !== PAYER }));
    taken(await importAccounts(await this.#file(accountsCsv(lines))));
    await sureMark(this.markFile, this.db);
    await this.start('settle', '--dry-run').ended;
  }

  get context(): Context {
    if (this.#context === undefined) throw new Error('Bug: the world is not open');
    return this.#context;
  }

  get db(): Db {
    return this.#database.db;
  }

  /** What the sessions of the processes are called; the world's own are called otherwise. */
  static readonly processName = 'recon-process';

  #settings(platformUrl: string): Record<string, string> {
    return {
      ...this.platform.settings,
      PLATFORM_URL: platformUrl,
      PLATFORM_PROFILE: this.#profilePath(),
      RECON_HOME: this.home,
      SETTLE_MARK_FILE: this.markFile,
      DATABASE_URL: this.#database.url ?? '',
    };
  }

  /** Outside RECON_HOME. */
  get markFile(): string {
    return markFileOf(this.home);
  }

  #profilePath(): string {
    return path.join(this.home, 'profile.json');
  }

  async #file(text: string): Promise<ImportRequest> {
    const file = path.join(this.home, 'import.csv');
    await writeFile(file, text);
    const { db, zone, clock, log } = this.context;
    return { db, zone, clock, log, path: file };
  }

  /** Transfers that arrived and whose settlements failed, registered by the company and collected once. */
  async failedOrders(scripts: readonly Script[]): Promise<void> {
    const context = { ...this.context, progress: () => NO_PROGRESS };
    const submittedAt = addMs(this.#clock.wall(), -2_000);
    const outBatchNo = `B${this.#orders}`;
    const orders = scripts.map((retries, place) => ({
      outOrderNo: `T${this.#orders + place}`,
      payeeAcctNo: PAYEES[place % PAYEES.length] ?? '',
      amountFen: 1_000 + place,
      settle: { state: 'FAIL', delayMs: 0, retries },
    }));
    this.#orders += scripts.length;
    await this.platform.tell('/transfers', {
      transfers: [{ outBatchNo, payerAcctNo: PAYER, submittedAt, orders }],
    });
    const lines = orders.map(({ outOrderNo, payeeAcctNo, amountFen }) => ({
      kind: 'transfer' as const,
      payer: PAYER,
      payee: payeeAcctNo,
      fen: BigInt(amountFen),
      submittedAt,
      outBatchNo,
      outOrderNo,
    }));
    taken(await importOrders(await this.#file(ordersCsv(lines))));
    const today = context.zone.dayOf(this.#clock.wall());
    await collectOrders(context, { runId: `collect-${outBatchNo}`, toDay: today, today });
  }

  get orderCount(): number {
    return this.#orders;
  }

  /** `recon …` as a process of its own, on the world's time. */
  start(...args: readonly string[]): Child {
    const address = new URL(this.#database.url ?? '');
    address.searchParams.set('application_name', LiveWorld.processName);
    const clock = this.#clock.aheadMs === 0 ? [] : ['--clock', addMs(this.#clock.wall(), START_MS)];
    return startRecon([...args, ...clock, '--json', '--log-level', 'info'], {
      ...this.#settings(this.network.url),
      DATABASE_URL: address.href,
      // Hundreds of processes: none of them has to compile what another one has compiled.
      NODE_COMPILE_CACHE: path.join(this.home, 'compiled'),
    });
  }

  settle(): Child {
    return this.start('settle');
  }

  now(): string {
    return this.#clock.wall();
  }

  /** Lets time pass for everybody: the platform and the processes that start from now on. */
  async pass(ms: number): Promise<void> {
    await this.platform.tell('/clock', { advanceMs: ms });
    this.#clock.aheadMs += ms;
  }

  async close(): Promise<void> {
    await this.network.close();
    await this.#context?.close();
    await this.platform.close();
    await this.#database.close();
    await removed(this.home, path.dirname(this.markFile));
  }
}

/** A process begins its rehearsed clock about that long after it was started. */
const START_MS = 500;

function taken(result: ImportResult): void {
  if (result.faultCount > 0) throw new Error(`wrong file: ${JSON.stringify(result.faults)}`);
}
