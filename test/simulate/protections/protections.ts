/**
 * The protections of the protocol, each of which can be taken away, to see that the simulation finds what it is for.
 * Taken away by wrapping ports alone: the product has no switch for any of them.
 */
import { addMs, MINUTE_MS } from '../../../src/core/time.ts';
import { isAccepted } from '../../../src/settlements/attempt-store.ts';
import type { OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import { CALL_PROTECTIONS } from './call-protections.ts';
import type { Mutation } from './mutation.ts';
import { FIRST_START } from '../book-store.ts';
import {
  believing,
  deafIsSilent,
  refusalsAreFailures,
  sendingAgain,
  sendingOnOldLooks,
  stalelyLooking,
} from './mutated-client.ts';
import { surely } from './mutated-mark.ts';
import {
  endingAtOnce,
  forgetful,
  forgivingSent,
  ignoringLate,
  markOfCounted,
  planningAnyway,
} from './mutated-book.ts';

const openAs =
  (change: (attempt: OpenAttempt) => OpenAttempt): NonNullable<Mutation['book']> =>
  (book) => ({ ...book, listOpen: async () => (await book.listOpen()).map(change) });

/** By their names on the command line. */
export const PROTECTIONS = {
  intent: {
    without: 'the attempt is stored before the send',
    book: (book) => forgetful(book),
    mark: markOfCounted,
  },
  'one-open': {
    without: 'one attempt of an order is open at most',
    book: (book) => planningAnyway(book),
    mark: markOfCounted,
  },
  margin: {
    without: 'a failure counts only once no request can be on its way any more',
    book: openAs((attempt) => ({ ...attempt, sent: attempt.sent && longAgo(attempt.sent) })),
  },
  'second-look': {
    without: 'two looks half a minute apart agree that it failed',
    book: (book) => endingAtOnce(book),
  },
  'late-answer': {
    without: 'an acceptance that arrives late holds its order again',
    book: (book) => ignoringLate(book),
  },
  'one-send': {
    without: 'a request without an answer is not sent again',
    client: (client) => sendingAgain(client),
  },
  fence: { without: 'whoever lost the lease changes nothing any more', ignoresFence: true },
  'sent-is-unknown': {
    without: 'after a restart what was sent is unknown',
    book: (book, { runner }) => forgivingSent(book, runner),
  },
  'refusal-is-unknown': {
    without: 'a refusal is no failure',
    client: (client) => refusalsAreFailures(client),
  },
  hold: {
    without: 'after a restore nothing is sent for a while',
    book: (book) => ({
      ...book,
      guard: async () => ({ ...(await book.guard()), isReplaced: false, holdUntil: undefined }),
    }),
    mark: surely(() => Promise.resolve(undefined)),
  },
  'hold-end': {
    without: 'the end of a hold, and with it the day of a restore, is remembered',
    book: (book) => ({ ...book, guard: async () => ({ ...(await book.guard()), holdUntil: undefined }) }),
    mark: (mark) => ({
      ...mark,
      read: async () => {
        const marked = await mark.read();
        return marked && { ...marked, heldUntil: undefined };
      },
    }),
  },
  'set-back memory': {
    without: 'a memory that may have been set back is not trusted before what it may have forgotten is shown',
    mark: surely((mark) => mark.read()),
  },
  'server-start': {
    without: 'a memory is not trusted whose database server was started since',
    book: (book) => ({
      ...book,
      serverStart: () => Promise.resolve(FIRST_START),
      plan: (planned, basis) => book.plan(planned, { ...basis, server: '' }),
      markSent: (reqId, sent, basis) => book.markSent(reqId, sent, { ...basis, server: '' }),
    }),
  },
  'accepted-stays': {
    without: 'what the platform took is not closed as failed by queries alone',
    book: openAs((attempt) => ({
      ...attempt,
      isClaimed: false,
      state: isAccepted(attempt) ? 'UNKNOWN' : attempt.state,
    })),
  },
  'view-lag': {
    without: 'a failure counts only once queries cannot lag behind any more',
    profile: (profile) => ({ ...profile, settle: { ...profile.settle, viewLagSeconds: 0 } }),
  },
  'look-age': {
    without: 'a look holds for ten seconds',
    book: (book) => ({
      ...book,
      plan: (planned, basis) => book.plan(planned, { ...basis, isFresh: () => true }),
      markSent: (reqId, sent, basis) => book.markSent(reqId, sent, { ...basis, isFresh: () => true }),
    }),
    client: (client) => sendingOnOldLooks(client),
  },
  'stood-still': {
    without: 'silence says nothing to a process that stood still',
    client: (client) => deafIsSilent(client),
  },
  'signed-looks': {
    without: 'nothing is concluded from an unsigned answer',
    client: (client) => believing(client),
  },
  'fresh-look': {
    without: 'the platform is asked right before the send',
    client: (client, of) => stalelyLooking(client, of),
  },
  ...CALL_PROTECTIONS,
} as const satisfies Record<string, Mutation>;

export type Protection = keyof typeof PROTECTIONS;

export function isProtection(name: string): name is Protection {
  return Object.hasOwn(PROTECTIONS, name);
}

const LONG_MS = 60 * MINUTE_MS;

function longAgo(sent: NonNullable<OpenAttempt['sent']>): NonNullable<OpenAttempt['sent']> {
  return { ...sent, reqTime: addMs(sent.reqTime, -LONG_MS), sentMonoMs: sent.sentMonoMs - LONG_MS };
}

/** All that some of them leave of a port. */
export function without(names: readonly Protection[]): Required<
  Omit<Mutation, 'without' | 'ignoresFence' | 'callsAtOnce'>
> & {
  ignoresFence: boolean;
  callsAtOnce: boolean;
} {
  const mutations: Mutation[] = names.map((name) => PROTECTIONS[name]);
  return {
    book: (book, of) => mutations.reduce((left, mutation) => mutation.book?.(left, of) ?? left, book),
    client: (client, of) => mutations.reduce((left, mutation) => mutation.client?.(left, of) ?? left, client),
    mark: (mark, of) => mutations.reduce((left, mutation) => mutation.mark?.(left, of) ?? left, mark),
    profile: (profile) => mutations.reduce((left, mutation) => mutation.profile?.(left) ?? left, profile),
    ignoresFence: mutations.some(({ ignoresFence }) => ignoresFence === true),
    callsAtOnce: mutations.some(({ callsAtOnce }) => callsAtOnce === true),
  };
}

export type Protections = ReturnType<typeof without>;
