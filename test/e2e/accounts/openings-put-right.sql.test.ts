/** What the company puts right of its openings ends the break that it made, by that (docs/reconciliation.md 3.11). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Night, findingsOf } from '../../helpers/night.ts';

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-05 08:00:00' });
});
afterEach(() => night.close());

const OPENING = { fen: 100_000n, at: '2026-03-10 00:00:00' };

/** The verdict of the night of a day in March, and what it found. */
async function tell(day: number): Promise<string[]> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  const outcome = await night.night(`2026-03-${day}`);
  return [outcome.result.run.verdict, ...findingsOf(outcome)];
}

const ended = async (itemKey: string): Promise<string[]> => {
  const rows = await night.db
    .selectFrom('break')
    .selectAll()
    .where('item_key', '=', itemKey)
    .orderBy('occurrence')
    .execute();
  return rows.map(({ status, closed_day: day, cleared_cause: cause, cleared_by: by }) =>
    [status, day, cause, by].filter(Boolean).join(' '),
  );
};

describe('a withdrawal of before the openings that the books have after them', () => {
  const SENT = '2026-03-05 12:00:00';
  const OPEN = { id: 'O', account: 'A', kind: 'opening', ...OPENING };
  const E1 = {
    id: 'E1',
    account: 'A',
    kind: 'withdrawal',
    fen: -500n,
    at: '2026-03-10 10:00:00',
    reference: 'W1',
  };
  const E9 = { id: 'E9', account: 'A', fen: 9n, at: '2026-03-10 11:00:00', reference: 'D9' };

  /** W1 lies before the openings, as W0 does; others are sent on the day after. */
  async function opened(...others: string[]): Promise<void> {
    await night.accounts({
      no: 'A',
      heldFen: 100_500n + (others.includes('W0') ? 500n : 0n),
      opening: OPENING,
    });
    for (const no of ['W1', ...others]) {
      const submittedAt = no === 'W2' ? '2026-03-10 10:00:00' : SENT;
      night.sandbox.seedWithdrawals([{ outOrderNo: no, acctNo: 'A', amountFen: 500n, submittedAt }]);
      await night.orders({ kind: 'withdrawal', outOrderNo: no, payer: 'A', fen: 500n, submittedAt });
    }
    night.deposits({ payeeAcctNo: 'A', orderNo: 'D9', amountFen: 9n, depositTime: E9.at });
    await night.entries([OPEN, E1, E9]);
  }

  test('ends its difference by the entry that is redated to before them', async () => {
    await opened();
    expect(await tell(10)).toEqual(['breaks', 'opening A A 500']);
    await night.entries([{ ...E1, at: SENT }]);
    expect(await tell(11)).toEqual(['reconciled']);
    expect(await ended('opening')).toEqual(['closed 2026-03-11 entry E1']);
  });

  test('by the entry that a replacing file lacks', async () => {
    await opened();
    expect(await tell(10)).toEqual(['breaks', 'opening A A 500']);
    await night.entries([OPEN, E9], { replace: true });
    expect(await tell(11)).toEqual(['reconciled']);
    expect(await ended('opening')).toEqual(['closed 2026-03-11 entry E1']);
  });

  test('by the entry that names the order which it was meant for', async () => {
    await opened('W2');
    expect(await tell(10)).toEqual(['breaks', 'opening A A 500', 'platform_only A W2 -500']);
    await night.entries([{ ...E1, reference: 'W2' }]);
    expect(await tell(11)).toEqual(['reconciled']);
    expect(await ended('opening')).toEqual(['closed 2026-03-11 entry E1']);
  });

  test('by no entry that came and went since, nor by one that only says more of itself', async () => {
    await opened('W0');
    expect(await tell(10)).toEqual(['breaks', 'opening A A 500']);
    const again = [OPEN, { ...E1, counterparty: 'the bank' }, { ...E1, id: 'E2' }, E9];
    await night.entries([...again, { ...E1, id: 'E0', reference: 'W0' }]);
    await night.entries(again, { replace: true });
    expect(await tell(11)).toEqual(['unverified', 'duplicate A W1 1000', 'opening A A 500']);
    await night.entries([OPEN, E9], { replace: true });
    expect(await tell(12)).toEqual(['reconciled']);
    expect(await ended('opening')).toEqual(['closed 2026-03-12 entry E1']);
  });
});

