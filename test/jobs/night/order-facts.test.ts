/** What the platform's words mean by the profile (U33, U34, U36, U48, U60), and what time it is there. */
import { describe, expect, test } from 'vitest';
import { batchLook, withdrawalLook } from '../../../jobs/night/collect/order-facts.ts';
import { platformTime } from '../../../jobs/context/platform-time.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import { addMs } from '../../../src/core/time.ts';
import type { TransferOrder } from '../../../src/platform/contract.ts';

const profile = (over: object = {}) => readProfile(JSON.stringify(over), 'test');
const UNSAID: TransferOrder = {
  outOrderNo: undefined,
  orderNo: undefined,
  body: undefined,
  amountFen: undefined,
  realFen: undefined,
  feeFen: undefined,
  feeType: undefined,
  payerAcctNo: undefined,
  payeeAcctNo: undefined,
  state: undefined,
  settleState: undefined,
  settleRemark: undefined,
  refundFen: undefined,
  extParam: undefined,
  note: undefined,
  faults: [],
};

function looksOf(state: string | undefined, orders: readonly Partial<TransferOrder>[], over: object = {}) {
  const batch = { outBatchNo: 'B', batchNo: undefined, state, extParam: undefined, note: undefined };
  const stated = orders.map((order) => ({ ...UNSAID, ...order }));
  return batchLook({ ...batch, orders: stated }, profile(over)).orders;
}

function lookOf(order: Partial<TransferOrder>, over: object = {}) {
  const [look] = looksOf(undefined, [order], over);
  if (look === undefined) throw new Error('no order was read');
  return look;
}

