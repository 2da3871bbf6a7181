/** What looks at a transfer order and its settlement make of it; bounds and amounts written out by hand. */
import { expect, test } from 'vitest';
import {
  aTransferLook,
  changeLines,
  lookAt,
  second,
  transferAfter,
} from '../helpers/company/order-observations.ts';
import type { TransferObservation } from '../../src/orders/order-observations.ts';

const seen = (seconds: number, state: string, over: Partial<TransferObservation> = {}) => ({
  ...aTransferLook(state, over),
  ...lookAt(seconds),
});

test('an order first seen final is moved, at the latest when it was seen, at the earliest when it was submitted', () => {
  const known = transferAfter(seen(100, 'SUCCESS', { submittedAt: second(10) }));
  expect(known.row.effective_state).toBe('moved');
  expect(changeLines(known.changes)).toEqual(['transfer 1 moved since 10 open - seen 101']);
});

test('an order seen open and then final moved in between', () => {
  const known = transferAfter(seen(100, 'PROCESSING'), seen(200, 'INIT'), seen(300, 'SUCCESS'));
  expect(changeLines(known.changes)).toEqual(['transfer 1 moved since - open 200 seen 301']);
});

test('FAIL and CLOSE end an order that moved nothing', () => {
  for (const word of ['FAIL', 'CLOSE']) {
    const known = transferAfter(seen(100, 'PROCESSING'), seen(200, word));
    expect(known.row.effective_state).toBe('failed');
    expect(changeLines(known.changes)).toEqual(['transfer 1 failed since - open 100 seen 201']);
  }
});

test('a submission after the look that shows the order tells nothing', () => {
  const known = transferAfter(seen(100, 'SUCCESS', { submittedAt: second(500) }));
  expect(changeLines(known.changes)).toEqual(['transfer 1 moved since - open - seen 101']);
});

test('a submission that is registered later bounds what had no bound', () => {
  const known = transferAfter(
    seen(100, 'SUCCESS', { settleState: 'SUCCESS' }),
    seen(200, 'SUCCESS', { settleState: 'SUCCESS', submittedAt: second(50) }),
  );
  expect(known.row.submitted_at).toBe(second(50));
  expect(changeLines(known.changes)).toEqual([
    'transfer 1 moved since 50 open - seen 101',
    'settlement 1 moved since 50 open - seen 101',
  ]);
});

test.each([
  ['earlier than it was', 5, 50],
  ['later than it was', 80, 50],
])(
  'a submission that was mistyped, %s, bounds nothing once it is corrected',
  (_name, mistyped, corrected) => {
    const looks = (end: number) => [
      seen(100, 'SUCCESS', { settleState: 'SUCCESS', submittedAt: second(mistyped) }),
      seen(end, 'SUCCESS', { settleState: 'SUCCESS', submittedAt: second(corrected) }),
    ];
    expect(changeLines(transferAfter(...looks(200)).changes)).toEqual([
      'transfer 1 moved since 50 open - seen 101',
      'settlement 1 moved since 50 open - seen 101',
    ]);
  },
);

test('a submission that was mistyped too early bounds nothing while it is under way either', () => {
  const known = transferAfter(
    seen(100, 'PROCESSING', { submittedAt: second(5) }),
    seen(200, 'PROCESSING', { submittedAt: second(50) }),
    seen(300, 'SUCCESS', { submittedAt: second(50) }),
  );
  expect(changeLines(known.changes)).toEqual(['transfer 1 moved since 50 open 200 seen 301']);
});

test('P7: an unknown state is kept verbatim, is open and never money, and shows neither that it is over', () => {
  const known = transferAfter(seen(100, 'PROCESSING'), seen(200, 'DONE'));
  expect(known.row).toMatchObject({ state: 'DONE', effective_state: 'open' });
  expect([...known.faults.entries()]).toMatchObject([
    ['unknown_state', { note: 'state "DONE" is not known' }],
  ]);
  // It may have moved by 200: only the look at 100 certainly showed it open.
  const ended = transferAfter(seen(100, 'PROCESSING'), seen(200, 'DONE'), seen(300, 'SUCCESS'));
  expect(changeLines(ended.changes)).toEqual(['transfer 1 moved since - open 100 seen 301']);
  expect(ended.faults.size).toBe(0);
});

test('P7: an unknown word after a final state changes nothing that counts, refunds and settlement included', () => {
  const known = transferAfter(
    seen(100, 'SUCCESS', { settleState: 'INIT' }),
    seen(200, 'ODD', { settleState: 'SUCCESS', refundFen: 10_000n }),
  );
  expect(known.row).toMatchObject({
    effective_state: 'moved',
    settlement: 'open',
    refund_fen: 0n,
    state: 'ODD',
  });
  expect([...known.faults.keys()]).toEqual(['unknown_state']);
});

