/** What the books know when a seed begins: every batch as an earlier night saw it. */
import { batchLook, evidenceOfOrder } from '../../../jobs/night/collect/order-facts.ts';
import { openClient } from '../../../src/platform/client.ts';
import { quietLog } from '../../helpers/log.ts';
import { BASE_URL, CREDENTIALS } from './bank.ts';
import { profileOf } from './profiles.ts';
import type { Running } from './running.ts';

export async function firstLooks({ plan, bank, kernel, store, trace }: Running): Promise<void> {
  const profile = profileOf(plan.rules);
  const clock = {
    wall: () => bank.now(),
    monoMs: () => kernel.nowMs,
    sleep: (ms: number) => kernel.sleep(ms),
  };
  let asked = 0;
  const http = {
    post: (request: Parameters<typeof bank.arrive>[0]) => {
      const { status, body: text } = bank.arrive(request);
      return Promise.resolve({ status, contentType: 'application/json', retryAfterMs: undefined, text });
    },
    close: () => Promise.resolve(),
  };
  const name = (): string => `first${++asked}`;
  const ids = { reqId: name, token: name, jitter: () => 0 };
  const client = openClient({
    credentials: CREDENTIALS,
    profile,
    http,
    clock,
    ids,
    log: quietLog,
    baseUrl: BASE_URL,
    channelCode: undefined,
  });
  const lease = await kernel.during(() => store.takeLease('first', clock));
  const { book } = store.open({ lease, runId: 'first', profile, now: () => bank.now() });
  for (const outBatchNo of new Set(plan.orders.map((order) => order.outBatchNo))) {
    const outcome = await client.call('division/query', { outBatchNo });
    if (outcome.kind !== 'accepted') throw new Error(`the simulated platform refuses: ${outcome.msg}`);
    const now = bank.now();
    const isKept = await kernel.during(() =>
      book.saveLook({
        kind: 'batch',
        unit: { kind: 'batch', numberKind: 'out', number: outBatchNo },
        moments: { sentAt: now, answeredAt: now, askedAt: now, seenAt: now },
        evidence: evidenceOfOrder('division/query', outcome),
        batch: batchLook(outcome.answer, profile),
      }),
    );
    if (!isKept) throw new Error(`the book does not keep batch ${outBatchNo}`);
  }
  await kernel.during(() => store.releaseLease(lease, clock));
  trace.add(kernel.nowMs, 'world', `begins with ${plan.orders.length} orders`);
}
