/** A validly signed answer is about what was asked, or it is no answer (docs/reconciliation.md 3.8, 9). */
import { describe, expect, test } from 'vitest';

import { OutcomeUnknown } from '../../src/core/errors.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '../../src/platform/contract.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import { clientOf, profileOf, servePlatform, successText } from './platform-server.ts';

type Json = Record<string, unknown>;

const ONCE = profileOf({ http: { maxAttempts: 1, rate: { perSecond: 10_000, concurrency: 4 } } });

/** What one answer comes to: `accepted`, or why it is none. */
async function heard(
  endpoint: EndpointName,
  asked: Json,
  answer: Json,
  knownAs?: string[],
  profile = ONCE,
): Promise<string> {
  await using platform = await servePlatform(() => successText(answer));
  await using client = clientOf(platform.url, { profile });
  try {
    const outcome = await client.callRaw(endpoint, asked, { isUnchecked: true, ...(knownAs && { knownAs }) });
    return outcome.kind === 'unknown' ? outcome.reason : outcome.kind;
  } catch (error) {
    if (error instanceof OutcomeUnknown) return error.message;
    throw error;
  }
}

const ROW = { orderNo: 'D1', amount: 5, fee: 0, depositTime: '2026-03-01 10:00:00' };
const page = (...payees: string[]): Json => ({
  total: payees.length,
  depositList: payees.map((payeeAcctNo) => ({ ...ROW, payeeAcctNo })),
});

/** Per endpoint: what is asked, the right answer, and what makes it another one's. */
const CASES: Record<EndpointName, { asked: Json; right: Json; wrong: [Json, said: string][] }> = {
  'acct/sendMsg': {
    asked: { reqNo: 'R1', outReqNo: 'O1', sceneType: 'OPEN' },
    right: { smsFlowNo: 'F1', sceneType: 'OPEN' },
    wrong: [[{ sceneType: 'MODIFY' }, 'asked for OPEN, the answer is about MODIFY']],
  },
  'acct/addApply': {
    asked: { outReqNo: 'O1' },
    right: { reqNo: 'R1', outReqNo: 'O1', state: 5 },
    wrong: [[{ outReqNo: 'O2' }, 'asked for O1, the answer is about O2']],
  },
  'acct/auditApply': {
    asked: { reqNo: 'R1', outReqNo: 'O1' },
    right: { reqNo: 'R1', outReqNo: 'O1', state: 1 },
    wrong: [[{ reqNo: 'R2' }, 'asked for R1, the answer is about R2']],
  },
  'acct/auditApplyResult': {
    asked: { reqNo: 'R1' },
    right: { reqNo: 'R1', outReqNo: 'O1', state: 2, accountNo: 'A1' },
    wrong: [[{ reqNo: 'R2' }, 'asked for R1, the answer is about R2']],
  },
  'acct/reviseApply': {
    asked: { outReqNo: 'O1' },
    right: { reqNo: 'R1', outReqNo: 'O1', state: 7 },
    wrong: [[{ outReqNo: 'O2' }, 'asked for O1, the answer is about O2']],
  },
  'acct/changeApply': {
    asked: { recordId: '9', outReqNo: 'O1' },
    right: { reqNo: 'R1', outReqNo: 'O1', state: 5 },
    wrong: [[{ outReqNo: 'O2' }, 'asked for O1, the answer is about O2']],
  },
  'acct/changeConfirm': {
    asked: { reqNo: 'R1' },
    right: { reqNo: 'R1', outReqNo: 'O1', state: 5 },
    wrong: [[{ reqNo: 'R2' }, 'asked for R1, the answer is about R2']],
  },
  'acct/changeApplyResult': {
    asked: { outReqNo: 'O1' },
    right: { reqNo: 'R1', state: 2, accountNo: 'A1' },
    wrong: [[{ outReqNo: 'O2' }, 'asked for O1, the answer is about O2']],
  },
  'acct/queryInfo': {
    asked: { accountNo: 'A1' },
    right: { accountNo: 'A1', eleAcctNo: 'E1', balance: 5, openReqNo: 'R1' },
    wrong: [
      [{ accountNo: 'A2' }, 'asked for A1, the answer is about A2'],
      [{ balance: undefined, openReqNo: undefined, outBatchNo: 'B1' }, 'the answer is of another kind'],
    ],
  },
  'division/pay': {
    asked: { outBatchNo: 'B1', payerAcctNo: 'A1', orderList: '[]' },
    right: { outBatchNo: 'B1', batchNo: 'P1', orderList: [{ outOrderNo: 'C1', payeyAcctNo: 'A1' }] },
    wrong: [
      [{ outBatchNo: 'B2' }, 'asked for B1, the answer is about B2'],
      [{ orderList: [{ outOrderNo: 'C1', payerAcctNo: 'A2' }] }, 'asked for A1, the answer is about A2'],
      [{ orderList: '[{"outOrderNo":"C1","payerAcctNo":"A2"}]' }, 'asked for A1, the answer is about A2'],
    ],
  },
  'division/query': {
    asked: { outBatchNo: 'B1' },
    right: { outBatchNo: 'B1', batchNo: 'P1', orderList: [] },
    wrong: [
      [{ outBatchNo: 'B2' }, 'asked for B1, the answer is about B2'],
      [
        { outBatchNo: undefined, batchNo: undefined, orderList: undefined, outOrderNo: 'W1' },
        'the answer is of another kind',
      ],
    ],
  },
  'division/refund': {
    asked: { batchNo: 'P1', outOrderNos: 'C1' },
    right: { outBatchNo: 'B1', batchNo: 'P1', orderList: [] },
    wrong: [[{ batchNo: 'P2' }, 'asked for P1, the answer is about P2']],
  },
  'account/withdraw': {
    asked: { outOrderNo: 'W1', acctNo: 'A1', amount: 5 },
    right: { outOrderNo: 'W1', orderNo: 'P1', acctNo: 'A1', state: 'SUCCESS' },
    wrong: [
      [{ outOrderNo: 'W2' }, 'asked for W1, the answer is about W2'],
      [{ acctNo: 'A2' }, 'asked for A1, the answer is about A2'],
    ],
  },
  'account/queryWithdraw': {
    asked: { orderNo: 'P1' },
    right: { outOrderNo: 'W1', orderNo: 'P1', acctNo: 'A1', state: 'SUCCESS' },
    wrong: [
      [{ orderNo: 'P2' }, 'asked for P1, the answer is about P2'],
      [
        { outOrderNo: undefined, orderNo: undefined, acctNo: undefined, batchNo: 'P1', orderList: [] },
        'the answer is of another kind',
      ],
    ],
  },
  'query/deposit': {
    asked: { payeeAcctNo: 'A1', startDate: '2026-03-01', endDate: '2026-03-02', page: 1, pageSize: 100 },
    right: page('A1', 'A1'),
    wrong: [[page('A1', 'A2'), 'asked for A1, the answer is about A2']],
  },
  'get/transFiles': {
    asked: { transType: '2', outOrderNo: 'W1' },
    right: { fileList: [{ file: 'JVBERi0=' }] },
    wrong: [
      [{ outOrderNo: 'W2' }, 'asked for W1, the answer is about W2'],
      [{ fileList: [{ file: 'x', outOrderNo: 'W2' }] }, 'asked for W1, the answer is about W2'],
      [{ fileList: '[{"file":"x","transType":3}]' }, 'asked for 2, the answer is about 3'],
    ],
  },
  'order/settle': {
    asked: { outOrderNo: 'C1', remark: 'again' },
    right: { outOrderNo: 'C1', orderNo: 'S1', state: 'SUCCESS' },
    wrong: [[{ outOrderNo: 'C2' }, 'asked for C1, the answer is about C2']],
  },
};

