/** Settlements, refunds and withdrawals: each change of money once, with the interval in which it happened. */
import { describe, expect, test } from 'vitest';
import type { OrderObservation, TransferObservation } from '../../src/orders/order-observations.ts';
import {
  aTransferLook,
  aWithdrawalLook,
  changeLines,
  lookAt,
  second,
  transferAfter,
  withdrawalAfter,
} from '../helpers/company/order-observations.ts';

const seen = (seconds: number, state: string, over: Partial<TransferObservation> = {}) => ({
  ...aTransferLook(state, over),
  ...lookAt(seconds),
});
const settled = (seconds: number, settleState: string) => seen(seconds, 'SUCCESS', { settleState });
const refunded = (seconds: number, refundFen: bigint | null, state = 'SUCCESS') =>
  seen(seconds, state, { refundFen });

describe('settlements', () => {
  test('in flight, then settled: one change, in between', () => {
    const known = transferAfter(settled(100, 'INIT'), settled(200, 'PROCESSING'), settled(300, 'SUCCESS'));
    expect(known.row.settlement).toBe('settled');
    expect(changeLines(known.changes)).toEqual([
      'transfer 1 moved since - open - seen 101',
      'settlement 1 moved since - open 200 seen 301',
    ]);
  });

  test('it does not begin before its transfer moved, and then not before the transfer was last seen open', () => {
    const known = transferAfter(
      seen(100, 'PROCESSING', { settleState: 'INIT' }),
      seen(200, 'SUCCESS', { settleState: 'SUCCESS' }),
    );
    expect(changeLines(known.changes)).toEqual([
      'transfer 1 moved since - open 100 seen 201',
      'settlement 1 moved since 100 open 100 seen 201',
    ]);
    const failed = transferAfter(seen(100, 'FAIL', { settleState: 'INIT' }));
    expect(failed.row.settlement).toBe('none');
    expect(changeLines(failed.changes)).toEqual(['transfer 1 failed since - open - seen 101']);
  });

  test('a settlement that shows up at a later look came after the look before', () => {
    const known = transferAfter(settled(100, ''), settled(200, ''), settled(300, 'SUCCESS'));
    expect(changeLines(known.changes).at(-1)).toBe('settlement 1 moved since 200 open 200 seen 301');
  });

  test('E6: failed twice, then settled: three changes, one of them money', () => {
    const known = transferAfter(
      settled(100, 'FAIL'),
      settled(200, 'PROCESSING'),
      settled(300, 'FAIL'),
      settled(400, 'FAIL'),
      settled(500, 'SUCCESS'),
    );
    expect(changeLines(known.changes).slice(1)).toEqual([
      'settlement 1 failed since - open - seen 101',
      'settlement 2 failed since 101 open 200 seen 301',
      'settlement 3 moved since 400 open 400 seen 501',
    ]);
    expect(known.row.settlement).toBe('settled');
    expect(known.faults.size).toBe(0);
  });

  test('U49: a settlement that comes back is a change of its own, and may be tried again', () => {
    const known = transferAfter(
      settled(100, 'SUCCESS'),
      settled(200, 'FAIL'),
      settled(300, 'PROCESSING'),
      settled(400, 'SUCCESS'),
    );
    expect(changeLines(known.changes).slice(1)).toEqual([
      'settlement 1 moved since - open - seen 101',
      'settlement 2 returned since 101 open 101 seen 201',
      'settlement 3 moved since 201 open 300 seen 401',
    ]);
    expect(known.faults.size).toBe(0);
  });

  test('P6: settled → under way, or not stated any more, changes nothing that counts', () => {
    for (const word of ['PROCESSING', '']) {
      const known = transferAfter(settled(100, 'SUCCESS'), settled(200, word));
      expect(known.row.settlement).toBe('settled');
      expect([...known.faults.keys()]).toEqual(['state_regression']);
      expect(
        transferAfter(settled(100, 'SUCCESS'), settled(200, word), settled(300, 'SUCCESS')).faults.size,
      ).toBe(0);
    }
  });

  test('U34: an unknown word is under way and never money', () => {
    const known = transferAfter(settled(100, 'ODD'));
    expect(known.row.settlement).toBe('unknown');
    expect(changeLines(known.changes).at(-1)).toBe('settlement 1 open since - open - seen -');
    expect(known.faults.get('unknown_state')?.note).toBe('settleState "ODD" is not known');
    const later = transferAfter(settled(100, 'ODD'), settled(200, 'SUCCESS'));
    expect(changeLines(later.changes).at(-1)).toBe('settlement 1 moved since - open - seen 201');
    const after = transferAfter(settled(100, 'SUCCESS'), settled(200, 'ODD'));
    expect(after.row.settlement).toBe('settled');
    expect([...after.faults.keys()]).toEqual(['unknown_state']);
  });

  test('one that was under way and is not stated any more stays under way, and that is said', () => {
    const known = transferAfter(settled(100, 'INIT'), settled(200, ''));
    expect(known.row.settlement).toBe('unknown');
    expect(known.faults.get('unknown_state')?.note).toBe('settleState is not stated any more');
  });
});

