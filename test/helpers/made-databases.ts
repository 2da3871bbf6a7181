/** Which databases a run made that it has to drop: each is an empty file of its name in a folder of the run. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const FOLDER = 'TEST_MADE_DATABASES';

/** Not so in a program that is no run of tests: there every database is dropped as it is closed. */
export const isRunThatDrops = process.env[FOLDER] !== undefined;

export async function beginRun(): Promise<void> {
  process.env[FOLDER] = await mkdtemp(path.join(os.tmpdir(), 'recon-databases-'));
}

export async function noteMade(name: string): Promise<void> {
  await writeFile(path.join(process.env[FOLDER] ?? '', name), '');
}

/** @returns the databases that were made */
export async function endRun(): Promise<string[]> {
  const folder = process.env[FOLDER] ?? '';
  const names = await readdir(folder);
  await rm(folder, { recursive: true });
  return names;
}
