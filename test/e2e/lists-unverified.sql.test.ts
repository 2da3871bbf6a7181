/** A list of deposits that nothing verified proves nothing, though the profile lets it stand (docs/reconciliation.md 3.6). */
import { afterEach, expect, test } from 'vitest';
import { Night } from '../helpers/night.ts';

let night: Night;
afterEach(() => night.close());

const OPENING = { fen: 100_000n, at: '2026-03-10 00:00:00' };
const countedAsVerified = async (day: string) => (await night.night(day)).result.collected.windows;

test('a list that nothing verified is not counted as verified, and is asked for again when the night is run again', async () => {
  night = await Night.open({
    now: '2026-03-11 02:00:00',
    switches: { totalOffset: 3 },
    profile: { deposits: { verify: false } },
  });
  await night.accounts({ no: 'A1', opening: OPENING });
  expect(await countedAsVerified('2026-03-10')).toBe(0);
  night.sandbox.setSwitches({ totalOffset: 0 });
  expect(await countedAsVerified('2026-03-10')).toBe(2);
});

const nightOf = async (day: string) => {
  const [account] = (await night.night(day)).result.accounts;
  return [account?.verdict, account?.reason];
};

test('with deposits.verify off a total that contradicts the list leaves the account unverified, until it is verified', async () => {
  night = await Night.open({
    now: '2026-03-11 02:00:00',
    switches: { totalOffset: 3 },
    profile: { deposits: { verify: false } },
  });
  await night.accounts({ no: 'A1', opening: OPENING });
  expect(await nightOf('2026-03-10')).toEqual([
    'unverified',
    'days were read in lists of deposits that nothing verified (1)',
  ]);
  expect(await night.db.selectFrom('sync_day').selectAll().execute()).toEqual([]);
  const windows = await night.db
    .selectFrom('sync_window')
    .select(['state', 'verified_at'])
    .distinct()
    .execute();
  expect(windows).toEqual([{ state: 'unverified', verified_at: null }]);
  night.sandbox.setSwitches({ totalOffset: 0 });
  await night.profile({ deposits: { verify: true } });
  night.moveTo('2026-03-12 02:00:00');
  expect(await nightOf('2026-03-11')).toEqual(['reconciled', '']);
});

test('with deposits.verify off a list that agrees with its total is as good as ever', async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00', profile: { deposits: { verify: false } } });
  await night.accounts({ no: 'A1', opening: OPENING });
  expect(await nightOf('2026-03-10')).toEqual(['reconciled', '']);
});
