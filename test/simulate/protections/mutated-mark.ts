/** A mark that gives nobody a reason to doubt. */
import type { MarkState, SettleMark } from '../../../jobs/night/settle/high-water-mark.ts';
import type { Mutation } from './mutation.ts';

/** What a mark says of now, so that nobody doubts it. */
export const surely =
  (what: (mark: SettleMark) => Promise<Partial<MarkState> | undefined>): NonNullable<Mutation['mark']> =>
  (mark, { boot, serverStart }) => ({
    ...mark,
    read: async () => {
      const now = { boot, server: await serverStart(), isDoubtful: false };
      return { ...NOTHING_SENT, ...(await what(mark)), ...now };
    },
  });

/** Where nothing was ever sent. */
const NOTHING_SENT = { books: '', sequence: 0n, reqId: '', heldUntil: undefined };
