import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { T1, bookedT1, numbersOf, openMarchIn } from './orders-in-march.ts';

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
});
afterEach(() => database.close());

const openMarch = (...accounts: string[]): Promise<void> => openMarchIn(books, ...accounts);

test('U49: a withdrawal that comes back is a reversal: without an entry for it an amount break of all of it', async () => {
  await openMarch('P');
  await orders.withdrawal({
    out: 'W1',
    account: 'P',
    amountFen: 500n,
    feeFen: 20n,
    feeType: 'ACCOUNT',
    finalAt: '2026-03-02 02:00:00',
  });
  await books.entries('P', [
    { id: 'p1', kind: 'withdrawal', amountFen: -520n, at: '2026-03-01 12:00:00', reference: 'W1' },
  ]);
  await books.balance('P', { at: '2026-03-02 02:00:05', fen: 99_480n });
  const first = await books.night('2026-03-01');
  expect(first.verdict).toBe('reconciled');
  await orders.withdrawal({
    out: 'W1',
    account: 'P',
    amountFen: 500n,
    feeFen: 20n,
    feeType: 'ACCOUNT',
    finalAt: '2026-03-02 02:00:00',
    returned: { lastOpenAt: '2026-03-02 02:00:00', finalAt: '2026-03-03 02:00:00' },
  });
  await books.balance('P', { at: '2026-03-03 02:00:05', fen: 100_000n });
  const second = await books.night('2026-03-02');
  expect(numbersOf(second, 'P')).toMatchObject({ numbers: { unexplainedFen: 0n } });
  const found = await books.found(second.runId);
  expect(found).toEqual(['amount P W1 520']);
});

test('3.4: an order that the midnight balance may not hold is placed by the balance, and named as an assumption', async () => {
  await openMarch('P');
  await orders.withdrawal({
    out: 'W1',
    account: 'P',
    amountFen: 500n,
    submittedAt: '2026-03-01 23:50:00',
    finalAt: '2026-03-02 02:00:00',
  });
  await books.entries('P', [
    { id: 'p1', kind: 'withdrawal', amountFen: -500n, at: '2026-03-01 23:51:00', reference: 'W1' },
  ]);
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 100_000n, frozenFen: 500n });
  const proof = await books.night('2026-03-01');
  expect(numbersOf(proof, 'P')).toMatchObject({
    assumptions: ['timing_assumed:W1'],
    numbers: { source: 'observed', unexplainedFen: 0n, inFlightFen: 500n },
  });
  expect(await books.found(proof.runId)).toEqual(['late P W1 500']);
  expect(proof.verdict).toBe('reconciled_with_timing');
});

test('an order that is assumed to lie before the balance closes no unexplained amount until a balance has told', async () => {
  await openMarch('P');
  const opened = async () =>
    database.db
      .selectFrom('break')
      .select(['status', 'first_day', 'closed_day'])
      .where('class', '=', 'unexplained')
      .execute();
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 99_500n });
  expect(await books.found((await books.night('2026-03-01')).runId)).toEqual(['unexplained P P -500']);
  await orders.withdrawal({
    out: 'W1',
    account: 'P',
    amountFen: 500n,
    submittedAt: '2026-03-01 23:50:00',
    finalAt: '2026-03-02 20:00:00',
  });
  await books.entries('P', [
    { id: 'p1', kind: 'withdrawal', amountFen: -500n, at: '2026-03-01 23:51:00', reference: 'W1' },
  ]);
  const again = await books.night('2026-03-01');
  expect(numbersOf(again, 'P')).toMatchObject({
    assumptions: ['timing_assumed:W1'],
    numbers: { unexplainedFen: 0n },
  });
  expect(await opened()).toEqual([{ status: 'open', first_day: '2026-03-01', closed_day: null }]);
  await books.balance('P', { at: '2026-03-03 00:00:05', fen: 99_500n });
  expect((await books.night('2026-03-02')).verdict).toBe('reconciled');
  expect(await opened()).toEqual([{ status: 'closed', first_day: '2026-03-01', closed_day: '2026-03-02' }]);
});

test('3.4: two such orders of one amount leave candidates and an unverified account', async () => {
  await openMarch('P');
  for (const out of ['W1', 'W2']) {
    await orders.withdrawal({
      out,
      account: 'P',
      amountFen: 500n,
      submittedAt: '2026-03-01 23:50:00',
      finalAt: '2026-03-02 02:00:00',
    });
    await books.entries('P', [
      { id: out, kind: 'withdrawal', amountFen: -500n, at: '2026-03-01 23:51:00', reference: out },
    ]);
  }
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 99_500n, frozenFen: 500n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('unverified');
  expect(numbersOf(proof, 'P')).toMatchObject({
    reason: 'timing_candidates:2',
    candidates: [
      { assume: 'withdrawal W1 after the balance; withdrawal W2 before the cut', differenceFen: 500n },
      { assume: 'withdrawal W1 before the cut; withdrawal W2 after the balance', differenceFen: 500n },
    ],
  });
});

