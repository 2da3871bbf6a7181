/** A look at one order through its batch (N9, P13, P14). */
import { describe, expect, test } from 'vitest';
import { freshnessOf, lookAtOrder, lookForbids } from '../../../jobs/night/settle/settle-look.ts';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import { addMs } from '../../../src/core/time.ts';
import type { Clock } from '../../../src/core/ports.ts';
import { countedIds, virtualClock } from '../../core/virtual-clock.ts';
import { quietLog } from '../../helpers/log.ts';
import { MemoryBooks } from '../../helpers/settlements/memory-books.ts';
import { MemoryAttemptStore } from '../../helpers/settlements/memory-attempt-store.ts';
import {
  clientOf,
  envelopeText,
  profileOf,
  refusalText,
  servePlatform,
  SHANGHAI,
  successText,
} from '../../platform/platform-server.ts';
import type { Received, Reply } from '../../platform/platform-server.ts';
import { aLine, aLook } from './settle-facts.ts';

const ORDER = {
  outOrderNo: 'T1',
  orderNo: 'N-T1',
  payerAcctNo: 'P',
  payeeAcctNo: 'Q',
  amount: 10_000,
  realAmount: 9_970,
  mchFee: 30,
  feeType: 'ORDER',
  state: 'SUCCESS',
  settleState: 'FAIL',
  refundAmount: 0,
};
const BATCH = { outBatchNo: 'B1', batchNo: 'N-B1', state: 'SUCCESS', orderList: [ORDER] };

/** Looks once at what a platform answers: what the look shows, what was asked, and which orders are stored now. */
async function lookAt(
  answer: (request: Received, clock: Clock) => Reply | Promise<Reply>,
  numbers: { outBatchNo?: string; batchNo?: string } = {},
) {
  const clock = virtualClock();
  await using platform = await servePlatform((request) => answer(request, clock));
  const profile = profileOf({
    http: { rate: { perSecond: 10_000, concurrency: 4 } },
    signing: { requireResponseSign: 'never' },
  });
  await using client = clientOf(platform.url, { profile, clock });
  const books = new MemoryBooks();
  const book = new MemoryAttemptStore(books, {
    lease: books.takeLease('test'),
    amountRule: 'realAmount',
    callLagMs: () => 0,
    now: () => clock.wall(),
    saving: { runId: 'run-1', day: '2026-03-02' },
  });
  const ports: SettlePorts = {
    book,
    client,
    clock,
    profile,
    zone: SHANGHAI,
    tell: () => undefined,
    log: quietLog,
    ids: countedIds(0),
    runner: 'me',
    mark: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
    boot: 'boot-1',
    signal: new AbortController().signal,
  };
  const look = await lookAtOrder(ports, {
    accountNo: 'P',
    outOrderNo: 'T1',
    orderNo: '',
    outBatchNo: 'B1',
    batchNo: 'N-B1',
    ...numbers,
  });
  const isFresh = freshnessOf(ports, look);
  return {
    look,
    isFresh,
    clock,
    asked: platform.requests.map(({ biz }) => biz),
    stored: [...books.orders.keys()],
  };
}

describe('a look', () => {
  test('shows the order, who signed the answer and its time, and is kept', async () => {
    const { look, asked, stored } = await lookAt(() => successText(BATCH));
    expect(look).toMatchObject({
      order: { outOrderNo: 'T1', realFen: 9_970n, settlement: 'failed', meaning: 'moved' },
      signed: true,
      timestamp: '2026-03-01T16:00:00.000Z',
      timestampSigned: true,
      askedAt: '2026-03-01T16:00:00.000Z',
      kept: true,
    });
    expect([asked, stored]).toEqual([[{ outBatchNo: 'B1' }], ['P\tT1']]);
    expect(lookForbids(look, aLine(), 'realAmount')).toBeUndefined();
  });

  test('2.3 b: holds for ten seconds from before its request, however late its answer comes', async () => {
    const { look, isFresh, clock } = await lookAt(async (_request, platformClock) => {
      await platformClock.sleep(9_000);
      return successText(BATCH, platformClock);
    });
    expect([look.askedAt, look.timestamp]).toEqual(['2026-03-01T16:00:00.000Z', '2026-03-01T16:00:09.000Z']);
    expect(isFresh()).toBe(true);
    await clock.sleep(1_001);
    expect(isFresh()).toBe(false);
  });

  test('N9: of an answer without a signature neither the order nor its time is believed', async () => {
    const unsigned = JSON.stringify({
      ...(JSON.parse(successText(BATCH)) as object),
      sign: '',
    });
    const { look } = await lookAt(() => unsigned);
    expect(look).toMatchObject({ signed: false, timestampSigned: false });
    expect(lookForbids(look, aLine(), 'realAmount')).toMatchObject({ code: 'look_unsigned' });
  });

  test('P14: asks by the platform’s number where the company’s is not known, and is stored under that', async () => {
    const { look, asked } = await lookAt(({ biz }) =>
      'outBatchNo' in biz ? refusalText('E404', '批次不存在') : successText(BATCH),
    );
    expect(asked).toEqual([{ outBatchNo: 'B1' }, { batchNo: 'N-B1' }]);
    expect(look.answer).toMatchObject({
      kind: 'batch',
      unit: { numberKind: 'out', number: 'B1' },
      foundAs: { numberKind: 'platform', number: 'N-B1' },
    });
  });

  test.each([
    ['the number it has', { batchNo: '' }, [{ outBatchNo: 'B1' }]],
    ['both', {}, [{ outBatchNo: 'B1' }, { batchNo: 'N-B1' }]],
    ['none', { outBatchNo: '', batchNo: '' }, []],
  ])(
    'P14: a batch nobody knows, asked by %s, is no answer about the order',
    async (_name, numbers, expected) => {
      const { look, asked } = await lookAt(() => refusalText('E404', '批次不存在'), numbers);
      expect(asked).toEqual(expected);
      expect(look.order).toBeUndefined();
      expect(look.answer).not.toHaveProperty('foundAs');
      expect(lookForbids(look, aLine(), 'realAmount')?.code).toBe(
        expected.length > 0 ? 'not_listed' : 'unanswered',
      );
    },
  );

  test.each<[string, () => Reply, string]>([
    ['no answer', () => undefined, 'unanswered'],
    ['N7: no JSON', () => '<html>', 'unanswered'],
    ['P13', () => successText({ ...BATCH, orderList: 'no list' }), 'unanswered'],
    ['another batch', () => successText({ ...BATCH, outBatchNo: 'B7' }), 'unanswered'],
    ['a refusal', () => envelopeText({ code: 'E1', msg: '系统繁忙' }), 'unanswered'],
    [
      'another order',
      () => successText({ ...BATCH, orderList: [{ ...ORDER, outOrderNo: 'T2' }] }),
      'not_listed',
    ],
    ['listed twice', () => successText({ ...BATCH, orderList: [ORDER, ORDER] }), 'not_listed'],
    [
      'another payer',
      () => successText({ ...BATCH, orderList: [{ ...ORDER, payerAcctNo: 'X' }] }),
      'not_listed',
    ],
  ])('%s shows nothing: nothing is sent', async (_name, reply, code) => {
    const { look } = await lookAt(reply);
    expect(lookForbids(look, aLine(), 'realAmount')?.code).toBe(code);
    expect(look.kept).toBe(code !== 'unanswered');
  });

  test('of an order whose batch nobody can name says that, and asks nothing', async () => {
    const { look, asked } = await lookAt(() => successText(BATCH), { outBatchNo: '', batchNo: '' });
    expect(asked).toEqual([]);
    expect(look.answer).toEqual({
      kind: 'failed',
      unit: { kind: 'batch', numberKind: 'out', number: '' },
      reason: 'no number of its batch is known',
    });
  });
});

