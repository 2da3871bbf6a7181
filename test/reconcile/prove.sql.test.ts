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

test('equal books and balance are reconciled, observed at midnight', async () => {
  await openMarch();
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 5_000n, feeFen: 30n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 4_970n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 104_970n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('reconciled');
  expect(await books.found(proof.runId)).toEqual([]);
  expect(proof.accounts[0]).toMatchObject({
    lineDifferenceFen: 0n,
    openingDifferenceFen: 0n,
    differenceFen: 0n,
    assumptions: [],
    numbers: {
      source: 'observed',
      statedFen: 104_970n,
      platformFen: 104_970n,
      openingFen: 100_000n,
      unexplainedFen: 0n,
      ledgerFen: 104_970n,
      movements: { netFen: 4_970n, inFen: 5_000n, outFen: 0n, feeFen: 30n },
    },
  });
});

test('a balance of two in the morning is rolled back over what came after the cut', async () => {
  await openMarch();
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 23:59:59', amountFen: 500n },
    { orderNo: 'D2', at: '2026-03-02 00:00:00', amountFen: 700n },
    { orderNo: 'D3', at: '2026-03-02 01:59:59', amountFen: 11n },
  ]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 23:59:59', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 02:00:00', fen: 101_211n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('reconciled');
  expect(proof.accounts[0]?.numbers).toMatchObject({
    source: 'derived',
    statedFen: undefined,
    platformFen: 100_500n,
  });
});

test('E1: a fee beside the order lessens the balance when the payee bears it, and not when someone outside does', async () => {
  await openMarch();
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 10_000n, feeFen: 30n, feeType: 'ACCOUNT' },
  ]);
  await books.entries('A1', [
    { id: 'E1', amountFen: 10_000n, at: '2026-03-01 11:00:00', reference: 'D1' },
    { id: 'E2', kind: 'fee', amountFen: -30n, at: '2026-03-01 11:00:00', reference: 'D1' },
  ]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 109_970n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('reconciled');
  expect(proof.accounts[0]?.numbers.movements).toEqual({
    netFen: 9_970n,
    inFen: 10_000n,
    outFen: 0n,
    feeFen: 30n,
  });
});

test('E1: with the fee borne outside, the same deposit brings the whole amount', async () => {
  await openMarch();
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 10_000n, feeFen: 30n, feeType: 'ACCOUNT' },
  ]);
  await books.entries('A1', [{ id: 'E1', amountFen: 10_000n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 110_000n });
  const proof = await books.night('2026-03-01', { bearer: 'external' });
  expect(proof.verdict).toBe('reconciled');
});

test('two errors that cancel each other in the total are two breaks', async () => {
  await openMarch();
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 5_000n },
    { orderNo: 'D2', at: '2026-03-01 10:00:00', amountFen: 3_000n },
  ]);
  await books.entries('A1', [
    { id: 'E1', amountFen: 5_100n, at: '2026-03-01 11:00:00', reference: 'D1' },
    { id: 'E2', amountFen: 2_900n, at: '2026-03-01 11:00:00', reference: 'D2' },
  ]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 108_000n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('breaks');
  expect(proof.accounts[0]).toMatchObject({ differenceFen: 0n, lineDifferenceFen: 0n });
  expect(await books.found(proof.runId)).toEqual(['amount A1 D1 -100', 'amount A1 D2 100']);
});

test('each kind of line break has its class, its amounts and its sign', async () => {
  await openMarch('A1');
  await openMarch('A2', 0n);
  await books.deposits('A1', [
    { orderNo: 'P', at: '2026-03-01 09:00:00', amountFen: 100n },
    { orderNo: 'F', at: '2026-03-01 09:00:00', amountFen: 1_000n, feeFen: 7n },
    { orderNo: 'T', at: '2026-03-01 09:00:00', amountFen: 250n },
    { orderNo: 'X', at: '2026-03-01 09:00:00', amountFen: 60n },
  ]);
  await books.entries('A1', [
    { id: 'EL', amountFen: 40n, at: '2026-03-01 09:00:00', reference: 'L' },
    { id: 'EF', amountFen: 1_000n, at: '2026-03-01 09:00:00', reference: 'F' },
    { id: 'ET1', amountFen: 250n, at: '2026-03-01 09:00:00', reference: 'T' },
    { id: 'ET2', amountFen: 250n, at: '2026-03-01 09:30:00', reference: 'T' },
  ]);
  await books.entries('A2', [{ id: 'EX', amountFen: 60n, at: '2026-03-01 09:00:00', reference: 'X' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 101_403n });
  await books.balance('A2', { at: '2026-03-02 00:00:05', fen: 0n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual([
    'account A1 X 60',
    'duplicate A1 T -250',
    'fee A1 F -7',
    'ledger_only A1 L -40',
    'platform_only A1 P 100',
    'account A2 X -60',
  ]);
  expect(proof.accounts.map((account) => [account.differenceFen, account.lineDifferenceFen])).toEqual([
    [-137n, -137n],
    [-60n, -60n],
  ]);
});

test('a deposit of 23:59 booked at 00:01 is late on its day and gone on the next', async () => {
  await openMarch();
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 23:59:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 00:01:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_500n });
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_500n });
  const first = await books.night('2026-03-01');
  expect(first.verdict).toBe('reconciled_with_timing');
  expect(await books.found(first.runId)).toEqual(['late A1 D1 500']);
  const second = await books.night('2026-03-02');
  expect(second.verdict).toBe('reconciled');
  expect(await books.found(second.runId)).toEqual([]);
});

test('a pending entry is timing until it ages into a state break that keeps its id', async () => {
  await openMarch();
  await books.proven('A1', '2026-03-06', '2026-03-09');
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('A1', [
    { id: 'E1', amountFen: 500n, at: '2026-03-01 11:00:00', reference: 'D1', status: 'pending' },
  ]);
  for (const day of ['02', '05', '06'])
    await books.balance('A1', { at: `2026-03-${day} 00:00:05`, fen: 100_500n });
  const first = await books.night('2026-03-01');
  expect(await books.found(first.runId)).toEqual(['pending A1 D1 500']);
  const aged = await books.night('2026-03-05');
  expect(await books.found(aged.runId)).toEqual(['state A1 D1 500']);
  const rows = await database.db.selectFrom('break').selectAll().execute();
  expect(rows.map((row) => [row.class, row.severity, row.first_day, row.status])).toEqual([
    ['state', 'break', '2026-03-01', 'open'],
  ]);
});
