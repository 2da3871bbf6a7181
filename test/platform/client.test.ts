/** The client against a real server: what is repeated, what never is, and when it stops for good. */
import { describe, expect, test } from 'vitest';

import { NotSent, NotThePlatform, OutcomeUnknown } from '../../src/core/errors.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '../../src/platform/contract.ts';
import { virtualClock } from '../core/virtual-clock.ts';
import { recordingLog } from '../helpers/log.ts';
import {
  clientOf,
  envelopeText,
  listen,
  profileOf,
  refusalText,
  SECRET,
  servePlatform,
  signMembers,
  successText,
} from './platform-server.ts';
import type { Reply } from './platform-server.ts';

const ASK = { startDate: '2026-03-01', endDate: '2026-03-02', payeeAcctNo: '100001', page: 1, pageSize: 100 };
const SETTLE = { outOrderNo: 'C1', remark: 'recon retry 1' };
const EMPTY = { total: 0, page: 1, pageSize: 100, depositList: [] };
const FAST = { rate: { perSecond: 10_000, concurrency: 4 } };

const forged = (biz: object) => successText(biz).replace('成功', '成功!');

describe('a query', () => {
  test('ENV-20…23: comes back accepted, with all that traces it', async () => {
    await using platform = await servePlatform(() => successText(EMPTY));
    await using client = clientOf(platform.url);
    expect(await client.call('query/deposit', ASK)).toEqual({
      kind: 'accepted',
      answer: { total: 0, page: 1, pageSize: 100, deposits: [], unreadable: [] },
      bizText: '{"total":0,"page":1,"pageSize":100,"depositList":[]}',
      signed: true,
      timestamp: '2026-03-01T16:00:00.000Z',
      timestampSigned: true,
      reqId: '00000000000000000000000000000001',
      requestedAt: '2026-03-01T16:00:00.000Z',
    });
    expect(client.counters()).toEqual({ calls: 1, retries: 0, refusals: 0, signatureFaults: 0 });
    expect(client.habit()).toEqual({ everSigned: true });
  });

  test('ENV-29: is repeated as a new request, signed anew, with the time of its own send', async () => {
    const clock = virtualClock();
    await using platform = await servePlatform((_request, no) =>
      no < 3 ? undefined : successText(EMPTY, clock),
    );
    await using client = clientOf(platform.url, { clock });
    expect(await client.call('query/deposit', ASK)).toMatchObject({ kind: 'accepted' });
    const sent = platform.requests.map(({ envelope }) => [envelope['reqId'], envelope['reqTime']]);
    expect(sent).toEqual([
      ['00000000000000000000000000000001', '20260302000000'],
      ['00000000000000000000000000000002', '20260302000000'],
      ['00000000000000000000000000000003', '20260302000001'],
    ]);
    for (const { envelope } of platform.requests) expect(envelope['sign']).toBe(signMembers(envelope));
    expect(client.counters()).toMatchObject({ calls: 3, retries: 2 });
  });

  test.each([
    ['502 with a page of HTML', { status: 502, contentType: 'text/html', text: '<html></html>' }],
    ['200 with half an answer', '{"code":"000000",'],
    ['bizData that is no object', envelopeText({ code: '000000', bizData: '[]' })],
    ['a total that is none', successText({ total: 'many' })],
    ['a wrong signature', forged(EMPTY)],
    ['a rate limit', refusalText('E9', '请求过于频繁')],
    ['N12: a reqId that arrived twice', refusalText('E8', 'duplicate reqId')],
  ])('is repeated after %s', async (_fault, reply) => {
    await using platform = await servePlatform((_request, no) => (no === 1 ? reply : successText(EMPTY)));
    await using client = clientOf(platform.url);
    expect(await client.call('query/deposit', ASK)).toMatchObject({ kind: 'accepted' });
    expect(platform.requests).toHaveLength(2);
  });

  test('U43: ends after http.maxAttempts with what the last attempt met', async () => {
    await using platform = await servePlatform(() => undefined);
    const profile = profileOf({ http: { ...FAST, maxAttempts: 3 } });
    await using client = clientOf(platform.url, { profile });
    await expect(client.call('query/deposit', ASK)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(platform.requests).toHaveLength(3);

    await using once = clientOf(platform.url, {
      profile: profileOf({ http: { ...FAST, retryQueries: false } }),
    });
    await expect(once.call('query/deposit', ASK)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(platform.requests).toHaveLength(4);
  });

  test('N1: that could never be sent says so', async () => {
    const closed = await listen(() => undefined);
    await closed[Symbol.asyncDispose]();
    await using client = clientOf(closed.url);
    await expect(client.call('query/deposit', ASK)).rejects.toBeInstanceOf(NotSent);
    expect(client.counters()).toMatchObject({ calls: 5, retries: 4 });
  });

  test('U42: refused is an outcome, not an error, and is not repeated', async () => {
    await using platform = await servePlatform(() => refusalText('A404', '账户不存在'));
    await using client = clientOf(platform.url);
    expect(await client.call('acct/queryInfo', { accountNo: 'x' })).toMatchObject({
      kind: 'refused',
      code: 'A404',
      msg: '账户不存在',
      class: 'NOT_FOUND',
      signed: true,
    });
    expect(client.counters()).toEqual({ calls: 1, retries: 0, refusals: 1, signatureFaults: 0 });
  });

  test('N18: a rate limit without end comes back as the refusal it is, after pauses', async () => {
    const clock = virtualClock();
    const reply = () => ({
      status: 429,
      headers: { 'retry-after': '7' },
      text: refusalText('E9', 'slow', clock),
    });
    await using platform = await servePlatform(reply);
    await using client = clientOf(platform.url, { clock });
    expect(await client.call('query/deposit', ASK)).toMatchObject({ kind: 'refused', class: 'RATE_LIMIT' });
    expect(platform.requests).toHaveLength(5);
    expect(clock.slept.filter((ms) => ms >= 1_000)).toEqual([7_000, 7_000, 7_000, 7_000]);
  });

  test('U43, N13: an address that is not the platform is not asked twice', async () => {
    for (const reply of [
      { status: 404, contentType: 'text/html', text: 'not found' },
      { status: 302, headers: { location: 'http://127.0.0.1:9/' }, text: '' },
    ]) {
      await using platform = await servePlatform(() => reply);
      await using client = clientOf(platform.url);
      await expect(client.call('query/deposit', ASK)).rejects.toBeInstanceOf(NotThePlatform);
      expect(platform.requests).toHaveLength(1);
    }
  });
});

describe('a call that changes something', () => {
  const twoFees = { state: 'SUCCESS', fee: 1, mchFee: 2 };
  test.each<[string, Reply, acceptedText?: string]>([
    ['502', { status: 502, contentType: 'text/html', text: '<html></html>' }],
    ['404 without an envelope', { status: 404, text: '{}' }],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' }, text: '' }],
    ['half an answer', '{"code":"000000",'],
    ['a wrong signature', forged({ state: 'SUCCESS' })],
    // Signed as accepted, it is known for that.
    ['contradicting fees', successText(twoFees), JSON.stringify(twoFees)],
  ])('ENV-22, N5: is sent once and unknown after %s', async (_fault, reply, acceptedText) => {
    await using platform = await servePlatform(() => reply);
    await using client = clientOf(platform.url);
    expect(await client.call('order/settle', SETTLE)).toEqual({
      kind: 'unknown',
      reason: expect.any(String) as string,
      isAnswered: true,
      reqId: '00000000000000000000000000000001',
      requestedAt: '2026-03-01T16:00:00.000Z',
      acceptedText,
    });
    expect(platform.requests).toHaveLength(1);
  });

  test('ENV-22, N5: is sent once and unknown without any answer, which says nothing at all', async () => {
    await using platform = await servePlatform(() => undefined);
    await using client = clientOf(platform.url);
    expect(await client.call('order/settle', SETTLE)).toMatchObject({ kind: 'unknown', isAnswered: false });
    expect(platform.requests).toHaveLength(1);
  });

  test('invariant 13: leaves only when the commit of its intention has resolved, and never when that fails', async () => {
    const events: string[] = [];
    await using platform = await servePlatform(() => {
      events.push('arrived');
      return successText({ outOrderNo: 'C1', state: 'SUCCESS' });
    });
    await using client = clientOf(platform.url);
    const commit = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      events.push('committed');
    };
    await client.callIntended('order/settle', SETTLE, { reqId: 'r1', commit });
    expect(events).toEqual(['committed', 'arrived']);
    const failing = { reqId: 'r2', commit: () => Promise.reject(new Error('not stored')) };
    await expect(client.callIntended('order/settle', SETTLE, failing)).rejects.toThrow('not stored');
    expect(platform.requests).toHaveLength(1);
  });

  test('N1: that provably never left is an error that says so', async () => {
    const closed = await listen(() => undefined);
    await closed[Symbol.asyncDispose]();
    await using client = clientOf(closed.url);
    await expect(client.call('order/settle', SETTLE)).rejects.toBeInstanceOf(NotSent);
    expect(client.counters()).toMatchObject({ calls: 1, retries: 0 });
  });

  test('M2: refused is refused, rate limits and duplicates too, and nothing is repeated', async () => {
    const refusals = [
      ['E9', '请求过于频繁', 'RATE_LIMIT'],
      ['E8', '重复提交', 'DUPLICATE'],
      ['E7', '余额不足', 'BUSINESS'],
    ] as const;
    for (const [code, msg, meaning] of refusals) {
      await using platform = await servePlatform(() => refusalText(code, msg));
      await using client = clientOf(platform.url);
      const outcome = await client.call('order/settle', SETTLE);
      expect(outcome).toMatchObject({ kind: 'refused', code, msg, class: meaning });
      expect(platform.requests).toHaveLength(1);
    }
  });
});

describe('all endpoints', () => {
  test('ENV-03, ENV-04: the 17 paths below the prefix, whatever slashes end the address', async () => {
    await using platform = await servePlatform(() => refusalText('X', 'no'));
    for (const base of [platform.url, `${platform.url}/`, `${platform.url}/gateway//`]) {
      await using client = clientOf(platform.url, { baseUrl: base });
      for (const endpoint of ENDPOINT_NAMES) await client.callRaw(endpoint, {}, { isUnchecked: true });
    }
    const paths = ENDPOINT_NAMES.map((name) => ENDPOINTS[name].path.replace('{channel_code}', 'CH01'));
    const below = (prefix: string) => paths.map((path) => `${prefix}/api/open/virtualBank${path}`);
    const seen = platform.requests.map(({ method, path }) => (method === 'POST' ? path : method));
    expect(seen).toEqual([...below(''), ...below(''), ...below('/gateway')]);
    expect(paths).toHaveLength(17);
  });

  test('SMS-01: a path with the channel code needs one, and it cannot leave its place', async () => {
    await using platform = await servePlatform(() => refusalText('X', 'no'));
    await using without = clientOf(platform.url, { channelCode: undefined });
    await expect(without.callRaw('acct/sendMsg', {}, { isUnchecked: true })).rejects.toThrow(
      'PLATFORM_CHANNEL_CODE is not set',
    );
    await using odd = clientOf(platform.url, { channelCode: '../order/settle' });
    await odd.callRaw('acct/sendMsg', {}, { isUnchecked: true });
    expect(platform.requests.map(({ path }) => path)).toEqual([
      '/api/open/virtualBank/acct/sendMsg/..%2Forder%2Fsettle',
    ]);
  });

  test('callRaw gives business data as answered', async () => {
    await using platform = await servePlatform(() => successText({ state: 'SUCCESS', x: [1] }));
    await using client = clientOf(platform.url);
    expect(await client.callRaw('division/query', { outBatchNo: 'B1' })).toMatchObject({
      kind: 'accepted',
      answer: { state: 'SUCCESS', x: [1] },
    });
    expect(platform.requests.map(({ biz }) => biz)).toEqual([{ outBatchNo: 'B1' }]);
  });

  test('SIG-06: the secret is in nothing that is sent, logged or thrown', async () => {
    const log = recordingLog();
    await using platform = await servePlatform((_request, no) => (no === 1 ? forged(EMPTY) : '<html>'));
    await using client = clientOf(platform.url, { log });
    const failure = await client.call('query/deposit', ASK).catch((error: unknown) => error);
    const traces = [platform.requests, log.lines, failure, String((failure as Error).stack)];
    expect(log.lines.length).toBeGreaterThan(2);
    expect(JSON.stringify(traces)).not.toContain(SECRET);
  });
});
