/** Carries the sandbox's pushes to their addresses over HTTP, for as long as a server runs (EVT-04, U39). */
import { Agent, request } from 'undici';

import type { Clock } from '../../core/ports.ts';
import type { Sandbox } from './sandbox.ts';
import { JSON_TYPE } from '../protocol/exchange.ts';
import type { PushSender } from '../world/pushes.ts';

export interface PushDelivery {
  /** Something may have become due: looks, and goes on looking while tries are to come. */
  nudge(): void;
  close(): Promise<void>;
}

/** How long it looks away at most: a clock that was moved is noticed after that, and at every request at once. */
const LOOK_AWAY_MS = 1_000;
/** An acknowledgement is one word. */
const ANSWER_BYTES_MAX = 65_536;

/** What a courier needs of a sandbox. */
type Delivering = Pick<Sandbox, 'clock' | 'deliverPushes' | 'nextPushMs'>;

interface Around {
  clock: Clock;
  closing: AbortSignal;
}

export function openCourier(sandbox: Delivering, around: Around): PushDelivery {
  const agent = new Agent({ connections: 4, pipelining: 1, maxResponseSize: ANSWER_BYTES_MAX });
  const send = senderOver(agent, around.closing);
  const errands = new Set<Promise<void>>();
  const track = (errand: Promise<void>): void => {
    errands.add(errand);
    void errand.finally(() => errands.delete(errand));
  };
  let isWatching = false;
  const watch = async (): Promise<void> => {
    while (await waitedForNext(sandbox, around)) track(deliver());
    isWatching = false;
  };
  const deliver = async (): Promise<void> => {
    await sandbox.deliverPushes(send);
    if (isWatching || around.closing.aborted) return;
    isWatching = true;
    track(watch());
  };
  return {
    nudge: () => {
      if (sandbox.nextPushMs() !== undefined) track(deliver());
    },
    close: async () => {
      await agent.destroy();
      await Promise.all(errands);
    },
  };
}

/** Whether there is something to look for again; while the sandbox's clock stands, only a request can tell. */
async function waitedForNext(sandbox: Delivering, { clock, closing }: Around): Promise<boolean> {
  const dueMs = sandbox.nextPushMs();
  if (dueMs === undefined || !sandbox.clock.running || closing.aborted) return false;
  const before = clock.monoMs();
  try {
    await clock.sleep(Math.min(LOOK_AWAY_MS, Math.max(1, dueMs - sandbox.clock.nowMs())), closing);
  } catch (error) {
    if (!closing.aborted) throw error;
  }
  return clock.monoMs() > before;
}

function senderOver(agent: Agent, closing: AbortSignal): PushSender {
  return async ({ url, body, timeoutMs }) => {
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': JSON_TYPE },
      body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  };
}