describe('an answer about something else than was asked is no answer', () => {
  test.each(ENDPOINT_NAMES)('%s', async (endpoint) => {
    const { asked, right, wrong } = CASES[endpoint];
    expect(await heard(endpoint, asked, right)).toBe('accepted');
    for (const [over, said] of wrong) {
      expect(await heard(endpoint, asked, { ...right, ...over })).toBe(`${endpoint}: ${said}`);
    }
  });

  test('a changing call that is answered about another one is unknown, never done', async () => {
    for (const endpoint of ENDPOINT_NAMES.filter((name) => ENDPOINTS[name].effect === 'change')) {
      const { asked, right, wrong } = CASES[endpoint];
      await using platform = await servePlatform(() => successText({ ...right, ...wrong[0]?.[0] }));
      await using client = clientOf(platform.url);
      expect(await client.callRaw(endpoint, asked, { isUnchecked: true })).toMatchObject({ kind: 'unknown' });
      expect(platform.requests).toHaveLength(1);
    }
  });

  test('a query is asked again: what a cache mixed up once may come right', async () => {
    await using platform = await servePlatform((_request, no) =>
      successText({ accountNo: no === 1 ? 'A2' : 'A1', balance: no }),
    );
    await using client = clientOf(platform.url);
    const outcome = await client.call('acct/queryInfo', { accountNo: 'A1' });
    expect(outcome).toMatchObject({ kind: 'accepted', answer: { accountNo: 'A1', balanceFen: 2n } });
  });
});

