/** Books elsewhere are read over TLS, from a server that proves to be the one that was named. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from '../../../src/core/config/config.ts';
import { openBooks } from '../../../src/intake/pull/books-database.ts';
import { authorityIn } from '../../helpers/certificates.ts';
import type { Authority } from '../../helpers/certificates.ts';
import { serverUrl } from '../../helpers/database.ts';
import { hasMariadb, mariadbWithTls } from '../../helpers/mariadb-tls.ts';
import { TlsGate } from '../../helpers/tls-gate.ts';
import { shanghai } from '../books.ts';

let folder: string;
let authority: Authority;
let right: string;
let other: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'recon-books-tls-'));
  authority = authorityIn(folder);
  // 0.0.0.0 is this machine too, and no loopback address: it has to prove itself.
  right = authority.sign('right', 'IP:0.0.0.0');
  // What drivers take an address for when they are left to themselves.
  other = authority.sign('other', 'DNS:localhost,IP:127.0.0.1');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const trusting = (): string => `?sslrootcert=${encodeURIComponent(authority.file)}`;

/** What it shows, or why it is not read. */
async function readFrom(url: string): Promise<unknown> {
  const env = { LEDGER_DATABASE_URL: url, LEDGER_DATABASE_QUERY: import.meta.filename };
  const { books = expect.unreachable() } = readSettings({ env, needs: { platform: false } });
  try {
    const database = await openBooks(books, shanghai);
    try {
      return await database.columns('select 1 as is_read');
    } finally {
      await database.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

/** Reads from a server with that certificate, and closes it. */
type ReadBehind = (certificate: string, more: string) => Promise<unknown>;

async function behindPostgres(certificate: string, more: string): Promise<unknown> {
  const gate = new TlsGate(certificate);
  const behind = new URL(serverUrl ?? '');
  behind.host = `0.0.0.0:${await gate.listen()}`;
  try {
    return await readFrom(`${behind.href}${more}`);
  } finally {
    expect(gate.clear).toEqual([]);
    gate.close();
  }
}

async function behindMariadb(certificate: string, more: string): Promise<unknown> {
  const server = await mariadbWithTls(certificate);
  try {
    return await readFrom(`mysql://root@0.0.0.0:${server.port}/mysql${more}`);
  } finally {
    await server.close();
  }
}

describe.each<[string, boolean, ReadBehind]>([
  ['PostgreSQL', serverUrl !== undefined, behindPostgres],
  ['MariaDB', hasMariadb, behindMariadb],
])('books of a %s elsewhere', (_, isThere, readBehind) => {
  test.runIf(isThere)('are read where it proves to be the address that was named', async () => {
    expect(await readBehind(right, trusting())).toEqual(['is_read']);
  });

  test.runIf(isThere)('are not read where it proves to be another one', async () => {
    expect(await readBehind(other, trusting())).toMatch(
      /^cannot read the company's database 0\.0\.0\.0:\d+\/\w+: .*does not match certificate's altnames: IP: 0\.0\.0\.0 is not in/,
    );
  });

  test.runIf(isThere)('are not read where nobody who is trusted signed for it', async () => {
    expect(await readBehind(right, '')).toMatch(/^cannot read the company's database .*unable to verify/);
  });
});
