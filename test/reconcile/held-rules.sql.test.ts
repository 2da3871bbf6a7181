/** Rules that could be broken by one small edit without any other test saying so. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  for (const no of ['A1', 'A2']) {
    await books.account(no, { fen: 100_000n, at: '2026-03-01 00:00:00' });
    await books.entries(no, [
      { id: `${no}-open`, kind: 'opening', amountFen: 100_000n, at: '2026-03-01 00:00:00' },
    ]);
    await books.proven(no, '2026-02-20', '2026-03-07');
  }
});
afterEach(() => database.close());

async function balances(day: string, fens: { A1?: bigint; A2?: bigint }): Promise<void> {
  for (const [no, fen] of Object.entries({ A1: 100_000n, A2: 100_000n, ...fens })) {
    await books.balance(no, { at: `${day} 00:00:05`, fen });
  }
}

test('a look-alike entry that names another reference is no pair: both sides are told', async () => {
  const alike = { at: '2026-03-01 10:00:00', amountFen: 500n };
  await books.deposits('A1', [
    { ...alike, orderNo: 'D1', payerName: 'P' },
    { ...alike, orderNo: 'D2', payerName: 'Q', amountFen: 70n },
  ]);
  await books.entries('A1', [
    { ...alike, id: 'E1', reference: 'D9', counterparty: 'P' },
    { ...alike, id: 'E2', counterparty: 'Q', amountFen: 70n },
  ]);
  await balances('2026-03-02', { A1: 100_570n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['ledger_only A1 D9 -500', 'platform_only A1 D1 500']);
});

test('an entry of half past midnight belongs to that day of the service, two days after its look-alike', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n, payerName: 'P' }]);
  await books.entries('A1', [{ id: 'E1', at: '2026-03-03 00:30:00', amountFen: 500n, counterparty: 'P' }]);
  await balances('2026-03-04', { A1: 100_500n });
  const proof = await books.night('2026-03-03');
  expect(await books.found(proof.runId)).toEqual([
    'empty_suspect A1 A1 0',
    'ledger_only A1 E1 -500',
    'platform_only A1 D1 500',
  ]);
});

test('a second entry of another amount is a wrong amount and no duplicate', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('A1', [
    { id: 'E1', at: '2026-03-01 10:00:00', amountFen: 500n, reference: 'D1' },
    { id: 'E2', at: '2026-03-01 10:00:00', amountFen: 700n, reference: 'D1' },
  ]);
  await balances('2026-03-02', { A1: 100_500n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['amount A1 D1 -700']);
});

test('an entry of the first instant after the cut is not in the books at the cut', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-02 00:00:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', at: '2026-03-02 00:00:00', amountFen: 500n, reference: 'D1' }]);
  await balances('2026-03-02', { A1: 100_500n });
  const proof = await books.night('2026-03-01');
  expect(proof.accounts[0]).toMatchObject({
    verdict: 'reconciled',
    numbers: { platformFen: 100_000n, ledgerFen: 100_000n },
  });
});

test('the word ORDER puts the fee inside the amount, whatever the record says was credited', async () => {
  await books.deposits('A1', [
    {
      orderNo: 'D1',
      at: '2026-03-01 10:00:00',
      amountFen: 500n,
      feeFen: 30n,
      realFen: 500n,
      feeType: 'ORDER',
    },
  ]);
  await books.entries('A1', [{ id: 'E1', at: '2026-03-01 10:00:00', amountFen: 470n, reference: 'D1' }]);
  await balances('2026-03-02', { A1: 100_470n });
  // Nobody here bears a fee beside the amount, so that the place of the fee decides what came.
  const proof = await books.night('2026-03-01', { bearer: 'external' });
  expect(await books.found(proof.runId)).toEqual(['fee_invariant A1 D1 0']);
});

test('an entry that goes the other way on another account is not the one that is missing here', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('A2', [{ id: 'E1', at: '2026-03-01 10:00:00', amountFen: -500n, reference: 'D1' }]);
  await balances('2026-03-02', { A1: 100_500n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['platform_only A1 D1 500', 'ledger_only A2 D1 500']);
});
