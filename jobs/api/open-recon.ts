/**
 * The programmatic entry: the jobs of the command line with the same arguments, documents and errors, in a process
 * that is somebody else's. It prints nothing, ends no process, listens to no signal, and reads the process's
 * environment only when it is asked to.
 */
import type { Environment } from '../../src/core/config/config.ts';
import { hostEnvironment } from '../../src/core/config/config.ts';
import { Stopped } from '../../src/core/errors.ts';
import { isJsonObject, parseJson } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { BreakListOptions } from '../breaks/list-breaks.ts';
import { listBreaksJob, showBreakJob } from '../breaks/list-breaks.ts';
import type { Job, Outcome } from '../cli/command.ts';
import { importAccountsJob } from '../commands/accounts.ts';
import type { BackfillOptions } from '../commands/backfill.ts';
import { backfillJob } from '../commands/backfill.ts';
import type { LedgerImportOptions } from '../commands/ledger.ts';
import { importLedgerJob } from '../commands/ledger.ts';
import type { OrderImportOptions } from '../commands/orders.ts';
import { importOrdersJob } from '../commands/orders.ts';
import type { NightlyOptions } from '../commands/nightly.ts';
import { nightlyJob } from '../commands/nightly.ts';
import type { ReportOptions } from '../commands/report.ts';
import { reportJob } from '../commands/report.ts';
import type { SettleOptions } from '../commands/settle.ts';
import { settleJob } from '../commands/settle.ts';
import type { CommonOptions, Context, ContextNeeds, Ready } from '../context/context.ts';
import type { ExplainOptions } from '../explain/explain.ts';
import { explainJob } from '../explain/explain.ts';
import type { RunListOptions } from '../runs/runs.ts';
import { listRunsJob, showRunJob } from '../runs/runs.ts';
import { lazyPlatform, openReady, prepare } from '../context/context.ts';
import { progressEvents } from './progress-events.ts';
import type { ProgressEvent } from './progress-events.ts';
import { AFTER_STOP, stoppedError } from '../context/stop-signals.ts';
import { whole } from './whole.ts';
import type { Whole } from './whole.ts';

export type { ProgressEvent } from './progress-events.ts';

export interface ReconOptions {
  /** Settings by name, as an environment holds them; `process` takes this process's own. Nothing by default. */
  environment?: Environment | 'process';
  /** A file of settings besides; the environment wins. */
  envFile?: string;
  /** False where only the books are looked at: then the platform's settings may be missing. */
  platform?: boolean;
  /** A rehearsal: the clock starts at this instant and runs on. */
  clock?: string;
  /** Each event of the log at LOG_LEVEL and above; masked as in the log of the command line. */
  onLog?: (event: JsonObject) => void;
  onProgress?: (event: ProgressEvent) => void;
  /** What is waited for, in one line for people. */
  onTell?: (line: string) => void;
}

/** What stops a call: it ends what is in flight and keeps all that was read, as Ctrl-C does. */
interface Stoppable {
  signal?: AbortSignal;
}

type CallOf<T> = Omit<T, keyof CommonOptions> & Stoppable;
export type NightlyCall = CallOf<NightlyOptions>;
export type BackfillCall = CallOf<BackfillOptions>;
export type BreaksCall = CallOf<BreakListOptions>;
export type SettleCall = CallOf<Omit<SettleOptions, 'notRefunded' | 'payer' | 'order'>>;
export type LedgerCall = CallOf<LedgerImportOptions>;
export type OrdersCall = CallOf<OrderImportOptions>;
export type ReportCall = CallOf<Omit<ReportOptions, 'month'>>;
export type RunsCall = CallOf<RunListOptions>;
export type ExplainCall = CallOf<ExplainOptions>;

export interface Done<D> {
  /** What the command would exit with: 0 done, 2 nothing was taken in, 1 incomplete or left over, 3 an amount stands open (`failOnBreaks`). */
  status: 0 | 1 | 2 | 3;
  /** What the command prints with `--json`; amounts are `bigint`. */
  document: D;
}

type DocumentOf<J extends (...of: never) => { work: (...of: never) => Promise<Outcome> }> = Whole<
  NonNullable<Awaited<ReturnType<ReturnType<J>['work']>>['document']>
>;

