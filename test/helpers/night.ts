/**
 * A company, its platform and its nights: the real sandbox over HTTP, a real database, the company's files taken
 * in by the real importers, and the job run over them. Sandbox and job share a clock that can be moved.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { NO_PROGRESS } from '../../jobs/context/progress.ts';
import { openPlatform } from '../../jobs/context/platform.ts';
import { prepare } from '../../jobs/context/context.ts';
import type { Context } from '../../jobs/context/context.ts';
import { runNight } from '../../jobs/commands/nightly.ts';
import { reconcileRange } from '../../jobs/night/night.ts';
import { runSettle } from '../../jobs/night/settle/settle-run.ts';
import type { SettleOutcome } from '../../jobs/night/settle/settle-step.ts';
import { takeSnapshots } from '../../jobs/commands/snapshot.ts';
import type { Snapshots } from '../../jobs/commands/snapshot.ts';
import { systemClock } from '../../src/core/clock.ts';
import { diskFiles } from '../../src/core/files.ts';
import { randomIds } from '../../src/core/ids.ts';
import { profileDigest } from '../../src/core/profile/profile.ts';
import { importAccounts } from '../../src/intake/import-accounts.ts';
import type { ImportResult } from '../../src/intake/import-file.ts';
import { importLedger } from '../../src/intake/import-ledger.ts';
import { importOrders } from '../../src/intake/import-orders.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { DepositSeed } from '../../src/sandbox/world/seed-schema.ts';
import type { SwitchesPatch } from '../../src/sandbox/control/switches.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import type { ServedSandbox } from '../../src/sandbox/server/serve.ts';
import { hasSignedAnswers } from '../../src/store/deposits/answers.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { wholeOutcome } from './findings.ts';
import type { NightOutcome } from './findings.ts';
import { accountsCsv, ledgerCsv, ordersCsv } from './company/company-files.ts';
import type { AccountLine, BookLine, OrderLine } from './company/company-files.ts';
import type { TestDatabase } from './database.ts';
import { emptiedDatabase } from './emptied-database.ts';
import { findingsOf } from './findings.ts';
import { recordingLog } from './log.ts';
import type { RecordingLog } from './log.ts';
import { NightClock } from './night-clock.ts';
import { markFileOf, removed, sureMark } from './settlements/sure-mark.ts';
import { at, daysAround, zone } from './service-time.ts';
import { leaveOutWorkbooks, writeLastWorkbook, writeWorkbooksBelow } from './workbooks.ts';

export { at, findingsOf, zone };

export interface NightOptions {
  /** Service time at the start. */
  now: string;
  /** Another database than the one all nights of a test file share; it stays the caller's to close. */
  database?: TestDatabase;
  switches?: SwitchesPatch;
  /** Over the profile's defaults. */
  profile?: object;
  /** Whether a workbook is written after every run, or only at the end, for the last of them. */
  workbooks?: 'each' | 'last';
}

/** The sandbox has no limit, and a test should not take longer than it must. */
const PROFILE = {
  service: { name: 'test' },
  http: { rate: { perSecond: 1_000, concurrency: 4 } },
};

/** One life of the job: what a new process would have of its own. */
export type Process = Context & { log: RecordingLog };

export class Night {
  readonly sandbox: Sandbox;
  readonly served: ServedSandbox;
  readonly clock: NightClock;
  readonly database: TestDatabase;
  /** RECON_HOME. */
  readonly home: string;
  /** Further settings of the processes to come. */
  readonly settings: Record<string, string> = {};
  /** The log of the latest process. */
  log: RecordingLog = recordingLog();
  #files = 0;
  #last: Process | undefined;
  #profile: object = {};

  private constructor(parts: {
    sandbox: Sandbox;
    served: ServedSandbox;
    clock: NightClock;
    database: TestDatabase;
    home: string;
  }) {
    this.sandbox = parts.sandbox;
    this.served = parts.served;
    this.clock = parts.clock;
    this.database = parts.database;
    this.home = parts.home;
    this.markFile = markFileOf(parts.home);
  }

  static async open(options: NightOptions): Promise<Night> {
    leaveOutWorkbooks();
    const clock = new NightClock(at(options.now));
    const sandbox = createSandbox({
      clock,
      seed: 7,
      ...(options.switches && { switches: options.switches }),
    });
    const served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
    const home = await mkdtemp(path.join(os.tmpdir(), 'recon-night-'));
    const database = options.database ?? (await emptiedDatabase());
    const night = new Night({ sandbox, served, clock, home, database });
    await night.profile(options.profile ?? {});
    await sureMark(night.markFile, night.db);
    if (options.workbooks === 'each') writeWorkbooksBelow(home);
    return night;
  }

  readonly markFile: string;
  get db(): Db {
    return this.database.db;
  }

