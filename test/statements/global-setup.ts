/** In full runs the raw statements of the product are held to their declared rows (test/statements/held-to-rows.ts). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { declaredStatements } from './declared.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-statements-'));
  const file = path.join(folder, 'declared.json');
  await writeFile(file, JSON.stringify(declaredStatements(ROOT)));
  process.env['TEST_STATEMENTS'] = file;
  return () => rm(folder, { recursive: true, force: true });
}
