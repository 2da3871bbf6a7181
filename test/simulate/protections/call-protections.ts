/** The protections that keep refunds and retries apart, each of which can be taken away. */
import { addMs, DAY_MS } from '../../../src/core/time.ts';
import {
  allowing,
  deafTo,
  forgettingCalls,
  keepingCallsAs,
  takingNoRefund,
  trustingBook,
  untaken,
} from './mutated-calls.ts';
import { surely } from './mutated-mark.ts';
import type { Mutation } from './mutation.ts';

const sure = surely(() => Promise.resolve(undefined));

/** By their names on the command line. */
export const CALL_PROTECTIONS = {
  'call-lease': { without: 'no call by hand is sent while settlements are retried', callsAtOnce: true },
  'call-memory': {
    without: 'a call by hand asks the memory as a retry does',
    book: (book, { isCall }) => (isCall ? trustingBook(book) : book),
    mark: (mark, of) => (of.isCall ? sure(mark, of) : mark),
  },
  'call-open': {
    without: 'no call by hand is sent that an open attempt would meet',
    book: (book) => ({ ...allowing(book, { open: [] }), openMet: () => Promise.resolve([]) }),
  },
  'call-stored': {
    without: 'a call by hand is stored before it leaves',
    book: (book) => forgettingCalls(book),
  },
  'call-time': {
    without: 'a call by hand counts from its own time',
    book: (book) => keepingCallsAs(book, (call) => ({ ...call, reqTime: addMs(call.reqTime, -DAY_MS) })),
  },
  'refund-waits': {
    without: 'a refund that may have been taken is waited for until a query has shown it done',
    book: (book) => takingNoRefund(book),
  },
  'refund-refused': {
    without: 'no refusal proves that a refund was not taken',
    client: (client, { book }) => untaken(client, book, 'refused'),
  },
  'refund-unanswered': {
    without: 'a refund without an answer may have been taken',
    client: (client, { book }) => untaken(client, book, 'unknown'),
  },
  'order-words': {
    without: 'nothing is retried of which queries tell a refund',
    client: (client) => deafTo(client, 'orders'),
  },
  'batch-words': {
    without: 'what a batch alone tells of a refund is of each order that may be meant',
    client: (client) => deafTo(client, 'batch'),
  },
} as const satisfies Record<string, Mutation>;
