/** The limit: psql's own `\copy` of the same rows into an equal, equally indexed table. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { databaseCpuOf } from './database-cost.ts';

const run = promisify(execFile);

export interface CopyCost {
  ms: number;
  /** Undefined where the server is not on this machine. */
  databaseCpuMs: number | undefined;
}

/** Of the copy in; the copy out is not counted. */
export async function copyLimit(url: string, table: 'deposit' | 'ledger_entry'): Promise<CopyCost> {
  const file = path.join(os.tmpdir(), `recon-bench-${process.pid}.copy`);
  const limit = `${table}_limit`;
  const psql = (command: string) => run('psql', [url, '-q', '-v', 'ON_ERROR_STOP=1', '-c', command]);
  try {
    await psql(`drop table if exists ${limit}`);
    await psql(`create table ${limit} (like ${table} including all)`);
    await psql(`\\copy ${table} to '${file}'`);
    let ms = 0;
    const databaseCpuMs = await databaseCpuOf(url, async () => {
      const started = performance.now();
      await psql(`\\copy ${limit} from '${file}'`);
      ms = performance.now() - started;
    });
    return { ms, databaseCpuMs };
  } finally {
    await psql(`drop table if exists ${limit}`);
    await rm(file, { force: true });
  }
}
