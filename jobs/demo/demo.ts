/**
 * `recon demo`: needs nothing. A sandbox on loopback with a month of seeded trade and one planted break of
 * every class, the company's files, two nights; then the verdict and whether each night found what is planted
 * for it, and nothing else.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../src/core/clock.ts';
import { hostEnvironment, readSettings } from '../../src/core/config/config.ts';
import { WrongInput, messageOf } from '../../src/core/errors.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import { bootIdentity } from '../../src/core/machine.ts';
import type { Clock } from '../../src/core/ports.ts';
import { addDays, addMs, epochMs, Zone } from '../../src/core/time.ts';
import type { Day, Instant } from '../../src/core/time.ts';
import { importAccounts } from '../../src/intake/import-accounts.ts';
import { importLedger } from '../../src/intake/import-ledger.ts';
import { importOrders } from '../../src/intake/import-orders.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import { demoBooks } from '../../src/sandbox/scenarios/demo-books.ts';
import { demoScenario } from '../../src/sandbox/scenarios/demo.ts';
import type { DemoScenario } from '../../src/sandbox/scenarios/demo.ts';
import type { Planted } from '../../src/sandbox/scenarios/demo-draft.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import { listStandingRuns } from '../../src/store/runs/runs.ts';
import { booksId, serverStart } from '../../src/settlements/settle-guard.ts';
import { checkNight, checkText, isAsPlanted, wasFound } from './demo-check.ts';
import type { CheckedResult } from './demo-check.ts';
import { freshDemoDatabase } from './demo-database.ts';
import { finish } from '../cli/command.ts';
import type { CommonOptions, Outcome } from '../cli/command.ts';
import { openContext } from '../context/context.ts';
import type { Context } from '../context/context.ts';
import { runNight } from '../commands/nightly.ts';
import { storedResult, wholeResult } from '../night/publish/result.ts';
import type { RunResult } from '../night/publish/result.ts';
import { beginLists } from '../night/publish/result-lists.ts';
import type { RangeOutcome } from '../night/night.ts';
import { ROWS_SHOWN, resultText } from '../commands/result-text.ts';
import { fileMark } from '../night/settle/high-water-mark.ts';
import { tableText } from '../cli/table-text.ts';

export interface DemoOptions extends CommonOptions {
  keep: string;
}

const TIME_ZONE = 'Asia/Shanghai';
const SEED = 20_260_301;
/** The sandbox has no limit, and a demo should not take longer than it must. */
const REQUESTS_PER_SECOND = 1_000;
/** Left in the folder, so that the next demo knows that it may empty it. */
const MARK = '.recon-demo';

export function demoCommand(options: DemoOptions): Promise<void> {
  return finish(options, async () => {
    const home = path.resolve(options.keep);
    await emptyFolder(home);
    const today = new Zone(TIME_ZONE).dayOf(systemClock().wall());
    const scenario = demoScenario({ seed: SEED, through: addDays(today, -1), timeZone: TIME_ZONE });
    const clock = new MovableClock(scenario.nights[0].at);
    const sandbox = createSandbox({
      scenario: { name: 'demo', through: scenario.through },
      seed: SEED,
      clock,
    });
    const served = await serve(sandbox, { port: 0, controls: false, clock });
    try {
      const environment = await demoEnvironment(home, served.url, sandbox.credentials);
      return await runDemo({ options, home, scenario, clock, environment });
    } finally {
      await served.close();
    }
  });
}

interface Demo {
  options: DemoOptions;
  home: string;
  scenario: DemoScenario;
  clock: MovableClock;
  environment: Record<string, string>;
}

async function runDemo({ options, home, scenario, clock, environment }: Demo): Promise<Outcome> {
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  const quiet: CommonOptions = { json: options.json, logLevel: options.logLevel ?? 'error' };
  const context = await openContext(quiet, { platform: true, mayMigrate: true }, environment, clock);
  try {
    await migrate(context);
    await beSure(context);
    tell(
      `1. a company with ${scenario.accounts.length} accounts; its files lie in ${path.relative('.', home)}`,
    );
    const books = await importBooks(context, home, scenario);
    tell(`2. taken in: ${books.accounts} accounts, ${books.orders} orders, ${books.entries} ledger entries`);
    const [before, night] = scenario.nights;
    tell(`3. the night of ${before.day}: the month so far, and the first look at the balances`);
    const first = await runNight(context, before.day);
    clock.moveTo(night.at);
    tell(`4. the night of ${night.day}: the day on which things went wrong`);
    const second = await runNight(context, night.day);
    const results = [first.result, ...(await restatedNights(context, before.day))];
    const nightsBefore = await Promise.all(results.map(wholeResult));
    return await outcomeOf(context, second, { nightsBefore, planted: scenario.planted });
  } finally {
    await context.close();
  }
}

async function migrate(context: Context): Promise<void> {
  const { migrateToLatest } = await import('../../src/store/database/migrate.ts');
  await migrateToLatest(context.db);
}

/** Its platform was born a moment ago: nothing can have been sent that this does not know. */
async function beSure({ db, files, settings }: Context): Promise<void> {
  const now = { books: await booksId(db), boot: bootIdentity(), server: await serverStart(db) };
  const mark = { sequence: 0n, reqId: '', heldUntil: undefined, isDoubtful: false };
  await fileMark(files, settings.settleMarkFile).write({ ...mark, ...now });
}

