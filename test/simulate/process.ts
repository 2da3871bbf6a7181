/**
 * One process of the job on a host: it takes the lease and keeps it, does its work through ports that it may die at, and
 * ends; or dies anywhere within.
 */
import type { SettlePorts, SettleRequest } from '../../jobs/night/settle/settle-ports.ts';
import { LockHeld, messageOf, Stopped } from '../../src/core/errors.ts';
import type { Clock, Http, HttpAnswer, HttpRequest } from '../../src/core/ports.ts';
import type { SignatureHabit } from '../../src/platform/answer.ts';
import { openClient } from '../../src/platform/client.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import type { Lease } from '../../src/store/database/leases.ts';
import { BASE_URL, CREDENTIALS, SETTLE_PATH } from './world/bank.ts';
import { watchedLog } from './watched-log.ts';
import { pausing } from './world/events.ts';
import type { Host } from './world/host.ts';
import { mortalBook, mortalMark } from './mortal-book.ts';
import { unfenced } from './protections/mutated-book.ts';
import { ConnectionGone, Killed, MortalProcess } from './world/mortal-process.ts';
import { profileOf, ZONE } from './world/profiles.ts';
import type { Running } from './world/running.ts';

export interface ProcessRequest {
  runId: string;
  host: Host;
  /** What it does: a call of money by hand, or what the retry is to do. */
  mode: SettleRequest['mode'] | 'call';
  approve?: SettleRequest['approve'];
  /** Its lease is taken from it after so long, while it lives on. */
  losesLeaseAfterMs: number | undefined;
  /** Told when it stands still right after a send; left out: it never does. */
  whenStanding?: () => void;
}

export type ProcessEnd<T> =
  | { kind: 'done'; outcome: T }
  | { kind: 'died' }
  /** Somebody else works. */
  | { kind: 'locked' }
  | { kind: 'failed'; error: Error };

/** What a process does under the lease. */
type Work<T> = (ports: SettlePorts) => Promise<T>;

/** A third of the lease, as under-lease.ts has it. */
const HEARTBEAT_MS = 20_000;

/** Runs one process to its end; what a bug throws is thrown. */
export async function runProcess<T>(
  running: Running,
  request: ProcessRequest,
  work: Work<T>,
): Promise<ProcessEnd<T>> {
  const { kernel, trace, fate } = running;
  const name = `h${request.host.no}.p${++running.processes}`;
  const process = new MortalProcess({ kernel, trace, fate, name, count: () => ++running.calls });
  running.living.add(process);
  process.say(`starts ${request.mode} ${request.runId}`);
  try {
    const ended = worked(running, request, { process, work });
    const end = await Promise.race([ended, process.death.then((): ProcessEnd<T> => ({ kind: 'died' }))]);
    if (end.kind === 'failed') process.say(`fails: ${end.error.message}`);
    else process.say(end.kind);
    return end;
  } finally {
    running.living.delete(process);
  }
}

async function worked<T>(
  running: Running,
  request: ProcessRequest,
  { process, work }: { process: MortalProcess; work: Work<T> },
): Promise<ProcessEnd<T>> {
  const clock = request.host.clock();
  try {
    if (isAtOnce(running, request)) {
      const lease = await running.store.currentLease();
      const { signal } = new AbortController();
      return {
        kind: 'done',
        outcome: await work(portsOf(running, request, { process, clock, lease, signal })),
      };
    }
    const lease = await process.call('lease.take', async () => {
      const taken = await running.kernel.during(() => running.store.takeLease(process.name, clock));
      running.oracle.leaseTaken(process);
      return taken;
    });
    const under = { process, clock, lease };
    return { kind: 'done', outcome: await underLease(running, request, under, work) };
  } catch (error) {
    if (error instanceof LockHeld) return { kind: 'locked' };
    const isMeant = error instanceof Stopped || error instanceof ConnectionGone;
    if (!isMeant && !isWrongState(error)) throw error;
    return { kind: 'failed', error };
  }
}

/** Without the protection that a call by hand takes the lease. */
function isAtOnce({ protections }: Running, { mode }: ProcessRequest): boolean {
  return mode === 'call' && protections.callsAtOnce;
}

/** A process that lives on without its lease may find what it was about to change changed by another. */
function isWrongState(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /^(?:the settlement attempt \w+ is|no settlement attempt)/.test(messageOf(error))
  );
}

interface Working {
  process: MortalProcess;
  clock: Clock;
  lease: Lease;
}