describe('refunds', () => {
  test('REF-10: each rise of the sum is a change, seen again is none', () => {
    const known = transferAfter(
      refunded(100, 0n),
      refunded(200, 4_000n),
      refunded(300, 4_000n),
      refunded(400, 10_000n),
    );
    expect(known.row).toMatchObject({ refund_fen: 10_000n, refund_waiting_fen: 0n });
    expect(changeLines(known.changes).slice(1)).toEqual([
      'refund 1 moved 4000 since 100 open 100 seen 201',
      'refund 2 moved 6000 since 300 open 300 seen 401',
    ]);
  });

  test('the sum may fall and rise again', () => {
    const known = transferAfter(refunded(100, 5_000n), refunded(200, 2_000n), refunded(300, 5_000n));
    expect(changeLines(known.changes).slice(1)).toEqual([
      'refund 1 moved 5000 since - open - seen 101',
      'refund 2 moved -3000 since 101 open 101 seen 201',
      'refund 3 moved 3000 since 201 open 201 seen 301',
    ]);
  });

  test('a sum that is not stated is not zero', () => {
    const known = transferAfter(refunded(100, 5_000n), refunded(200, null));
    expect(known.row.refund_fen).toBe(5_000n);
    expect(changeLines(known.changes)).toHaveLength(2);
  });

  test('what waits for its confirmation is open, and moves when it is confirmed', () => {
    const waiting = transferAfter(refunded(100, 0n), refunded(200, 5_000n, 'WAIT_CONFIRM'));
    expect(waiting.row).toMatchObject({
      refund_fen: 0n,
      refund_waiting_fen: 5_000n,
      effective_state: 'moved',
    });
    expect(changeLines(waiting.changes).at(-1)).toBe('refund 1 open 5000 since 100 open 200 seen -');
    const confirmed = transferAfter(
      refunded(100, 0n),
      refunded(200, 5_000n, 'WAIT_CONFIRM'),
      refunded(300, 6_000n, 'WAIT_CONFIRM'),
      refunded(400, 6_000n, 'REFUND'),
    );
    expect(confirmed.row).toMatchObject({ refund_fen: 6_000n, refund_waiting_fen: 0n });
    expect(changeLines(confirmed.changes).slice(1)).toEqual([
      'refund 1 moved 6000 since 100 open 300 seen 401',
    ]);
  });

  test('what falls back before it is confirmed has failed; the next one is another', () => {
    const known = transferAfter(
      refunded(100, 1_000n),
      refunded(200, 5_000n, 'WAIT_CONFIRM'),
      refunded(300, 1_000n),
      refunded(400, 3_000n),
    );
    expect(changeLines(known.changes).slice(1)).toEqual([
      'refund 1 moved 1000 since - open - seen 101',
      'refund 2 failed 4000 since 101 open 200 seen 301',
      'refund 3 moved 2000 since 301 open 301 seen 401',
    ]);
    expect(known.row).toMatchObject({ refund_fen: 3_000n, refund_waiting_fen: 0n });
  });

  test('REF-06: only what succeeded can be refunded: an order first seen waiting for its refund has moved', () => {
    const known = transferAfter(refunded(100, 5_000n, 'WAIT_CONFIRM'), refunded(200, 5_000n, 'REFUND'));
    expect(known.row).toMatchObject({ effective_state: 'moved', refund_fen: 5_000n });
    expect(changeLines(known.changes)).toEqual([
      'transfer 1 moved since - open - seen 101',
      'refund 1 moved 5000 since - open 100 seen 201',
    ]);
  });

  test('an order first seen refunded moved and was refunded', () => {
    const known = transferAfter(seen(100, 'REFUND', { refundFen: 10_000n, submittedAt: second(7) }));
    expect(changeLines(known.changes)).toEqual([
      'transfer 1 moved since 7 open - seen 101',
      'refund 1 moved 10000 since 7 open - seen 101',
    ]);
  });
});

