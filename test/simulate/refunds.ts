/**
 * The refunds of a seed: people send orders back through recon, by the code of `recon call`, or through the platform's
 * pages; they look at the pages before each try, and say to recon of a refund that the platform says it did not take.
 */
import { callOnce } from '../../jobs/call/call-once.ts';
import { moneyCall } from '../../jobs/call/call-money.ts';
import { denyRefund } from '../../jobs/night/settle/settle-calls.ts';
import { NotSent, WrongInput } from '../../src/core/errors.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { PAYER } from './world/bank.ts';
import type { RefundPlan } from './world/draw-refunds.ts';
import { refundBiz, refundByPages } from './world/pages.ts';
import { Stream } from './world/random.ts';
import type { Running } from './world/running.ts';
import { runProcess } from './process.ts';
import type { ProcessRequest } from './process.ts';

const TRIES_MAX = 3;

export function startRefunds(running: Running): void {
  const { kernel, plan } = running;
  const persons = new Stream(plan.seed, 'persons');
  for (const refund of plan.refunds.calls) {
    kernel.at(refund.atMs, () => {
      if (refund.by === 'pages') refundByPages(running, refund);
      else void refundByHand(running, persons, refund);
    });
  }
}

async function refundByHand(running: Running, persons: Stream, refund: RefundPlan): Promise<void> {
  const { kernel, bank, plan } = running;
  for (let tries = 1; tries <= TRIES_MAX && kernel.nowMs < plan.chaosMs; tries++) {
    if (!refund.outOrderNos.every((outOrderNo) => bank.looksFailed(outOrderNo))) return;
    await callForRefund(running, persons, refund);
    if (persons.chance(plan.refunds.denyRate)) void denyLater(running, persons, refund);
    await kernel.sleep(persons.one([persons.whole(1, 60) * SECOND_MS, persons.whole(1, 20) * MINUTE_MS]));
  }
}

async function callForRefund(running: Running, persons: Stream, refund: RefundPlan): Promise<void> {
  const { bank, counted, plan } = running;
  const isStolen = persons.chance(plan.stealRate);
  const losesLeaseAfterMs = isStolen ? persons.whole(1, 3_000) : undefined;
  const { kind } = await runProcess(
    running,
    { ...called(running, persons), losesLeaseAfterMs },
    async (ports) => {
      const biz = refundBiz(bank, refund);
      const call = { endpoint: 'division/refund', biz, isUnchecked: false } as const;
      try {
        const answered = await callOnce(ports.client, call, await moneyCall(ports, call));
        counted(`refund.recon.${answered.kind}`);
      } catch (error) {
        if (!(error instanceof WrongInput || error instanceof NotSent)) throw error;
        ports.log.info({ event: 'refund.not_sent', reason: error.message });
        counted('refund.recon.notSent');
      }
    },
  );
  if (kind !== 'done') counted(`refund.recon.${kind}`);
}

/** A process of a person, on whichever host. */
function called({ hosts }: Running, persons: Stream): ProcessRequest {
  const [first, ...others] = hosts;
  if (first === undefined) throw new Error('Bug: a seed without a host');
  const runId = `call${persons.whole(1, 1_000_000)}`;
  return { host: persons.one([first, ...others]), runId, mode: 'call', losesLeaseAfterMs: undefined };
}

/** What the platform is asked for then, and answers truly, of each refund of these orders that recon sent, order by order. */
async function denyLater(running: Running, persons: Stream, refund: RefundPlan): Promise<void> {
  const { kernel, oracle } = running;
  const later = [
    persons.whole(1, 30) * SECOND_MS,
    persons.whole(1, 30) * MINUTE_MS,
    persons.whole(1, 3) * HOUR_MS,
  ];
  await kernel.sleep(persons.one(later as [number, ...number[]]));
  const isOf = (outOrderNo: string): boolean => refund.outOrderNos.includes(outOrderNo);
  for (const { reqId, outOrderNos } of oracle.refunds.filter((sent) => sent.outOrderNos.some(isOf))) {
    for (const outOrderNo of outOrderNos) await denyOne(running, persons, { reqId, outOrderNo });
  }
}

async function denyOne(
  running: Running,
  persons: Stream,
  { reqId, outOrderNo }: { reqId: string; outOrderNo: string },
): Promise<void> {
  const { kernel, bank, counted } = running;
  const taken = bank.refunds(outOrderNo);
  if (taken.some((known) => known.reqId === reqId && known.backMs > kernel.nowMs)) return;
  const order = { accountNo: PAYER, outOrderNo };
  const end = await runProcess(running, called(running, persons), (ports) =>
    denyRefund(ports, { reqId, ...order, by: 'operator' }),
  );
  if (end.kind === 'done' && end.outcome === 'noted') counted('refund.denied');
}
