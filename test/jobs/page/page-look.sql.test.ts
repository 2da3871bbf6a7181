/** A look that nobody waits for any more is still a look: the next one begins when it has ended. */
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { openPageStand } from './page-stand.ts';

test('a look that is given up keeps its turn until the database has answered', async () => {
  const givingUp: (() => void)[] = [];
  let begun = 0;
  await using stand = await openPageStand({
    over: ({ db, realClock }) => ({
      realClock: { ...realClock, sleep: () => new Promise((resolve) => void givingUp.push(resolve)) },
      db: new Proxy(db, {
        get: (of, name, receiver) => {
          if (name === 'transaction') begun += 1;
          const value: unknown = Reflect.get(of, name, receiver);
          return typeof value === 'function' ? (value.bind(of) as unknown) : value;
        },
      }),
    }),
  });
  const [held, release] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const holding = stand.database.db.transaction().execute(async (trx) => {
    await sql`lock table run in access exclusive mode`.execute(trx);
    held.resolve(undefined);
    await release.promise;
  });
  await held.promise;
  for (const looks of [1, 2]) {
    const answer = stand.get('/');
    await vi.waitFor(() => expect(givingUp).toHaveLength(looks));
    givingUp.at(-1)?.();
    expect((await answer).status).toBe(503);
  }
  const begunMeanwhile = begun;
  release.resolve(undefined);
  await holding;
  expect(begunMeanwhile).toBe(1);
});