describe('what tells another one', () => {
  test.each([
    ['acct/addApply', { outBatchNo: 'B1' }],
    ['acct/sendMsg', { outReqNo: 'O1', reqNo: 'R1' }],
    ['acct/queryInfo', { outOrderNo: 'W1', acctNo: 'A1' }],
    ['division/query', { smsFlowNo: 'F1' }],
    ['division/refund', { fileList: [] }],
    ['account/withdraw', { outBatchNo: 'B1', orderList: [] }],
    ['query/deposit', { balance: 5 }],
  ] as const)(
    '%s: an answer with nothing of its own kind, and something of another',
    async (endpoint, answer) => {
      expect(await heard(endpoint, {}, answer)).toBe(`${endpoint}: the answer is of another kind`);
    },
  );

  test('U11: of two spellings, the one that is stated', async () => {
    const asked = { outBatchNo: 'B1', payerAcctNo: 'P1' };
    const answer = { outBatchNo: 'B1', orderList: [{ outOrderNo: 'C1', payerAccountNo: 'P2' }] };
    const compat = { payerField: ['payerAcctNo', 'payerAccountNo'] };
    expect(await heard('division/pay', asked, answer, undefined, profileOf({ compat }))).toBe(
      'division/pay: asked for P1, the answer is about P2',
    );
  });

  test('the request that opened the account, where it is asked for by that', async () => {
    expect(await heard('acct/queryInfo', { reqNo: 'R1' }, { balance: 5, openReqNo: 'R2' })).toBe(
      'acct/queryInfo: asked for R1, the answer is about R2',
    );
    expect(await heard('acct/queryInfo', { reqNo: 'R1' }, { balance: 5, openReqNo: 'R1' })).toBe('accepted');
  });

  test('a hostile number fills no message', async () => {
    const [whole, longer] = ['9'.repeat(64), '9'.repeat(65)];
    const about = async (outBatchNo: string) => heard('division/query', { outBatchNo: 'B1' }, { outBatchNo });
    expect(await about(whole)).toBe(`division/query: asked for B1, the answer is about ${whole}`);
    expect(await about(longer)).toBe(`division/query: asked for B1, the answer is about ${whole}…`);
  });

  test.each([[{}], [{ orderList: ['C1', 7, null] }]])(
    'rows that are none say nothing: %j',
    async (answer) => {
      const asked = { outBatchNo: 'B1', payerAcctNo: 'P1' };
      expect(await heard('division/pay', asked, { outBatchNo: 'B1', ...answer })).toBe('accepted');
    },
  );
});

describe('right answers in other words', () => {
  const LISTING = CASES['query/deposit'].asked;

  test('U24: a listing may state either number of its account, and no third', async () => {
    expect(await heard('query/deposit', LISTING, page('E1', 'A1'), ['E1'])).toBe('accepted');
    expect(await heard('query/deposit', { ...LISTING, payeeAcctNo: 'E1' }, page('A1'), ['A1', 'E1'])).toBe(
      'accepted',
    );
    expect(await heard('query/deposit', LISTING, page('E2'), ['E1'])).toBe(
      'query/deposit: asked for A1 (E1), the answer is about E2',
    );
    expect(await heard('query/deposit', LISTING, page('E2'), ['A1', 'E1'])).toBe(
      'query/deposit: asked for A1 (E1), the answer is about E2',
    );
    expect(await heard('query/deposit', LISTING, page('E2'), ['A1'])).toBe(
      'query/deposit: asked for A1, the answer is about E2',
    );
  });

  test('an account is held by both its numbers, where both are known', async () => {
    const answer = { balance: 5, openReqNo: 'R1' };
    const asked = { accountNo: 'A1' };
    expect(await heard('acct/queryInfo', asked, { ...answer, eleAcctNo: 'E1' }, ['E1'])).toBe('accepted');
    expect(await heard('acct/queryInfo', asked, { ...answer, eleAcctNo: 'E2' }, ['E1'])).toBe(
      'acct/queryInfo: asked for A1 (E1), the answer is about E2',
    );
    expect(await heard('acct/queryInfo', asked, { ...answer, accountNo: 'A1', eleAcctNo: 'E2' }, [])).toBe(
      'accepted',
    );
  });

  test('U28: a number that comes as a JSON number is the same number', async () => {
    expect(await heard('division/query', { outBatchNo: '20260301' }, { outBatchNo: 20_260_301 })).toBe(
      'accepted',
    );
  });

  test('what an answer does not state contradicts nothing', async () => {
    for (const endpoint of ENDPOINT_NAMES) {
      expect(await heard(endpoint, CASES[endpoint].asked, {})).toBe('accepted');
    }
  });

  test('OPN-13: where both numbers are asked with, reqNo prevails', async () => {
    const asked = { reqNo: 'R1', outReqNo: 'O9' };
    expect(await heard('acct/auditApplyResult', asked, { reqNo: 'R1', outReqNo: 'O1', state: 1 })).toBe(
      'accepted',
    );
    expect(await heard('acct/auditApplyResult', asked, { outReqNo: 'O1', state: 1 })).toContain('about O1');
  });

  test('U9: the scene of a refund code is not documented in answers, whatever it is', async () => {
    const asked = { reqNo: 'R1', outReqNo: 'O1', sceneType: 'REFUND' };
    expect(await heard('acct/sendMsg', asked, { smsFlowNo: 'F1', sceneType: 'OPEN' })).toBe('accepted');
  });
});
