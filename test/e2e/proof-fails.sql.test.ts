/** An account whose proof fails costs the others nothing (docs/reconciliation.md 3.8), over the real platform. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night } from '../helpers/night.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  const opening = { fen: 100_000n, at: '2026-03-10 00:00:00' };
  await night.accounts(...['A1', 'A2', 'A3', 'A4', 'A5'].map((no) => ({ no, opening })));
});
afterEach(() => night.close());

const OUT_OF_RANGE = 9_000_000_000_000_000_000n;

/** Sums of what the books have of it lie beyond what the database can count. */
async function spoil(account: string): Promise<void> {
  const at = '2026-03-10 09:00:00';
  await night.entries([
    { id: `${account}-1`, account, fen: 1n, at },
    { id: `${account}-2`, account, fen: 1n, at },
  ]);
  await night.db
    .updateTable('ledger_entry')
    .set({ amount_fen: OUT_OF_RANGE })
    .where('account_no', '=', account)
    .execute();
}

const verdicts = async (day: string) =>
  (await night.night(day)).result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`);

test('of two accounts whose proof fails each is incomplete with its cause, and the others are proven', async () => {
  night.sandbox.seedMovements([
    { kind: 'adjustment', accountNo: 'A4', amountFen: -700n, at: '2026-03-10 12:00:00' },
  ]);
  await spoil('A2');
  await spoil('A5');
  const { result } = await night.night('2026-03-10');
  expect(result.run.verdict).toBe('incomplete');
  expect(result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`)).toEqual([
    'A1 reconciled',
    'A2 incomplete',
    'A3 reconciled',
    'A4 breaks',
    'A5 incomplete',
  ]);
  expect(result.accounts[1]?.reason).toBe(
    'the proof of the account failed; this is a fault of the program (bigint out of range)',
  );
  expect(result.breaks.map(({ accountNo, differenceFen }) => `${accountNo} ${differenceFen}`)).toEqual([
    'A4 -700',
  ]);
  expect(night.log.lines.filter(({ event }) => event === 'proof.failed')).toMatchObject([
    { account: 'A2' },
    { account: 'A5' },
  ]);
});

test('an account whose proof failed keeps its break, and is proven over the gap once the cause is gone', async () => {
  night.sandbox.seedMovements([
    { kind: 'adjustment', accountNo: 'A2', amountFen: -700n, at: '2026-03-10 12:00:00' },
  ]);
  const [told] = (await night.night('2026-03-10')).result.breaks;
  night.moveTo('2026-03-12 02:00:00');
  await spoil('A2');
  expect(await verdicts('2026-03-11')).toContain('A2 incomplete');
  night.moveTo('2026-03-13 02:00:00');
  await night.db
    .updateTable('ledger_entry')
    .set({ current: false, withdrawn: true })
    .where('account_no', '=', 'A2')
    .execute();
  const { result } = await night.night('2026-03-12');
  expect(result.accounts[1]).toMatchObject({ accountNo: 'A2', verdict: 'breaks' });
  expect(result.breaks.map(({ id, firstSeen }) => `${id} ${firstSeen}`)).toEqual([`${told?.id} 2026-03-10`]);
});

test('where the proof of every account fails each is incomplete with its cause', async () => {
  for (const account of ['A1', 'A2', 'A3', 'A4', 'A5']) await spoil(account);
  const { result } = await night.night('2026-03-10');
  expect(result.accounts).toHaveLength(5);
  for (const { verdict, reason } of result.accounts)
    expect(`${verdict}: ${reason}`).toMatch(
      /^incomplete: the proof of the account failed; .*\(bigint out of range\)$/,
    );
});
