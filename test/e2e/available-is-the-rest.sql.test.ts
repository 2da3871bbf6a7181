/** What a balance holds is free or frozen: an amount that is neither is told (docs/reconciliation.md 3.5). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../helpers/night.ts';

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-10 00:00:00' } });
});
afterEach(() => night.close());

const stating = (
  set: Record<string, number | string | null>,
  which: { skip?: number; times?: number | null } = {},
) =>
  night.sandbox.addFault({
    kind: 'record',
    path: 'acct/queryInfo',
    about: 'A1',
    set,
    times: null,
    ...which,
  });

async function found(day: number): Promise<string[]> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  const outcome = await night.night(`2026-03-${day}`);
  return [outcome.result.run.verdict, ...findingsOf(outcome)];
}

test('an amount that is neither is told until it is free again', async () => {
  stating({ availableBalance: 60_000 });
  expect(await found(10)).toEqual(['breaks', 'frozen A1 A1 40000']);
  expect(await found(11)).toEqual(['breaks', 'frozen A1 A1 40000']);
  night.sandbox.liftFaults();
  expect(await found(12)).toEqual(['reconciled']);
});

test('a balance of which nothing states what is available ends none', async () => {
  stating({ availableBalance: 60_000 });
  expect(await found(10)).toEqual(['breaks', 'frozen A1 A1 40000']);
  night.sandbox.liftFaults();
  stating({ availableBalance: null });
  expect(await found(11)).toEqual(['unverified', 'frozen A1 A1 40000']);
  expect(await found(12)).toEqual(['unverified', 'frozen A1 A1 40000']);
  night.sandbox.liftFaults();
  expect(await found(13)).toEqual(['reconciled']);
});

test('nor one of which nothing is stated as frozen, until all of it is available', async () => {
  stating({ frozen: 300 });
  expect(await found(10)).toEqual(['breaks', 'frozen A1 A1 300']);
  night.sandbox.liftFaults();
  stating({ frozen: null, availableBalance: null });
  expect(await found(11)).toEqual(['unverified', 'frozen A1 A1 300']);
  night.sandbox.liftFaults();
  stating({ frozen: null });
  expect(await found(12)).toEqual(['reconciled']);
});

test('one that is free beyond the balance is told as well', async () => {
  stating({ availableBalance: 100_001 });
  expect(await found(10)).toEqual(['breaks', 'frozen A1 A1 -1']);
});

test('where nothing is stated as frozen, orders in flight would hold what is not available', async () => {
  stating({ frozen: null });
  expect(await found(10)).toEqual(['reconciled']);
  night.sandbox.liftFaults();
  stating({ frozen: null, availableBalance: 99_999 });
  expect(await found(11)).toEqual(['breaks', 'frozen A1 A1 1']);
});

test('what is no more available at the second reading is told, not what the first one said', async () => {
  stating({ availableBalance: 60_000 }, { skip: 1 });
  expect(await found(10)).toEqual(['breaks', 'frozen A1 A1 40000']);
});

test('nor what the first one said of what is frozen', async () => {
  stating({ frozen: 300 }, { skip: 1 });
  expect(await found(10)).toEqual(['breaks', 'frozen A1 A1 300']);
});

test('what is available by the second reading is read once more', async () => {
  stating({ availableBalance: 60_000 }, { times: 1 });
  expect(await found(10)).toEqual(['reconciled']);
});

test.each([null, ''])('what is not stated contradicts nothing: %j', async (nothing) => {
  stating({ availableBalance: nothing });
  expect(await found(10)).toEqual(['reconciled']);
});

test.each([
  ['availableBalance', -40_000],
  ['frozen', -1],
  ['frozen', 0.5],
])('%s of %d is not one that is not stated', async (name, amount) => {
  stating({ [name]: amount });
  expect(await found(10)).toEqual(['incomplete']);
  night.sandbox.liftFaults();
  expect(await found(11)).toEqual(['reconciled']);
});

test('a balance all of which is available has beside it what is frozen', async () => {
  stating({ frozen: 300 });
  expect(await found(10), 'that no order holds it is told once').toEqual(['breaks', 'frozen A1 A1 300']);
});