describe('2.3 b: a look holds for ten seconds on each clock', () => {
  test.each([
    [0, 0, true],
    [10_000, 10_000, true],
    [10_001, 0, false],
    [0, 10_001, false],
    [-1, 0, false],
    [0, -1, false],
  ])('%i ms later on the wall and %i ms on the monotonic clock: %s', (wallMs, monoMs, expected) => {
    const look = aLook();
    const clock = { wall: () => addMs(look.askedAt, wallMs), monoMs: () => look.askedMonoMs + monoMs };
    expect(freshnessOf({ clock }, look)()).toBe(expected);
  });
});

test('a number that cannot be asked for is not a question that may be answered later', async () => {
  const { look } = await lookAt(() => successText(BATCH), { outBatchNo: ' ', batchNo: '' });
  expect(look.answer).toMatchObject({ kind: 'failed' });
  expect(look.answer).not.toHaveProperty('isUnanswered');
  const { look: lost } = await lookAt(() => undefined);
  expect(lost.answer).toMatchObject({ kind: 'failed', isUnanswered: true });
});

describe('what of a look must be as it was planned', () => {
  test.each([
    ['realAmount', { realFen: 9_970n }, undefined],
    ['realAmount', { realFen: null, amountFen: 10_000n, feeFen: 30n, feeType: 'ORDER' }, undefined],
    ['realAmount', { realFen: null, feeFen: null }, 'facts_differ'],
    ['realAmount', { realFen: 9_971n }, 'facts_differ'],
    ['amount', { amountFen: 9_970n }, undefined],
    ['amount', { amountFen: null }, 'facts_differ'],
    ['realAmount', { refundFen: null }, undefined],
    ['realAmount', { refundWaits: true }, 'state_changed'],
    ['realAmount', { refundFen: 5n }, 'state_changed'],
    ['realAmount', { refundFen: 5n, refundWaits: false }, 'state_changed'],
    ['realAmount', { remarks: ['it is REFUND, and refundAmount is 0'] }, 'facts_differ'],
    ['realAmount', { state: 'REFUND', refundFen: null }, 'state_changed'],
    ['realAmount', { orderNo: '' }, undefined],
    ['realAmount', { orderNo: 'N-X' }, 'facts_differ'],
    ['realAmount', { payeeAccountNo: '' }, undefined],
    ['realAmount', { payeeAccountNo: 'X' }, 'facts_differ'],
    ['realAmount', { settlement: 'none', settleState: '' }, 'state_changed'],
    ['realAmount', { settlement: 'unknown', settleState: 'ODD' }, 'state_changed'],
  ] as const)('U37, U36: %s, case %#', (rule, listed, code) => {
    expect(lookForbids(aLook({ listed }), aLine(), rule)?.code).toBe(code);
  });
});

test.each([
  [{ state: 'FAIL', meaning: 'failed' }, 'the order is FAIL now'],
  [{ state: '', meaning: 'unknown' }, 'the order is without a state now'],
  [{ state: 'REFUND' }, 'the order is REFUND now'],
  [{ settleState: 'SUCCESS', settlement: 'settled' }, 'its settlement is SUCCESS now'],
  [{ settleState: '', settlement: 'none' }, 'its settlement is not stated now'],
  [{ refundFen: 5n }, 'it is refunded now, at least in part'],
] as const)('what has changed is said, case %#', (listed, reason) => {
  expect(lookForbids(aLook({ listed }), aLine(), 'realAmount')).toEqual({ code: 'state_changed', reason });
});

test('2.3 e: a number that was not known when it was planned names it otherwise than planned', () => {
  expect(lookForbids(aLook(), aLine({ orderNo: '' }), 'realAmount')?.code).toBe('facts_differ');
});
