/** What a proof took to lie across an assumed opening of the books is a fact: taking it back is told (3.4). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Night, findingsOf } from '../../helpers/night.ts';
import type { BookLine } from '../../helpers/company/company-files.ts';
import type { NightOutcome } from '../../helpers/findings.ts';

let night: Night;
afterEach(() => night.close());

const OPENING = { fen: 100_000n, at: '2026-03-10 12:00:00' };
const BEFORE = '2026-03-10 09:00:00';
const E1 = { id: 'E1', account: 'P', fen: 3_000n, at: '2026-03-11 10:00:00', reference: 'D1' };
/** Of each day from the opening on: a file of them replaces all days. */
const OTHERS = [
  { id: 'E10', account: 'P', fen: 7n, at: '2026-03-10 08:00:00', reference: 'D10' },
  { id: 'E11', account: 'P', fen: 8n, at: '2026-03-11 08:00:00', reference: 'D11' },
  { id: 'E12', account: 'P', fen: 9n, at: '2026-03-12 08:00:00', reference: 'D12' },
];
const TOLD = ['breaks', 'period_changed P P 3000'];

function nightOf(day: number): Promise<NightOutcome> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  return night.night(`2026-03-${day}`);
}

async function tell(day: number): Promise<string[]> {
  const next = await nightOf(day);
  return [next.result.run.verdict, ...findingsOf(next)];
}

async function ended(): Promise<string[]> {
  const rows = await night.db
    .selectFrom('break')
    .select(['status', 'cleared_cause', 'cleared_by'])
    .where('class', '=', 'period_changed')
    .execute();
  return rows.map((row) => [row.status, row.cleared_cause, row.cleared_by].filter(Boolean).join(' '));
}

function books(...entries: readonly BookLine[]): Promise<unknown> {
  return night.entries([...OTHERS, ...entries], { replace: true });
}

/** P holds 1000.00, a deposit of 30.00 from before the opening included, which the books have only after it. */
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-10 14:00:00' });
  await night.accounts({ no: 'P', heldFen: 96_993n, opening: OPENING });
  const deposit = { payeeAcctNo: 'P', orderNo: 'D1', amountFen: 3_000n, depositTime: BEFORE };
  night.deposits(deposit);
  for (const { fen, at, reference } of OTHERS) {
    night.deposits({ ...deposit, orderNo: reference, amountFen: fen, depositTime: at });
  }
  await night.entries([...OTHERS, E1]);
  await nightOf(10);
  const proven = await nightOf(11);
  expect([proven.result.run.verdict, ...findingsOf(proven)]).toEqual(['reconciled']);
  expect(proven.result.accounts[0]?.assumptions.join('\n')).toContain('(-3000 fen, D1)');
});

describe('what the books take out of what their assumed opening rests on', () => {
  test.each<[string, BookLine[]]>([
    ['an entry that is withdrawn', []],
    ['one that is booked back', [E1, { ...E1, id: 'E3', fen: -3_000n, at: '2026-03-12 10:00:00' }]],
    ['one that is posted no more', [{ ...E1, status: 'pending' }]],
    ['one that is dated to come', [{ ...E1, at: '2027-03-11 10:00:00' }]],
  ])('%s is a difference of its own, every night', async (_what, entries) => {
    await books(...entries);
    expect(await tell(12)).toEqual(TOLD);
    const next = await nightOf(13);
    expect([next.result.run.verdict, ...findingsOf(next)]).toEqual(TOLD);
    expect(next.result.accounts[0]?.ledgerFen).toBe(97_017n);
    expect(next.result.accounts[0]?.assumptions.join('\n')).toContain('(-3000 fen, D1)');
    await books(E1);
    expect(await tell(14)).toEqual(['reconciled']);
    expect(await ended()).toEqual([expect.stringMatching(/^closed entry E[13]$/)]);
  });

  test('one that names another deposit by now', async () => {
    night.moveTo('2026-03-12 09:00:00');
    night.deposits({
      payeeAcctNo: 'P',
      orderNo: 'D3',
      amountFen: 3_000n,
      depositTime: '2026-03-12 09:00:00',
    });
    await books({ ...E1, reference: 'D3', at: '2026-03-12 10:00:00' });
    expect(await tell(12)).toEqual(TOLD);
    await books(E1, { ...E1, id: 'E3', reference: 'D3', at: '2026-03-12 10:00:00' });
    expect(await tell(13)).toEqual(['reconciled']);
  });

  test('one of another amount', async () => {
    await books({ ...E1, fen: 2_900n });
    const [verdict, ...found] = await tell(12);
    expect(verdict).toBe('breaks');
    expect(found.toSorted()).toEqual(['amount P D1 -2900', 'period_changed P P 3000']);
  });

  test('one that was dated to before the opening first', async () => {
    await books({ ...E1, at: BEFORE });
    expect(await tell(12)).toEqual(['reconciled']);
    await books();
    expect(await tell(13)).toEqual(TOLD);
    await books({ ...E1, at: BEFORE });
    expect(await tell(14)).toEqual(['reconciled']);
    expect(await ended()).toEqual(['closed entry E1']);
  });

  test('one under another number or date, or in two parts, takes nothing', async () => {
    await books({ ...E1, id: 'E3', at: '2026-03-12 10:00:00' });
    expect(await tell(12)).toEqual(['reconciled']);
    await books({ ...E1, fen: 1_000n }, { ...E1, id: 'E4', fen: 2_000n });
    expect(await tell(13)).toEqual(['reconciled']);
    expect(findingsOf(await night.night('2026-03-10'))).toEqual([]);
  });

  test('one booked before the opening leaves the record that it was for, and nothing else', async () => {
    night.moveTo('2026-03-12 09:00:00');
    night.deposits({ payeeAcctNo: 'P', orderNo: 'D3', amountFen: 50n, depositTime: '2026-03-12 09:00:00' });
    await books(E1, { ...E1, id: 'E3', reference: 'D3', fen: 50n, at: BEFORE });
    expect(await tell(12)).toEqual(['reconciled']);
    await books(E1);
    expect(await tell(13)).toEqual(['breaks', 'platform_only P D3 50']);
  });

  test('the books state what they begin with: it is held against the platform, and nothing else is told', async () => {
    await books();
    expect(await tell(12)).toEqual(TOLD);
    const stated = { id: 'O', account: 'P', kind: 'opening', fen: 97_000n, at: OPENING.at };
    await books(stated);
    expect(await tell(13)).toEqual(['breaks', 'opening P P 3000']);
    expect(await ended()).toEqual(['closed entry O']);
    await books({ ...stated, fen: 100_000n });
    expect(await tell(14)).toEqual(['reconciled']);
  });

  test('an adjustment that is booked since clears it, and only while it is there', async () => {
    const adjustment = { id: 'A', account: 'P', kind: 'adjustment', fen: 3_000n, at: '2026-03-13 10:00:00' };
    await books();
    expect(await tell(12)).toEqual(TOLD);
    await books(adjustment);
    expect(await tell(13)).toEqual(['reconciled']);
    expect(await tell(14)).toEqual(['reconciled']);
    await books(adjustment, E1);
    expect(await tell(15)).toEqual(['breaks', 'ledger_only P A -3000']);
  });
});
