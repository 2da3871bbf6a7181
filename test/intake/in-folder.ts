/** A folder of its own for the files of a test, removed afterwards. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

export interface TestFolder {
  /** Writes a file and returns its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  path(name: string): string;
}

/** To be called at the top of a test file. */
export async function testFolder(): Promise<TestFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-intake-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string): string => path.join(folder, name);
  return {
    path: at,
    async write(name, content) {
      await writeFile(at(name), content);
      return at(name);
    },
  };
}
