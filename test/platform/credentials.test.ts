/** Which credentials are accepted, and that none of them tells its secret. */
import { generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';

import { WrongInput } from '../../src/core/errors.ts';
import { openCredentials } from '../../src/platform/credentials.ts';
import type { CredentialSettings } from '../../src/platform/credentials.ts';

const NONE: CredentialSettings = {
  apiKey: undefined,
  appId: undefined,
  signType: 'MD5',
  secret: undefined,
  privateKeyText: undefined,
  publicKeyText: undefined,
};
const STYLE = { secretName: 'appSecret', md5Case: 'upper' } as const;

function pair(modulusLength: number) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
  return {
    privateKeyText: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKeyText: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

function faultsOf(settings: Partial<CredentialSettings>): readonly string[] {
  try {
    openCredentials({ ...NONE, ...settings });
  } catch (error) {
    if (error instanceof WrongInput) return error.faults;
    throw error;
  }
  return [];
}

describe('openCredentials', () => {
  const keys = pair(2_048);

  test('SIG-09: apiKey with MD5, appId with MD5 or RSA2', () => {
    const md5 = openCredentials({ ...NONE, apiKey: 'ak', secret: 's3cret' });
    expect(md5).toMatchObject({ field: 'apiKey', id: 'ak', signType: 'MD5' });
    expect(openCredentials({ ...NONE, appId: 'ap', secret: 's' })).toMatchObject({
      field: 'appId',
      id: 'ap',
    });
    const rsa = openCredentials({ ...NONE, appId: 'ap', signType: 'RSA2', ...keys });
    expect(rsa).toMatchObject({ field: 'appId', signType: 'RSA2' });
    expect(rsa.verify('text', rsa.sign('text', STYLE), STYLE)).toBe(true);
    expect(rsa.verify('text', md5.sign('text', STYLE), STYLE)).toBe(false);
  });

  test('I2: every fault is named at once, by its setting', () => {
    expect(faultsOf({})).toEqual([
      'neither PLATFORM_API_KEY nor PLATFORM_APP_ID is set',
      'PLATFORM_SECRET is not set',
    ]);
    expect(faultsOf({ apiKey: 'ak', appId: 'ap', secret: 's' })).toEqual([
      'PLATFORM_API_KEY and PLATFORM_APP_ID are both set; one is due',
    ]);
    expect(faultsOf({ apiKey: 'ak', signType: 'RSA2' })).toEqual([
      'PLATFORM_SIGN_TYPE RSA2 needs PLATFORM_APP_ID',
      'PLATFORM_PRIVATE_KEY_FILE is not set or empty',
      'PLATFORM_PUBLIC_KEY_FILE is not set or empty',
    ]);
  });

  test('U3: a key that is short, of another kind, or no key at all', () => {
    const app = { appId: 'ap', signType: 'RSA2' } as const;
    const short = pair(1_024);
    expect(faultsOf({ ...app, ...short })).toEqual([
      'PLATFORM_PRIVATE_KEY_FILE must hold an RSA key of at least 2048 bits',
      'PLATFORM_PUBLIC_KEY_FILE must hold an RSA key of at least 2048 bits',
    ]);
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const publicKeyText = curve.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect(faultsOf({ ...app, ...keys, publicKeyText })).toEqual([
      'PLATFORM_PUBLIC_KEY_FILE must hold an RSA key of at least 2048 bits',
    ]);
    const [fault = ''] = faultsOf({ ...app, ...keys, privateKeyText: 'c2VjcmV0LXNlY3JldA==' });
    expect(fault).toContain('PLATFORM_PRIVATE_KEY_FILE does not hold a private RSA key');
    expect(fault).not.toContain('c2VjcmV0LXNlY3JldA==');
  });

  test('SIG-06: no way of printing shows a secret', () => {
    const md5 = openCredentials({ ...NONE, apiKey: 'ak', secret: 'canary-secret' });
    const rsa = openCredentials({ ...NONE, appId: 'ap', signType: 'RSA2', ...keys });
    for (const credentials of [md5, rsa]) {
      const printed = `${JSON.stringify(credentials)} ${inspect(credentials, { depth: 9, showHidden: true })}`;
      expect(printed).not.toContain('canary-secret');
      expect(printed).not.toContain('PRIVATE KEY');
    }
  });
});