test.each([
  ['SUCCESS', 'PROCESSING', 'moved'],
  ['SUCCESS', 'FAIL', 'moved'],
  ['FAIL', 'SUCCESS', 'failed'],
  ['FAIL', 'PROCESSING', 'failed'],
  ['CLOSE', 'WAIT_CONFIRM', 'failed'],
  ['REFUND', 'SUCCESS', 'moved'],
])('P6: %s → %s is a step back that changes nothing, for as long as it is said', (first, then, effective) => {
  const amounts = { refundFen: first === 'REFUND' ? 10_000n : 0n };
  const once = transferAfter(seen(100, first, amounts), seen(200, then, { refundFen: 0n }));
  expect(once.row).toMatchObject({ effective_state: effective, state: then, refund_fen: amounts.refundFen });
  expect([...once.faults.keys()]).toEqual(['state_regression']);
  const again = transferAfter(seen(100, first, amounts), seen(200, then), seen(300, then));
  expect([...again.faults.keys()]).toEqual(['state_regression']);
  expect(changeLines(again.changes)).toEqual(changeLines(once.changes));
  const cured = transferAfter(seen(100, first, amounts), seen(200, then), seen(300, first, amounts));
  expect(cured.faults.size).toBe(0);
  expect(changeLines(cured.changes)).toEqual(changeLines(once.changes));
});

test('SUCCESS → WAIT_CONFIRM → PART_REFUND → REFUND is the way to a refund and no step back', () => {
  const known = transferAfter(
    seen(100, 'SUCCESS'),
    seen(200, 'WAIT_CONFIRM'),
    seen(300, 'PART_REFUND'),
    seen(400, 'REFUND', { refundFen: 10_000n }),
  );
  expect(known.faults.size).toBe(0);
  expect(changeLines(known.changes)).toEqual([
    'transfer 1 moved since - open - seen 101',
    'refund 1 moved 10000 since 300 open 300 seen 401',
  ]);
});

test('WAIT_CONFIRM before anything final is open: nobody knows what it waits for', () => {
  const known = transferAfter(seen(100, 'WAIT_CONFIRM'));
  expect(known.row.effective_state).toBe('open');
  expect(known.faults.size).toBe(0);
});

test('N11: an older look changes nothing', () => {
  const known = transferAfter(seen(300, 'SUCCESS'), seen(100, 'PROCESSING'), seen(299, 'FAIL'));
  expect(known.row).toMatchObject({ state: 'SUCCESS', seen_at: second(301) });
  expect(known.faults.size).toBe(0);
});

test('P9: an order with a member that cannot be read is kept open and never moved, until it can be', () => {
  const bad = { unreadable: ['amount is not whole fen: 12.5'], amountFen: null };
  const known = transferAfter(seen(100, 'PROCESSING'), seen(200, 'SUCCESS', bad));
  expect(known.row.effective_state).toBe('open');
  expect(known.faults.get('bad_record')?.note).toBe('amount is not whole fen: 12.5');
  const whole = transferAfter(seen(100, 'PROCESSING'), seen(200, 'SUCCESS', bad), seen(300, 'SUCCESS'));
  expect(whole.faults.size).toBe(0);
  expect(changeLines(whole.changes)).toEqual(['transfer 1 moved since - open 100 seen 301']);
});

test('P9: a moved order without amount or payee is not moved; one known before needs not be repeated', () => {
  for (const [over, note] of [
    [{ amountFen: null }, 'amount is not stated'],
    [{ payeeAccountNo: '' }, 'payeeAcctNo is not stated'],
  ] as const) {
    const known = transferAfter(seen(100, 'SUCCESS', over));
    expect(known.row.effective_state).toBe('open');
    expect(known.faults.get('bad_record')?.note).toBe(note);
    const before = transferAfter(seen(50, 'PROCESSING'), seen(100, 'SUCCESS', over));
    expect(before.row).toMatchObject({
      effective_state: 'moved',
      amount_fen: 10_000n,
      payee_account_no: 'Q',
    });
  }
});

test('P9: an unreadable look at a moved order leaves what counts as it is', () => {
  const bad = { unreadable: ['mchFee and fee differ'], amountFen: 5n, refundFen: 7n, settleState: 'SUCCESS' };
  const known = transferAfter(seen(100, 'SUCCESS'), seen(200, 'SUCCESS', bad));
  expect(known.row).toMatchObject({
    amount_fen: 10_000n,
    effective_state: 'moved',
    refund_fen: 0n,
    version: 1,
  });
  expect([...known.faults.keys()]).toEqual(['bad_record']);
  expect(changeLines(known.changes)).toEqual(['transfer 1 moved since - open - seen 101']);
});

