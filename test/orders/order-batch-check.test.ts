/** A batch against its own orders and against what the company registered (DIV-31, P12). */
import { describe, expect, test } from 'vitest';
import { contradictionOf } from '../../src/orders/order-batch-check.ts';
import type { RegisteredLine } from '../../src/orders/order-batch-check.ts';
import type { TransferRow } from '../../src/orders/order-observations.ts';
import { aTransferLook, lookAt, transferAfter } from '../helpers/company/order-observations.ts';

/** An order that says so much: `SUCCESS`, or `SUCCESS 10000` when so much was refunded. */
function order(saying: string, at: number): TransferRow {
  const [state = '', refund = '0'] = saying.split(' ');
  const look = aTransferLook(state, {
    outOrderNo: `T${at + 1}`,
    orderNo: `N${at + 1}`,
    refundFen: BigInt(refund),
  });
  return transferAfter({ ...look, ...lookAt(0) }).row;
}

const orders = (...sayings: readonly string[]) => sayings.map(order);
const check = (state: string, sayings: readonly string[], registered: readonly RegisteredLine[] = []) =>
  contradictionOf({ state, orders: orders(...sayings), payers: sayings.map(() => 'P'), registered });

test.each([
  ['SUCCESS', ['SUCCESS', 'SUCCESS']],
  ['SUCCESS', ['SUCCESS', 'REFUND 10000']],
  ['FAIL', ['FAIL', 'CLOSE']],
  ['FAIL', []],
  ['CLOSE', ['CLOSE', 'FAIL']],
  ['CLOSE', ['CLOSE', 'PROCESSING']],
  ['PART_SUCCESS', ['SUCCESS', 'FAIL']],
  ['PART_SUCCESS', ['SUCCESS', 'PROCESSING']],
  ['PART_REFUND', ['REFUND 10000', 'SUCCESS']],
  ['PART_REFUND', ['SUCCESS 4000']],
  ['REFUND', ['REFUND 10000', 'REFUND 10000']],
  ['REFUND', ['REFUND 9970', 'FAIL']],
  ['INIT', ['SUCCESS', 'FAIL']],
  ['PROCESSING', ['SUCCESS', 'SUCCESS']],
  ['WAIT_CONFIRM', ['SUCCESS']],
  ['HALF', ['SUCCESS', 'FAIL']],
  ['constructor', ['SUCCESS']],
])('the label %s does not contradict orders that say %j', (label, sayings) => {
  expect(check(label, sayings)).toBe('');
});

test.each([
  [
    'SUCCESS',
    ['SUCCESS', 'FAIL'],
    'the batch says SUCCESS, but not all of its orders moved money (of 2: 1 moved, 1 failed, 0 open, 0 refunded)',
  ],
  [
    'SUCCESS',
    ['PROCESSING'],
    'the batch says SUCCESS, but not all of its orders moved money (of 1: 0 moved, 0 failed, 1 open, 0 refunded)',
  ],
  [
    'SUCCESS',
    [],
    'the batch says SUCCESS, but not all of its orders moved money (of 0: 0 moved, 0 failed, 0 open, 0 refunded)',
  ],
  [
    'FAIL',
    ['SUCCESS', 'FAIL'],
    'the batch says FAIL, but some of its orders moved money or are not final (of 2: 1 moved, 1 failed, 0 open, 0 refunded)',
  ],
  [
    'FAIL',
    ['PROCESSING'],
    'the batch says FAIL, but some of its orders moved money or are not final (of 1: 0 moved, 0 failed, 1 open, 0 refunded)',
  ],
  [
    'CLOSE',
    ['SUCCESS'],
    'the batch says CLOSE, but some of its orders moved money (of 1: 1 moved, 0 failed, 0 open, 0 refunded)',
  ],
  [
    'PART_SUCCESS',
    ['SUCCESS'],
    'the batch says PART_SUCCESS, but its orders are not partly moved and partly not (of 1: 1 moved, 0 failed, 0 open, 0 refunded)',
  ],
  [
    'PART_SUCCESS',
    ['FAIL', 'FAIL'],
    'the batch says PART_SUCCESS, but its orders are not partly moved and partly not (of 2: 0 moved, 2 failed, 0 open, 0 refunded)',
  ],
  [
    'PART_REFUND',
    ['SUCCESS', 'SUCCESS'],
    'the batch says PART_REFUND, but its orders are not partly refunded and partly not (of 2: 2 moved, 0 failed, 0 open, 0 refunded)',
  ],
  [
    'PART_REFUND',
    ['REFUND 10000'],
    'the batch says PART_REFUND, but its orders are not partly refunded and partly not (of 1: 1 moved, 0 failed, 0 open, 1 refunded)',
  ],
  [
    'REFUND',
    ['REFUND 10000', 'SUCCESS'],
    'the batch says REFUND, but not all that moved was refunded (of 2: 2 moved, 0 failed, 0 open, 1 refunded)',
  ],
])('the label %s contradicts orders that say %j', (label, sayings, sentence) => {
  expect(check(label, sayings)).toBe(sentence);
});

