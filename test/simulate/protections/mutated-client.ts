/** Clients without one of their protections. */
import type { EndpointName, Requests } from '../../../src/platform/contract.ts';
import type { PlatformClient } from '../../../src/platform/client.ts';
import type { CallOutcome } from '../../../src/platform/outcome.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import { StaleLook } from '../../../src/settlements/settle-intent.ts';
import { STOOD_STILL } from '../world/network.ts';

type Call = PlatformClient['call'];
type CallIntended = PlatformClient['callIntended'];

/** A settlement whose answer did not come is sent once more, as a new request, by an eager transport. */
export function sendingAgain(client: PlatformClient): PlatformClient {
  const callIntended: CallIntended = async (endpoint, request, intent) => {
    const outcome = await client.callIntended(endpoint, request, intent);
    return outcome.kind === 'unknown' ? await client.call(endpoint, request) : outcome;
  };
  return { ...bound(client), callIntended };
}

/** A refused settlement counts as one that the platform says has failed. */
export function refusalsAreFailures(client: PlatformClient): PlatformClient {
  const callIntended: CallIntended = async (endpoint, request, intent) => {
    const outcome = await client.callIntended(endpoint, request, intent);
    if (outcome.kind !== 'refused' || endpoint !== 'order/settle') return outcome;
    const answer = { ...request, state: 'FAIL', note: outcome.msg };
    return { ...outcome, kind: 'accepted', signed: true, answer, bizText: '{}' } as unknown as typeof outcome;
  };
  return { ...bound(client), callIntended };
}

/** What a process did not hear that stood still counts as silence of the platform. */
export function deafIsSilent(client: PlatformClient): PlatformClient {
  const callIntended: CallIntended = async (endpoint, request, intent) => {
    const outcome = await client.callIntended(endpoint, request, intent);
    const isDeaf = outcome.kind === 'unknown' && outcome.reason.includes(STOOD_STILL);
    return isDeaf ? { ...outcome, isAnswered: false } : outcome;
  };
  return { ...bound(client), callIntended };
}

/** What was seen right before may be of any age: that it is too old stops no request either, once that is stored. */
export function sendingOnOldLooks(client: PlatformClient): PlatformClient {
  const callIntended: CallIntended = (endpoint, request, intent) =>
    client.callIntended(endpoint, request, {
      reqId: intent.reqId,
      commit: async (stamp) => {
        try {
          await intent.commit(stamp);
        } catch (error) {
          if (!(error instanceof StaleLook) || error.message !== TOO_OLD) throw error;
        }
      },
    });
  return { ...bound(client), callIntended };
}

const TOO_OLD = new StaleLook().message;

/** What is not signed counts as signed, its time included. */
export function believing(client: PlatformClient): PlatformClient {
  const believed = <T extends object>(outcome: T): T =>
    'signed' in outcome ? { ...outcome, signed: true, timestampSigned: true } : outcome;
  return {
    ...bound(client),
    call: (async (endpoint: EndpointName, request: Requests[EndpointName]) =>
      believed(await client.call(endpoint, request))) as Call,
    callIntended: async (endpoint, request, intent) =>
      believed(await client.callIntended(endpoint, request, intent)),
  };
}

/** Before a settlement is planned, what the platform said of its batch when it had failed is taken for what it says. */
export function stalelyLooking(
  client: PlatformClient,
  { book, remembered }: { book: SettlementAttemptStore; remembered: Map<string, unknown> },
): PlatformClient {
  const call = async (endpoint: EndpointName, request: Requests[EndpointName]): Promise<unknown> => {
    if (endpoint !== 'division/query') return await untyped(client)(endpoint, request);
    const { outBatchNo = '' } = request as { outBatchNo?: string };
    const open = await book.listOpen();
    const known = remembered.get(outBatchNo);
    if (known !== undefined && !open.some((attempt) => attempt.outBatchNo === outBatchNo)) {
      return known;
    }
    const outcome = await client.call('division/query', request as Requests['division/query']);
    if (saysFailed(outcome)) remembered.set(outBatchNo, outcome);
    return outcome;
  };
  return { ...bound(client), call: call as Call };
}

function saysFailed(outcome: CallOutcome<'division/query'>): boolean {
  return (
    outcome.kind === 'accepted' && outcome.answer.orders.every(({ settleState }) => settleState === 'FAIL')
  );
}

export function bound(client: PlatformClient): PlatformClient {
  return {
    call: client.call.bind(client),
    callIntended: client.callIntended.bind(client),
    callRaw: client.callRaw.bind(client),
    counters: client.counters.bind(client),
    clockOffsetMs: client.clockOffsetMs.bind(client),
    habit: client.habit.bind(client),
  };
}

/** Of whichever endpoint. */
export function untyped(
  client: PlatformClient,
): (endpoint: EndpointName, request: object) => Promise<unknown> {
  return client.call.bind(client) as (endpoint: EndpointName, request: object) => Promise<unknown>;
}
