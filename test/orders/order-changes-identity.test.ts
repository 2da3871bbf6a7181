/** A record under a known number that is another order's is shown and not believed (docs/reconciliation.md 3.8, 9). */
import { expect, test } from 'vitest';
import { observeTransfer } from '../../src/orders/order-changes.ts';
import { observeWithdrawal } from '../../src/orders/order-changes-withdrawal.ts';
import { observedAtOf } from '../../src/orders/read-known-orders.ts';
import type { TransferObservation } from '../../src/orders/order-observations.ts';
import type { OrderFaultClass } from '../../src/store/schema/schema-orders.ts';
import { aTransferLook, aWithdrawalLook, knownAfter, lookAt } from '../helpers/company/order-observations.ts';

const OTHER = 'orderNo was N-1 and is N-2 now; it is another order';

test('a final transfer with another number of the platform stays what it was, its settlement and refund too', () => {
  const first = { ...aTransferLook('SUCCESS', { orderNo: 'N-1', settleState: 'FAIL' }), ...lookAt(0) };
  const known = knownAfter(undefined, observeTransfer(undefined, first), first);
  const over = { orderNo: 'N-2', settleState: 'SUCCESS', refundFen: 500n, amountFen: 9_000n };
  const { row, faults, isNewVersion } = observeTransfer(known, {
    ...aTransferLook('SUCCESS', over),
    ...lookAt(100),
  });
  expect(row).toMatchObject({
    order_no: 'N-1',
    settlement: 'failed',
    refund_fen: 0n,
    amount_fen: first.amountFen,
  });
  expect([[...faults], isNewVersion]).toEqual([[['bad_record', OTHER]], false]);
  // It counts as shown, so that nothing is sent on an older view.
  expect(row.settle_shown_at).not.toBeNull();
});

test('a final withdrawal with another number did not come back', () => {
  const first = { ...aWithdrawalLook('SUCCESS', { orderNo: 'N-1' }), ...lookAt(0) };
  const known = knownAfter(undefined, observeWithdrawal(undefined, first), first);
  const later = { ...aWithdrawalLook('FAIL', { orderNo: 'N-2' }), ...lookAt(100) };
  const { row, faults } = observeWithdrawal(known, later);
  expect(row).toMatchObject({ order_no: 'N-1', effective_state: 'moved' });
  expect(faults.get('bad_record')).toBe(OTHER);
});

test('a number that is stated for the first time, or not any more, is no other one', () => {
  const first = { ...aTransferLook('SUCCESS', { orderNo: '', settleState: 'FAIL' }), ...lookAt(0) };
  const known = knownAfter(undefined, observeTransfer(undefined, first), first);
  const second = { ...aTransferLook('SUCCESS', { orderNo: 'N-1', settleState: 'FAIL' }), ...lookAt(100) };
  const named = knownAfter(known, observeTransfer(known, second), second);
  expect([named.row.order_no, [...named.faults]]).toEqual(['N-1', []]);
  const third = { ...aTransferLook('SUCCESS', { orderNo: '', settleState: 'SUCCESS' }), ...lookAt(200) };
  expect(observeTransfer(named, third).row).toMatchObject({ order_no: 'N-1', settlement: 'settled' });
});

test.each([
  ['of another payer', { accountNo: 'P2' }],
  ['that another one may stand for', { beside: ['it is listed 2 times in one answer'] }],
  ['that cannot be read whole', { unreadable: ['payerAcctNo is not stated'] }],
])('a number that a record states %s is none of it, whether or not it is an older one', (_name, over) => {
  const first = { ...aTransferLook('SUCCESS', { orderNo: '' }), ...lookAt(100) };
  const known = knownAfter(undefined, observeTransfer(undefined, first), first);
  for (const when of [0, 200]) {
    const odd = { ...aTransferLook('SUCCESS', { orderNo: 'N-2', ...over }), ...lookAt(when) };
    expect(observeTransfer(known, odd).row.order_no).toBe('');
  }
});

test('a number that only a record states with which something is wrong is none of an order once its records are plain', () => {
  const odd = { ...aTransferLook('SUCCESS', { orderNo: 'N-2', unreadable: ['amount'] }), ...lookAt(0) };
  const known = knownAfter(undefined, observeTransfer(undefined, odd), odd);
  expect(known.row.order_no).toBe('N-2');
  for (const orderNo of ['', 'N-1']) {
    const plain = { ...aTransferLook('SUCCESS', { orderNo }), ...lookAt(100) };
    expect(observeTransfer(known, plain).row.order_no).toBe(orderNo);
  }
});

test('a number that a record of an open order states as of another payer is none of it, whether or not it is an older one', () => {
  const open = { ...aTransferLook('PROCESSING', { orderNo: '' }), ...lookAt(100) };
  const known = knownAfter(undefined, observeTransfer(undefined, open), open);
  const named = { accountNo: 'P2', orderNo: 'N-2' };
  expect(observeTransfer(known, { ...aTransferLook('PROCESSING', named), ...lookAt(0) }).row.order_no).toBe(
    '',
  );
  const others = { ...aTransferLook('PROCESSING', named), ...lookAt(200) };
  for (const before of [known, undefined]) {
    const moved = knownAfter(before, observeTransfer(before, others), others);
    for (const orderNo of ['', 'N-1']) {
      const plain = { ...aTransferLook('SUCCESS', { orderNo }), ...lookAt(300) };
      expect(observeTransfer(moved, plain).row.order_no).toBe(orderNo);
    }
  }
});

