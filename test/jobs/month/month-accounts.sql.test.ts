/** Accounts that end within a month: proven to their own end where nothing is left of them, and else not. */
import { afterEach, expect, test } from 'vitest';
import { Night } from '../../helpers/night.ts';
import { Trade } from '../../helpers/trade.ts';
import { booked, nightsOf, rollUp, sign } from './february.ts';
import type { Rolled } from './february.ts';

let night: Night;
afterEach(() => night.close());

const TIE = 'Every account is proven to the end of the month';

function tie({ book }: Rolled): unknown {
  const found = [...book.sheet('Month').cells].find(([, { value }]) => value === TIE);
  return book.value('Month', `B${found?.[0].slice(1)}`);
}

/** Two accounts in the last days of February; the second one ends on the 26th. */
async function ending(heldFen: bigint): Promise<Rolled> {
  night = await Night.open({ now: '2026-02-25 08:00:00' });
  const at = '2026-02-25 00:00:00';
  const [first, second] = [
    { no: 'A1', opening: { fen: 100_000n, at } },
    { no: 'A2', opening: { fen: 0n, at }, heldFen, activeTo: '2026-02-26 12:00:00' },
  ];
  await night.accounts(first, second);
  await nightsOf(night, '2026-02-25', '2026-02-28');
  return rollUp(night);
}

test('one that ended with nothing on either side is proven to its end, and its closing is 0', async () => {
  const rolled = await ending(0n);
  const columns = ['B', 'F', 'N', 'O', 'R'];
  // The last of it is of the 26th: the nights after have it no more.
  expect(columns.map((column) => rolled.book.value('Month roll-forward', `${column}8`))).toEqual([
    'A2',
    46_079,
    0,
    0,
    'agrees',
  ]);
  expect(tie(rolled)).toBe('agrees');
});

test('one that comes back with what lay in the month was not proven to the end of it', async () => {
  expect(tie(await ending(0n))).toBe('agrees');
  night.deposits({ payeeAcctNo: 'A2', orderNo: 'L1', amountFen: 700n, depositTime: '2026-02-27 10:00:00' });
  await night.entries([booked('A2', 'L1', 700n, '2026-02-27 11:00:00')]);
  await nightsOf(night, '2026-03-01', '2026-03-01');
  const rolled = await rollUp(night);
  expect(rolled.book.value('Month roll-forward', 'N8')).toBe('not proven to the end');
  expect(tie(rolled)).toBe('differs');
  await expect(sign(night, '2026-02-28')).rejects.toMatchObject({
    faults: [expect.stringContaining('account A2 is no part of nightly-2026-02-28-v1')],
  });
  await nightsOf(night, '2026-02-28', '2026-02-28');
  await sign(night, '2026-02-28');
  const again = await rollUp(night);
  expect([again.book.value('Month roll-forward', 'N8'), tie(again)]).toEqual([7, 'agrees']);
});

test('nor one that a run of it alone tells of up to the very end of the month', async () => {
  await ending(0n);
  night.deposits({ payeeAcctNo: 'A2', orderNo: 'L1', amountFen: 700n, depositTime: '2026-02-27 10:00:00' });
  await night.entries([booked('A2', 'L1', 700n, '2026-02-27 11:00:00')]);
  night.moveTo('2026-03-01 10:00:00');
  const { result } = await night.backfill('2026-02-27', '2026-02-28', ['A2']);
  expect(result.accounts.map(({ platformFen }) => platformFen)).toEqual([700n]);
  expect(tie(await rollUp(night))).toBe('differs');
  await expect(sign(night, '2026-02-28')).rejects.toMatchObject({
    faults: [expect.stringContaining('account A2 is no part of nightly-2026-02-28-v1')],
  });
  await nightsOf(night, '2026-03-01', '2026-03-01');
  expect(tie(await rollUp(night))).toBe('differs');
});

