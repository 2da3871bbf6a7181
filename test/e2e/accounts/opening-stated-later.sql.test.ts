/** An opening that is stated after the first balance: the proof begins with it and rests on all days since. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../../helpers/night.ts';

const STATED = { no: 'A', opening: { fen: 100_000n, at: '2026-03-01 00:00:00' } };
const O = { id: 'O', account: 'A', kind: 'opening', ...STATED.opening };
const D1 = { fen: 500n, at: '2026-03-05 10:00:00' };

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-21 02:00:00' });
  await night.accounts({ no: 'A', heldFen: STATED.opening.fen });
  night.deposits({ payeeAcctNo: 'A', orderNo: 'D1', amountFen: D1.fen, depositTime: D1.at });
});
afterEach(() => night.close());

async function tell(day: number): Promise<string[]> {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  const outcome = await night.night(`2026-03-${day}`);
  return [outcome.result.run.verdict, ...findingsOf(outcome)];
}

/** Long before the look back of any night. */
const stolen = (): void =>
  night.sandbox.seedMovements([
    { kind: 'adjustment', accountNo: 'A', amountFen: -D1.fen, at: '2026-03-05 12:00:00' },
  ]);

test('a deposit between the two that was taken away again is missed, though nobody had read its day', async () => {
  stolen();
  expect(await tell(20)).toEqual(['unverified']);
  await night.listAccounts(STATED);
  await night.entries([O]);
  const missed = ['breaks', 'platform_only A D1 500', 'unexplained A A -500'];
  expect(await tell(21)).toEqual(missed);
  const ids = async () => (await night.db.selectFrom('break').select('break_id').execute()).length;
  expect(await ids()).toBe(2);
  for (const day of [20, 21]) {
    await night.night(`2026-03-${day}`);
    expect(await ids()).toBe(2);
  }
  expect(await tell(22)).toEqual(missed);
  expect(await ids()).toBe(2);
});

test('it is missed also where several nights rested on the first balance', async () => {
  stolen();
  for (const day of [18, 19]) {
    night.moveTo(`2026-03-21 01:0${day - 18}:00`);
    expect((await night.night(`2026-03-${day}`)).result.run.verdict).toBe('unverified');
  }
  expect(await tell(20)).toEqual(['unverified']);
  await night.listAccounts(STATED);
  await night.entries([O]);
  const missed = ['breaks', 'platform_only A D1 500', 'unexplained A A -500'];
  expect(await tell(21)).toEqual(missed);
  expect(await tell(22)).toEqual(missed);
});

test('one that both sides have is no difference', async () => {
  expect(await tell(20)).toEqual(['unverified']);
  await night.listAccounts(STATED);
  await night.entries([O, { id: 'E1', account: 'A', ...D1, reference: 'D1' }]);
  expect(await tell(21)).toEqual(['reconciled']);
  expect(await tell(22)).toEqual(['reconciled']);
});

test('what the first balance lacks of the opening is told for its own day, also where a night is run again', async () => {
  stolen();
  expect(await tell(20)).toEqual(['unverified']);
  await night.listAccounts({ no: 'A', opening: { fen: 100_060n, at: '2026-03-20 00:00:00' } });
  expect(await tell(21)).toEqual(['breaks', 'unexplained A A -60']);
  await night.night('2026-03-20');
  await night.night('2026-03-21');
  const told = await night.db.selectFrom('break').select(['item_key', 'first_day', 'status']).execute();
  expect(told).toEqual([{ item_key: 'unexplained:2026-03-20', first_day: '2026-03-20', status: 'open' }]);
});
