/**
 * Of records that are alike in all it is always the same one that is left over, so that its break stays open with its
 * id until something ends it (3.2, 3.11).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BookLine } from '../helpers/company/company-files.ts';
import { Night, findingsOf } from '../helpers/night.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-10 00:00:00' } });
});
afterEach(() => night.close());

/** A deposit of 5 yuan that the books have without its number. */
const booked = (id: string, over: Partial<BookLine> = {}): BookLine => ({
  id,
  account: 'A1',
  fen: 500n,
  at: '2026-03-10 10:00:00',
  ...over,
});

/** `item key, first day, status`, of the lines that were no timing. */
async function breaks(): Promise<string[]> {
  const rows = await night.db
    .selectFrom('break')
    .selectAll()
    .where('severity', '=', 'break')
    .where('item_key', 'like', 'line:%')
    .orderBy('first_day')
    .orderBy('item_key')
    .execute();
  return rows.map((row) => `${row.item_key}, ${row.first_day}, ${row.status}`);
}

test('3.11 the second booking of a deposit keeps its break when the first one is posted', async () => {
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' });
  await night.entries([booked('E1', { status: 'pending' }), booked('E2')]);
  expect(findingsOf(await night.night('2026-03-10'))).toEqual([
    'ledger_only A1 E2 -500',
    'pending A1 D1 500',
  ]);

  night.moveTo('2026-03-12 02:00:00');
  await night.entries([booked('E1')]);
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 E2 -500']);
  expect(await breaks()).toEqual(['line:deposit:entry:erp/E2, 2026-03-10, open']);

  night.moveTo('2026-03-13 02:00:00');
  await night.entries([booked('E1', { at: '2026-03-10 10:05:00' })]);
  expect(findingsOf(await night.night('2026-03-12'))).toEqual(['ledger_only A1 E2 -500']);
  expect(await breaks()).toEqual(['line:deposit:entry:erp/E2, 2026-03-10, open']);
});

test('3.11 a booking of the next day keeps its deposit when it is posted, beside a second one', async () => {
  const next = { at: '2026-03-11 00:30:00' };
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 23:00:00' });
  night.moveTo('2026-03-12 02:00:00');
  await night.entries([booked('E1', { ...next, status: 'pending' }), booked('E2', next)]);
  await night.night('2026-03-11');
  expect(await breaks()).toEqual(['line:deposit:entry:erp/E2, 2026-03-11, open']);

  night.moveTo('2026-03-13 02:00:00');
  await night.entries([booked('E1', next)]);
  expect(findingsOf(await night.night('2026-03-12'))).toContain('ledger_only A1 E2 -500');
  expect(await breaks()).toEqual(['line:deposit:entry:erp/E2, 2026-03-11, open']);
});

test('3.11 a deposit that came late and is not booked keeps its break when the entry of another is changed', async () => {
  night.deposits(
    { payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 09:00:00' },
    {
      payeeAcctNo: 'A1',
      orderNo: 'D0',
      amountFen: 500n,
      depositTime: '2026-03-10 08:00:00',
      visibleFrom: '2026-03-11 12:00:00',
    },
  );
  await night.entries([booked('E1')]);
  await night.night('2026-03-10');
  night.moveTo('2026-03-12 02:00:00');
  expect(findingsOf(await night.night('2026-03-11'))).toContain('platform_only A1 D0 500');
  const told = await breaks();
  expect(told).toContain('line:deposit:D0, 2026-03-10, open');

  night.moveTo('2026-03-13 02:00:00');
  await night.entries([booked('E1', { at: '2026-03-10 10:05:00' })]);
  expect(findingsOf(await night.night('2026-03-12'))).toContain('platform_only A1 D0 500');
  expect(await breaks()).toEqual(told);

  night.moveTo('2026-03-14 02:00:00');
  await night.entries([booked('E0', { at: '2026-03-10 08:30:00' })]);
  expect((await night.night('2026-03-13')).result.run.verdict).toBe('reconciled');
});

test('3.11 a booking of the next day keeps its deposit when it is changed, beside a second one of the same day', async () => {
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-10 23:00:00' });
  night.moveTo('2026-03-12 02:00:00');
  await night.entries([booked('E1', { at: '2026-03-11 00:30:00' })]);
  await night.night('2026-03-11');
  night.moveTo('2026-03-13 02:00:00');
  await night.entries([booked('E2')]);
  expect(findingsOf(await night.night('2026-03-12'))).toEqual(['ledger_only A1 E2 -500']);

  night.moveTo('2026-03-14 02:00:00');
  await night.entries([booked('E1', { at: '2026-03-11 00:31:00' })]);
  expect(findingsOf(await night.night('2026-03-13'))).toEqual(['ledger_only A1 E2 -500']);
  expect(await breaks()).toEqual(['line:deposit:entry:erp/E2, 2026-03-12, open']);
});

test('3.11 a booking that names nobody keeps its deposit when it is changed, beside a second one that names the payer', async () => {
  night.deposits({
    payeeAcctNo: 'A1',
    orderNo: 'D1',
    amountFen: 500n,
    depositTime: '2026-03-10 09:00:00',
    payerName: 'P',
  });
  await night.entries([booked('E1')]);
  await night.night('2026-03-10');
  night.moveTo('2026-03-12 02:00:00');
  await night.entries([booked('E2', { counterparty: 'P' })]);
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 E2 -500']);

  night.moveTo('2026-03-13 02:00:00');
  await night.entries([booked('E1', { at: '2026-03-10 10:05:00' })]);
  expect(findingsOf(await night.night('2026-03-12'))).toEqual(['ledger_only A1 E2 -500']);
  expect(await breaks()).toEqual(['line:deposit:entry:erp/E2, 2026-03-11, open']);
});
