/** Books and clients without one of the rules of refunds by hand and of what queries tell of refunds. */
import type { EndpointName, Requests, TransferBatch } from '../../../src/platform/contract.ts';
import type { PlatformClient } from '../../../src/platform/client.ts';
import type { CallOutcome, RawOutcome } from '../../../src/platform/outcome.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import type { CallByHand, CallFacts } from '../../../src/settlements/call-store.ts';
import { bound, untyped } from './mutated-client.ts';

type Book = SettlementAttemptStore;

/** Nothing is stored of a call before it leaves. */
export function forgettingCalls(book: Book): Book {
  return {
    ...book,
    saveCall: async (call, _server, allow) => allow({ holdUntil: undefined, open: await book.openMet(call) }),
  };
}

/** A call is stored, and does not count for what it is. */
export function keepingCallsAs(book: Book, as: (call: CallByHand) => CallByHand): Book {
  return { ...book, saveCall: (call, server, allow) => book.saveCall(as(call), server, allow) };
}

/** What left counts as a call, and not as a refund that may have been taken. */
export function takingNoRefund(book: Book): Book {
  return {
    ...book,
    saveCall: async (call, server, allow) => {
      await book.saveCall(call, server, allow);
      await book.saveNotTaken(call.reqId);
    },
  };
}

/** Some of what is stored forbids no call. */
export function allowing(book: Book, facts: Partial<CallFacts>): Book {
  return {
    ...book,
    saveCall: (call, server, allow) => book.saveCall(call, server, (told) => allow({ ...told, ...facts })),
  };
}

/** Nothing shows a process that calls by hand that its memory was set back. */
export function trustingBook(book: Book): Book {
  const allowed = allowing(book, { holdUntil: undefined });
  const guard = async () => ({ ...(await book.guard()), isReplaced: false, holdUntil: undefined });
  return { ...book, guard, saveCall: (call, _server, allow) => allowed.saveCall(call, '', allow) };
}

/** A refund whose answer is one of these counts as not taken. */
export function untaken(client: PlatformClient, book: Book, kind: RawOutcome['kind']): PlatformClient {
  return {
    ...bound(client),
    callRaw: async (endpoint, biz, options) => {
      const outcome = await client.callRaw(endpoint, biz, options);
      const reqId = options?.intent?.reqId;
      if (outcome.kind === kind && reqId !== undefined) await book.saveNotTaken(reqId);
      return outcome;
    },
  };
}

/** What queries tell of refunds is not heard. */
export function deafTo(client: PlatformClient, whose: 'orders' | 'batch'): PlatformClient {
  const call = async (endpoint: EndpointName, request: Requests[EndpointName]): Promise<unknown> => {
    if (endpoint !== 'division/query') return await untyped(client)(endpoint, request);
    const outcome: CallOutcome<'division/query'> = await client.call(
      endpoint,
      request as Requests['division/query'],
    );
    if (outcome.kind !== 'accepted') return outcome;
    return {
      ...outcome,
      answer: whose === 'batch' ? plainBatch(outcome.answer) : plainOrders(outcome.answer),
    };
  };
  return { ...bound(client), call: call as PlatformClient['call'] };
}

function plainBatch(batch: TransferBatch): TransferBatch {
  return { ...batch, state: 'SUCCESS' };
}

function plainOrders(batch: TransferBatch): TransferBatch {
  const orders = batch.orders.map((order) =>
    order.state === 'REFUND' || order.state === 'WAIT_CONFIRM' || (order.refundFen ?? 0n) > 0n
      ? { ...order, state: 'SUCCESS', refundFen: 0n }
      : order,
  );
  return { ...plainBatch(batch), orders };
}