const FAILED = { settleState: 'FAIL' };
const ELSE = { settleState: 'SUCCESS', refundFen: 500n, amountFen: 9_000n, payeeAccountNo: 'R' };

test.each<[string, Partial<TransferObservation>, OrderFaultClass, number]>([
  ['of another payer', { accountNo: 'P2' }, 'record_changed', 1],
  [
    'that another one may stand for',
    { beside: ['it is listed 2 times in one answer; nothing of it counts'] },
    'bad_record',
    1,
  ],
])('a record %s changes nothing of a final transfer, and counts as shown', (_name, over, fault, version) => {
  const first = { ...aTransferLook('SUCCESS', FAILED), ...lookAt(0) };
  const known = knownAfter(undefined, observeTransfer(undefined, first), first);
  const odd = { ...aTransferLook('SUCCESS', { ...ELSE, ...over }), ...lookAt(100) };
  const seen = observeTransfer(known, odd);
  expect(seen.row).toMatchObject({
    account_no: 'P',
    amount_fen: first.amountFen,
    payee_account_no: 'Q',
    settlement: 'failed',
    refund_fen: 0n,
    version,
  });
  expect([[...seen.faults.keys()], seen.isNewVersion]).toEqual([[fault], false]);
  expect(seen.row.settle_shown_at).not.toBeNull();
  // When a plain look shows it, it may have been so since before that record.
  const plain = { ...aTransferLook('SUCCESS', { settleState: 'SUCCESS' }), ...lookAt(200) };
  const { changes } = observeTransfer(knownAfter(known, seen, odd), plain);
  const paid = changes.find(({ subject, state }) => subject === 'settlement' && state === 'moved');
  expect(paid?.last_open_at).toBe(first.seenAt);
});

test('of an order that was paid, a record that another one may stand for counts as shown, whatever it shows', () => {
  const first = { ...aTransferLook('SUCCESS', { settleState: 'SUCCESS' }), ...lookAt(0) };
  const known = knownAfter(undefined, observeTransfer(undefined, first), first);
  const odd = { settleState: 'SUCCESS', beside: ['another record of the answer states its orderNo N-1'] };
  const { row } = observeTransfer(known, { ...aTransferLook('SUCCESS', odd), ...lookAt(100) });
  expect([row.settle_shown_at, row.unfailed_shown_at, row.refund_shown_at]).not.toContain(null);
});

test("another account's record of a final withdrawal does not bring it back", () => {
  const first = { ...aWithdrawalLook('SUCCESS'), ...lookAt(0) };
  const known = knownAfter(undefined, observeWithdrawal(undefined, first), first);
  const later = { ...aWithdrawalLook('FAIL', { accountNo: 'P2', amountFen: 1n }), ...lookAt(100) };
  const { row, faults } = observeWithdrawal(known, later);
  expect(row).toMatchObject({ account_no: 'P', effective_state: 'moved', amount_fen: first.amountFen });
  expect(faults.get('record_changed')).toContain('it belongs to P and now names P2');
});

test('that an order is under way in a record that another one may stand for ends no interval', () => {
  const first = { ...aTransferLook('PROCESSING'), ...lookAt(0) };
  const known = knownAfter(undefined, observeTransfer(undefined, first), first);
  const odd = {
    ...aTransferLook('PROCESSING', { beside: ['it is listed 2 times in one answer'] }),
    ...lookAt(100),
  };
  expect(observeTransfer(known, odd).changes).toEqual(known.changes);
});

test('what follows a transfer that only such a record shows done may have been so before it was seen done', () => {
  const twice = { settleState: 'SUCCESS', beside: ['it is listed 2 times in one answer'] };
  const odd = { ...aTransferLook('SUCCESS', twice), ...lookAt(0) };
  const known = knownAfter(undefined, observeTransfer(undefined, odd), odd);
  expect(observedAtOf(odd.askedAt, known)).toBeNull();
  const unreadable = {
    ...aTransferLook('SUCCESS', { unreadable: ['amount is not stated'] }),
    ...lookAt(100),
  };
  const unread = knownAfter(known, observeTransfer(known, unreadable), unreadable);
  expect(observedAtOf(unreadable.askedAt, unread)).toBeNull();
  const plain = { ...aTransferLook('SUCCESS'), ...lookAt(200) };
  const seen = knownAfter(unread, observeTransfer(unread, plain), plain);
  const again = knownAfter(seen, observeTransfer(seen, { ...odd, ...lookAt(300) }), lookAt(300));
  expect(observedAtOf(lookAt(300).askedAt, again)).toBe(plain.seenAt);
});

test('what follows a change that ended by a record with which something is wrong may have been so before', () => {
  const first = { ...aTransferLook('SUCCESS'), ...lookAt(0) };
  const plain = knownAfter(undefined, observeTransfer(undefined, first), first);
  const remarks = ['it is REFUND, and refundAmount is not stated'];
  const odd = { ...aTransferLook('SUCCESS', { settleState: 'SUCCESS', remarks }), ...lookAt(100) };
  const [known, later] = [undefined, plain].map((before) =>
    knownAfter(before, observeTransfer(before, odd), odd),
  );
  expect(known && observedAtOf(odd.askedAt, known)).toBeNull();
  expect(later && observedAtOf(odd.askedAt, later)).toBe(first.seenAt);
});
