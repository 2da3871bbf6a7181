/** What the client learns from answer to answer: signatures, the habit of signing, the clock (N8, N9, N15, U4). */
import { describe, expect, test } from 'vitest';

import { SignatureWrong, Stopped } from '../../src/core/errors.ts';
import { virtualClock } from '../core/virtual-clock.ts';
import { recordingLog } from '../helpers/log.ts';
import { clientOf, envelopeText, profileOf, servePlatform, successText } from './platform-server.ts';

const ASK = { startDate: '2026-03-01', endDate: '2026-03-02', payeeAcctNo: '100001', page: 1, pageSize: 100 };
const SETTLE = { outOrderNo: 'C1', remark: 'recon retry 1' };
const EMPTY = { total: 0, page: 1, pageSize: 100, depositList: [] };
const FAST = { rate: { perSecond: 10_000, concurrency: 4 } };

const forged = (biz: object) => successText(biz).replace('成功', '成功!');

describe('what is learned from answer to answer', () => {
  test('N8: wrong signatures in a row stop the run, and nothing is sent any more', async () => {
    await using platform = await servePlatform(() => forged(EMPTY));
    await using client = clientOf(platform.url);
    const failure = client.call('query/deposit', ASK);
    await expect(failure).rejects.toBeInstanceOf(Stopped);
    await expect(failure).rejects.toThrow('3 answers in a row had a wrong signature');
    await expect(client.call('order/settle', SETTLE)).rejects.toBeInstanceOf(Stopped);
    expect(platform.requests).toHaveLength(3);
    expect(client.counters()).toMatchObject({ signatureFaults: 3 });
  });

  test('N8: a right one in between starts the count anew; a query that only met wrong ones says so', async () => {
    await using platform = await servePlatform((_request, no) =>
      no % 3 === 0 ? successText(EMPTY) : forged(EMPTY),
    );
    const profile = profileOf({ http: { ...FAST, maxAttempts: 2 } });
    await using client = clientOf(platform.url, { profile });
    await expect(client.call('query/deposit', ASK)).rejects.toBeInstanceOf(SignatureWrong);
    expect(await client.call('query/deposit', ASK)).toMatchObject({ kind: 'accepted' });
    await expect(client.call('query/deposit', ASK)).rejects.toBeInstanceOf(SignatureWrong);
    expect(await client.call('query/deposit', ASK)).toMatchObject({ kind: 'accepted' });
  });

  test('N8: a changing call with a wrong signature is unknown, and counts', async () => {
    await using platform = await servePlatform(() => forged({ state: 'SUCCESS' }));
    await using client = clientOf(platform.url);
    for (let call = 0; call < 3; call++) {
      expect(await client.call('order/settle', SETTLE)).toMatchObject({ kind: 'unknown' });
    }
    await expect(client.call('order/settle', SETTLE)).rejects.toBeInstanceOf(Stopped);
    expect(platform.requests).toHaveLength(3);
  });

  test('U4, N9: unsigned answers pass until the platform signs one, also in an earlier run', async () => {
    const unsigned = JSON.stringify({ ...(JSON.parse(successText(EMPTY)) as object), sign: '' });
    await using platform = await servePlatform((_request, no) => (no === 2 ? successText(EMPTY) : unsigned));
    const profile = profileOf({ http: { ...FAST, maxAttempts: 1 } });
    await using client = clientOf(platform.url, { profile });
    expect(await client.call('query/deposit', ASK)).toMatchObject({ kind: 'accepted', signed: false });
    expect(client.habit()).toEqual({ everSigned: false });
    expect(await client.call('query/deposit', ASK)).toMatchObject({ kind: 'accepted', signed: true });
    await expect(client.call('query/deposit', ASK)).rejects.toBeInstanceOf(SignatureWrong);

    await using nextNight = clientOf(platform.url, { profile, habit: { ...client.habit() } });
    await expect(nextNight.call('query/deposit', ASK)).rejects.toBeInstanceOf(SignatureWrong);
  });

  const at = (timestamp: string, biz: object = EMPTY) =>
    envelopeText({ code: '000000', bizData: JSON.stringify(biz), timestamp });

  test('N15, U19: a clock 5 s behind is corrected in the next reqTime', async () => {
    const log = recordingLog();
    await using platform = await servePlatform(() => at('20260302000005'));
    await using client = clientOf(platform.url, { log });
    await client.call('query/deposit', ASK);
    await client.call('query/deposit', ASK);
    expect(platform.requests.map(({ envelope }) => envelope['reqTime'])).toEqual([
      '20260302000000',
      '20260302000005',
    ]);
    expect(client.clockOffsetMs()).toBe(5_500);
    expect(log.lines.filter(({ level }) => level === 'warn').map(({ event }) => event)).toEqual([
      'clock.differs',
    ]);
  });

  test('N15: clocks more than 8 s apart stop the job; a changing call keeps its answer', async () => {
    await using platform = await servePlatform(() => at('20260302000012'));
    await using reader = clientOf(platform.url);
    await expect(reader.call('query/deposit', ASK)).rejects.toThrow("clock is 13 s behind the platform's");
    await using changer = clientOf(platform.url);
    expect(await changer.call('order/settle', SETTLE)).toMatchObject({ kind: 'accepted' });
    await expect(changer.call('order/settle', SETTLE)).rejects.toBeInstanceOf(Stopped);
    expect(platform.requests).toHaveLength(2);
  });

  test('N15: a refusal for a wrong reqTime tells the offset as well', async () => {
    const refusal = envelopeText({ code: 'E1', msg: 'reqTime expired', timestamp: '20260302000030' });
    await using platform = await servePlatform(() => refusal);
    await using client = clientOf(platform.url);
    await expect(client.call('query/deposit', ASK)).rejects.toThrow('set the clock');
  });

  test('N15: nothing is learned from an unsigned time', async () => {
    const unsigned = JSON.stringify({ ...(JSON.parse(at('20260302001000')) as object), sign: '' });
    await using platform = await servePlatform(() => unsigned);
    await using client = clientOf(platform.url);
    expect(await client.call('query/deposit', ASK)).toMatchObject({ kind: 'accepted', signed: false });
    expect(client.clockOffsetMs()).toBeUndefined();
  });

  test('N15: reqTime is taken after the wait for the rate limit', async () => {
    const clock = virtualClock();
    await using platform = await servePlatform(() => successText(EMPTY, clock));
    const profile = profileOf({ http: { rate: { perSecond: 1, concurrency: 4 } } });
    await using client = clientOf(platform.url, { clock, profile });
    await Promise.all([1, 2, 3].map(() => client.call('query/deposit', ASK)));
    const reqTimes = new Set(platform.requests.map(({ envelope }) => envelope['reqTime']));
    expect(reqTimes).toEqual(new Set(['20260302000000', '20260302000001', '20260302000002']));
  });
});
