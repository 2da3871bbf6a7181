/** Nothing new on the platform's side ends in a crash: members, words and states nobody knows are kept (VER-03, U46). */
import { describe, expect, test } from 'vitest';
import { OutcomeUnknown } from '../../../src/core/errors.ts';
import { isJsonObject } from '../../../src/core/json.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { ENDPOINT_NAMES } from '../../../src/platform/contract.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { isFinalOpening, OPENING_STATES, openingStep } from '../../../src/platform/opening-states.ts';
import { decode } from './decoding.ts';
import { clientOf, profileOf, servePlatform, successText } from '../platform-server.ts';
import { SAMPLES } from '../requests/request-samples.ts';
import { fc, runs } from '../../helpers/properties.ts';

const ORDER = {
  outOrderNo: 'T1',
  orderNo: 'P1',
  amount: 30_000,
  state: 'HELD',
  settleState: 'DELAYED',
  feeType: 'THIRD',
};
const DEPOSIT = {
  orderNo: 'D1',
  amount: 500,
  fee: 0,
  feeType: 'THIRD',
  payeeAcctNo: '100001',
  depositTime: '2026-03-01 09:00:00',
};

/** Answers full of words the document does not list, and what of them must be found again. */
const ANSWERS: Readonly<Record<EndpointName, { biz: object; kept: object }>> = {
  'acct/sendMsg': {
    biz: { smsFlowNo: 'F1', sceneType: 'VOICE' },
    kept: { smsFlowNo: 'F1', sceneType: 'VOICE' },
  },
  ...(Object.fromEntries(
    (
      [
        'acct/addApply',
        'acct/auditApply',
        'acct/auditApplyResult',
        'acct/reviseApply',
        'acct/changeApply',
        'acct/changeConfirm',
        'acct/changeApplyResult',
      ] as const
    ).map((endpoint) => [
      endpoint,
      {
        biz: { reqNo: 'R1', state: 12, accountState: '9' },
        kept: { reqNo: 'R1', state: 12, step: 'unknown', isFinal: false, accountState: '9' },
      },
    ]),
  ) as Record<OpeningEndpoint, { biz: object; kept: object }>),
  'acct/queryInfo': {
    biz: {
      openReqNo: 'R1',
      accountState: '7',
      balance: 5,
      whiteAcctList: [{ whiteType: 'BOTH', more: [1] }],
    },
    kept: { accountState: '7', balanceFen: 5n, whiteAcctList: [{ whiteType: 'BOTH', more: [1] }] },
  },
  'division/pay': {
    biz: { state: 'HELD', orderList: [ORDER] },
    kept: { state: 'HELD', orders: [{ state: 'HELD', settleState: 'DELAYED', feeType: 'THIRD' }] },
  },
  'division/query': {
    biz: { state: 'HELD', orderList: JSON.stringify([ORDER]) },
    kept: { state: 'HELD', orders: [{ state: 'HELD', settleState: 'DELAYED', feeType: 'THIRD' }] },
  },
  'division/refund': {
    biz: { state: 'WAIT_BANK', orderList: [ORDER] },
    kept: { state: 'WAIT_BANK', orders: [{ state: 'HELD' }] },
  },
  'account/withdraw': { biz: { state: 8, feeType: 'THIRD' }, kept: { state: '8', feeType: 'THIRD' } },
  'account/queryWithdraw': { biz: { state: 'HELD' }, kept: { state: 'HELD' } },
  'query/deposit': {
    biz: { total: 1, page: 1, pageSize: 10, depositList: [DEPOSIT] },
    kept: { total: 1, deposits: [{ orderNo: 'D1', feeType: 'THIRD' }] },
  },
  'get/transFiles': {
    biz: { fileList: [{ file: 'JVBERg==', kind: 'OFD' }] },
    kept: { files: ['JVBERg=='] },
  },
  'order/settle': { biz: { state: 'HELD', feeType: 'THIRD' }, kept: { state: 'HELD', feeType: 'THIRD' } },
};