test('one that had left before, and is told of since, is not proven to the end', async () => {
  night = await Night.open({ now: '2026-01-30 08:00:00' });
  const at = '2026-01-30 00:00:00';
  await night.accounts(
    { no: 'A1', opening: { fen: 100_000n, at } },
    { no: 'A2', opening: { fen: 0n, at }, activeTo: '2026-01-30 12:00:00' },
  );
  await nightsOf(night, '2026-01-30', '2026-02-01');
  await nightsOf(night, '2026-02-28', '2026-02-28');
  const before = await rollUp(night);
  expect([before.document['accounts'], tie(before)]).toEqual([1, 'agrees']);
  night.deposits({ payeeAcctNo: 'A2', orderNo: 'L1', amountFen: 700n, depositTime: '2026-02-27 10:00:00' });
  await night.entries([booked('A2', 'L1', 700n, '2026-02-27 11:00:00')]);
  await nightsOf(night, '2026-03-01', '2026-03-01');
  const rolled = await rollUp(night);
  expect([rolled.document['accounts'], tie(rolled)]).toEqual([2, 'differs']);
});

test('one of which no later night tells although something was left of it is not proven to the end', async () => {
  await ending(500n);
  await night.db
    .deleteFrom('run_account')
    .where('account_no', '=', 'A2')
    .where('run_id', '>', 'nightly-2026-02-27')
    .execute();
  expect(tie(await rollUp(night))).toBe('differs');
});

test('one that the last night could not verify, whatever balances it states, is not proven to the end', async () => {
  await ending(0n);
  const { db } = night;
  await db
    .updateTable('run_account')
    .set({ verdict: 'unverified' })
    .where('run_id', '=', 'nightly-2026-02-28-v1')
    .execute();
  const rolled = await rollUp(night);
  expect(rolled.book.value('Month roll-forward', 'E6')).toBe('Not verifiable');
  expect(tie(rolled)).toBe('differs');
});

test('one of which a run over the edge tells once more, with nothing that was not proven, had left', async () => {
  await ending(0n);
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'L1', amountFen: 700n, depositTime: '2026-03-01 10:00:00' });
  await night.entries([booked('A1', 'L1', 700n, '2026-03-01 11:00:00')]);
  night.moveTo('2026-03-03 02:00:00');
  const { result } = await night.backfill('2026-02-26', '2026-03-02');
  expect(result.accounts.map(({ accountNo, verdict }) => [accountNo, verdict])).toEqual([
    ['A1', 'reconciled'],
    ['A2', 'reconciled'],
  ]);
  await nightsOf(night, '2026-02-28', '2026-02-28');
  expect(tie(await rollUp(night))).toBe('agrees');
  await sign(night, '2026-02-28');
});

test('one of which it tells of what came and went over the edge had not left', async () => {
  await ending(0n);
  const trade = new Trade(night);
  night.deposits(
    { payeeAcctNo: 'A1', orderNo: 'L0', amountFen: 5n, depositTime: '2026-02-26 10:00:00' },
    { payeeAcctNo: 'A2', orderNo: 'L1', amountFen: 700n, depositTime: '2026-02-27 10:00:00' },
  );
  trade.withdrawals({
    outOrderNo: 'W1',
    acctNo: 'A2',
    amountFen: 700,
    submittedAt: '2026-03-01 09:00:00',
    finalAt: '2026-03-01 09:00:01',
  });
  trade.books(
    'A1 deposit L0 5 2026-02-26 11:00',
    'A2 deposit L1 700 2026-02-27 11:00',
    'A2 withdrawal W1 -700 2026-03-01 09:30',
  );
  const { result } = await trade.night('2026-03-01');
  expect(result.accounts[1]).toMatchObject({ accountNo: 'A2', verdict: 'reconciled', platformFen: 0n });
  // Known by now to the proof of the 26th too, behind its end.
  await night.night('2026-02-26');
  expect(tie(await rollUp(night))).toBe('differs');
  await night.night('2026-02-28');
  const again = await rollUp(night);
  expect([again.book.value('Month roll-forward', 'N8'), tie(again)]).toEqual([7, 'agrees']);
});
