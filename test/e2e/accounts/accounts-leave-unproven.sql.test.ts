/** An account leaves only when its newest run proves it to its last day (docs/reconciliation.md 3.12). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reconcileRange } from '../../../jobs/night/night.ts';
import { Night, at } from '../../helpers/night.ts';

let night: Night;

/** Nothing has happened on A2 when the 11th becomes its last day. */
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  const openingAt = '2026-03-10 00:00:00';
  await night.accounts(
    { no: 'A1', opening: { fen: 100_000n, at: openingAt } },
    { no: 'A2', opening: { fen: 0n, at: openingAt } },
  );
  expect(await accountsOf(10)).toEqual(['A1 reconciled', 'A2 reconciled']);
  await night.db
    .updateTable('account')
    .set({ active_to: at('2026-03-12 00:00:00') })
    .where('account_no', '=', 'A2')
    .execute();
});
afterEach(() => night.close());

/** The night of that March day, run at two in the morning after it. */
async function accountsOf(day: number): Promise<string[]> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  const { result } = await night.night(`2026-03-${day}`);
  return result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`);
}

const paidOnItsLastDay = (): void =>
  night.deposits({
    payeeAcctNo: 'A2',
    orderNo: 'D1',
    amountFen: 5_000n,
    depositTime: '2026-03-11 10:00:00',
  });

test('one that is proven to its last day and holds nothing has left', async () => {
  expect(await accountsOf(11)).toEqual(['A1 reconciled', 'A2 reconciled']);
  expect(await accountsOf(12)).toEqual(['A1 reconciled']);
});

test('one whose last day could not be read stays, and shows its deposit', async () => {
  paidOnItsLastDay();
  night.sandbox.addFault({ kind: 'drop_before', about: 'A2', times: null });
  expect(await accountsOf(11)).toEqual(['A1 reconciled', 'A2 incomplete']);
  night.sandbox.liftFaults();
  expect(await accountsOf(12)).toEqual(['A1 reconciled', 'A2 breaks']);
});

test('one whose last day had no night stays, and shows its deposit', async () => {
  paidOnItsLastDay();
  expect(await accountsOf(12)).toEqual(['A1 reconciled', 'A2 breaks']);
});

test('one that could not be read after its last day was proven comes back until it is', async () => {
  await accountsOf(11);
  night.sandbox.addFault({ kind: 'drop_before', about: 'A2', times: null });
  expect(await accountsOf(11), 'the same night again').toEqual(['A1 reconciled', 'A2 incomplete']);
  night.sandbox.liftFaults();
  expect(await accountsOf(12)).toContainEqual('A2 reconciled');
  expect(await accountsOf(13)).toEqual(['A1 reconciled']);
});

test('one that moved at the latest look stays, whatever an earlier look saw', async () => {
  night.moveTo('2026-03-12 00:00:00');
  await night.snapshot();
  for (let skip = 0; skip < 40; skip++) {
    const balance = 5_000 + skip;
    const set = { balance, availableBalance: balance };
    night.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', about: 'A2', set, skip, times: 1 });
  }
  await accountsOf(11);
  const looks = await night.db
    .selectFrom('balance_snapshot')
    .select('state')
    .where('account_no', '=', 'A2')
    .where('taken_at', '>=', at('2026-03-12 00:00:00'))
    .orderBy('taken_at')
    .execute();
  expect(looks.map(({ state }) => state)).toEqual(['stable', 'moving']);
  night.sandbox.liftFaults();
  expect(await accountsOf(12)).toContainEqual(expect.stringMatching(/^A2 /));
});

test('one that is booked after its last day was proven stays, though a second try at that night knew of it and was stopped', async () => {
  night.sandbox.addFault({ kind: 'drop_before', about: 'A1', times: null });
  expect(await accountsOf(11)).toEqual(['A1 incomplete', 'A2 reconciled']);
  night.sandbox.liftFaults();
  await night.entries([{ id: 'E1', account: 'A2', fen: 500n, at: '2026-03-11 12:00:00', reference: 'D9' }]);
  const process = await night.process();
  const stopping = new AbortController();
  // What it knows is written down with the version of its database; then comes the proof.
  const database = new Proxy(process.database, {
    get: (of, name) => {
      stopping.abort(new Error('stopped'));
      return Reflect.get(of, name) as unknown;
    },
  });
  const profile = new Proxy(process.profile, {
    get: (of, name) => {
      stopping.signal.throwIfAborted();
      return Reflect.get(of, name) as unknown;
    },
  });
  const stopped = { ...process, database, profile, signal: stopping.signal };
  const day = { job: 'nightly', fromDay: '2026-03-11', toDay: '2026-03-11', accounts: [] } as const;
  await expect(reconcileRange(stopped, day)).rejects.toThrow('stopped');
  await process.close();
  expect(await accountsOf(12)).toEqual(['A1 reconciled', 'A2 breaks']);
});
