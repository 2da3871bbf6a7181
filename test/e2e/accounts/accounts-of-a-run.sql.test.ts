/** A run stays about every account that a version or a try of it was about (docs/reconciliation.md 3.12). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, at } from '../../helpers/night.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  const openingAt = '2026-03-10 00:00:00';
  await night.accounts(
    { no: 'A1', opening: { fen: 100_000n, at: openingAt } },
    { no: 'A2', opening: { fen: 0n, at: openingAt } },
    { no: 'A3', opening: { fen: 500n, at: openingAt } },
  );
  expect(await accountsOf(10)).toEqual(['A1 reconciled', 'A2 reconciled', 'A3 reconciled']);
  night.moveTo('2026-03-12 02:00:00');
});
afterEach(() => night.close());

async function accountsOf(day: number): Promise<string[]> {
  const { result } = await night.night(`2026-03-${day}`);
  return result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`);
}

const dates = (accountNo: string, span: { active_from?: string; active_to?: string }) =>
  night.db.updateTable('account').set(span).where('account_no', '=', accountNo).execute();

test.each([
  ['ended before', { active_to: at('2026-03-10 12:00:00') }],
  ['begins after', { active_from: at('2026-03-20 00:00:00') }],
])('a night again keeps an account that by a later list %s its day', async (_how, span) => {
  await accountsOf(11);
  await dates('A2', span);
  await night.profile({ company: { name: 'Example Ltd' } });
  expect(await accountsOf(11)).toEqual(['A1 reconciled', 'A2 reconciled', 'A3 reconciled']);
});

test.each([
  { fen: 700n, isLooked: true },
  { fen: 0n, isLooked: false },
])('an account that is said to begin later and to hold $fen fen already', async ({ fen, isLooked }) => {
  const opening = { fen, at: '2026-03-11 00:00:00' };
  await night.accounts({ no: 'A4', opening, heldFen: isLooked ? 650n : 0n });
  await dates('A4', { active_from: at('2027-03-11 00:00:00') });
  const others = ['A1 reconciled', 'A2 reconciled', 'A3 reconciled'];
  expect(await accountsOf(11)).toEqual(isLooked ? [...others, 'A4 breaks'] : others);
});

test('a night that goes on keeps what its earlier try proved of an account that by now has ended', async () => {
  night.sandbox.addFault({ kind: 'drop_before', about: 'A1', times: null });
  expect(await accountsOf(11)).toEqual(['A1 incomplete', 'A2 reconciled', 'A3 reconciled']);
  night.sandbox.liftFaults();
  await dates('A2', { active_to: at('2026-03-10 12:00:00') });
  expect(await accountsOf(11)).toEqual(['A1 reconciled', 'A2 reconciled', 'A3 reconciled']);
});

test('a night made up for is about an account that held money in it and has left since', async () => {
  night.moveTo('2026-03-12 09:00:00');
  night.sandbox.seedMovements([
    { kind: 'adjustment', accountNo: 'A3', amountFen: -500n, at: '2026-03-12 09:00:00' },
  ]);
  night.moveTo('2026-03-13 02:00:00');
  expect(await accountsOf(12)).toContainEqual('A3 breaks');
  await night.entries([
    { id: 'ADJ', account: 'A3', kind: 'adjustment', fen: -500n, at: '2026-03-13 09:00:00' },
  ]);
  night.moveTo('2026-03-14 02:00:00');
  expect(await accountsOf(13)).toContainEqual('A3 reconciled');
  await dates('A3', { active_to: at('2026-03-10 12:00:00') });
  night.moveTo('2026-03-15 02:00:00');
  expect(await accountsOf(14), 'it has left').toEqual(['A1 reconciled', 'A2 reconciled']);
  expect(await accountsOf(11)).toContainEqual(expect.stringMatching(/^A3 /));
});