test('amounts, fee and payee may be filled in and change while the order is open', () => {
  const known = transferAfter(
    seen(100, 'PROCESSING', { amountFen: null, feeFen: null, realFen: null, feeType: '' }),
    seen(200, 'PROCESSING', { amountFen: 9_000n }),
    seen(300, 'SUCCESS', { amountFen: 10_000n, payeeAccountNo: 'Q2' }),
  );
  expect(known.row).toMatchObject({ amount_fen: 10_000n, fee_fen: 30n, payee_account_no: 'Q2', version: 1 });
  expect(known.faults.size).toBe(0);
});

test('P3: what changes after it was final is a new version, the latest values count, and it is said for its day', () => {
  const changed = { amountFen: 9_000n, realFen: 8_970n };
  const known = transferAfter(seen(100, 'SUCCESS'), seen(200, 'SUCCESS', changed));
  expect(known.row).toMatchObject({ amount_fen: 9_000n, real_fen: 8_970n, version: 2 });
  expect(known.faults.get('record_changed')?.note).toBe(
    'amount was 10000 fen and is 9000 now; realAmount was 9970 fen and is 8970 now',
  );
  const sameDay = transferAfter(
    seen(100, 'SUCCESS'),
    seen(200, 'SUCCESS', changed),
    seen(300, 'SUCCESS', changed),
  );
  expect([...sameDay.faults.keys()]).toEqual(['record_changed']);
  expect(sameDay.row.version).toBe(2);
  const nextDay = transferAfter(
    seen(100, 'SUCCESS'),
    seen(200, 'SUCCESS', changed),
    seen(200 + 86_400, 'SUCCESS', changed),
  );
  expect(nextDay.faults.size).toBe(0);
});

test('what a final order did not state may be filled in without being a change; what it leaves out is kept', () => {
  const known = transferAfter(
    seen(100, 'SUCCESS', { feeFen: null, feeType: '' }),
    seen(200, 'SUCCESS'),
    seen(300, 'SUCCESS', { feeFen: null, realFen: null, payeeAccountNo: '' }),
  );
  expect(known.row).toMatchObject({
    fee_fen: 30n,
    fee_type: 'ORDER',
    real_fen: 9_970n,
    payee_account_no: 'Q',
    version: 1,
  });
  expect(known.faults.size).toBe(0);
});

test('an open order may turn out to be another payer’s; a final one stays and says so', () => {
  const open = transferAfter(seen(100, 'PROCESSING'), seen(200, 'SUCCESS', { accountNo: 'P2' }));
  expect(open.row.account_no).toBe('P2');
  expect(open.changes.map((change) => change.account_no)).toEqual(['P2']);
  const final = transferAfter(
    seen(100, 'SUCCESS'),
    seen(200, 'SUCCESS', { accountNo: 'P2' }),
    seen(300, 'SUCCESS', { accountNo: 'P2' }),
  );
  expect(final.row).toMatchObject({ account_no: 'P', version: 1 });
  expect(final.faults.get('record_changed')?.note).toBe('it belongs to P and now names P2');
});

test("another payer's record of a final order says nothing of its settlement and refunds", () => {
  const failed = seen(100, 'SUCCESS', { settlement: 'failed', settleState: 'FAIL' });
  const other = { accountNo: 'P2', settlement: 'settled', settleState: 'SUCCESS', refundFen: 100n } as const;
  const known = transferAfter(failed, seen(200, 'SUCCESS', other));
  expect(known.row).toMatchObject({ account_no: 'P', settlement: 'failed', refund_fen: 0n });
  expect([...known.faults.keys()]).toEqual(['record_changed']);
});

test('a record that another one may stand for is kept open, and what follows happened after nobody knows when', () => {
  const beside = ['it is listed 2 times in one answer; nothing of it counts'];
  const known = transferAfter(seen(100, 'SUCCESS', { beside, settleState: 'SUCCESS' }));
  expect([known.row.effective_state, known.row.settlement]).toEqual(['open', 'none']);
  expect([...known.faults.keys()]).toEqual(['bad_record']);
  const plain = transferAfter(
    seen(100, 'SUCCESS', { beside, settleState: 'SUCCESS', submittedAt: second(10) }),
    seen(200, 'SUCCESS', { settleState: 'SUCCESS', submittedAt: second(10) }),
  );
  expect(changeLines(plain.changes)).toEqual([
    'transfer 1 moved since 10 open - seen 201',
    'settlement 1 moved since 10 open - seen 201',
  ]);
});
