/** The client looks at a request before it sends it, names every fault, and can be told not to (LIM, U14). */
import { describe, expect, test } from 'vitest';
import { WrongInput } from '../../../src/core/errors.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { ENDPOINT_NAMES } from '../../../src/platform/contract.ts';
import type { Requests } from '../../../src/platform/contract.ts';
import { recordingLog } from '../../helpers/log.ts';
import { clientOf, profileOf, refusalText, servePlatform, successText } from '../platform-server.ts';
import { ENTERPRISE, opening, SAMPLES } from './request-samples.ts';

const FAST = { rate: { perSecond: 10_000, concurrency: 4 } };
const BAD_SETTLE = { outOrderNo: 'T1', orderNo: 'P1', remark: '!!!' } as unknown as Requests['order/settle'];
const BAD_FAULTS = [
  'outOrderNo and orderNo are both given: exactly one says which is meant (ENV-27, STL-02)',
  'remark is not taken: nothing is left of the remark when its special characters are taken out (STL-03, LIM-12)',
];
const refused = () => refusalText('E1', 'no');

describe('a request that is wrong', () => {
  test('is not sent, and its error names every fault', async () => {
    await using platform = await servePlatform(refused);
    await using client = clientOf(platform.url);
    const failure = await client.call('order/settle', BAD_SETTLE).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WrongInput);
    expect((failure as WrongInput).faults).toEqual(BAD_FAULTS);
    expect((failure as WrongInput).message).toMatch(
      /^order\/settle: nothing was sent, the request is wrong:\n- /,
    );
    await expect(client.callRaw('acct/queryInfo', {})).rejects.toBeInstanceOf(WrongInput);
    expect(platform.requests).toEqual([]);
    expect(client.counters()).toMatchObject({ calls: 0 });
  });

  test('is not sent as an intention either, which is then not stored', async () => {
    await using platform = await servePlatform(refused);
    await using client = clientOf(platform.url);
    const stored: string[] = [];
    const intent = {
      reqId: 'r1',
      commit: () => {
        stored.push('sent');
        return Promise.resolve();
      },
    };
    await expect(client.callIntended('order/settle', BAD_SETTLE, intent)).rejects.toBeInstanceOf(WrongInput);
    expect(stored).toEqual([]);
    expect(platform.requests).toEqual([]);
  });

  test('is sent as it is when that is asked for, call by call', async () => {
    await using platform = await servePlatform(refused);
    await using client = clientOf(platform.url);
    const unchecked = { isUnchecked: true };
    expect(await client.call('order/settle', BAD_SETTLE, unchecked)).toMatchObject({ kind: 'refused' });
    expect(await client.callRaw('query/deposit', { pageSize: 101 }, unchecked)).toMatchObject({
      kind: 'refused',
    });
    expect(platform.requests.map(({ biz }) => biz)).toEqual([BAD_SETTLE, { pageSize: 101 }]);
    await expect(client.call('order/settle', BAD_SETTLE)).rejects.toBeInstanceOf(WrongInput);
  });

  test('limits.checkRequests: is sent by a profile that leaves all checks to the platform', async () => {
    await using platform = await servePlatform(refused);
    const profile = profileOf({ http: FAST, limits: { checkRequests: false } });
    await using client = clientOf(platform.url, { profile });
    expect(await client.call('order/settle', BAD_SETTLE)).toMatchObject({ kind: 'refused' });
    expect(platform.requests).toHaveLength(1);
  });
});

test('every sound request is sent as it was given', async () => {
  await using platform = await servePlatform(refused);
  await using client = clientOf(platform.url);
  for (const endpoint of ENDPOINT_NAMES) {
    expect(await client.callRaw(endpoint, SAMPLES[endpoint] as JsonObject)).toMatchObject({
      kind: 'refused',
    });
  }
  expect(platform.requests.map(({ biz }) => biz)).toEqual(ENDPOINT_NAMES.map((name) => SAMPLES[name]));
});

test('ERR-05: a refusal is logged, and only for who looks closely where it is shown to people anyway', async () => {
  const log = recordingLog();
  await using platform = await servePlatform(refused);
  await using client = clientOf(platform.url, { log });
  await client.call('acct/queryInfo', { accountNo: 'A1' });
  await client.callRaw('acct/queryInfo', { accountNo: 'A1' });
  const refusals = log.lines.filter(({ event }) => event === 'call.refused');
  expect(refusals.map(({ level, code }) => `${level} ${String(code)}`)).toEqual(['info E1', 'debug E1']);
});

test('U14: what is only odd is sent and logged', async () => {
  const log = recordingLog();
  await using platform = await servePlatform(() => successText({ reqNo: 'R1', outReqNo: 'O1', state: 5 }));
  await using client = clientOf(platform.url, { log });
  const request = opening({ ...ENTERPRISE, entType: '01' }) as unknown as Requests['acct/addApply'];
  expect(await client.call('acct/addApply', request)).toMatchObject({ kind: 'accepted' });
  expect(log.lines).toContainEqual({
    level: 'warn',
    event: 'call.odd',
    endpoint: 'acct/addApply',
    reason:
      'subjectInfo.entType is 01, and an opening lists 02, 03: the platform may refuse it (OPN-F02, U14)',
  });
});

test('OPN-F07: a platform on this machine is given addresses of this machine', async () => {
  await using platform = await servePlatform(refused);
  const request = opening({
    ...ENTERPRISE,
    licenseImg: 'http://127.0.0.1/l.png',
  }) as unknown as Requests['acct/addApply'];
  await using near = clientOf(platform.url);
  expect(await near.call('acct/addApply', request)).toMatchObject({ kind: 'refused' });
  await using far = clientOf(platform.url, { baseUrl: 'https://pay.example.com' });
  await expect(far.call('acct/addApply', request)).rejects.toThrow(
    'subjectInfo.licenseImg must be reachable from outside, and 127.0.0.1 is not (OPN-F25)',
  );
});