export interface Recon extends AsyncDisposable {
  readonly accounts: {
    /** Takes in the account list of a file. Status 2: the file has faults, and nothing was taken in. */
    import(file: string, call?: Stoppable): Promise<Done<DocumentOf<typeof importAccountsJob>>>;
  };
  readonly ledger: {
    /** Takes in the books of a file. Status 2: the file has faults, and nothing was taken in. */
    import(file: string, call: LedgerCall): Promise<Done<DocumentOf<typeof importLedgerJob>>>;
  };
  readonly orders: {
    /** Takes in the order registry of a file. Status 2: the file has faults, and nothing was taken in. */
    import(file: string, call?: OrdersCall): Promise<Done<DocumentOf<typeof importOrdersJob>>>;
  };
  /** The night of a day, yesterday by default. */
  nightly(call?: NightlyCall): Promise<Done<DocumentOf<typeof nightlyJob>>>;
  /** A range of days; never a settlement. */
  backfill(call: BackfillCall): Promise<Done<DocumentOf<typeof backfillJob>>>;
  readonly breaks: {
    list(call?: BreaksCall): Promise<Done<DocumentOf<typeof listBreaksJob>>>;
    /** One of them, with whatever happened to it. */
    show(id: string, call?: Stoppable): Promise<Done<DocumentOf<typeof showBreakJob>>>;
  };
  readonly runs: {
    /** The latest, whatever they came to. */
    list(call?: RunsCall): Promise<Done<DocumentOf<typeof listRunsJob>>>;
    show(runId: string, call?: Stoppable): Promise<Done<DocumentOf<typeof showRunJob>>>;
  };
  /** Whatever bears the number: an account, an order, a deposit, a break or an entry, traced to what it was read from. */
  explain(number: string, call?: ExplainCall): Promise<Done<DocumentOf<typeof explainJob>>>;
  /** Failed settlements are retried, and never paid twice. */
  settle(call?: SettleCall): Promise<Done<DocumentOf<typeof settleJob>>>;
  /** Writes the files of a proven run again. */
  report(call: ReportCall): Promise<Done<DocumentOf<typeof reportJob>>>;
  /** Stops what is under way as a signal does, waits for it, and lets go of database and connections. */
  close(): Promise<void>;
}

/**
 * @throws WrongInput with all faults of settings and profile, Stopped when the database cannot be used
 */
export async function openRecon(options: ReconOptions = {}): Promise<Recon> {
  const needs: ContextNeeds = { platform: options.platform !== false };
  const given = options.environment ?? {};
  const ready = await prepare({ envFile: options.envFile, clock: options.clock }, needs, {
    environment: given === 'process' ? hostEnvironment() : given,
    logTo: logTo(options.onLog),
  });
  const closing = new AbortController();
  const context = await openReady(ready, needs, AFTER_STOP, {
    signal: closing.signal,
    progress: progressEvents(options.onProgress),
    tell: options.onTell ?? (() => undefined),
    forget: () => undefined,
  });
  return methodsOf(context, closing);
}

function methodsOf(context: Context, closing: AbortController): Recon {
  const underWay = new Set<Promise<unknown>>();
  const call = <T, D extends object>(job: Job<T, D>, { signal }: Stoppable): Promise<Done<Whole<D>>> => {
    if (closing.signal.aborted) return Promise.reject(new Stopped('this recon was closed'));
    const calling = carriedOut(context, job, AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]));
    const ended = calling.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(ended);
    void ended.then(() => underWay.delete(ended));
    return calling;
  };
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing.abort(new Error('stopped, because recon was closed'));
    await Promise.all(underWay);
    await context.close();
  };
  const closeOnce = (): Promise<void> => (closed ??= close());
  return {
    accounts: { import: (file, given = {}) => call(importAccountsJob(file), given) },
    ledger: { import: (file, given) => call(importLedgerJob(file, given), given) },
    nightly: (given = {}) => call(nightlyJob(given), given),
    backfill: (given) => call(backfillJob(given), given),
    orders: { import: (file, given = {}) => call(importOrdersJob(file, given), given) },
    breaks: {
      list: (given = {}) => call(listBreaksJob(given), given),
      show: (id, given = {}) => call(showBreakJob(id), given),
    },
    runs: {
      list: (given = {}) => call(listRunsJob(given), given),
      show: (runId, given = {}) => call(showRunJob(runId), given),
    },
    explain: (number, given = {}) => call(explainJob(number, given), given),
    settle: (given = {}) => call(settleJob(given), given),
    report: (given) => call(reportJob(given), given),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** Each call has a client of its own, which its signal stops. */
async function carriedOut<T, D extends object>(
  context: Context,
  { needs, work, afterwards }: Job<T, D>,
  signal: AbortSignal,
): Promise<Done<Whole<D>>> {
  const given = (await needs.arguments?.(context satisfies Ready)) as T;
  const platform = lazyPlatform(context, context.db, signal);
  const own = { ...context, signal, platform: platform.open };
  try {
    signal.throwIfAborted();
    const { status, document } = await work(own, given);
    if (document === undefined) throw new Error('Bug: the job has no document');
    return { status, document: await whole(document) };
  } catch (error) {
    throw stoppedError(signal, error, needs.afterStop?.(given) ?? AFTER_STOP);
  } finally {
    await afterwards?.(own);
    await platform.close();
  }
}

function logTo(onLog: ReconOptions['onLog']): { write(line: string): void } {
  return {
    write: (line) => {
      const event = onLog && parseJson(line);
      if (isJsonObject(event)) onLog?.(event);
    },
  };
}
