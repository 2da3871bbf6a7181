/** A gateway that mixes up whom a signed answer is for: nothing of another account or order is ever taken for one's own. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { countOf, expectGreen, openQuietDay } from '../helpers/quiet-day.ts';

let night: Night;

beforeEach(async () => {
  night = await openQuietDay();
});
afterEach(() => night.close());

const between: [string, string] = ['A1', 'A2'];

const verdicts = ({ result }: Awaited<ReturnType<Night['night']>>): string[] =>
  result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`);

describe('a signed answer of another account', () => {
  test('is no balance: the night is incomplete, says why, stores nothing and heals when the answers are right', async () => {
    await night.accounts({ no: 'A3', opening: { fen: 7n, at: '2026-03-08 00:00:00' }, heldFen: 7n });
    night.sandbox.addFault({
      kind: 'swapped',
      path: 'acct/queryInfo',
      between: ['A1', 'A3'],
      times: null,
    });
    const first = await night.night('2026-03-10');
    expect(verdicts(first)).toEqual(['A1 incomplete', 'A2 reconciled', 'A3 incomplete']);
    expect(findingsOf(first)).toEqual([]);
    const stored = await night.db
      .selectFrom('balance_snapshot')
      .select(['account_no', 'balance_fen'])
      .execute();
    expect(stored).toEqual([{ account_no: 'A2', balance_fen: 100_600n }]);
    const unread = night.log.lines.filter(({ event }) => event === 'balance.unread');
    expect(unread.map(({ reason }) => String(reason)).toSorted()).toEqual([
      'acct/queryInfo: asked for A1, the answer is about A3',
      'acct/queryInfo: asked for A3, the answer is about A1',
    ]);
    night.sandbox.liftFaults();
    const second = await night.night('2026-03-10');
    expect(verdicts(second)).toEqual(['A1 reconciled', 'A2 reconciled', 'A3 reconciled']);
    expect(findingsOf(second)).toEqual([]);
  });

  test('is no listing, even where the books claim the same: never RECONCILED on another one’s deposits', async () => {
    night.sandbox.addFault({ kind: 'swapped', path: 'query/deposit', between, times: null });
    const first = await night.night('2026-03-10');
    expect(verdicts(first)).toEqual(['A1 incomplete', 'A2 incomplete']);
    expect(await countOf(night, 'deposit')).toBe(0);
    night.sandbox.liftFaults();
    await expectGreen(night);
  });

  test('that comes once is asked for again and costs nothing else', async () => {
    night.sandbox.addFault({ kind: 'swapped', between, everyKth: 3 });
    await expectGreen(night);
  });

  test('a single row of another account makes its whole page unread', async () => {
    night.sandbox.addFault({
      kind: 'record',
      path: 'query/deposit',
      set: { payeeAcctNo: 'A9' },
      row: 1,
      times: null,
    });
    expect(verdicts(await night.night('2026-03-10'))).toEqual(['A1 incomplete', 'A2 incomplete']);
    expect(await countOf(night, 'deposit')).toBe(0);
  });

  test('U24: a listing that states the electronic number of the company’s list is the right one', async () => {
    const opening = { fen: 100_000n, at: '2026-03-08 00:00:00' };
    await night.listAccounts({ no: 'A1', eleAcctNo: 'E1', opening });
    await night.profile({ http: { maxAttempts: 1 } });
    const set = { payeeAcctNo: 'E1' };
    night.sandbox.addFault({ kind: 'record', path: 'query/deposit', set, row: 'all', times: null });
    // The platform's own word for the account must be the list's.
    night.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', set: { eleAcctNo: 'E1' }, times: null });
    expect(verdicts(await night.night('2026-03-10'))).toEqual(['A1 reconciled', 'A2 incomplete']);
  });
});

test('a signed answer about another withdrawal is no look at this one', async () => {
  const submittedAt = '2026-03-10 11:00:00';
  const seed = { submittedAt, finalAt: '2026-03-10 12:00:00' };
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W1', acctNo: 'A1', amountFen: 50n, ...seed },
    { outOrderNo: 'W2', acctNo: 'A2', amountFen: 60n, ...seed },
  ]);
  await night.orders(
    { kind: 'withdrawal', outOrderNo: 'W1', payer: 'A1', fen: 50n, submittedAt },
    { kind: 'withdrawal', outOrderNo: 'W2', payer: 'A2', fen: 60n, submittedAt },
  );
  night.sandbox.addFault({
    kind: 'swapped',
    path: 'account/queryWithdraw',
    between: ['W1', 'W2'],
    times: null,
  });
  expect(verdicts(await night.night('2026-03-10'))).toEqual(['A1 incomplete', 'A2 incomplete']);
  expect(await night.db.selectFrom('withdrawal').selectAll().execute()).toEqual([]);
  night.sandbox.liftFaults();
  expect(findingsOf(await night.night('2026-03-10'))).toEqual([
    'platform_only A1 W1 -50',
    'platform_only A2 W2 -60',
  ]);
});
