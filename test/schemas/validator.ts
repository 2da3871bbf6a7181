/** Whether a real answer is what its schema says, as it is kept in the repository, with no member beside. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { closed } from './answer-schemas.ts';
import { schemaFile } from './answers.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

/** What is wrong with it: nothing, where it is right. */
export async function faultsOfAnswer(answer: string, document: unknown): Promise<string[]> {
  const schema: unknown = JSON.parse(await readFile(path.join(ROOT, schemaFile(answer)), 'utf8'));
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  const validate = ajv.compile(closed(schema) as object);
  if (validate(document)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
  );
}
