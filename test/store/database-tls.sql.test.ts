/** A server elsewhere proves who it is before a byte of ours is sent: real certificates, a real server behind them. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { databaseConnection } from '../../src/core/config/database-tls.ts';
import { openPostgres } from '../../src/store/database/database-postgres.ts';
import { authorityIn } from '../helpers/certificates.ts';
import type { Authority } from '../helpers/certificates.ts';
import { quietLog } from '../helpers/log.ts';
import { TlsGate } from '../helpers/tls-gate.ts';
import { serverUrl } from '../helpers/database.ts';

describe('how an address is read', () => {
  const readAs = (url: string, stated?: 'verify' | 'off'): string => {
    const read = databaseConnection(url, stated);
    return 'fault' in read ? read.fault : `${read.host} ${read.tls} ${read.url}`;
  };
  test.each([
    ['postgres://u:p@db.example:5432/x', 'db.example verify postgres://u:p@db.example:5432/x'],
    [
      'postgres://localhost.evil.example/x',
      'localhost.evil.example verify postgres://localhost.evil.example/x',
    ],
    ['postgres://0.0.0.0/x', '0.0.0.0 verify postgres://0.0.0.0/x'],
    ['postgres://db/x?sslmode=prefer', 'db verify postgres://db/x'],
    ['postgres://db/x?sslmode=require', 'db verify postgres://db/x'],
    ['postgres://localhost/x?sslmode=verify-full', 'localhost verify postgres://localhost/x'],
    ['postgres://db/x?sslmode=disable', 'db off postgres://db/x'],
    ['postgres://localhost/x?host=db', 'db verify postgres://localhost/x?host=db'],
    ['postgres://db/x?host=127.0.0.1', '127.0.0.1 off postgres://db/x?host=127.0.0.1'],
    ['postgres://127.0.0.1/x', '127.0.0.1 off postgres://127.0.0.1/x'],
    ['postgres://[::1]:5432/x', '::1 off postgres://[::1]:5432/x'],
    ['postgres://[2001:db8::1]/x', '2001:db8::1 verify postgres://[2001:db8::1]/x'],
    ['postgres://%2Fvar%2Frun/x', '/var/run off postgres://%2Fvar%2Frun/x'],
    ['postgres:///x?host=/tmp', '/tmp off postgres:///x?host=%2Ftmp'],
    ['postgres:///x', 'localhost off postgres:///x?host=localhost'],
  ])('%s', (url, expected) => {
    expect(readAs(url)).toBe(expected);
  });

  test('what is stated decides where the address says nothing', () => {
    expect(readAs('postgres://db/x', 'off')).toBe('db off postgres://db/x');
    expect(readAs('postgres://127.0.0.1/x', 'verify')).toBe('127.0.0.1 verify postgres://127.0.0.1/x');
  });
});

let folder: string;
let authority: Authority;
let gate: TlsGate | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'recon-tls-'));
  authority = authorityIn(folder);
  authority.sign('right', 'IP:0.0.0.0');
  // What the driver would take for an address when it is left to itself.
  authority.sign('wrong', 'DNS:localhost,IP:127.0.0.1');
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  gate?.close();
  gate = undefined;
});

const QUICK = { connectMs: 3_000, queryMs: 5_000, lockMs: 1_000, idleInTransactionMs: 1_000 };

/** The certificate is asked for as `0.0.0.0`: this machine too, and no loopback address. */
async function speak(certificate: string | undefined, more = '', stated?: 'off'): Promise<unknown> {
  gate = new TlsGate(certificate === undefined ? undefined : path.join(folder, certificate));
  const port = await gate.listen();
  const behind = new URL(serverUrl ?? 'postgres://nobody:secret-word@x/nothing');
  const name = behind.pathname.slice(1);
  const url = `postgres://${behind.username}:${behind.password}@0.0.0.0:${port}/${name}${more}`;
  try {
    const opened = await openPostgres({ url, tls: stated }, quietLog, QUICK);
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(opened.db);
    await opened.close();
    return rows;
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

const trusting = (): string => `?sslrootcert=${encodeURIComponent(authority.file)}`;

test('a server whose certificate nobody we trust signed is told nothing', async () => {
  expect(await speak('right')).toMatch(/^cannot use the database .*(?:self-signed|unable to)/);
  expect(gate).toMatchObject({ clear: [], secured: 0 });
});

test('nor is it when the environment says that certificates do not matter', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  vi.stubEnv('PGSSLMODE', 'disable');
  expect(await speak('right')).toMatch(/^cannot use the database .*(?:self-signed|unable to)/);
  expect(gate?.clear).toEqual([]);
});

test('a server that proves to be another one is told nothing', async () => {
  expect(await speak('wrong', trusting())).toMatch(/does not match certificate's altnames/);
  expect(gate?.clear).toEqual([]);
});

test('a server without TLS is told nothing, whatever sslmode prefers', async () => {
  expect(await speak(undefined, '?sslmode=prefer')).toMatch(/does not support SSL/);
  expect(gate?.clear).toEqual([]);
});

describe.runIf(serverUrl !== undefined)('with PostgreSQL behind', () => {
  test('a server that proves who it is is spoken to over TLS alone', async () => {
    expect(await speak('right', trusting())).toEqual([{ one: 1 }]);
    expect(gate?.clear).toEqual([]);
    expect(gate?.secured).toBeGreaterThan(0);
  });

  test('clear text is spoken where somebody said so, in the setting or in the address', async () => {
    expect(await speak('right', '', 'off')).toEqual([{ one: 1 }]);
    expect(gate?.secured).toBe(0);
    gate?.close();
    expect(await speak('right', '?sslmode=disable')).toEqual([{ one: 1 }]);
    expect(gate?.secured).toBe(0);
  });
});
