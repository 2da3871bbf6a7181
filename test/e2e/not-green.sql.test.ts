/** What must not look right: errors that cancel each other, an empty listing, a balance that moves. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outcomeOf } from '../../jobs/commands/nightly.ts';
import { Night, findingsOf, zone } from '../helpers/night.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
});
afterEach(() => night.close());

const OPENING = { fen: 100_000n, at: '2026-03-10 00:00:00' };

test('two errors that cancel each other in the total are two breaks, and the day is not green', async () => {
  await night.accounts({ no: 'A1', opening: OPENING });
  night.deposits(
    { payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' },
    { payeeAcctNo: 'A1', orderNo: 'D2', amountFen: 800n, depositTime: '2026-03-10 10:00:00' },
  );
  await night.entries([
    { id: 'E1', account: 'A1', fen: 600n, at: '2026-03-10 09:00:00', reference: 'D1' },
    { id: 'E2', account: 'A1', fen: 700n, at: '2026-03-10 10:00:00', reference: 'D2' },
  ]);
  const outcome = await night.night('2026-03-10');
  expect(outcome.result.run.verdict).toBe('breaks');
  expect(findingsOf(outcome)).toEqual(['amount A1 D1 -100', 'amount A1 D2 100']);
  expect(outcome.result.accounts[0]).toMatchObject({
    platformFen: 101_300n,
    ledgerFen: 101_300n,
    differenceFen: 0n,
    unexplainedFen: 0n,
    lineDifferenceFen: 0n,
    verdict: 'breaks',
  });
  expect(await outcomeOf({ db: night.db, zone }, outcome, {})).toMatchObject({ status: 0 });
  expect(await outcomeOf({ db: night.db, zone }, outcome, { failOnBreaks: true })).toMatchObject({
    status: 3,
  });
});

test('U24: a platform that answers empty although the books have deposits is suspect, and the day is not green', async () => {
  await night.accounts({ no: 'A1', opening: OPENING });
  night.sandbox.setSwitches({ emptyListingOf: ['A1'] });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' });
  await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' }]);
  const outcome = await night.night('2026-03-10');
  expect(outcome.result.run.verdict).toBe('breaks');
  expect(findingsOf(outcome)).toEqual([
    'empty_suspect A1 A1 0',
    'ledger_only A1 D1 -500',
    'unexplained A1 A1 500',
  ]);
  expect(outcome.result.accounts[0]).toMatchObject({ differenceFen: 0n });
});

test('U24: an empty listing is suspect when only the balance says that something came', async () => {
  await night.accounts({ no: 'A1', opening: OPENING });
  night.sandbox.setSwitches({ emptyListingOf: ['A1'] });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' });
  expect(findingsOf(await night.night('2026-03-10'))).toEqual([
    'empty_suspect A1 A1 0',
    'unexplained A1 A1 500',
  ]);
});

test('U24: the listing asked with the other kind of number finds what the first did not', async () => {
  await night.profile({ deposits: { accountField: 'both' } });
  night.sandbox.setSwitches({ depositAccountField: 'eleAcctNo' });
  await night.accounts({ no: 'A1', eleAcctNo: 'EA1', opening: OPENING });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' });
  await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' }]);
  const outcome = await night.night('2026-03-10');
  expect(findingsOf(outcome)).toEqual([]);
  expect(outcome.result.run.verdict).toBe('reconciled');
});

describe('U24: a listing that knows the account only by its other number', () => {
  beforeEach(async () => {
    await night.profile({ deposits: { accountField: 'both' } });
    night.sandbox.setSwitches({ depositAccountField: 'eleAcctNo' });
    const opening = { fen: 100_000n, at: '2026-03-01 00:00:00' };
    await night.accounts({ no: 'A1', eleAcctNo: 'EA1', opening });
    // Older than the look back: no later night would ask for its day again.
    night.deposits({
      payeeAcctNo: 'A1',
      orderNo: 'D1',
      amountFen: 500n,
      depositTime: '2026-03-02 09:00:00',
    });
    await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-02 09:00:00', reference: 'D1' }]);
  });

  test('is unread where it does not answer by that one, whatever the first answered, until it does', async () => {
    night.sandbox.addFault({ kind: 'unmapped_code', path: 'query/deposit', about: 'EA1' });
    const first = await night.night('2026-03-10');
    expect(first.result.run.verdict).toBe('incomplete');
    expect(first.result.accounts[0]?.reason).toContain('windows of deposits could not be read');
    expect(await night.db.selectFrom('sync_day').selectAll().execute()).toEqual([]);
    const again = await night.night('2026-03-10');
    expect(findingsOf(again)).toEqual([]);
    expect(again.result.run.verdict).toBe('reconciled');
  });

  test('its days are proven as that one lists them', async () => {
    await night.night('2026-03-10');
    const proven = async () => {
      const days = await night.db.selectFrom('sync_day').selectAll().where('record_count', '>', 0).execute();
      return days.map((row) => [row.day, row.record_count, row.sum_fen, row.sealed_run !== null]);
    };
    expect(await proven()).toEqual([['2026-03-02', 1, 500n, false]]);
    await night.backfill('2026-03-02', '2026-03-02');
    expect(await proven()).toEqual([['2026-03-02', 1, 500n, true]]);
  });
});

describe('a balance that moves while it is read', () => {
  const snapshots = () =>
    night.db.selectFrom('balance_snapshot').select(['state', 'tries', 'balance_fen', 'spread_fen']).execute();

  test('at every reading: five tries, then it is said', async () => {
    await night.accounts({ no: 'A1', opening: OPENING, drift: { fen: 1n, queries: 1_000 } });
    const outcome = await night.night('2026-03-10');
    expect(await snapshots()).toEqual([{ state: 'moving', tries: 5, balance_fen: 100_005n, spread_fen: 1n }]);
    expect(outcome.result.run.verdict).toBe('unverified');
    expect(outcome.result.accounts[0]).toMatchObject({
      verdict: 'unverified',
      reason: 'the balance moved at every reading',
      platformFen: null,
      differenceFen: null,
      unexplainedFen: null,
    });
    const balances = night.sandbox.requests().filter(({ path }) => path.endsWith('acct/queryInfo'));
    expect(balances, 'each try needs one reading more').toHaveLength(6);
  });

  test('once: accepted at the second try, with the deposit that moved it', async () => {
    await night.accounts({ no: 'A1', opening: OPENING });
    // Booked after the page of the day and the page of the bracket.
    night.sandbox.seedArrival({
      afterPages: 2,
      deposit: { payeeAcctNo: 'A1', orderNo: 'NEW', amountFen: 700n, depositTime: '2026-03-11 02:00:00' },
    });
    const outcome = await night.night('2026-03-10');
    expect(await snapshots()).toEqual([{ state: 'stable', tries: 2, balance_fen: 100_700n, spread_fen: 0n }]);
    expect(outcome.result.run.verdict).toBe('reconciled');
    expect(outcome.result.accounts[0]).toMatchObject({ platformFen: 100_000n, source: 'derived' });
  });

  test('only that account is read again', async () => {
    await night.accounts(
      { no: 'A1', opening: OPENING, drift: { fen: 1n, queries: 1_000 } },
      { no: 'A2', opening: OPENING },
    );
    const outcome = await night.night('2026-03-10');
    expect(outcome.result.accounts.map(({ accountNo, verdict }) => [accountNo, verdict])).toEqual([
      ['A1', 'unverified'],
      ['A2', 'reconciled'],
    ]);
    expect(night.sandbox.requests().filter(({ path }) => path.endsWith('acct/queryInfo'))).toHaveLength(8);
  });
});

test('a platform that states no balance leaves the account unverified', async () => {
  await night.accounts({ no: 'A1', opening: OPENING });
  night.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', remove: ['balance'], times: null });
  const { result } = await night.night('2026-03-10');
  expect(result.run.verdict).toBe('unverified');
  expect(result.accounts[0]).toMatchObject({ reason: 'the platform states no balance', platformFen: null });
});

test('the first night of an account without an opening is the baseline; the second is proven', async () => {
  await night.accounts({ no: 'A1', heldFen: 50_000n });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' });
  await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' }]);
  const first = await night.night('2026-03-10');
  expect(first.result.accounts[0]).toMatchObject({
    verdict: 'unverified',
    reason: 'there is no earlier balance to prove from; this first one becomes the baseline',
    openingFen: 50_000n,
    platformFen: 50_500n,
    unexplainedFen: 0n,
  });
  night.moveTo('2026-03-12 02:00:00');
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D2', amountFen: 60n, depositTime: '2026-03-11 09:00:00' });
  await night.entries([{ id: 'E2', account: 'A1', fen: 60n, at: '2026-03-11 09:00:00', reference: 'D2' }]);
  const second = await night.night('2026-03-11');
  expect(second.result.run.verdict).toBe('reconciled');
  expect(second.result.accounts[0]).toMatchObject({ openingFen: 50_500n, platformFen: 50_560n });
});

test('a ledger that says it is complete only to an instant before the cut makes the night incomplete', async () => {
  await night.accounts({ no: 'A1', opening: OPENING });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' });
  const entry = { id: 'E1', account: 'A1', fen: 500n, at: '2026-03-10 09:00:00', reference: 'D1' };
  await night.entries([entry], { completeTo: '2026-03-10 18:00:00' });
  const first = await night.night('2026-03-10');
  expect(first.result.run.verdict).toBe('incomplete');
  expect(await outcomeOf({ db: night.db, zone }, first, {})).toMatchObject({ status: 1 });
  expect(first.result.accounts[0]?.reason).toBe(
    'the ledger is complete only to an instant before the cut (erp to 2026-03-10 18:00:00)',
  );
  await night.entries([entry], { completeTo: '2026-03-11 00:00:00' });
  const second = await night.night('2026-03-10');
  expect(second.result.run).toMatchObject({ verdict: 'reconciled', version: 1, supersedes: null });
});