async function importBooks(context: Context, home: string, scenario: DemoScenario) {
  const { db, zone, clock, log } = context;
  const books = demoBooks(scenario, { openings: true });
  const files = {
    accounts: path.join(home, 'accounts.csv'),
    orders: path.join(home, 'orders.csv'),
    ledger: path.join(home, 'ledger.csv'),
  };
  await writeFile(files.accounts, books.accountsCsv);
  await writeFile(files.orders, books.ordersCsv);
  await writeFile(files.ledger, books.ledgerCsv);
  const accounts = await importAccounts({ db, zone, clock, log, path: files.accounts });
  const orders = await importOrders({ db, zone, clock, log, path: files.orders });
  const ledger = await importLedger({
    db,
    zone,
    clock,
    log,
    path: files.ledger,
    source: 'erp',
    replace: false,
  });
  const faults = [...accounts.faults, ...orders.faults, ...ledger.faults];
  if (faults.length > 0) throw new Error(`Bug: the demo's own files have faults: ${JSON.stringify(faults)}`);
  return { accounts: accounts.rows, orders: orders.rows, entries: ledger.rows };
}

/** The nights before as they stand now: the second night may have made new versions of them. */
async function restatedNights({ db, settings }: Context, before: Day): Promise<RunResult[]> {
  const runs = await listStandingRuns(db, { from: before, before: addDays(before, 1) });
  const restated = runs.filter(({ version }) => version > 1);
  const of = { db, home: settings.home };
  return Promise.all(restated.map(({ run_id: runId }) => storedResult(of, runId, settings.reportLocale)));
}

/** The demo proves itself: each night finds what is planted for it, and nothing else. */
async function outcomeOf(
  { db, zone }: Context,
  { result, isNew }: RangeOutcome,
  { nightsBefore, planted }: { nightsBefore: readonly CheckedResult[]; planted: readonly Planted[] },
): Promise<Outcome> {
  const before = nightsBefore.map((night) => checkNight(night, planted));
  const whole = await wholeResult(result);
  const night = checkNight(whole, planted);
  const nights = [...before, night];
  const text = [
    '',
    resultText(result, { begun: await beginLists(db, result.run.id, ROWS_SHOWN), isNew, zone }),
    '',
    'What was planted:',
    tableText(
      ['class', 'account', 'reference', 'difference', 'found', 'what happened'],
      planted
        .filter(({ until }) => until === undefined)
        .map((plant) => [
          plant.class,
          plant.accountNo,
          plant.reference,
          yuanForPeople(plant.differenceFen),
          wasFound(plant, night) ? 'yes' : 'NO',
          plant.note,
        ]),
      { right: [3] },
    ),
    '',
    ...nights.map(checkText),
  ].join('\n');
  return {
    status: nights.every(isAsPlanted) ? 0 : 1,
    document: { ...whole, planted: night, plantedBefore: before },
    text,
  };
}

/** Empties only what an earlier demo left. */
async function emptyFolder(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = `cannot make ${home}: ${messageOf(error)}; name a folder that can be made with --keep`;
    throw new WrongInput(why, [], {}, { cause: error });
  }
  const entries = await readdir(home);
  if (entries.length > 0 && !entries.includes(MARK)) {
    throw new WrongInput(`${home} holds other files; name an empty folder with --keep`);
  }
  for (const entry of entries) await rm(path.join(home, entry), { recursive: true });
  await writeFile(path.join(home, MARK), 'recon demo may empty this folder\n');
}

async function demoEnvironment(
  home: string,
  url: string,
  credentials: readonly { mode: string; id: string; secret: string }[],
): Promise<Record<string, string>> {
  const credential = credentials.find(({ mode }) => mode === 'apiKey');
  if (credential === undefined) throw new Error('Bug: the sandbox has no API key');
  const profile = path.join(home, 'profile.json');
  const settings = {
    service: { name: 'demo' },
    http: { rate: { perSecond: REQUESTS_PER_SECOND, concurrency: 4 } },
    company: { name: '示例科技有限公司' },
  };
  await writeFile(profile, `${JSON.stringify(settings, null, 2)}\n`);
  const host = hostEnvironment();
  const { DATABASE_URL, DATABASE_TLS } = host;
  const asked = readSettings({ env: { DATABASE_URL, DATABASE_TLS }, needs: { platform: false } });
  const { databaseUrl, databaseTls } = asked;
  const database = databaseUrl && (await freshDemoDatabase({ url: databaseUrl, tls: databaseTls }));
  return {
    RECON_HOME: home,
    SETTLE_MARK_FILE: path.join(home, 'settle-mark'),
    PLATFORM_URL: url,
    PLATFORM_API_KEY: credential.id,
    PLATFORM_SECRET: credential.secret,
    PLATFORM_PROFILE: profile,
    REPORT_LOCALE: host['REPORT_LOCALE'] ?? 'zh-CN',
    ...(database && { DATABASE_URL: database, DATABASE_TLS: databaseTls }),
  };
}

/** Runs on with the real clock and can be moved to the next night. */
class MovableClock implements Clock {
  readonly #real = systemClock();
  #aheadMs = 0;

  constructor(start: Instant) {
    this.moveTo(start);
  }

  moveTo(instant: Instant): void {
    this.#aheadMs = epochMs(instant) - epochMs(this.#real.wall());
  }

  wall(): Instant {
    return addMs(this.#real.wall(), this.#aheadMs);
  }

  monoMs(): number {
    return this.#real.monoMs();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#real.sleep(ms, signal);
  }
}
