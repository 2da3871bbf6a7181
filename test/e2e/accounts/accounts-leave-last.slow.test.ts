/** The dates of the account list make no money and no break disappear (docs/reconciliation.md 3.8). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Night, at } from '../../helpers/night.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  const openingAt = '2026-03-10 00:00:00';
  await night.accounts(
    { no: 'A1', opening: { fen: 100_000n, at: openingAt } },
    { no: 'A2', opening: { fen: 700n, at: openingAt } },
  );
});
afterEach(() => night.close());

const dates = (span: { active_from?: string; active_to?: string }) =>
  night.db.updateTable('account').set(span).where('account_no', '=', 'A2').execute();

async function accountsOf(day: string): Promise<string[]> {
  const { result } = await night.night(day);
  return result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`);
}

test('an account that has ended stays while it holds money or a break of it is open, and then leaves', async () => {
  expect(await accountsOf('2026-03-10')).toEqual(['A1 reconciled', 'A2 reconciled']);
  await dates({ active_to: at('2026-03-10 12:00:00') });
  night.moveTo('2026-03-12 02:00:00');
  expect(await accountsOf('2026-03-11'), 'it holds 7.00').toEqual(['A1 reconciled', 'A2 reconciled']);

  const taken = { kind: 'adjustment', accountNo: 'A2', amountFen: -700n } as const;
  night.sandbox.seedMovements([{ ...taken, at: '2026-03-12 12:00:00' }]);
  night.moveTo('2026-03-13 02:00:00');
  expect(await accountsOf('2026-03-12')).toEqual(['A1 reconciled', 'A2 breaks']);
  night.moveTo('2026-03-14 02:00:00');
  expect(await accountsOf('2026-03-13'), 'its loss is open').toEqual(['A1 reconciled', 'A2 breaks']);

  await night.entries([
    { id: 'ADJ', account: 'A2', kind: 'adjustment', fen: -700n, at: '2026-03-14 09:00:00' },
  ]);
  night.moveTo('2026-03-15 02:00:00');
  expect(await accountsOf('2026-03-14')).toEqual(['A1 reconciled', 'A2 reconciled']);
  night.moveTo('2026-03-16 02:00:00');
  expect(await accountsOf('2026-03-15')).toEqual(['A1 reconciled']);
});

test('an account with money that is said to begin in the future stays', async () => {
  await night.night('2026-03-10');
  await dates({ active_from: at('2027-01-01 00:00:00') });
  night.moveTo('2026-03-12 02:00:00');
  expect(await accountsOf('2026-03-11')).toEqual(['A1 reconciled', 'A2 reconciled']);
  const { bracketed } = await night.snapshot();
  expect(bracketed.map(({ accountNo }) => accountNo)).toEqual(['A1', 'A2']);
});

describe('an account that has left', () => {
  /** It held nothing, is proven so, and has left. */
  beforeEach(async () => {
    await night.listAccounts({ no: 'A3', opening: { fen: 0n, at: '2026-03-10 00:00:00' } });
    night.sandbox.seedAccounts([{ accountNo: 'A3' }]);
    await night.night('2026-03-10');
    await night.db
      .updateTable('account')
      .set({ active_to: at('2026-03-10 12:00:00') })
      .where('account_no', '=', 'A3')
      .execute();
    night.moveTo('2026-03-12 02:00:00');
    expect(await accountsOf('2026-03-11')).toEqual(['A1 reconciled', 'A2 reconciled']);
  });

  const entry = { id: 'LATE', account: 'A3', fen: 900n } as const;

  test.each([
    ['since', '2026-03-12 09:00:00'],
    ['back into its time', '2026-03-10 09:00:00'],
    ['for a day to come', '2026-03-29 09:00:00'],
  ])('comes back when the books name it %s', async (_when, booked) => {
    await night.entries([{ ...entry, at: booked }]);
    night.moveTo('2026-03-13 02:00:00');
    expect(await accountsOf('2026-03-12')).toContainEqual(expect.stringMatching(/^A3 /));
  });

  test('comes back when entries name it that sum to nothing', async () => {
    await night.entries([
      { ...entry, at: '2026-03-12 09:00:00' },
      { ...entry, id: 'BACK', fen: -900n, at: '2026-03-12 10:00:00' },
    ]);
    night.moveTo('2026-03-13 02:00:00');
    expect(await accountsOf('2026-03-12')).toContainEqual('A3 breaks');
  });

  test('stays away where nothing is said of it', async () => {
    night.moveTo('2026-03-13 02:00:00');
    expect(await accountsOf('2026-03-12')).toEqual(['A1 reconciled', 'A2 reconciled']);
  });
});

test('an account that has ended and was never read stays until it is proven that there is nothing', async () => {
  await night.listAccounts({ no: 'LOST' });
  await night.db
    .updateTable('account')
    .set({ active_to: at('2026-03-09 12:00:00') })
    .where('account_no', '=', 'LOST')
    .execute();
  night.sandbox.addFault({ kind: 'drop_before', about: 'LOST', times: null });
  expect(await accountsOf('2026-03-10')).toContainEqual('LOST incomplete');
  night.sandbox.liftFaults();
  night.moveTo('2026-03-12 02:00:00');
  expect(await accountsOf('2026-03-11'), 'the platform knows no such account').toContainEqual(
    'LOST unverified',
  );
  night.moveTo('2026-03-13 02:00:00');
  expect(await accountsOf('2026-03-12')).toContainEqual('LOST reconciled');
  night.moveTo('2026-03-14 02:00:00');
  expect(await accountsOf('2026-03-13')).toEqual(['A1 reconciled', 'A2 reconciled']);
});

test('an account that begins in the future and that nobody has heard of does not count yet', async () => {
  await night.listAccounts({ no: 'NEW' });
  await night.db
    .updateTable('account')
    .set({ active_from: at('2027-01-01 00:00:00') })
    .where('account_no', '=', 'NEW')
    .execute();
  expect(await accountsOf('2026-03-10')).toEqual(['A1 reconciled', 'A2 reconciled']);
  await night.entries([{ id: 'E', account: 'NEW', fen: 900n, at: '2026-03-11 09:00:00' }]);
  night.moveTo('2026-03-12 02:00:00');
  expect(await accountsOf('2026-03-11')).toContainEqual(expect.stringMatching(/^NEW /));
});
