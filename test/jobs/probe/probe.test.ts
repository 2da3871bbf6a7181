/**
 * A probe finds out how a platform behaves: whatever the sandbox is switched to, the finding says it, the profile to
 * save follows it, and probed again with that profile nothing is contradicted (U1–U60).
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { ENDPOINTS, PATH_PREFIX } from '../../../src/platform/contract.ts';
import { APP_ID, APP_SECRET } from '../../sandbox/caller.ts';
import { NOTHING_KNOWN, contradicted, ofKey, probed, sandboxWith } from './probe-world.ts';
import { PROBE_CASES } from './probe-cases.ts';

describe('a switch of the platform is found out', () => {
  test.each(PROBE_CASES.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const given = one.given ?? {};
    const world = () => sandboxWith({ ...one.sandbox, switches: one.switches });
    const first = await probed(world(), { ...one.how, profile: given });
    expect(ofKey(first.findings, one.key)).toContainEqual(
      expect.objectContaining({ found: one.found, verdict: one.verdict }),
    );
    const { http, ...saved } = first.profile;
    expect(http).toBeDefined();
    for (const [group, value] of Object.entries({ ...given, ...one.saved })) {
      expect(saved[group]).toMatchObject(value as JsonObject);
    }
    if (one.saved === undefined) return;
    const again = await probed(world(), { ...one.how, profile: saved });
    expect(contradicted(again.findings)).toEqual([]);
  });
});

describe('with nothing switched', () => {
  test('nothing is contradicted, each question is answered or says what to give, and the profile stays', async () => {
    const { findings, profile } = await probed(sandboxWith(), { isThorough: true });
    expect(contradicted(findings)).toEqual([]);
    expect(Object.keys(profile)).toEqual(['http']);
    expect(findings.filter(({ verdict }) => verdict === 'open').map(({ u, key }) => `${u} ${key}`)).toEqual([
      'U1 signing.secretName.app',
      'U1 signing.secretNameByPath',
      'U3 signing.rsa.padding',
    ]);
    const found = findings.map(({ key, found }) => [key, found] as const);
    expect(Object.fromEntries(found.filter(([key]) => key !== '' && key !== 'errors.classes'))).toEqual({
      'signing.secretName.apiKey': 'appSecret and apiSecret',
      'signing.secretName.app': '',
      'signing.secretNameByPath': '',
      'signing.md5Case': 'upper and lower',
      'signing.rsa.padding': '',
      'signing.requireResponseSign': 'signed',
      'signing.response.fields': 'all',
      'envelope.credentialNameByPath': 'apiKey and APIkey',
      'emulator.reqId.consumeOnReject': 'verified',
      'service.timeZone': 'Asia/Shanghai',
      'clock.tolerance': 'inclusive',
      'account.queryBy': 'accountNo and reqNo',
      'emulator.queryInfoByReqNo': 'true',
      'inflight.model': 'balance = available + frozen',
      'deposits.accountField': 'accountNo',
      'compat.bothIds': 'refuse',
      'emulator.strictTypes': 'false',
      'compat.payerField': 'payeyAcctNo',
      'settle.stateMap': 'SUCCESS',
      'deposits.endInclusive': 'yes',
      'deposits.windowMonths': '1',
      'emulator.depositOrder': 'newest',
      'deposits.verify': 'total is constant and counts the records',
      'deposits.pageSize': '100',
      'compat.feeNames': 'fee',
      'vouchers.stripDataUri': 'Base64 without a prefix',
    });
    const asked = new Set(findings.map(({ u }) => u));
    expect([...asked].join(' ')).toBe(
      'U1 U2 U3 U4 U6 U17 U18 U19 U22 U23 U24 U27 U28 U32 U34 U37 U42 U43 U44 U45 U48 U51 U59',
    );
  });

  test('only reading paths are called, and every request has a reqId of its own', async () => {
    const sandbox = sandboxWith();
    await probed(sandbox);
    const requests = sandbox.requests();
    const reading = Object.values(ENDPOINTS)
      .filter(({ effect }) => effect === 'read')
      .map(({ path }) => `${PATH_PREFIX}${path}`);
    expect(requests.filter(({ path }) => !reading.includes(path))).toEqual([]);
    const reqIds = requests.map(({ body }) => (JSON.parse(body) as { reqId: string }).reqId);
    expect(new Set(reqIds).size).toBe(requests.length);
    expect(requests.length).toBeLessThanOrEqual(60);
  });

  test('where nothing is known, what needs it is open and says what to give', async () => {
    const { findings } = await probed(sandboxWith(), { facts: NOTHING_KNOWN });
    expect(contradicted(findings)).toEqual([]);
    for (const key of ['account.queryBy', 'deposits.accountField', 'deposits.endInclusive', 'U59']) {
      expect(ofKey(findings, key)[0]).toMatchObject({
        verdict: 'open',
        answer: expect.stringContaining('--account NO') as string,
      });
    }
    expect(ofKey(findings, 'compat.payerField')[0]?.answer).toContain('--batch NO');
    expect(ofKey(findings, 'compat.feeNames')[0]?.answer).toContain('--withdrawal NO');
  });

  test('an account that was given and the platform does not show is said to be so', async () => {
    const facts = { ...NOTHING_KNOWN, accounts: [{ accountNo: '999999', eleAcctNo: undefined }] };
    const { findings } = await probed(sandboxWith(), { facts });
    for (const key of ['inflight.model', 'U59']) {
      const answer = ofKey(findings, key)[0]?.answer ?? '';
      expect(answer).toMatch(/does not show account 999999: 300001 .*; give --account NO of another$/);
    }
  });

  test('U2, U3: in app mode with RSA2 both signatures are proven', async () => {
    const sandbox = sandboxWith();
    const keys = sandbox.clientRsaKeys();
    const { findings } = await probed(sandbox, {
      credentials: {
        apiKey: undefined,
        ...APP_ID,
        signType: 'RSA2',
        secret: undefined,
        privateKeyText: keys.privateKeyPem,
        publicKeyText: keys.platformPublicKeyPem,
      },
    });
    expect(contradicted(findings)).toEqual([]);
    expect(ofKey(findings, 'U3')).toMatchObject([{ verdict: 'confirmed' }]);
    expect(ofKey(findings, 'signing.response.fields')).toMatchObject([
      { found: 'all', verdict: 'confirmed' },
    ]);
  });

  test('U1: in app mode with MD5 the name of that mode is found', async () => {
    const { findings } = await probed(sandboxWith(), {
      credentials: { apiKey: undefined, ...APP_ID, secret: APP_SECRET },
    });
    expect(ofKey(findings, 'signing.secretName.app')).toMatchObject([
      { found: 'appSecret', verdict: 'confirmed' },
    ]);
    expect(ofKey(findings, 'envelope.credentialNameByPath')).toEqual([]);
  });
});