describe('an opening of the account list that is mistyped once proofs rest on it', () => {
  const RIGHT = { no: 'A', opening: OPENING };
  const MISTYPED = { no: 'A', opening: { ...OPENING, fen: 10_000n } };

  beforeEach(async () => {
    await night.accounts(RIGHT);
    expect(await tell(10)).toEqual(['reconciled']);
    night.moveTo('2026-03-11 09:00:00');
    await night.listAccounts(MISTYPED);
  });

  test('ends by the former file, taken in again, and by none that states another column since', async () => {
    expect(await tell(11)).toEqual(['breaks', 'period_changed A A 90000']);
    night.moveTo('2026-03-12 09:00:00');
    await night.listAccounts(RIGHT);
    await night.listAccounts({ ...RIGHT, autoSettle: true });
    expect(await tell(12)).toEqual(['reconciled']);
    expect(await ended('period_changed')).toEqual(['closed 2026-03-12 statement import-1.csv']);
  });

  test('and on the same day where its night is run again', async () => {
    expect(await tell(11)).toEqual(['breaks', 'period_changed A A 90000']);
    night.moveTo('2026-03-12 02:10:00');
    await night.listAccounts(RIGHT);
    night.moveTo('2026-03-12 02:20:00');
    const again = await night.night('2026-03-11');
    expect([again.result.run.verdict, ...findingsOf(again)]).toEqual(['reconciled']);
    expect(await ended('period_changed')).toEqual(['closed 2026-03-11 statement import-1.csv']);
  });

  test('each time it is', async () => {
    for (const day of [11, 13]) {
      expect(await tell(day)).toEqual(['breaks', 'period_changed A A 90000']);
      night.moveTo(`2026-03-${day + 1} 09:00:00`);
      await night.listAccounts(RIGHT);
      expect(await tell(day + 1)).toEqual(['reconciled']);
      night.moveTo(`2026-03-${day + 2} 09:00:00`);
      await night.listAccounts(MISTYPED);
    }
    expect(await ended('period_changed')).toEqual([
      'closed 2026-03-12 statement import-1.csv',
      'closed 2026-03-14 statement import-1.csv',
    ]);
  });

  test('is told by no night where the former file came before one', async () => {
    await night.listAccounts(RIGHT);
    expect(await tell(11)).toEqual(['reconciled']);
    expect(await ended('period_changed')).toEqual([]);
  });
});

test('a submission that was mistyped across the openings, once it is put right', async () => {
  const [account, sent] = ['A', '2026-03-09 23:30:00'];
  await night.accounts({ no: account, heldFen: 100_500n, opening: OPENING });
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W', acctNo: account, amountFen: 500n, submittedAt: sent }]);
  const register = (submittedAt: string): Promise<void> =>
    night.orders({ kind: 'withdrawal', outOrderNo: 'W', payer: account, fen: 500n, submittedAt });
  await register(sent);
  await night.entries([
    { id: 'O', account, kind: 'opening', ...OPENING },
    { id: 'E', account, kind: 'withdrawal', reference: 'W', fen: -500n, at: '2026-03-09 23:40:00' },
  ]);
  expect(await tell(10)).toEqual(['reconciled']);
  await register('2026-03-10 09:00:00');
  expect(await tell(11)).toContain('opening A A -500');
  await register(sent);
  expect(await tell(12)).toEqual(['reconciled']);
  expect(await ended('opening')).toEqual(['closed 2026-03-11 record W']);
});