test('3.4: two placements that both explain are a break to sign once the account is unproven for too long', async () => {
  await openMarch('P');
  for (const out of ['W1', 'W2']) {
    await orders.withdrawal({
      out,
      account: 'P',
      amountFen: 500n,
      submittedAt: '2026-03-01 23:50:00',
      finalAt: '2026-03-07 02:00:00',
    });
    await books.entries('P', [
      { id: out, kind: 'withdrawal', amountFen: -500n, at: '2026-03-01 23:51:00', reference: out },
    ]);
  }
  const verdicts: string[] = [];
  for (const day of ['01', '02', '03', '04']) {
    const at = `2026-03-0${Number(day) + 1} 00:00:05`;
    await books.balance('P', { at, fen: 99_500n, frozenFen: 500n });
    const proof = await books.night(`2026-03-${day}`);
    verdicts.push(`${proof.verdict} ${numbersOf(proof, 'P')?.reason ?? ''}`.trim());
    if (day === '04') {
      expect(await books.found(proof.runId)).toEqual(['ambiguous P P 0', 'state P W1 500']);
      expect(numbersOf(proof, 'P')).toMatchObject({
        assumptions: ['days_spanned:2026-03-01', 'timing_assumed:W1, W2'],
        numbers: { unexplainedFen: 0n },
        chained: true,
      });
    }
  }
  expect(verdicts).toEqual([
    'unverified timing_candidates:2',
    'unverified timing_candidates:2',
    'unverified timing_candidates:2',
    'breaks',
  ]);
  await books.balance('P', { at: '2026-03-08 00:00:05', fen: 99_000n });
  const later = await books.night('2026-03-07');
  expect(later.verdict).toBe('reconciled');
  const states = await database.db
    .selectFrom('break')
    .select(['class', 'status'])
    .where('severity', '=', 'break')
    .orderBy('class')
    .execute();
  expect(states).toEqual([
    { class: 'ambiguous', status: 'closed' },
    { class: 'state', status: 'closed' },
  ]);
});

test('3.4: more than twenty ambiguous orders are unverified, not guessed', async () => {
  await openMarch('P');
  for (let n = 1; n <= 21; n++) {
    await orders.withdrawal({
      out: `W${n}`,
      account: 'P',
      amountFen: 1n,
      submittedAt: '2026-03-01 23:50:00',
      finalAt: '2026-03-02 02:00:00',
    });
  }
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 100_000n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('unverified');
  expect(numbersOf(proof, 'P')?.reason).toBe('ambiguous_orders:21 > 20');
});

test('a frozen amount without orders in flight is a frozen break and no difference', async () => {
  await openMarch('P');
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 100_000n, frozenFen: 700n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('breaks');
  expect(await books.found(proof.runId)).toEqual(['frozen P P 700']);
  expect(numbersOf(proof, 'P')?.differenceFen).toBe(0n);
});

test('P14: a registered order the platform does not know is timing, booked or not', async () => {
  await openMarch('P');
  await orders.registered({
    out: 'T9',
    batch: 'B9',
    payer: 'P',
    payee: 'Q',
    amountFen: 800n,
    submittedAt: '2026-03-01 22:00:00',
  });
  await orders.due({ number: 'B9', account: 'P', state: 'not_found' });
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 100_000n });
  const unbooked = await books.night('2026-03-01');
  expect(unbooked.verdict).toBe('reconciled_with_timing');
  expect(await books.found(unbooked.runId)).toEqual(['unknown_not_found P T9 0']);
  await books.entries('P', [
    { id: 'p1', kind: 'transfer_out', amountFen: -800n, at: '2026-03-01 22:01:00', reference: 'T9' },
  ]);
  const booked = await books.night('2026-03-01');
  expect(await books.found(booked.runId)).toEqual(['unknown_not_found P T9 800']);
  expect(booked.verdict).toBe('reconciled_with_timing');
});

test('a batch or withdrawal that could not be read leaves its accounts incomplete, and only those', async () => {
  await openMarch('P', 'Q', 'R');
  await orders.registered({ out: 'T9', batch: 'B9', payer: 'P', payee: 'Q', amountFen: 800n });
  for (const accountNo of ['P', 'Q', 'R']) {
    await books.balance(accountNo, { at: '2026-03-02 00:00:05', fen: 100_000n });
  }
  const first = await books.night('2026-03-01');
  await orders.due({
    number: 'B9',
    account: 'P',
    state: 'new',
    askedRun: await nextRunId(first.runId),
    failure: 'no answer',
  });
  const second = await books.night('2026-03-01');
  expect(second.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`)).toEqual([
    'P incomplete',
    'Q incomplete',
    'R reconciled',
  ]);
});

/** The run of the same day that comes next: its id is known before it begins. */
async function nextRunId(runId: string): Promise<string> {
  const { version } = await database.db
    .selectFrom('run')
    .select('version')
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return runId.replace(new RegExp(`${version}$`), String(version + 1));
}

test('a settlement that failed needs a person and colours nothing', async () => {
  await openMarch('P', 'Q');
  await orders.transfer({ ...T1, settle: { state: 'failed', finalAt: '2026-03-02 02:00:00' } });
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [bookedT1.Q]);
  await books.balance('P', { at: '2026-03-02 02:00:05', fen: 90_000n });
  await books.balance('Q', { at: '2026-03-02 02:00:05', fen: 109_970n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['settle_failed Q T1 0']);
  expect(proof.verdict).toBe('reconciled');
});

test('P6, P7, P10, P12: faults of orders are breaks without an amount of their own', async () => {
  await openMarch('P', 'Q');
  await orders.transfer({ ...T1, realFen: 9_000n });
  await orders.fault({
    account: 'P',
    reference: 'T1',
    class: 'state_regression',
    note: 'SUCCESS, then PROCESSING',
  });
  await orders.fault({ account: 'P', reference: 'T0', class: 'unknown_state', note: 'XYZ' });
  await database.db
    .updateTable('transfer_batch')
    .set({ contradiction: 'says FAIL, but an order moved money', contradiction_day: '2026-03-01' })
    .execute();
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [bookedT1.Q]);
  await books.balance('P', { at: '2026-03-02 02:00:05', fen: 90_000n });
  await books.balance('Q', { at: '2026-03-02 02:00:05', fen: 109_970n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual([
    'batch_children P B1 0',
    'fee_invariant P T1 0',
    'state_regression P T1 0',
    'unknown_state P T0 0',
  ]);
});