  async close(): Promise<void> {
    await this.served.close();
    if (this.#last !== undefined) await writeLastWorkbook(this.#last, this.home);
    await removed(this.home, path.dirname(this.markFile));
  }

  moveTo(local: string): void {
    this.clock.moveTo(at(local));
  }

  /** The profile of the processes to come. */
  async profile(over: object): Promise<void> {
    this.#profile = { ...PROFILE, ...over };
    await writeFile(this.#profilePath(), JSON.stringify(this.#profile));
  }

  #profilePath(): string {
    return path.join(this.home, 'profile.json');
  }

  /** Settings as a process of its own would find them; the database is the caller's business. */
  environment(): Record<string, string> {
    const credential = this.sandbox.credentials.find(({ mode }) => mode === 'apiKey');
    return {
      RECON_HOME: this.home,
      SETTLE_MARK_FILE: this.markFile,
      PLATFORM_URL: this.served.url,
      PLATFORM_API_KEY: credential?.id ?? '',
      PLATFORM_SECRET: credential?.secret ?? '',
      PLATFORM_PROFILE: this.#profilePath(),
      REPORT_LOCALE: 'en',
      ...this.settings,
    };
  }

  /** Opens the accounts on the platform and imports the company's list of them. */
  async accounts(...lines: readonly AccountLine[]): Promise<void> {
    this.sandbox.seedAccounts(
      lines.map((line) => ({
        accountNo: line.no,
        balanceFen: line.heldFen ?? line.opening?.fen ?? 0n,
        ...(line.eleAcctNo !== undefined && { eleAcctNo: line.eleAcctNo }),
        ...(line.drift && { drift: line.drift }),
        ...(line.autoSettle !== undefined && { autoSettle: line.autoSettle }),
      })),
    );
    await this.listAccounts(...lines);
  }

  /** The company's own list, without the platform. */
  async listAccounts(...lines: readonly AccountLine[]): Promise<void> {
    const file = await this.#write(accountsCsv(lines));
    taken(await importAccounts({ ...this.#surroundings(), path: file }));
  }

  /** Imports what the company registered; what is on the platform is another matter. */
  async orders(...lines: readonly OrderLine[]): Promise<void> {
    const file = await this.#write(ordersCsv(lines));
    taken(await importOrders({ ...this.#surroundings(), path: file }));
  }

  deposits(...seeds: readonly DepositSeed[]): void {
    this.sandbox.seedDeposits(seeds);
  }

  /** Imports entries; the ledger's name is `erp`. */
  async entries(
    lines: readonly BookLine[],
    options: { replace?: boolean; completeTo?: string; days?: readonly string[] } = {},
  ): Promise<ImportResult> {
    return taken(
      await importLedger({
        ...this.#surroundings(),
        path: await this.#write(ledgerCsv(lines)),
        source: 'erp',
        replace: options.replace ?? false,
        force: options.replace ?? false,
        ...(options.completeTo !== undefined && { completeTo: at(options.completeTo) }),
        ...(options.days !== undefined && { window: daysAround(options.days) }),
      }),
    );
  }

  #surroundings() {
    return { db: this.db, zone, clock: this.clock, log: this.log };
  }

  async #write(text: string): Promise<string> {
    this.#files += 1;
    const file = path.join(this.home, `import-${this.#files}.csv`);
    await writeFile(file, text);
    return file;
  }

  /** The job as a new process would open it, on the same books; its work is the caller's. */
  async process(): Promise<Process> {
    const log = recordingLog();
    this.log = log;
    const ready = await prepare(
      {},
      { platform: true },
      { environment: this.environment(), clock: this.clock },
    );
    const stopping = new AbortController();
    let opened: Promise<{ client: PlatformClient; close(): Promise<void> }> | undefined;
    const everSigned = await hasSignedAnswers(this.db);
    this.#last = {
      ...ready,
      log,
      profileDigest: profileDigest(ready.profile),
      settingsDigest: 'settings of the test',
      ids: randomIds(),
      files: diskFiles(),
      db: this.db,
      database: this.database,
      signal: stopping.signal,
      progress: () => NO_PROGRESS,
      tell: () => undefined,
      platform: async () => {
        opened ??= openPlatform({ ...ready, log }, { everSigned, signal: stopping.signal });
        return (await opened).client;
      },
      close: async () => {
        stopping.abort(new Error('the process has ended'));
        await (await opened)?.close();
      },
    };
    return this.#last;
  }

  /** `recon nightly --day`, in a process of its own. */
  night(day: string): Promise<NightOutcome> {
    return this.#run({ job: 'nightly', fromDay: day, toDay: day, accounts: [] });
  }

  /** `recon nightly` as the cron calls it: the night of yesterday retries failed settlements too. */
  settlingNight(day: string): Promise<NightOutcome> {
    return this.#inProcess(async (process) => wholeOutcome(await runNight(process, day)));
  }

  /** `recon settle`, in a process of its own. */
  settle(request: Omit<Parameters<typeof runSettle>[1], 'runId'>): Promise<SettleOutcome> {
    return this.#inProcess((process) => {
      const { ids, zone: service, clock } = process;
      return runSettle(process, { runId: `settle-${ids.reqId()}`, ...request }, service.dayOf(clock.wall()));
    });
  }

  /** `recon backfill`. */
  backfill(fromDay: string, toDay: string, accounts: readonly string[] = []): Promise<NightOutcome> {
    return this.#run({ job: 'backfill', fromDay, toDay, accounts });
  }

  /** `recon snapshot`, in a process of its own. */
  snapshot(): Promise<Snapshots> {
    return this.#inProcess(takeSnapshots);
  }

  #run(request: Parameters<typeof reconcileRange>[1]): Promise<NightOutcome> {
    return this.#inProcess(async (one) => wholeOutcome(await reconcileRange(one, request)));
  }

  async #inProcess<T>(work: (process: Process) => Promise<T>): Promise<T> {
    const process = await this.process();
    try {
      return await work(process);
    } finally {
      await process.close();
    }
  }
}

function taken(result: ImportResult): ImportResult {
  if (result.faultCount === 0) return result;
  throw new Error(`a file of the test has faults: ${JSON.stringify(result.faults)}`);
}
