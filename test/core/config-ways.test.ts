/** Settings of the ways in and out: how the database is reached, and where the process listens. */
import { expect, test } from 'vitest';

import { readSettings, settingsInForce } from '../../src/core/config/config.ts';
import type { Environment, Settings } from '../../src/core/config/config.ts';
import { WrongInput } from '../../src/core/errors.ts';

const read = (env: Environment): Settings => readSettings({ env, needs: { platform: false } });

function faultsOf(env: Environment): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    if (error instanceof WrongInput) return error.faults;
    throw error;
  }
}

test('DATABASE_TLS: what is in force is shown, and where it was said', () => {
  const shown = (env: Environment): (string | undefined)[] => {
    const row = settingsInForce(read(env)).find(({ name }) => name === 'DATABASE_TLS');
    return [row?.value, row?.from];
  };
  expect(shown({ DATABASE_URL: 'postgres://db/x' })).toEqual(['verify', 'default']);
  expect(shown({ DATABASE_URL: 'postgres://localhost/x' })).toEqual(['off', 'default']);
  expect(shown({ DATABASE_URL: 'postgres://db/x', DATABASE_TLS: 'off' })).toEqual(['off', 'environment']);
  expect(shown({ DATABASE_URL: 'postgres://db/x?sslmode=disable' })).toEqual(['off', 'environment']);
  expect(shown({})).toEqual(['', 'not set']);
});

test.each([
  [{ DATABASE_TLS: 'on' }, 'DATABASE_TLS must be one of verify, off: "on"'],
  [
    { DATABASE_URL: 'postgres://db/x?sslmode=no-verify' },
    'DATABASE_URL says sslmode=no-verify, which takes any server for yours; sslrootcert names whom to trust, DATABASE_TLS=off gives TLS up',
  ],
  [
    { DATABASE_URL: 'postgres://db/x?sslmode=disable', DATABASE_TLS: 'verify' },
    'DATABASE_URL says sslmode=disable, and DATABASE_TLS says verify: keep one',
  ],
  [
    { DATABASE_URL: 'postgres://db/x?sslmode=verify-full', DATABASE_TLS: 'off' },
    'DATABASE_URL says sslmode=verify-full, and DATABASE_TLS says off: keep one',
  ],
  [
    { DATABASE_URL: 'postgres://db/x?ssl=0' },
    'DATABASE_URL says ssl; sslmode and DATABASE_TLS say how the way is secured',
  ],
  [{ DATABASE_URL: 'postgres://db/x?sslmode=require&sslmode=disable' }, 'DATABASE_URL says one thing twice'],
  [
    { DATABASE_URL: 'postgres://db/x?sslrootcert=/nowhere/ca.pem' },
    'DATABASE_URL names no sslrootcert that can be read (there is no such file)',
  ],
  [
    { HEALTH_PORT: '9090', PUSH_PORT: '9090' },
    'HEALTH_PORT and PUSH_PORT are both 9090: pushes need a port of their own',
  ],
  [{ HEALTH_HOST: 'http://x' }, 'HEALTH_HOST must be a host such as 127.0.0.1: "http://x"'],
])('%o is refused', (env, fault) => {
  expect(faultsOf(env)).toEqual([fault]);
});