async function underLease<T>(
  running: Running,
  request: ProcessRequest,
  { process, clock, lease }: Working,
  work: Work<T>,
): Promise<T> {
  const { kernel, store, oracle } = running;
  const lost = new AbortController();
  const isWorking = { now: true };
  const loses = request.losesLeaseAfterMs;
  const beat = (): void => {
    if (!isWorking.now || process.isDead || process.standsStill || loses !== undefined) return;
    kernel
      .during(() => store.renewLease(lease, clock))
      .then(
        () => kernel.at(kernel.nowMs + HEARTBEAT_MS, beat),
        (error: unknown) => lost.abort(error),
      );
  };
  kernel.at(kernel.nowMs + HEARTBEAT_MS, beat);
  if (loses !== undefined) {
    kernel.at(kernel.nowMs + loses, () => {
      if (!isWorking.now || process.isDead) return;
      process.say('loses its lease and lives on');
      running.counted('lease.stolen');
      void kernel.during(() => store.expireLease()).then(() => running.leaseWasLost(request));
    });
  }
  const ports = portsOf(running, request, { process, clock, lease, signal: lost.signal });
  oracle.processStarted(process, {
    process: process.name,
    lease,
    runId: request.runId,
    mode: request.mode,
    approves: request.approve !== undefined,
    isApproving: request.approve !== undefined,
  });
  try {
    return await work(ports);
  } finally {
    isWorking.now = false;
    await process.call('lease.release', () => kernel.during(() => store.releaseLease(lease, clock)));
  }
}

function portsOf(
  running: Running,
  request: ProcessRequest,
  { process, clock, lease, signal }: Working & { signal: AbortSignal },
): SettlePorts {
  const { plan, kernel, store, oracle, protections } = running;
  const { host, runId, mode, whenStanding } = request;
  const profile = protections.profile(profileOf(plan.rules));
  const name = (): string => running.ids.hex32();
  const ids = { reqId: name, token: name, jitter: () => running.ids.fraction() };
  const log = watchedLog(process, oracle);
  const runner = running.ids.hex32();
  const keeping = { lease, runId, profile, now: () => clock.wall() };
  const opened =
    protections.ignoresFence || isAtOnce(running, request) ? unfenced(store, keeping) : store.open(keeping);
  const witness = oracle.witness(process);
  const serverStart = (): Promise<string> => opened.book.serverStart();
  const of = { runner, isCall: mode === 'call' };
  const book = protections.book(mortalBook(opened, { process, kernel, witness }), of);
  const habit: SignatureHabit = { everSigned: running.everSigned };
  const http: Http = {
    post: async (request) =>
      await process.call('platform.post', async (dies) => {
        await oracle.beforePost(process, { request, clock, offsetMs: client.clockOffsetMs() ?? 0 });
        const answer = posted(running, request, { process, whenStanding });
        if (!dies) return await answer;
        // What has left goes on without it.
        answer.catch(() => undefined);
        throw new Killed('killed right after the send');
      }),
    close: () => Promise.resolve(),
  };
  const baseUrl = BASE_URL;
  const options = { credentials: CREDENTIALS, profile, http, clock, ids, log, habit, signal };
  const client: PlatformClient = openClient({ ...options, baseUrl, channelCode: undefined });
  return {
    book: pausing(running, process, book),
    client: protections.client(client, { book, remembered: running.remembered }),
    clock,
    ids,
    mark: protections.mark(mortalMark(host, process), { boot: host.boot, serverStart, isCall: of.isCall }),
    boot: host.boot,
    log,
    profile,
    zone: ZONE,
    tell: () => undefined,
    runner,
    signal,
  };
}

/** What is heard of a request; of a settlement perhaps only when others have gone on. */
async function posted(
  { network, fate, counted, kernel, oracle }: Running,
  request: HttpRequest,
  { process, whenStanding }: { process: MortalProcess; whenStanding: (() => void) | undefined },
): Promise<HttpAnswer> {
  const lateMs = whenStanding && request.url.endsWith(SETTLE_PATH) ? fate.lateMs() : undefined;
  if (lateMs === undefined || whenStanding === undefined) return await network.post(request);
  process.say(`stands still for ${lateMs} ms`);
  counted('process.late');
  process.standsStill = true;
  whenStanding();
  try {
    const answer = await network.postLate(request, lateMs);
    const reqId = /"reqId":"([^"]*)"/.exec(request.body)?.[1] ?? '';
    const storedMs = kernel.nowMs + STORED_WITHIN_MS;
    kernel.at(storedMs, () => {
      if (!process.isDead) oracle.answers.push({ reqId, atMs: storedMs });
    });
    return answer;
  } finally {
    process.standsStill = false;
  }
}

/** Longer than an answer takes to be stored. */
const STORED_WITHIN_MS = 20_000;
