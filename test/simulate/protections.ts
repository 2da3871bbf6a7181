/**
 * The protections of the protocol, each of which can be taken away, to see that the simulation finds what it is for.
 * Taken away by wrapping ports alone: the product has no switch for any of them.
 */
import type { SettleMark } from '../../jobs/settle-ports.ts';
import { addMs, MINUTE_MS } from '../../src/core/time.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import type { OpenAttempt, SettleBook } from '../../src/store/settle-book.ts';
import { believing, refusalsAreFailures, sendingAgain, stalelyLooking } from './mutated-client.ts';
import { forgetful, forgivingSent, markOfCounted, planningAnyway } from './mutated-book.ts';

export interface Mutation {
  /** What is taken away, in words. */
  without: string;
  book?: (book: SettleBook, of: { runner: string }) => SettleBook;
  /** @param of.remembered what a seed remembers from process to process */
  client?: (
    client: PlatformClient,
    of: { book: SettleBook; remembered: Map<string, unknown> },
  ) => PlatformClient;
  mark?: (mark: SettleMark) => SettleMark;
  /** A book that asks nobody whether its lease is still its own. */
  ignoresFence?: true;
}

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
    book: openAs((attempt) => ({
      ...attempt,
      failedSeenAt: attempt.failedSeenAt ?? (attempt.sent && addMs(attempt.sent.reqTime, -MINUTE_MS)),
    })),
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
    mark: (mark) => ({ ...mark, read: () => Promise.resolve(undefined) }),
  },
  'signed-looks': {
    without: 'nothing is concluded from an unsigned answer',
    client: (client) => believing(client),
  },
  'fresh-look': {
    without: 'the platform is asked right before the send',
    client: (client, of) => stalelyLooking(client, of),
  },
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
  Omit<Mutation, 'without' | 'ignoresFence'>
> & {
  ignoresFence: boolean;
} {
  const mutations: Mutation[] = names.map((name) => PROTECTIONS[name]);
  return {
    book: (book, of) => mutations.reduce((left, mutation) => mutation.book?.(left, of) ?? left, book),
    client: (client, of) => mutations.reduce((left, mutation) => mutation.client?.(left, of) ?? left, client),
    mark: (mark) => mutations.reduce((left, mutation) => mutation.mark?.(left) ?? left, mark),
    ignoresFence: mutations.some(({ ignoresFence }) => ignoresFence === true),
  };
}

export type Protections = ReturnType<typeof without>;
