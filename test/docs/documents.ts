/** The documents of docs/ and the tables that the code fills in them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { filesBelow } from '../tidy/source-tree.ts';
import { CONFORMANCE_TABLES } from './conformance-table.ts';
import { FILE_TABLES } from './file-tables.ts';
import { filled } from './markdown.ts';
import { PUSH_TABLES } from './push-tables.ts';
import { REASON_TABLES } from './reason-table.ts';
import { SANDBOX_TABLES } from './sandbox-tables.ts';
import { SETTINGS_TABLES } from './settings-tables.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What writes the tables anew after the code has changed. */
export const REWRITE = 'npm run docs';
export const TABLES: Readonly<Record<string, () => string>> = {
  ...CONFORMANCE_TABLES,
  ...FILE_TABLES,
  ...PUSH_TABLES,
  ...REASON_TABLES,
  ...SANDBOX_TABLES,
  ...SETTINGS_TABLES,
};

export interface Document {
  path: string;
  text: string;
  /** With the tables as the code has them now. */
  asItShouldBe: string;
}

export function readDocuments(): Document[] {
  return filesBelow('docs', '.md').map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, asItShouldBe: filled(text, TABLES) };
  });
}
