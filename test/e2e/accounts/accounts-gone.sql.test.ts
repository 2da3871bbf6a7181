/**
 * An account that has ended and that the platform knows no more comes to an end, and hides no money
 * (docs/reconciliation.md 3.8).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, at } from '../../helpers/night.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  const openingAt = '2026-03-10 00:00:00';
  await night.accounts(
    { no: 'A1', opening: { fen: 100_000n, at: openingAt } },
    { no: 'LEAVING', opening: { fen: 700n, at: openingAt } },
  );
});
afterEach(() => night.close());

/** The night of that March day, run at two in the morning after it: what it says of LEAVING. */
async function nightOf(day: number) {
  night.moveTo(`2026-03-${day + 1} 02:00:00`);
  const { result } = await night.night(`2026-03-${day}`);
  expect(result.accounts.find(({ accountNo }) => accountNo === 'A1')).toMatchObject({
    verdict: 'reconciled',
  });
  const account = result.accounts.find(({ accountNo }) => accountNo === 'LEAVING');
  const found = result.breaks
    .filter(({ accountNo }) => accountNo === 'LEAVING')
    .map(({ class: kind, differenceFen }) => `${kind} ${differenceFen}`);
  return account && { verdict: account.verdict, assumptions: account.assumptions.join('; '), found };
}

const ends = () =>
  night.db
    .updateTable('account')
    .set({ active_to: at('2026-03-10 12:00:00') })
    .where('account_no', '=', 'LEAVING')
    .execute();

const isUnknown = (msg = '账户不存在') =>
  night.sandbox.addFault({ kind: 'unmapped_code', code: 'E404', msg, about: 'LEAVING', times: null });

const adjusted = (day: number) =>
  night.entries([
    { id: 'ADJ', account: 'LEAVING', kind: 'adjustment', fen: -700n, at: `2026-03-${day} 09:00:00` },
  ]);

const openBreaks = async (): Promise<number> =>
  (await night.db.selectFrom('break').select('break_id').where('status', '=', 'open').execute()).length;

test('its open break can still be closed, and then it leaves', async () => {
  night.sandbox.seedMovements([
    { kind: 'adjustment', accountNo: 'LEAVING', amountFen: -700n, at: '2026-03-10 09:00:00' },
  ]);
  await ends();
  expect(await nightOf(10)).toMatchObject({ verdict: 'breaks', found: ['unexplained -700'] });
  isUnknown();
  expect(await nightOf(11)).toMatchObject({
    verdict: 'breaks',
    assumptions: expect.stringMatching(/ended.*2026-03-11 02:00:0/s) as string,
    found: ['unexplained -700'],
  });
  await adjusted(12);
  expect(await nightOf(12)).toMatchObject({ verdict: 'reconciled', found: [] });
  expect(await openBreaks()).toBe(0);
  expect(await nightOf(13)).toBeUndefined();
});

test('what it held at last is missing until the books adjust it', async () => {
  await ends();
  expect(await nightOf(10)).toMatchObject({ verdict: 'reconciled' });
  isUnknown();
  expect(await nightOf(11)).toMatchObject({ verdict: 'breaks', found: ['unexplained -700'] });
  expect(await nightOf(12)).toMatchObject({ verdict: 'breaks', found: ['unexplained -700'] });
  await adjusted(13);
  expect(await nightOf(13)).toMatchObject({ verdict: 'reconciled', found: [] });
  expect(await nightOf(14)).toBeUndefined();
});

test('known again it is what it was: the days between are restated', async () => {
  await ends();
  await nightOf(10);
  isUnknown();
  expect(await nightOf(11)).toMatchObject({ verdict: 'breaks', found: ['unexplained -700'] });
  night.sandbox.liftFaults();
  expect(await nightOf(12)).toMatchObject({ verdict: 'breaks' });
  await night.night('2026-03-11');
  expect(await nightOf(13)).toMatchObject({ verdict: 'reconciled', found: [] });
  expect(await openBreaks()).toBe(0);
});

test('one that has not ended, or that is refused for another reason, is not read and nothing else', async () => {
  await nightOf(10);
  isUnknown();
  expect(await nightOf(11)).toMatchObject({ verdict: 'incomplete' });
  await ends();
  night.sandbox.liftFaults();
  isUnknown('系统繁忙');
  expect(await nightOf(12)).toMatchObject({ verdict: 'incomplete', found: [] });
});
