/** Books without one of their protections. */
import type { SettleMark } from '../../../jobs/night/settle/high-water-mark.ts';
import { isAccepted } from '../../../src/settlements/attempt-store.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import type { PlannedAttempt } from '../../../src/settlements/settle-order.ts';
import type { BookOptions, BookStore, OpenedBook } from '../book-store.ts';

/** The number of a send that no book counted; the mark outside cannot be behind it and does not keep it. */
const UNCOUNTED = 2n ** 62n;

/** Belongs to every book that sends what it does not count. */
export function markOfCounted(mark: SettleMark): SettleMark {
  return {
    ...mark,
    write: (state) => (state.sequence === UNCOUNTED ? Promise.resolve() : mark.write(state)),
  };
}

/** Keeps an attempt to itself until the answer is there. */
export function forgetful(book: SettlementAttemptStore): SettlementAttemptStore {
  const kept = new Map<string, Parameters<SettlementAttemptStore['plan']>>();
  const sent = new Map<string, Parameters<SettlementAttemptStore['markSent']>>();
  return {
    ...book,
    plan: (...args) => {
      kept.set(args[0].reqId, args);
      return Promise.resolve('planned');
    },
    markSent: (...args) => {
      sent.set(args[0], args);
      return Promise.resolve(UNCOUNTED);
    },
    saveAnswer: async (reqId, ...answered) => {
      const [plan, mark] = [kept.get(reqId), sent.get(reqId)];
      if (plan && (await book.plan(...plan)) !== 'planned') return;
      if (mark) await book.markSent(...mark);
      await book.saveAnswer(reqId, ...answered);
    },
  };
}

/** Takes what an earlier process had sent for something that never left. */
export function forgivingSent(book: SettlementAttemptStore, runner: string): SettlementAttemptStore {
  const forgiven = new Set<string>();
  return {
    ...book,
    listOpen: async () =>
      (await book.listOpen()).map((attempt) => {
        if (attempt.state !== 'SENT' || attempt.runner === runner) return attempt;
        forgiven.add(attempt.reqId);
        return { ...attempt, state: 'NOT_SENT' };
      }),
    close: async (reqId, closing) => {
      if (forgiven.has(reqId)) {
        const nothing = {
          code: '',
          note: '',
          isClaimed: false,
          feeFen: undefined,
          feeType: '',
          evidence: undefined,
        };
        await book.saveAnswer(reqId, { state: 'NOT_SENT', answeredAt: closing.at, ...nothing });
      }
      const { judged: _judged, ...anyhow } = closing;
      return await book.close(reqId, anyhow);
    },
  };
}

/** Sends also where another attempt is open, and keeps what it cannot store to itself. */
export function planningAnyway(book: SettlementAttemptStore): SettlementAttemptStore {
  const unstored = new Map<string, PlannedAttempt>();
  return {
    ...book,
    listFailed: async () =>
      (await book.listFailed()).map((order) => ({
        ...order,
        hasOpenAttempt: false,
        lastClosedAt: undefined,
      })),
    plan: async (planned, basis) => {
      const planning = await book.plan(planned, basis);
      if (planning === 'taken') unstored.set(planned.reqId, planned);
      return planning === 'taken' ? 'planned' : planning;
    },
    markSent: async (reqId, stamp, basis) =>
      unstored.has(reqId) ? UNCOUNTED : await book.markSent(reqId, stamp, basis),
    saveAnswer: async (reqId, ...answered) =>
      unstored.has(reqId) ? undefined : await book.saveAnswer(reqId, ...answered),
    saveFailedSeen: async (reqId, seenAt) =>
      unstored.has(reqId) ? undefined : await book.saveFailedSeen(reqId, seenAt),
    saveOpenSeen: async (reqId, seenAt) =>
      unstored.has(reqId) ? undefined : await book.saveOpenSeen(reqId, seenAt),
    saveAwaiting: async (reqId, why) =>
      unstored.has(reqId) ? undefined : await book.saveAwaiting(reqId, why),
    close: async (reqId, closing) => (unstored.has(reqId) ? true : await book.close(reqId, closing)),
  };
}

/** The first failure that counts ends an attempt, where two would. */
export function endingAtOnce(book: SettlementAttemptStore): SettlementAttemptStore {
  return {
    ...book,
    saveFailedSeen: async (reqId, seenAt) => {
      await book.saveFailedSeen(reqId, seenAt);
      const open = await book.findOpen(reqId);
      if (seenAt === undefined || open === undefined) return;
      if (isAccepted(open) && open.openSeenAt === undefined) return;
      const isReturned = open.state === 'ACK_SUCCESS' || open.movedShownAt !== undefined;
      await book.close(reqId, { outcome: isReturned ? 'RETURNED' : 'FAIL', at: seenAt, note: '' });
    },
  };
}

/** Keeps no answer to what is not open any more, or not known. */
export function ignoringLate(book: SettlementAttemptStore): SettlementAttemptStore {
  return {
    ...book,
    saveAnswer: async (reqId, ...answered) => {
      if ((await book.findOpen(reqId)) !== undefined) await book.saveAnswer(reqId, ...answered);
    },
  };
}

/** Makes every change under whatever fence is the right one by now. */
export function unfenced(store: BookStore, options: BookOptions): OpenedBook {
  const opened = store.open(options);
  const book = new Proxy(opened.book, {
    get: (_target, method: keyof SettlementAttemptStore) => {
      return async (...args: unknown[]): Promise<unknown> => {
        const lease = await store.currentLease();
        const now = store.open({ ...options, lease }).book;
        return await (now[method] as (...given: unknown[]) => Promise<unknown>).apply(now, args);
      };
    },
  });
  return { ...opened, book };
}
