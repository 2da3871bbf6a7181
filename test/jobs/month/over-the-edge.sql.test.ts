/** A month whose last day only a proof over the edge of the month proved. */
import { afterEach, expect, test } from 'vitest';
import { Night } from '../../helpers/night.ts';
import { statementOf } from '../../reports/publish.ts';
import { rollUp } from './february.ts';

let night: Night;
afterEach(() => night.close());

test('what a proof began with before the month is no opening of the month', async () => {
  night = await Night.open({ now: '2026-01-30 08:00:00' });
  const at = '2026-01-30 00:00:00';
  await night.accounts({ no: 'A1', opening: { fen: 100_000n, at } });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'J1', amountFen: 700n, depositTime: '2026-01-31 09:00:00' });
  night.moveTo('2026-03-01 02:00:00');
  await night.backfill('2026-01-30', '2026-02-28');
  const { book } = await rollUp(night, { allStatements: true });
  expect(book.value('Month roll-forward', 'N6')).toBe('not proven to the end');
  const rows = statementOf(book, { sheet: 'Month-end statement', accountNo: 'A1' });
  // It is 1,007.00 at the first of February on the platform; 1,000.00 is of January 30.
  expect(rows[1]).toEqual([
    'Opening (brought forward): ledger',
    'No opening',
    'Opening (brought forward): platform',
    'No opening',
  ]);
});
