/**
 * The client under test, once before a sandbox with a socket and once before a server that answers what the
 * rule says. Its clock jumps over all pauses, and the sandbox follows it.
 */
import { openCredentials } from '../../src/platform/credentials.ts';
import type { CredentialSettings, Credentials } from '../../src/platform/credentials.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import { virtualClock } from '../core/virtual-clock.ts';
import { recordingLog } from '../helpers/log.ts';
import type { RecordingLog } from '../helpers/log.ts';
import { clientOf, profileOf, servePlatform, successText } from '../platform/platform-server.ts';
import type { Received, Reply, TestClient, TestClientOptions } from '../platform/platform-server.ts';
import { NOON } from '../sandbox/caller.ts';
import { APP, Bench, MAIN } from './bench.ts';
import { jobSeat } from './job-seat.ts';
import type { JobSeat } from './job-seat.ts';
import { wireTo } from './wire.ts';

/** The client and what the server it talks to received. */
export interface Seat {
  client: TestClient;
  log: RecordingLog;
}

export interface SandboxSeat extends Seat {
  /** Speaks to the same sandbox beside the client. */
  bench: Bench;
  sandbox: Sandbox;
}

export interface AnsweringSeat extends Seat {
  requests: readonly Received[];
}

/** Profile members of a rule over the usual ones. */
export interface SeatOptions extends TestClientOptions {
  profileOver?: object;
  /** What the address ends in, behind the port. */
  baseEnd?: string;
}

const FAST = { rate: { perSecond: 10_000, concurrency: 4 } };

export class Desk implements AsyncDisposable {
  readonly #open = new AsyncDisposableStack();

  /** A client before a sandbox with the seeded accounts. */
  async sandbox(options: SeatOptions = {}): Promise<SandboxSeat> {
    const clock = options.clock ?? virtualClock(NOON);
    const sandbox = createSandbox({ clock, now: NOON });
    const served = await serve(sandbox, { port: 0, controls: true, clock: systemClock() });
    this.#open.defer(() => served.close());
    const target = {
      name: 'over HTTP' as const,
      sandbox,
      wire: wireTo(served.url),
      url: served.url,
      renew: () => sandbox.reset(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    const bench = new Bench(target);
    await bench.seedAccounts();
    const channelCode = sandbox.channelCode;
    const seat = this.#seat(served.url, { credentials: apiKeyCredentials(), channelCode, ...options, clock });
    return { ...seat, bench, sandbox };
  }

  /** Another client before the same sandbox, on the same clock. */
  another({ bench, client }: SandboxSeat, options: SeatOptions): TestClient {
    return this.#seat(bench.target.url, { ...options, clock: client.clock }).client;
  }

  /** The same in app mode with RSA2. */
  async rsaSandbox(): Promise<SandboxSeat> {
    const seat = await this.sandbox();
    const { privateKeyPem, platformPublicKeyPem } = seat.bench.rsaKeys();
    const credentials = openCredentials({
      apiKey: undefined,
      appId: APP.id,
      signType: 'RSA2',
      secret: undefined,
      privateKeyText: privateKeyPem,
      publicKeyText: platformPublicKeyPem,
    });
    return { ...seat, client: this.another(seat, { credentials }) };
  }

  /** The job beside that sandbox: receiver and archive. */
  job(seat: SandboxSeat): Promise<JobSeat> {
    return jobSeat(this.#open, seat);
  }

  /** A client before a server that answers so; a request's number counts from 1. */
  async answering(
    answer: (request: Received, requestNo: number) => Reply | Promise<Reply>,
    options: SeatOptions = {},
  ): Promise<AnsweringSeat> {
    const platform = await servePlatform(answer);
    this.#open.use(platform);
    return { ...this.#seat(platform.url, options), requests: platform.requests };
  }

  /** One before a server that accepts everything with this business data. */
  accepting(biz: object, options: SeatOptions = {}): Promise<AnsweringSeat> {
    return this.answering(() => successText(biz), options);
  }

  #seat(url: string, { profileOver = {}, baseEnd = '', ...options }: SeatOptions): Seat {
    const log = recordingLog();
    const profile = options.profile ?? profileOf(merged({ http: FAST }, profileOver));
    const client = clientOf(`${url}${baseEnd}`, { log, ...options, profile });
    this.#open.use(client);
    return { client, log };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#open.disposeAsync();
  }
}

function merged(usual: { http: object }, over: object): object {
  const http = 'http' in over ? (over.http as object) : {};
  return { ...usual, ...over, http: { ...usual.http, ...http } };
}

/** What the seeded sandbox knows this company by. */
export function apiKeyCredentials(over: Partial<CredentialSettings> = {}): Credentials {
  return openCredentials({
    apiKey: MAIN.id,
    appId: undefined,
    signType: 'MD5',
    secret: MAIN.secret,
    privateKeyText: undefined,
    publicKeyText: undefined,
    ...over,
  });
}
