import { describe, expect, test } from 'vitest';

import { readSettings, settingsInForce } from '../../src/core/config/config.ts';
import type { Environment, Settings } from '../../src/core/config/config.ts';
import { WrongInput } from '../../src/core/errors.ts';

const WHOLE = {
  PLATFORM_URL: 'https://pay.example.cn/',
  PLATFORM_API_KEY: 'ak_test_001',
  PLATFORM_SECRET: 'sk_test_001',
};

function read(change: Environment): Settings {
  return readSettings({ env: { ...WHOLE, ...change }, needs: { platform: true } });
}

function faultsOf(change: Environment): readonly string[] {
  try {
    read(change);
    return [];
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    return error.faults;
  }
}

describe('secrets (S4)', () => {
  const settings = (): Settings =>
    read({ DATABASE_URL: 'postgres://u:p%40ss%2Fword@db:5432/recon?password=other' });

  test('are known by value, the database password in every form', () => {
    expect(settings().secrets).toEqual(['ak_test_001', 'sk_test_001', 'p%40ss%2Fword', 'other', 'p@ss/word']);
  });

  test('are not shown by recon config', () => {
    const rows = Object.fromEntries(settingsInForce(settings()).map((row) => [row.name, row.value]));
    expect(rows).toMatchObject({
      PLATFORM_SECRET: '****',
      PLATFORM_API_KEY: '****',
      DATABASE_URL: 'postgres://u:****@db:5432/recon?password=****',
      PLATFORM_URL: 'https://pay.example.cn/',
    });
    expect(JSON.stringify(rows)).not.toMatch(/test_001|ss%2F|other/);
  });

  test.each([
    [{ PLATFORM_SECRET: 'sk_test_001\n' }, 'PLATFORM_SECRET ends with a line break'],
    [{ PLATFORM_SECRET: 'sk_test_001 ' }, 'PLATFORM_SECRET ends with a blank'],
    [{ PLATFORM_SECRET: ' sk_test_001' }, 'PLATFORM_SECRET begins with a blank'],
    [{ PLATFORM_SECRET: 'sk_test 001' }, 'PLATFORM_SECRET contains a blank'],
    [{ PLATFORM_SECRET: 'sk\u0000001' }, 'PLATFORM_SECRET contains a control character'],
    [{ PLATFORM_SECRET: '  ' }, 'PLATFORM_SECRET begins with a blank'],
    [{ PLATFORM_API_KEY: 'ak_test_001\r\n' }, 'PLATFORM_API_KEY ends with a line break'],
    [{ DATABASE_URL: 'postgres://u:secret@db/x ' }, 'DATABASE_URL ends with a blank'],
    [
      { DATABASE_URL: 'mysql://u:secret@db/x' },
      'DATABASE_URL is not an address such as postgres://user:password@host:5432/name',
    ],
    [
      { DATABASE_URL: 'postgres://u:sec#ret@db/x' },
      'DATABASE_URL is not an address such as postgres://user:password@host:5432/name',
    ],
    [{ DATABASE_URL: 'postgres://u:secret@db' }, 'DATABASE_URL names no database after its host'],
    [{ DATABASE_URL: 'postgres://u:50%secret@db/x' }, 'DATABASE_URL has a % that is no escape; write %25'],
    [{ PLATFORM_URL: 'https://u:secret@pay.example.cn' }, 'PLATFORM_URL must not hold a user or password'],
  ])('I2: %o: the fault names the variable and not its value', (change, fault) => {
    expect(faultsOf(change)).toEqual([fault]);
  });
});
