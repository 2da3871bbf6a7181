/** The rules that are broken on purpose (`npm run mutate`) stand where their edits look for them. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BOOKS_EDITS } from './edits-books.ts';
import { LIST_EDITS } from './edits-list.ts';
import { LOOK_EDITS } from './edits-looks.ts';
import { PLATFORM_EDITS } from './edits-platform.ts';
import { PROOF_EDITS } from './edits-proof.ts';
import { RESOLUTION_EDITS } from './edits-resolution.ts';
import { SETTLEMENT_EDITS } from './edits-settlement.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

test.each([
  ...PLATFORM_EDITS,
  ...PROOF_EDITS,
  ...RESOLUTION_EDITS,
  ...SETTLEMENT_EDITS,
  ...LIST_EDITS,
  ...LOOK_EDITS,
  ...BOOKS_EDITS,
])('$rule', async ({ file, find, put, tests }) => {
  const source = await readFile(path.join(ROOT, file), 'utf8');
  expect(source.split(find)).toHaveLength(2);
  expect(put).not.toBe(find);
  expect(tests.filter((name) => !existsSync(path.join(ROOT, 'test', name)))).toEqual([]);
});
