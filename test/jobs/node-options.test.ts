import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NODE_OPTIONS } from '../helpers/cli.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), 'utf8');

test('whoever starts the executable gives Node the same options', async () => {
  const options = NODE_OPTIONS.join(' ');
  expect((await read('jobs/recon.js')).split('\n')[0]).toBe(`#!/usr/bin/env -S node ${options}`);
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
  expect(scripts['recon']).toBe(`node ${options} jobs/recon.js`);
  expect(scripts['demo']).toBe(`node ${options} jobs/recon.js demo`);
  const entry = JSON.stringify(['node', ...NODE_OPTIONS, 'jobs/recon.js']).replaceAll(',', ', ');
  expect(await read('Dockerfile')).toContain(`ENTRYPOINT ${entry}`);
  expect(await read('docs/operations.md')).toContain(`\`node ${options} jobs/recon.js\``);
});
