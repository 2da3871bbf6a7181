/**
 * The contract by which a company's own program registers orders: docs/registering-orders.md. Its SQL and its
 * TypeScript are run here as they stand there, by a role with no more rights than it grants; its Java is compiled
 * where a compiler is there.
 */
import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ClientBase } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { scheduleOrderQueries } from '../../src/store/orders/schedule-order-queries.ts';
import { testDatabase } from '../helpers/database.ts';
import { registryOf } from './order-files.ts';
import { blocksOf, compileTypeScript, typeFaults } from './document-examples.ts';
import { openSession } from './registry-session.ts';
import type { Session } from './registry-session.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const CONTRACT = path.join(ROOT, 'docs', 'registering-orders.md');

const database = await testDatabase();
const { db } = database;
/** The role of the contract under a name of its own: roles belong to the server, not to the database. */
const role = `payments_${randomBytes(4).toString('hex')}`;
let contract: string;
let session: Session;

beforeAll(async () => {
  contract = await readFile(CONTRACT, 'utf8');
  session = await openSession(database);
  await session.script((blocksOf(contract, 'sql')[0] ?? '').replaceAll('payments', role));
});
beforeEach(async () => {
  await session.script(
    'reset role; delete from order_registry; delete from order_due; delete from order_alias',
  );
  await session.script(`set role ${role}`);
});
afterAll(async () => {
  await session?.script(`reset role; drop owned by ${role}; drop role ${role}`);
  await session?.close();
  await database.close();
});

/** Without the moment of submission, which is the database's. */
async function registered(): Promise<string[]> {
  return (await registryOf(db)).map((line) => line.replace(/ at [^,]+,/, ''));
}

/** What the job makes of it, with its own rights. */
async function enrolled() {
  await session.script('reset role');
  await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z');
  return db
    .selectFrom('order_due')
    .select(['kind', 'number_kind', 'number', 'account_no', 'origin', 'state'])
    .orderBy('kind')
    .orderBy('number')
    .execute();
}

describe('the SQL of the contract', () => {
  test('registers a batch and records its answer; the job then asks for it', async () => {
    await session.script(blocksOf(contract, 'sql')[1] ?? '');
    const batch = 'outBatch B20260301-0001';
    expect(await registered()).toEqual([
      `transfer: ${batch}, out T20260301-0001, batch 7700001, order 8800001, from 100001, to 100002, 10000 fen, accepted`,
      `transfer: ${batch}, out T20260301-0002, batch 7700001, order 8800002, from 100001, to 100003, 25050 fen, accepted`,
    ]);
    expect(await enrolled()).toEqual([
      {
        kind: 'batch',
        number_kind: 'out',
        number: 'B20260301-0001',
        account_no: '100001',
        origin: 'registry',
        state: 'new',
      },
    ]);
  });

  test('registers a withdrawal that nobody answered; the job then asks for it', async () => {
    await session.script(blocksOf(contract, 'sql')[2] ?? '');
    expect(await registered()).toEqual(['withdrawal: out W20260301-0001, from 100001, 500000 fen, unknown']);
    expect(await enrolled()).toMatchObject([{ kind: 'withdrawal', number: 'W20260301-0001', state: 'new' }]);
  });

  test('registering twice is registering once, and takes nothing back', async () => {
    for (const at of [1, 2, 1, 2]) await session.script(blocksOf(contract, 'sql')[at] ?? '');
    expect((await registered()).map((line) => line.split(', ').at(-1))).toEqual([
      'accepted',
      'accepted',
      'unknown',
    ]);
  });

  test('each example is there, and there is no other', () => {
    expect(['sql', 'ts', 'java'].map((language) => blocksOf(contract, language).length)).toEqual([3, 1, 1]);
  });
});

