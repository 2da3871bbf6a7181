import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
});
afterEach(() => database.close());

/** One account that held 1,000.00 when March began, in the books as well, and days read up to 5 March. */
async function openMarch(accountNo = 'A1', fen = 100_000n): Promise<void> {
  await books.account(accountNo, { fen, at: '2026-03-01 00:00:00' });
  await books.entries(accountNo, [
    { id: `${accountNo}-open`, kind: 'opening', amountFen: fen, at: '2026-03-01 00:00:00' },
  ]);
  await books.proven(accountNo, '2026-02-20', '2026-03-05');
}

test('interest of 1,234 is unexplained on its night and an opening difference from then on, until an adjustment clears it', async () => {
  await openMarch();
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 101_234n });
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 101_234n });
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 101_234n });
  const first = await books.night('2026-03-01');
  expect(first.accounts[0]).toMatchObject({
    verdict: 'breaks',
    differenceFen: 1_234n,
    openingDifferenceFen: 0n,
    numbers: { unexplainedFen: 1_234n },
  });
  const second = await books.night('2026-03-02');
  expect(second.accounts[0]).toMatchObject({
    verdict: 'breaks',
    differenceFen: 1_234n,
    openingDifferenceFen: 1_234n,
    numbers: { unexplainedFen: 0n, openingFen: 101_234n },
  });
  expect(await books.found(second.runId)).toEqual(['empty_suspect A1 A1 0', 'unexplained A1 A1 1234']);
  await books.entries('A1', [
    { id: 'ADJ', kind: 'adjustment', amountFen: 1_234n, at: '2026-03-03 09:00:00' },
  ]);
  const third = await books.night('2026-03-03');
  expect(third.accounts[0]).toMatchObject({
    verdict: 'reconciled',
    differenceFen: 0n,
    openingDifferenceFen: 0n,
  });
  const rows = await database.db.selectFrom('break').selectAll().where('class', '=', 'unexplained').execute();
  expect(rows.map((row) => [row.status, row.first_day, row.closed_day, row.cleared_by])).toEqual([
    ['closed', '2026-03-01', '2026-03-03', 'ADJ'],
  ]);
});

test('books that begin with another sum than the platform have an opening break every night', async () => {
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.entries('A1', [{ id: 'O', kind: 'opening', amountFen: 99_990n, at: '2026-03-01 00:00:00' }]);
  await books.proven('A1', '2026-03-01', '2026-03-03');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
  const second = await books.night('2026-03-02');
  expect(await books.found(second.runId)).toEqual(['opening A1 A1 10']);
  expect(second.accounts[0]).toMatchObject({ openingDifferenceFen: 10n, differenceFen: 10n });
});

test('an empty listing is suspect when the books have deposits, and the night is not green', async () => {
  await openMarch();
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_500n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('breaks');
  expect(await books.found(proof.runId)).toEqual([
    'empty_suspect A1 A1 0',
    'ledger_only A1 D1 -500',
    'unexplained A1 A1 500',
  ]);
});

test('without an opening the first night is unverified and the second is proven from it', async () => {
  await books.account('A1');
  await books.proven('A1', '2026-03-01', '2026-03-03');
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n },
    { orderNo: 'D2', at: '2026-03-02 10:00:00', amountFen: 40n },
  ]);
  await books.entries('A1', [
    { id: 'E1', amountFen: 500n, at: '2026-03-01 11:00:00', reference: 'D1' },
    { id: 'E2', amountFen: 40n, at: '2026-03-02 11:00:00', reference: 'D2' },
  ]);
  await books.balance('A1', { at: '2026-03-02 02:00:00', fen: 7_500n });
  const first = await books.night('2026-03-01');
  expect(first.accounts[0]).toMatchObject({
    verdict: 'unverified',
    reason: 'no_baseline',
    differenceFen: 0n,
  });
  await books.balance('A1', { at: '2026-03-03 00:00:03', fen: 7_540n });
  const second = await books.night('2026-03-02');
  expect(second.accounts[0]).toMatchObject({
    verdict: 'reconciled',
    numbers: { openingFen: 7_500n, platformFen: 7_540n, ledgerFen: 7_540n },
    assumptions: ['first_balance_is_baseline', 'ledger_opening_assumed'],
  });
});

