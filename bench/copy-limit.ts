/** The limit: psql's own `\copy` of the same rows into an equal, equally indexed table. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Milliseconds of the copy in; the copy out is not counted. */
export async function copyLimit(url: string): Promise<number> {
  const file = path.join(os.tmpdir(), `recon-bench-${process.pid}.copy`);
  const psql = (command: string) => run('psql', [url, '-q', '-v', 'ON_ERROR_STOP=1', '-c', command]);
  try {
    await psql('drop table if exists deposit_limit');
    await psql('create table deposit_limit (like deposit including all)');
    await psql(`\\copy deposit to '${file}'`);
    const started = performance.now();
    await psql(`\\copy deposit_limit from '${file}'`);
    return performance.now() - started;
  } finally {
    await psql('drop table if exists deposit_limit');
    await rm(file, { force: true });
  }
}