describe('against the registry', () => {
  const own = (over: Partial<RegisteredLine>): RegisteredLine => ({
    outOrderNo: 'T1',
    orderNo: '',
    payerAccountNo: '',
    payeeAccountNo: '',
    amountFen: null,
    isRefused: false,
    ...over,
  });
  const against = (...registered: RegisteredLine[]) => check('SUCCESS', ['SUCCESS', 'SUCCESS'], registered);

  test('equal as far as it says anything: nothing', () => {
    expect(
      against(
        own({ amountFen: 10_000n, payeeAccountNo: 'Q', payerAccountNo: 'P' }),
        own({ outOrderNo: 'T2' }),
      ),
    ).toBe('');
    expect(against(own({ outOrderNo: '', orderNo: 'N1' }), own({ outOrderNo: '', orderNo: 'N2' }))).toBe('');
    expect(against()).toBe('');
  });

  test('orders that one side lacks', () => {
    expect(against(own({}), own({ outOrderNo: 'T2' }), own({ outOrderNo: 'T3' }))).toBe(
      'order T3 was registered with it and is not listed',
    );
    expect(against(own({}))).toBe('order T2 is listed and was not registered with it');
  });

  test('what the company was refused need not be there; a batch registered as a whole stands for all', () => {
    expect(against(own({}), own({ outOrderNo: 'T2' }), own({ outOrderNo: 'T3', isRefused: true }))).toBe('');
    expect(against(own({}), own({ outOrderNo: '', orderNo: '' }))).toBe('');
  });

  test('a batch registered as a whole has the amount of all its orders, or of those that were not registered, and their parties', () => {
    const whole = own({ outOrderNo: '', amountFen: 20_000n, payeeAccountNo: 'Q', payerAccountNo: 'P' });
    expect(against(whole)).toBe('');
    expect(against(whole, own({}))).toBe('');
    expect(against({ ...whole, amountFen: 10_000n }, own({}))).toBe('');
    expect(against({ ...whole, amountFen: 10_000n })).toBe(
      'amount 100.00 was registered of the batch, its orders state 200.00',
    );
    expect(against({ ...whole, payerAccountNo: 'Y', payeeAccountNo: 'Z' }, own({}))).toBe(
      'order T2: payee Z was registered, Q is stated; order T2: payer Y was registered, P is stated',
    );
  });

  test('other amounts or parties', () => {
    expect(
      against(
        own({ amountFen: 12_345n, payeeAccountNo: 'Z', payerAccountNo: 'Y' }),
        own({ outOrderNo: 'T2' }),
      ),
    ).toBe(
      'order T1: amount 123.45 was registered, 100.00 is stated; order T1: payee Z was registered, Q is stated; ' +
        'order T1: payer Y was registered, P is stated',
    );
  });

  test('of two registrations of one order both are named', () => {
    const first = own({ amountFen: 10_000n, payeeAccountNo: 'Q' });
    const other = own({ outOrderNo: '', orderNo: 'N1', amountFen: 20_000n, payeeAccountNo: 'Z' });
    expect(against(first, other, own({ outOrderNo: 'T2' }))).toBe(
      'order T1: amount 200.00 was registered, 100.00 is stated; order T1: payee Z was registered, Q is stated; ' +
        'order T1: amount 100.00 and 200.00 were both registered; order T1: payee Q and Z were both registered',
    );
    expect(against(first, own({ outOrderNo: '', orderNo: 'N1' }), own({ outOrderNo: 'T2' }))).toBe('');
  });

  test('more than can be read are counted', () => {
    const many = Array.from({ length: 15 }, (_, at) => own({ outOrderNo: `X${at}` }));
    expect(check('INIT', [], many)).toMatch(
      /^order X0 .*; order X9 was registered with it and is not listed; and 5 more$/,
    );
  });
});

test('orders of several payers', () => {
  expect(contradictionOf({ state: 'INIT', orders: [], payers: ['P', 'P2', 'P'], registered: [] })).toBe(
    'its orders name 2 payers: P, P2',
  );
});