describe('transfer orders', () => {
  test.each([
    ['INIT', 'open'],
    ['PROCESSING', 'open'],
    ['SUCCESS', 'moved'],
    ['REFUND', 'moved'],
    ['FAIL', 'failed'],
    ['CLOSE', 'failed'],
    ['WAIT_CONFIRM', 'refunding'],
    ['PART_REFUND', 'refunding'],
    ['PART_SUCCESS', 'unknown'],
    ['success', 'unknown'],
    ['fail ', 'unknown'],
    [undefined, 'unknown'],
  ])('P8, U33: %s is %s', (state, meaning) => {
    expect(lookOf({ state })).toMatchObject({ state: state ?? '', meaning });
  });

  test.each([
    ['SUCCESS', 'settled'],
    ['FAIL', 'failed'],
    ['FAILED', 'failed'],
    ['INIT', 'open'],
    ['PROCESSING', 'open'],
    ['2', 'unknown'],
    ['constructor', 'unknown'],
    [undefined, 'none'],
  ])('U34: settleState %s is %s', (settleState, settlement) => {
    expect(lookOf({ state: 'SUCCESS', settleState }).settlement).toBe(settlement);
  });

  test('U34: words of the profile are added to the known ones', () => {
    const over = { settle: { stateMap: { DONE: 'settled', NO: 'none', ODD: 'unknown', RUNS: 'inFlight' } } };
    const meant = ['DONE', 'NO', 'ODD', 'RUNS', 'FAIL'].map(
      (settleState) => lookOf({ settleState }, over).settlement,
    );
    expect(meant).toEqual(['settled', 'none', 'unknown', 'open', 'failed']);
  });

  test('U60: where SUCCESS waits for the bank, an order has moved once its settlement has begun; a missing settleState says nothing', () => {
    const over = { states: { childSuccessMeans: 'settled' } };
    const read = (state: string, settleState?: string) => {
      const look = lookOf({ state, ...(settleState !== undefined && { settleState }) }, over);
      return [look.meaning, look.settlement];
    };
    expect(read('SUCCESS')).toEqual(['moved', 'none']);
    expect(read('PROCESSING')).toEqual(['open', 'none']);
    expect(read('PROCESSING', 'PROCESSING')).toEqual(['moved', 'open']);
    expect(read('INIT', 'FAIL')).toEqual(['moved', 'failed']);
    expect(read('PROCESSING', 'ODD')).toEqual(['open', 'unknown']);
    expect(read('FAIL', 'PROCESSING')).toEqual(['failed', 'open']);
    expect(lookOf({ state: 'PROCESSING', settleState: 'PROCESSING' }).meaning).toBe('open');
  });

  describe('U36: the sum refunded', () => {
    const BY_STATE = { refund: { postBy: 'state' } };

    test.each([
      ['SUCCESS', 5n, 5n],
      ['REFUND', 5n, 5n],
      ['WAIT_CONFIRM', 5n, 5n],
      ['PART_REFUND', 5n, 5n],
      ['FAIL', 5n, 5n],
      ['SUCCESS', 0n, 0n],
      ['REFUND', 0n, 0n],
      ['SUCCESS', undefined, null],
      ['WAIT_CONFIRM', undefined, null],
    ])('is what a %s order states as %s, however a refund is known', (state, refundFen, sumFen) => {
      for (const over of [{}, BY_STATE]) {
        expect(lookOf({ state, refundFen, amountFen: 9n }, over).refundFen).toBe(sumFen);
      }
    });

    test('is the whole amount of an order that is REFUND and states none, where the word tells it', () => {
      const stated = { state: 'REFUND', amountFen: 9n };
      expect(lookOf(stated, BY_STATE)).toMatchObject({ refundFen: 9n, remarks: [] });
      expect(lookOf(stated).refundFen).toBeNull();
    });

    test('waits for its confirmation in an order that is WAIT_CONFIRM', () => {
      const waits = { state: 'WAIT_CONFIRM', refundFen: 5n };
      expect(lookOf(waits)).toMatchObject({ refundWaits: true, remarks: [] });
      expect(lookOf(waits, BY_STATE)).toMatchObject({ refundFen: 5n, refundWaits: true, remarks: [] });
    });

    const waitsOf = (label: string, ...states: string[]) =>
      looksOf(
        label,
        states.map((state) => ({ state })),
      ).map(({ refundWaits }) => refundWaits);

    test.each([
      [
        'of every order that is not refunded',
        'WAIT_CONFIRM',
        ['SUCCESS', 'REFUND', 'SUCCESS'],
        [true, false, true],
      ],
      ['not where another one says so itself', 'WAIT_CONFIRM', ['SUCCESS', 'WAIT_CONFIRM'], [false, true]],
      ['of each that does not say that it was refunded', 'REFUND', ['SUCCESS', 'REFUND'], [true, false]],
      ['of all where none says so', 'PART_REFUND', ['SUCCESS', 'SUCCESS'], [true, true]],
      [
        'of each that tells none, in a word that nobody knows',
        'REFUNDING',
        ['SUCCESS', 'REFUND'],
        [true, false],
      ],
      [
        'of each that tells of none where the batch says that nothing moved',
        'CLOSE',
        ['SUCCESS', 'REFUND'],
        [true, false],
      ],
      ['so also where it failed', 'FAIL', ['SUCCESS'], [true]],
      ['not of other labels', 'SUCCESS', ['SUCCESS'], [false]],
      ['nor of that of a part', 'PART_SUCCESS', ['SUCCESS', 'FAIL'], [false, false]],
      ['nor of one that is under way', 'PROCESSING', ['SUCCESS'], [false]],
      ['nor where there is none', '', ['SUCCESS'], [false]],
      ['not where another one is refunded in part', 'PART_REFUND', ['SUCCESS', 'REFUND'], [false, false]],
    ])('what the batch alone says of a refund may be %s', (_, label, states, waits) => {
      expect(waitsOf(label, ...states)).toEqual(waits);
    });

    test.each<[string, Partial<TransferOrder>, object, string[]]>([
      ['REFUND of nothing', { state: 'REFUND', refundFen: 0n }, {}, ['it is REFUND, and refundAmount is 0']],
      [
        'REFUND of nothing, known by the word',
        { state: 'REFUND', refundFen: 0n, amountFen: 9n },
        BY_STATE,
        ['it is REFUND, and refundAmount is 0'],
      ],
      [
        'REFUND of a sum nobody states',
        { state: 'REFUND', amountFen: 9n },
        {},
        ['it is REFUND, and refundAmount is not stated'],
      ],
      [
        'a sum under a word that tells no refund',
        { state: 'SUCCESS', refundFen: 5n },
        BY_STATE,
        ['refundAmount is 5 fen, and SUCCESS is no word of a refund'],
      ],
      ['a sum of an order that succeeded', { state: 'SUCCESS', refundFen: 5n }, {}, []],
      [
        'a sum of an order that moved nothing',
        { state: 'FAIL', refundFen: 5n },
        {},
        ['refundAmount is 5 fen, and FAIL is no word of a refund'],
      ],
      [
        'a sum without any word',
        { refundFen: 5n },
        {},
        ['refundAmount is 5 fen, and no state is no word of a refund'],
      ],
      [
        'more than the order',
        { state: 'PART_REFUND', refundFen: 10n, amountFen: 9n },
        BY_STATE,
        ['refundAmount is 10 fen, more than its amount of 9 fen'],
      ],
      ['the whole order', { state: 'REFUND', refundFen: 9n, amountFen: 9n }, BY_STATE, []],
    ])('contradicts: %s', (_name, stated, over, remarks) => {
      expect(lookOf(stated, over).remarks).toEqual(remarks);
    });
  });

  test('what is not stated is null or empty, never zero', () => {
    expect(lookOf({})).toMatchObject({
      amountFen: null,
      realFen: null,
      feeFen: null,
      refundFen: null,
      outOrderNo: '',
      payerAccountNo: '',
    });
  });
});

