/** Which version this is, as `package.json` states it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, member, parseJson } from '../../src/core/json.ts';

/** `recon 0.1.0` */
export function versionText(): string {
  const file = path.join(import.meta.dirname, '..', '..', 'package.json');
  const stated = parseJson(readFileSync(file, 'utf8'));
  const version = isJsonObject(stated) ? member(stated, 'version') : undefined;
  if (typeof version !== 'string') throw new Error(`Bug: ${file} states no version`);
  return `recon ${version}`;
}