describe('withdrawals', () => {
  const look = (seconds: number, state: string, over: Partial<OrderObservation> = {}) => ({
    ...aWithdrawalLook(state, over),
    ...lookAt(seconds),
  });

  test('open, then moved or failed', () => {
    const moved = withdrawalAfter(look(100, 'INIT'), look(200, 'PROCESSING'), look(300, 'SUCCESS'));
    expect(moved.row.effective_state).toBe('moved');
    expect(changeLines(moved.changes)).toEqual(['withdrawal 1 moved since - open 200 seen 301']);
    const failed = withdrawalAfter(look(100, 'FAIL', { submittedAt: second(3) }));
    expect(changeLines(failed.changes)).toEqual(['withdrawal 1 failed since 3 open - seen 101']);
  });

  test('U49: SUCCESS → FAIL is a return with the interval in which it came back', () => {
    const known = withdrawalAfter(
      look(100, 'SUCCESS'),
      look(200, 'SUCCESS'),
      look(300, 'FAIL'),
      look(400, 'FAIL'),
    );
    expect(known.row).toMatchObject({ effective_state: 'returned', state: 'FAIL' });
    expect(changeLines(known.changes)).toEqual([
      'withdrawal 1 moved since - open - seen 101',
      'withdrawal 2 returned since 200 open 200 seen 301',
    ]);
    expect(known.faults.size).toBe(0);
  });

  test.each([
    [['SUCCESS', 'PROCESSING'], 'moved'],
    [['FAIL', 'SUCCESS'], 'failed'],
    [['FAIL', 'PROCESSING'], 'failed'],
    [['SUCCESS', 'FAIL', 'SUCCESS'], 'returned'],
    [['SUCCESS', 'FAIL', 'PROCESSING'], 'returned'],
  ])('P6: %s is a step back', (words, effective) => {
    const known = withdrawalAfter(...words.map((word, at) => look(100 * (at + 1), word)));
    expect(known.row.effective_state).toBe(effective);
    expect([...known.faults.keys()]).toEqual(['state_regression']);
  });

  test('WDR-10: a number for a state is unknown', () => {
    const known = withdrawalAfter(look(100, '2'));
    expect(known.row.effective_state).toBe('open');
    expect(known.faults.get('unknown_state')?.note).toBe('state "2" is not known');
  });

  test('U48: without an amount it is not moved', () => {
    const known = withdrawalAfter(look(100, 'SUCCESS', { amountFen: null }));
    expect(known.row.effective_state).toBe('open');
    expect(known.faults.get('bad_record')?.note).toBe('amount is not stated');
  });

  test('P3: a final record that changes is a new version', () => {
    const known = withdrawalAfter(
      look(100, 'SUCCESS'),
      look(200, 'SUCCESS', { feeFen: 50n, feeType: 'ACCOUNT' }),
    );
    expect(known.row).toMatchObject({ version: 2, fee_fen: 50n, fee_type: 'ACCOUNT' });
    expect(known.faults.get('record_changed')?.note).toBe(
      'fee was 30 fen and is 50 now; feeType was ORDER and is ACCOUNT now',
    );
  });
});

test('a refund is shown oddly until a record shows it done with which nothing is wrong, and was not changed before', () => {
  const done = (seconds: number, over: Partial<TransferObservation> = {}) =>
    seen(seconds, 'SUCCESS', { refundFen: 500n, ...over });
  const remarks = ['refundAmount is 500 fen, and SUCCESS is no word of a refund'];
  const oddly = (...looks: ReturnType<typeof done>[]) =>
    transferAfter(seen(0, 'SUCCESS'), ...looks).changes.flatMap(({ subject, is_odd: isOdd }) =>
      subject === 'refund' ? isOdd : [],
    );
  expect(oddly(done(100))).toEqual([false]);
  expect(oddly(done(100, { remarks }), done(200, { remarks }))).toEqual([true]);
  expect(oddly(done(100, { remarks }), done(200))).toEqual([false]);
  expect(oddly(done(100), done(200, { remarks }))).toEqual([false]);
  expect(oddly(done(100, { amountFen: 9_000n }), done(200, { amountFen: 9_000n }))).toEqual([true]);
});
