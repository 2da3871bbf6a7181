/** A record of a listing that states no number goes by its content, and is another one once it is put right (P9). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../helpers/night.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
});
afterEach(() => night.close());

const listed = { path: 'query/deposit', kind: 'record' } as const;

/** One deposit, that the books have as well. */
async function oneDeposit({ opening, day }: { opening: string; day: string }): Promise<void> {
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: `${opening} 00:00:00` } });
  const at = `${day} 09:00:00`;
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: at });
  await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at, reference: 'D1' }]);
}

const nightOf = async (now: string, day: string) => {
  night.moveTo(`${now} 02:00:00`);
  const outcome = await night.night(day);
  return { verdict: outcome.result.run.verdict, told: findingsOf(outcome).map((line) => line.split(' ')[0]) };
};

const badRecords = () =>
  night.db
    .selectFrom('break')
    .select(['status', 'cleared_cause'])
    .where('class', '=', 'bad_record')
    .execute();

test('it is told for as long as it is listed so, and ends once its day is listed without it', async () => {
  await oneDeposit({ opening: '2026-03-10', day: '2026-03-10' });
  const fault = night.sandbox.addFault({ ...listed, remove: ['orderNo'], times: null });
  expect((await nightOf('2026-03-11', '2026-03-10')).told).toContain('bad_record');
  expect((await nightOf('2026-03-12', '2026-03-11')).told).toContain('bad_record');
  night.sandbox.liftFaults(fault);
  expect(await nightOf('2026-03-13', '2026-03-12')).toEqual({ verdict: 'reconciled', told: [] });
  expect(await badRecords()).toEqual([{ status: 'closed', cleared_cause: 'reading' }]);
});

test('without a time it may lie on any day that was read with it, and ends once all of them are listed without it', async () => {
  await oneDeposit({ opening: '2026-03-01', day: '2026-03-02' });
  night.sandbox.addFault({ ...listed, remove: ['orderNo', 'depositTime'] });
  expect((await nightOf('2026-03-11', '2026-03-10')).told).toContain('bad_record');
  expect((await nightOf('2026-03-12', '2026-03-11')).told).toContain('bad_record');
  await night.backfill('2026-03-01', '2026-03-11');
  expect(await nightOf('2026-03-13', '2026-03-12')).toEqual({ verdict: 'reconciled', told: [] });
});

test('a day that is not read again says nothing of it', async () => {
  await oneDeposit({ opening: '2026-03-01', day: '2026-03-02' });
  night.sandbox.addFault({ ...listed, remove: ['orderNo'] });
  expect((await nightOf('2026-03-11', '2026-03-10')).told).toContain('bad_record');
  expect((await nightOf('2026-03-12', '2026-03-11')).told).toContain('bad_record');
  await night.backfill('2026-03-02', '2026-03-02');
  expect(await nightOf('2026-03-13', '2026-03-12')).toEqual({ verdict: 'reconciled', told: [] });
});