type OpeningEndpoint =
  | 'acct/addApply'
  | 'acct/auditApply'
  | 'acct/auditApplyResult'
  | 'acct/reviseApply'
  | 'acct/changeApply'
  | 'acct/changeConfirm'
  | 'acct/changeApplyResult';

describe('VER-03: words nobody knows', () => {
  test.each(ENDPOINT_NAMES)('%s: are kept as they came', (endpoint) => {
    const { biz, kept } = ANSWERS[endpoint];
    expect(decode(endpoint, JSON.stringify(biz))).toMatchObject(kept);
  });

  test.each(ENDPOINT_NAMES)('%s: members nobody knows change nothing of what is read', (endpoint) => {
    const { biz } = ANSWERS[endpoint];
    const plain = decode(endpoint, JSON.stringify(biz));
    const more = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,6}$/), fc.jsonValue());
    fc.assert(
      fc.property(more, (odd) => {
        expect(decode(endpoint, JSON.stringify({ ...odd, ...biz }))).toEqual(plain);
      }),
      { numRuns: runs(30) },
    );
  });

  test.each(ENDPOINT_NAMES)('%s: members of any other type end in a value or in "unreadable"', (endpoint) => {
    const { biz } = ANSWERS[endpoint];
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(biz)), fc.jsonValue(), (name, value) => {
        const corrupt = JSON.stringify({ ...biz, [name]: value });
        const decoded = valueOrError(() => decode(endpoint, corrupt));
        expect(decoded instanceof OutcomeUnknown || isJsonObject(decoded)).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  test('all of it is kept beside, to the letter', async () => {
    for (const endpoint of ENDPOINT_NAMES) {
      const biz = { ...ANSWERS[endpoint].biz, later: { 中文: [1.5, null] } };
      await using platform = await servePlatform(() => successText(biz));
      await using client = clientOf(platform.url);
      const request = SAMPLES[endpoint] as JsonObject;
      expect(await client.callRaw(endpoint, request)).toMatchObject({ bizText: JSON.stringify(biz) });
      const outcome = await client.call(endpoint, request as never);
      expect(outcome).toMatchObject({ kind: 'accepted', bizText: JSON.stringify(biz) });
    }
  });
});

function valueOrError(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return error;
  }
}

describe('OPN-18: the states of openings and changes', () => {
  test('are words where the document lists them, and unknown(n) where not', () => {
    const known = [1, 2, 3, 5, 7, 8, 11, 100];
    expect(Object.keys(OPENING_STATES).map(Number)).toEqual(known);
    expect(known.map((state) => openingStep(state))).toEqual([
      'processing',
      'completed',
      'rejected',
      'pending_signing',
      'pending_pre_review',
      'pre_review_rejected',
      'manual_review',
      'queued',
    ]);
    expect([0, 4, 6, 9, 10, 12, 99, 101].map((state) => openingStep(state))).toEqual(
      Array.from({ length: 8 }, () => 'unknown'),
    );
    expect(openingStep(undefined)).toBeUndefined();
  });

  test('U11: which of them are final says the profile, and none that is unknown is', () => {
    const finals = (profile: object) =>
      [1, 2, 3, 5, 7, 8, 11, 100, 12].filter((state) => isFinalOpening(state, profileOf(profile)));
    expect(finals({})).toEqual([2, 3, 8]);
    expect(finals({ opening: { finalStates: [2] } })).toEqual([2]);
    expect(isFinalOpening(undefined, profileOf())).toBe(false);
  });

  test('OPN-25, U12: the record is looked for where the profile says, in order', () => {
    const paths = { opening: { recordIdPaths: ['recordId', 'record.id', 'bizNo'] } };
    expect(decode('acct/auditApplyResult', '{"bizNo":"3","record":{"id":"2"}}', paths)).toMatchObject({
      recordId: '2',
    });
    expect(decode('acct/auditApply', '{"bizNo":1934567890123456789}', paths)).toMatchObject({
      recordId: '1934567890123456789',
    });
    expect(decode('acct/addApply', '{"accountNo":"9","reqNo":"8"}', paths)).toMatchObject({
      recordId: undefined,
    });
  });
});
