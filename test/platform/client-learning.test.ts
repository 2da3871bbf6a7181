/** What the client learns from answer to answer: signatures, the habit of signing, the clock (N8, N9, N15, U4). */
import { describe, expect, test } from 'vitest';

import { SignatureWrong, Stopped } from '../../src/core/errors.ts';
import { addMs } from '../../src/core/time.ts';
import { virtualClock } from '../core/virtual-clock.ts';
import { recordingLog } from '../helpers/log.ts';
import { clientOf, envelopeText, profileOf, servePlatform, successText } from './platform-server.ts';

const ASK = { startDate: '2026-03-01', endDate: '2026-03-02', payeeAcctNo: '100001', page: 1, pageSize: 100 };
const SETTLE = { outOrderNo: 'C1', remark: 'recon retry 1' };
const EMPTY = { total: 0, page: 1, pageSize: 100, depositList: [] };
const FAST = { rate: { perSecond: 10_000, concurrency: 4 } };

const forged = (biz: object) => successText(biz).replace('成功', '成功!');

describe('what is learned from answer to answer', () => {
  const ask = (payeeAcctNo: string) => ({ ...ASK, payeeAcctNo });
  const [A1, A2, A3] = [ask('A1'), ask('A2'), ask('A3')];

  test('N8: three requests of which no answer verifies stop the run, and nothing is sent any more', async () => {
    await using platform = await servePlatform(() => forged(EMPTY));
    await using client = clientOf(platform.url);
    await expect(client.call('query/deposit', A1)).rejects.toBeInstanceOf(SignatureWrong);
    await expect(client.call('query/deposit', A2)).rejects.toBeInstanceOf(SignatureWrong);
    const failure = client.call('query/deposit', A3);
    await expect(failure).rejects.toBeInstanceOf(Stopped);
    await expect(failure).rejects.toThrow('3 requests were answered with a wrong signature or none');
    await expect(client.call('order/settle', SETTLE)).rejects.toBeInstanceOf(Stopped);
    expect(platform.requests).toHaveLength(11);
    expect(client.counters()).toMatchObject({ signatureFaults: 11 });
  });

  test('N8: retries of one badly signed request are one fault, and stop nothing', async () => {
    await using platform = await servePlatform(({ biz }) =>
      biz['payeeAcctNo'] === 'A1' ? forged(EMPTY) : successText(EMPTY),
    );
    await using client = clientOf(platform.url);
    await expect(client.call('query/deposit', A1)).rejects.toBeInstanceOf(SignatureWrong);
    expect(await client.call('query/deposit', A2)).toMatchObject({ kind: 'accepted' });
    expect(platform.requests).toHaveLength(6);
  });

  test('N8: where one answer verified, no number of others stops the run', async () => {
    await using platform = await servePlatform((_request, no) =>
      no === 1 ? successText(EMPTY) : forged(EMPTY),
    );
    await using client = clientOf(platform.url);
    expect(await client.call('query/deposit', A1)).toMatchObject({ kind: 'accepted' });
    for (let call = 0; call < 5; call++) {
      await expect(client.call('query/deposit', A2)).rejects.toBeInstanceOf(SignatureWrong);
    }
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

  const once = profileOf({ http: { ...FAST, maxAttempts: 1 } });

  test('N15: an answer whose signed time is more than 8 s off is refused; a changing call keeps its acceptance', async () => {
    for (const timestamp of ['20260302000012', '20260301235947']) {
      await using platform = await servePlatform(() => at(timestamp, { state: 'SUCCESS' }));
      await using client = clientOf(platform.url, { profile: once });
      await expect(client.call('division/query', { outBatchNo: 'B1' })).rejects.toThrow(
        "the answer's signed time is too far off: it is an old answer, or this machine's clock is 13 s",
      );
      expect(await client.call('order/settle', SETTLE)).toMatchObject({
        kind: 'accepted',
        answer: { state: 'SUCCESS' },
      });
      expect(client.clockOffsetMs(), 'nothing is learned from it').toBeUndefined();
    }
  });

  test('N15: an old answer given again is asked for anew, and shifts no time of the requests after it', async () => {
    await using platform = await servePlatform((_request, no) =>
      no === 1 ? at('20260301220000') : successText(EMPTY),
    );
    await using client = clientOf(platform.url);
    expect(await client.call('query/deposit', ASK)).toMatchObject({ kind: 'accepted' });
    expect(platform.requests.map(({ envelope }) => envelope['reqTime'])).toEqual([
      '20260302000000',
      '20260302000000',
    ]);
  });

  test('N15: clocks that are apart at every request stop the run with a plain sentence', async () => {
    await using platform = await servePlatform(() => at('20260302000012'));
    await using client = clientOf(platform.url, { profile: once });
    const said = await Promise.all(
      [A1, A2, A3].map((request) => client.call('query/deposit', request).catch(String)),
    );
    expect(said.at(-1)).toBe(
      "Stopped: this machine's clock is 13 s behind the platform's; more than 10 s are refused: set the clock",
    );
    await expect(client.call('order/settle', SETTLE)).rejects.toBeInstanceOf(Stopped);
    expect(platform.requests).toHaveLength(3);
  });

  test('N15: a refusal for a wrong reqTime tells what is wrong with the clock as well', async () => {
    const refusal = envelopeText({ code: 'E1', msg: 'reqTime expired', timestamp: '20260302000030' });
    await using platform = await servePlatform(() => refusal);
    await using client = clientOf(platform.url, { profile: once });
    await expect(client.call('query/deposit', ASK)).rejects.toThrow("clock is 31 s behind the platform's");
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

  test.each([
    ['the wall clock, of a machine that was suspended', 33, 0],
    ['the one that only runs forward, of a process that stood still', 0, 33],
  ])(
    'N15: a query is asked again that took longer than a call may by %s',
    async (_, wallSeconds, seconds) => {
      let [wallMs, monoMs] = [0, 0];
      const real = virtualClock();
      const clock = {
        ...real,
        wall: () => addMs(real.wall(), wallMs),
        monoMs: () => real.monoMs() + monoMs,
      };
      await using platform = await servePlatform((_request, no) => {
        const answer = successText(no === 3 ? { state: 'SUCCESS' } : EMPTY, clock);
        if (no !== 2) [wallMs, monoMs] = [wallMs + wallSeconds * 1_000, monoMs + seconds * 1_000];
        return answer;
      });
      await using client = clientOf(platform.url, { clock });
      expect(await client.call('query/deposit', ASK)).toMatchObject({ kind: 'accepted' });
      expect(platform.requests).toHaveLength(2);
      // What it says of money counts, however late it is heard.
      expect(await client.call('order/settle', SETTLE)).toMatchObject({ kind: 'accepted' });
      expect(platform.requests).toHaveLength(3);
    },
  );
});
