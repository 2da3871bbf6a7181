/** A break of no difference is ended by its entries as they are put right: an entry of 0.00 would end nothing. */
import { expect, test } from 'vitest';
import { adjustingEntries } from '../../../jobs/breaks/entries/adjusting-entries.ts';
import type { ExplainedBreak } from '../../../src/store/runs/explained-breaks.ts';

const entry = (entryId: string, amountFen: bigint) =>
  ({ entryId, kind: 'transfer_out', amountFen, reference: 'T1' }) as const;

const found = (itemClass: 'amount' | 'duplicate', differenceFen: bigint): ExplainedBreak => ({
  break_id: 'B1',
  account_no: 'A',
  item_key: 'line:transfer:T1',
  class: itemClass,
  reference: 'T1',
  platform_fen: -10_000n,
  ledger_fen: -10_000n - differenceFen,
  difference_fen: differenceFen,
  counterparty: '',
  out_batch_no: 'B1',
  reason: '',
  explained_at: '2026-03-01T00:00:00.000Z',
  adjusted: 0,
  movements: [],
  entries: [entry('E1', -9_000n), entry('E2', -1_000n)],
});

test.each(['amount', 'duplicate'] as const)('none is proposed of one that is %s', (itemClass) => {
  expect(adjustingEntries(found(itemClass, 0n))).toEqual({
    why: 'its entries are right in their sum and wrong in their parts: correct the entries themselves',
  });
  expect(adjustingEntries(found(itemClass, -500n))).toMatchObject([{ amountFen: -500n, reference: 'T1' }]);
});
