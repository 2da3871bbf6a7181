/** What follows a transfer may have been so when a record with which something is wrong ended it. */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

test.each<[string, Readonly<Record<string, string>>, string[]]>([
  ['alike', {}, ['bad_record P T1 0']],
  ['otherwise each time', { settleState: 'PROCESSING' }, ['bad_record P T1 0', 'pending Q T1 1000']],
])(
  'a settlement that is listed twice, %s, by the look that first shows its order done',
  async (_name, set, found) => {
    const opened = await openTrade('2026-03-02', { P: 100_000n, Q: 5_000n }, { autoSettle: ['Q'] });
    ({ night } = opened);
    const { trade } = opened;
    trade.transfers({
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-03 09:00:00',
      orders: [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 1_000n, settle: { delayMs: 3_600_000 } }],
    });
    trade.books(
      'P transfer_out T1 -1000 2026-03-03 09:01',
      'Q transfer_in T1 1000 2026-03-03 09:01',
      'Q settlement T1 -1000 2026-03-03 12:01',
    );
    await trade.night('2026-03-02');
    night.sandbox.addFault({ kind: 'record', path: 'division/query', times: null, row: 0, set });
    night.sandbox.addFault({ kind: 'repeat_row', path: 'division/query', times: null, row: 0 });
    const first = await trade.night('2026-03-03');
    expect([first.result.run.verdict, findingsOf(first)]).toEqual(['breaks', found]);
    night.sandbox.liftFaults();
    const next = await trade.night('2026-03-04');
    expect([next.result.run.verdict, findingsOf(next)]).toEqual(['reconciled', []]);
  },
);

test('a refund whose sum is not stated by the look that first shows its order done is not dated after that', async () => {
  const opened = await openTrade('2026-03-02', { P: 100_000n, Q: 5_000n });
  ({ night } = opened);
  const { trade } = opened;
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-03 09:00:00',
    orders: [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 1_000n }],
    refunds: [{ outOrderNo: 'T1', amountFen: 1_000n, at: '2026-03-03 15:00:00' }],
  });
  trade.books(
    'P transfer_out T1 -1000 2026-03-03 09:01',
    'Q transfer_in T1 1000 2026-03-03 09:01',
    'P refund_in T1 1000 2026-03-03 15:01',
    'Q refund_out T1 -1000 2026-03-03 15:01',
  );
  await trade.night('2026-03-02');
  const remove = ['refundAmount'];
  night.sandbox.addFault({ kind: 'record', path: 'division/query', times: null, row: 0, remove });
  expect(findingsOf(await trade.night('2026-03-03'))).toContain('bad_record P T1 0');
  night.sandbox.liftFaults();
  const next = await trade.night('2026-03-04');
  expect([next.result.run.verdict, findingsOf(next)]).toEqual(['reconciled', []]);
});
