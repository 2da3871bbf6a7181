/** A receiver of pushes over HTTP beside a night's books: account P pays Q, and what is pushed is sent by the test. */
import { createHash } from 'node:crypto';
import { keepReceiving } from '../../../jobs/daemon/receive.ts';
import { PUSH_LIMITS } from '../../../jobs/push/push-gate.ts';
import type { PushGateLimits } from '../../../jobs/push/push-gate.ts';
import type { PushPaces } from '../../../jobs/push/push-worker.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { OrderNight } from '../../helpers/company/order-night.ts';
import type { Process } from '../../helpers/night.ts';

/** As fast as a test can wait; a batch that was asked for is left alone until the test is over. */
export const QUICK: PushPaces = {
  debounceMs: 1,
  pollMs: 20,
  spacingMs: 3_600_000,
  restMs: 20,
  sweepMs: 20,
};

export interface Answered {
  status: number;
  body: string;
}

export class Receiver {
  readonly url: string;
  /** Where health and metrics are shown. */
  readonly statusUrl: string;
  readonly #stopping: AbortController;
  readonly #running: Promise<void>;

  private constructor(
    urls: { url: string; statusUrl: string },
    stopping: AbortController,
    running: Promise<void>,
  ) {
    this.url = urls.url;
    this.statusUrl = urls.statusUrl;
    this.#stopping = stopping;
    this.#running = running;
  }

  /** On free ports, as a part of that process, whose log tells which; what waited has been looked at. */
  static async open(
    job: Process,
    paces: Partial<PushPaces> = {},
    limits: Partial<PushGateLimits> = {},
  ): Promise<Receiver> {
    const stopping = new AbortController();
    const before = job.log.lines.length;
    const options = { paces: { ...QUICK, ...paces }, limits: { ...PUSH_LIMITS, ...limits } };
    const settings = { ...job.settings, healthPort: 0 };
    const running = keepReceiving({ ...job, settings, signal: stopping.signal }, 0, options);
    const status = await logged(job, 'status.listening', before);
    const { port } = await logged(job, 'push.listening', before);
    await logged(job, 'push.swept', before);
    const [url, statusUrl] = [
      `http://127.0.0.1:${String(port)}`,
      `http://127.0.0.1:${String(status['port'])}`,
    ];
    return new Receiver({ url, statusUrl }, stopping, running);
  }

  async post(body: string | Uint8Array, contentType = 'application/json'): Promise<Answered> {
    const headers = contentType === '' ? {} : { 'content-type': contentType };
    const answer = await fetch(`${this.url}/push`, { method: 'POST', headers, body: Buffer.from(body) });
    return { status: answer.status, body: await answer.text() };
  }

  /** The samples of `/metrics` whose names begin so. */
  async metrics(prefix: string): Promise<string[]> {
    const text = await (await fetch(`${this.statusUrl}/metrics`)).text();
    return text.split('\n').filter((line) => line.startsWith(prefix));
  }

  /** Resolves once these are the samples whose names begin so: what is kept is counted at each sweep. */
  async metricsAre(prefix: string, expected: readonly string[]): Promise<void> {
    while (JSON.stringify(await this.metrics(prefix)) !== JSON.stringify(expected)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopped by SIGTERM'));
    await this.#running;
  }
}

/** Resolves with the first such line of the log from a place on. */
export async function logged(
  job: Process,
  event: string,
  from = 0,
): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const line = job.log.lines.slice(from).find((known) => known.event === event);
    if (line !== undefined) return line;
    await job.realClock.sleep(5);
  }
}

/** Resolves once the pushes are these lines: kind, numbers, account, state said, signed, times seen, what it became. */
export async function pushesAre(night: OrderNight, expected: readonly string[]): Promise<void> {
  for (;;) {
    const found = await pushLines(night);
    if (JSON.stringify(found) === JSON.stringify(expected)) return;
    await night.job.realClock.sleep(5);
  }
}

export function pushLines({ night }: OrderNight): Promise<string[]> {
  const said = ['kind', 'own_no', 'platform_no', 'account_no', 'stated_state'];
  return lines(night.db, 'push', [...said, 'signed', 'times_seen', 'state']);
}

/** An envelope as the platform signs it, made without the code under test. */
export function sealed({ night }: OrderNight, biz: object, over: Record<string, string> = {}): string {
  const secret = night.environment()['PLATFORM_SECRET'] ?? '';
  const members = { bizData: JSON.stringify(biz), signType: 'MD5', timestamp: '20260302020000', ...over };
  const pairs = Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = [...pairs, ['appSecret', secret]].map(([name, value]) => `${name}=${value}`).join('&');
  const sign = createHash('md5').update(text).digest('hex').toUpperCase();
  return JSON.stringify({ ...members, sign });
}