test.each([
  ['moving', 'unverified', 'balance_moving'],
  ['absent', 'unverified', 'balance_absent'],
] as const)('ACC-02: a balance that is %s leaves the account %s, never zero', async (state, verdict, why) => {
  await openMarch();
  await books.balance('A1', {
    at: '2026-03-02 02:00:00',
    fen: state === 'absent' ? null : 5n,
    state,
    runId: 'nightly-2026-03-01-v1',
  });
  const proof = await books.night('2026-03-01');
  expect(proof.accounts[0]).toMatchObject({ verdict, reason: why, differenceFen: undefined });
  expect(proof.accounts[0]?.numbers.platformFen).toBeUndefined();
});

test('a day nobody has read makes the night incomplete', async () => {
  await books.account('A1', { fen: 0n, at: '2026-02-27 00:00:00' });
  await books.proven('A1', '2026-02-27', '2026-02-27');
  await books.proven('A1', '2026-03-01', '2026-03-01');
  await books.balance('A1', { at: '2026-03-02 00:00:03', fen: 0n });
  const proof = await books.night('2026-03-01');
  expect(proof.accounts[0]).toMatchObject({ verdict: 'incomplete', reason: 'days_unproven:1' });
});

test('a break that is cured is closed by the night that no longer finds it, with what cleared it', async () => {
  await openMarch();
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_500n });
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_500n });
  const first = await books.night('2026-03-01');
  expect(await books.found(first.runId)).toEqual(['platform_only A1 D1 500']);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 11:00:00', reference: 'D1' }]);
  const second = await books.night('2026-03-02');
  expect(second.verdict).toBe('reconciled');
  const rows = await database.db.selectFrom('break').selectAll().execute();
  expect(rows.map((row) => [row.status, row.closed_day, row.cleared_by])).toEqual([
    ['closed', '2026-03-02', 'E1'],
  ]);
  const events = await database.db.selectFrom('break_event').selectAll().orderBy('event_no').execute();
  expect(events.map((row) => row.event)).toEqual(['opened', 'closed']);
});

test('an entry that changes or is withdrawn gives its match back', async () => {
  await openMarch();
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n },
    { orderNo: 'D2', at: '2026-03-01 10:00:00', amountFen: 70n },
  ]);
  await books.entries('A1', [
    { id: 'E1', amountFen: 500n, at: '2026-03-01 11:00:00', reference: 'D1' },
    { id: 'E2', amountFen: 70n, at: '2026-03-01 11:00:00', reference: 'D2' },
  ]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_570n });
  expect((await books.night('2026-03-01')).verdict).toBe('reconciled');
  await books.entries('A1', [{ id: 'E1', amountFen: 400n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  await books.withdraw('E2');
  const again = await books.night('2026-03-01');
  expect(await books.found(again.runId)).toEqual(['amount A1 D1 100', 'platform_only A1 D2 70']);
  expect(again.accounts[0]?.numbers.ledgerFen).toBe(100_400n);
});

test('a deposit that changed keeps its former version, is posted anew and said', async () => {
  await openMarch();
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_500n });
  await books.night('2026-03-01');
  await books.deposits(
    'A1',
    [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 450n }],
    'n2',
    '2026-03-02',
  );
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_450n });
  const second = await books.night('2026-03-02');
  expect(await books.found(second.runId)).toEqual([
    'amount A1 D1 -50',
    'record_changed A1 D1 0',
    'unexplained A1 A1 -50',
    'unexplained A1 A1 50',
  ]);
  const kept = await database.db.selectFrom('deposit_version').selectAll().execute();
  expect(kept.map((row) => [row.version, row.amount_fen])).toEqual([[1, 500n]]);
});

test('running the night again changes nothing', async () => {
  await openMarch();
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_500n });
  const first = await books.night('2026-03-01');
  const second = await books.night('2026-03-01');
  expect(second.digest).toBe(first.digest);
  const movements = await database.db.selectFrom('movement').selectAll().execute();
  expect(movements.map((row) => [row.dedup_key, row.delta_fen])).toEqual([['deposit:D1', 500n]]);
  expect(await database.db.selectFrom('break').select('break_id').execute()).toHaveLength(1);
});
