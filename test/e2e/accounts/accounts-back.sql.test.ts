/** What happened on an account while it was away is found when it is back (docs/reconciliation.md 3.8). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, at } from '../../helpers/night.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  const openingAt = '2026-03-10 00:00:00';
  await night.accounts(
    { no: 'STAYS', opening: { fen: 100_000n, at: openingAt } },
    { no: 'LEAVES', opening: { fen: 0n, at: openingAt } },
  );
});
afterEach(() => night.close());

const endsAt = (moment: string | null) =>
  night.db
    .updateTable('account')
    .set({ active_to: moment === null ? null : at(moment) })
    .where('account_no', '=', 'LEAVES')
    .execute();

const moved = (fen: bigint, moment: string): void =>
  night.sandbox.seedMovements([{ kind: 'adjustment', accountNo: 'LEAVES', amountFen: fen, at: moment }]);

async function foundOn(day: number): Promise<string[]> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  const { result } = await night.night(`2026-03-${day}`);
  const { verdict = 'away' } = result.accounts.find(({ accountNo }) => accountNo === 'LEAVES') ?? {};
  const found = result.breaks.filter((item) => item.accountNo === 'LEAVES' && item.class !== 'empty_suspect');
  return [verdict, ...found.map((item) => `${item.class} ${item.differenceFen}`)];
}

test('errors of its time away and of its first day back are two', async () => {
  expect(await foundOn(10)).toEqual(['reconciled']);
  await endsAt('2026-03-10 12:00:00');
  expect(await foundOn(11)).toEqual(['away']);
  night.deposits({
    payeeAcctNo: 'LEAVES',
    orderNo: 'AWAY',
    amountFen: 500n,
    depositTime: '2026-03-12 10:00:00',
  });
  moved(-200n, '2026-03-12 11:00:00');
  expect(await foundOn(12)).toEqual(['away']);
  await endsAt(null);
  await night.snapshot();
  night.moveTo('2026-03-14 01:00:00');
  moved(200n, '2026-03-13 12:00:00');
  expect((await foundOn(13)).toSorted()).toEqual(
    ['breaks', 'platform_only 500', 'unexplained -200', 'unexplained 200'].toSorted(),
  );
});

test('an adjustment that was booked while it was away clears no later gain', async () => {
  await foundOn(10);
  await endsAt('2026-03-10 12:00:00');
  await foundOn(11);
  await night.entries([
    { id: 'ADJ', account: 'LEAVES', kind: 'adjustment', fen: 200n, at: '2026-03-12 09:00:00' },
  ]);
  expect(await foundOn(12), 'the books name it').toEqual(['breaks', 'ledger_only -200']);
  moved(200n, '2026-03-13 09:00:00');
  expect((await foundOn(13)).toSorted()).toEqual(['breaks', 'ledger_only -200', 'unexplained 200']);
});
