/** The chain runs through the versions that stand: what a superseded one left unexplained is left by nobody. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { post } from '../../src/reconcile/post/post.ts';
import { postingRulesOf } from '../../src/reconcile/post/posting-rules.ts';
import { Night, findingsOf } from '../helpers/night.ts';

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00', switches: { depositFeeBearer: 'external' } });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-10 00:00:00' } });
  const fee = { feeFen: 30n, feeType: 'ACCOUNT' } as const;
  const depositTime = '2026-03-10 09:00:00';
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 10_000n, ...fee, depositTime });
  await night.entries([{ id: 'E1', account: 'A1', fen: 10_000n, at: depositTime, reference: 'D1' }]);
  await night.profile({ fees: { bearer: { deposit: 'payee' } } });
  for (const day of ['2026-03-10', '2026-03-11', '2026-03-12']) await nightOf(day);
});
afterEach(() => night.close());

/** At two in the morning after it. */
function nightOf(day: string) {
  night.moveTo(`2026-03-${Number(day.slice(-2)) + 1} 02:00:00`);
  return night.night(day);
}

/** Posts by the right rule, as if the days it touches had been looked at since. */
async function correctUnnoticed(): Promise<void> {
  await night.profile({ fees: { bearer: { deposit: 'external' } } });
  const one = await night.process();
  await post(night.db, postingRulesOf(one.profile));
  await one.close();
  await sql`update progress set done_no = (select last_value from write_no) where step = 'restate'`.execute(
    night.db,
  );
}

test('a wrong rule leaves its amount with the first night, and the nights after it carry it', async () => {
  expect(findingsOf(await nightOf('2026-03-12'))).toContain('unexplained A1 A1 30');
});

test('a night of which another version leaves nothing unexplained makes the nights after it again', async () => {
  await correctUnnoticed();
  const again = await night.night('2026-03-10');
  expect(findingsOf(again)).toEqual([]);
  expect(again.result.restated).toEqual([
    { day: '2026-03-11', version: 2 },
    { day: '2026-03-12', version: 2 },
  ]);
  expect(findingsOf(await nightOf('2026-03-13'))).toEqual([]);
  const open = await night.db.selectFrom('break').select('item_key').where('status', '=', 'open').execute();
  expect(open).toEqual([]);
});

test('a night that is run again with the same amounts leaves the nights after it as they are', async () => {
  await night.entries([{ id: 'E2', account: 'A1', fen: 5n, at: '2026-03-10 12:00:00', reference: 'D2' }]);
  const again = await night.night('2026-03-10');
  expect(again.result.run.version).toBe(2);
  expect(again.result.restated).toEqual([]);
  expect(findingsOf(await nightOf('2026-03-13'))).toEqual([
    'fee A1 D1 -30',
    'ledger_only A1 D2 -5',
    'unexplained A1 A1 30',
  ]);
});