test('WDR-10: the words of withdrawals', () => {
  const absent = {
    outOrderNo: 'W',
    orderNo: undefined,
    acctNo: undefined,
    note: undefined,
    feeType: undefined,
  };
  const amounts = { amountFen: undefined, feeFen: undefined, realFen: undefined };
  const meaning = (state: string | undefined) => withdrawalLook({ ...absent, ...amounts, state }).meaning;
  expect(['INIT', 'PROCESSING', 'SUCCESS', 'FAIL', 'CLOSE', '2', undefined].map(meaning)).toEqual([
    'open',
    'open',
    'moved',
    'failed',
    'unknown',
    'unknown',
    'unknown',
  ]);
});

describe('the platform’s time', () => {
  function world(offsetMs: number | undefined) {
    const state = { wall: '2026-03-02T02:00:00.000Z', offsetMs };
    const clock = { wall: () => state.wall, monoMs: () => 0, sleep: () => Promise.resolve() };
    return { state, time: platformTime(clock, { clockOffsetMs: () => state.offsetMs }) };
  }

  test('is ours until its answers tell otherwise', () => {
    expect(world(undefined).time.now()).toBe('2026-03-02T02:00:00.000Z');
    expect(world(-2_000).time.now()).toBe('2026-03-02T01:59:58.000Z');
    expect(world(1_500).time.at('2026-03-02T05:00:00.000Z')).toBe('2026-03-02T05:00:01.500Z');
  });

  test('never runs backwards when the estimate narrows, but follows a clock that was set', () => {
    const { state, time } = world(400);
    expect(time.now()).toBe('2026-03-02T02:00:00.400Z');
    state.offsetMs = -300;
    expect(time.now()).toBe('2026-03-02T02:00:00.400Z');
    state.wall = addMs(state.wall, 1_000);
    expect(time.now()).toBe('2026-03-02T02:00:00.700Z');
    state.wall = addMs(state.wall, -3_600_000);
    expect(time.now()).toBe('2026-03-02T01:00:00.700Z');
  });
});