describe('the rights of the contract', () => {
  test.each([
    ['touches enrolled', `update order_registry set enrolled = false`],
    ['changes an amount', `update order_registry set amount_fen = 1`],
    ['changes a number', `update order_registry set out_order_no = 'X'`],
    [
      'names a file',
      `insert into order_registry (kind, out_order_no, file_id) values ('withdrawal', 'X', 'f')`,
    ],
    ['enrols', `insert into order_registry (kind, out_order_no, enrolled) values ('withdrawal', 'X', true)`],
    ['deletes', `delete from order_registry`],
    ['reads elsewhere', `select * from account`],
  ])('a program that %s is refused', async (_name, statement) => {
    await expect(session.script(statement)).rejects.toThrow('permission denied');
  });

  test.each([
    ['a transfer without its batch', `(kind, out_order_no) values ('transfer', 'T1')`],
    ['a withdrawal without a number', `(kind, out_batch_no) values ('withdrawal', 'B1')`],
    ['a negative amount', `(kind, out_order_no, amount_fen) values ('withdrawal', 'W1', -1)`],
    ['an outcome nobody knows', `(kind, out_order_no, outcome) values ('withdrawal', 'W1', 'done')`],
  ])('%s is refused', async (_name, values) => {
    await expect(session.script(`insert into order_registry ${values}`)).rejects.toThrow(
      'violates check constraint',
    );
  });
});

interface Example {
  payBatch: (
    client: ClientBase,
    batch: object,
    send: () => Promise<{ outcome: string; batchNo?: string }>,
  ) => Promise<unknown>;
}

describe('the TypeScript of the contract', () => {
  const batch = {
    outBatchNo: 'B1',
    payerAccountNo: '100001',
    orders: [
      { outOrderNo: 'T1', payeeAccountNo: '100002', amountFen: 10_000n },
      { outOrderNo: 'T2', payeeAccountNo: '100003', amountFen: 9_007_199_254_740_993n },
    ],
  };
  const load = async (): Promise<Example> =>
    (await compileTypeScript(blocksOf(contract, 'ts')[0] ?? '')) as Example;

  test('has no fault that the compiler sees', () => {
    expect(typeFaults(blocksOf(contract, 'ts')[0] ?? '', ROOT)).toEqual([]);
  });

  test('commits the registration before the request leaves, and records the answer', async () => {
    const { payBatch } = await load();
    await payBatch(session.client, batch, async () => {
      // Another session sees it: it is committed.
      expect(await registered()).toEqual([
        'transfer: outBatch B1, out T1, from 100001, to 100002, 10000 fen, sent',
        'transfer: outBatch B1, out T2, from 100001, to 100003, 9007199254740993 fen, sent',
      ]);
      return { outcome: 'accepted', batchNo: '77' };
    });
    expect(await registered()).toEqual([
      'transfer: outBatch B1, out T1, batch 77, from 100001, to 100002, 10000 fen, accepted',
      'transfer: outBatch B1, out T2, batch 77, from 100001, to 100003, 9007199254740993 fen, accepted',
    ]);
  });

  test('a request without an answer leaves the orders registered as unknown', async () => {
    const { payBatch } = await load();
    const failing = payBatch(session.client, batch, () => Promise.reject(new Error('no answer')));
    await expect(failing).rejects.toThrow('no answer');
    expect((await registered()).map((line) => line.split(', ').at(-1))).toEqual(['unknown', 'unknown']);
  });

  test('a batch that was accepted stays so, whatever is recorded later', async () => {
    const { payBatch } = await load();
    await payBatch(session.client, batch, () => Promise.resolve({ outcome: 'accepted' }));
    await payBatch(session.client, batch, () => Promise.resolve({ outcome: 'refused' }));
    expect((await registered()).map((line) => line.split(', ').at(-1))).toEqual(['accepted', 'accepted']);
  });
});

test('the Java of the contract compiles, where there is a compiler', async (context) => {
  const run = promisify(execFile);
  const hasCompiler = await run('javac', ['-version']).then(
    () => true,
    () => false,
  );
  if (!hasCompiler) context.skip('no javac here');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-java-'));
  try {
    const imports = 'import java.sql.*;\nimport java.util.List;\n';
    const file = path.join(folder, 'Registry.java');
    await writeFile(file, `${imports}class Registry {\n${blocksOf(contract, 'java')[0] ?? ''}\n}\n`);
    const { stderr } = await run('javac', ['-Xlint:all', '-Werror', '-d', folder, file]);
    expect(stderr).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
