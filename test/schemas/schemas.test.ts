/** `schemas/` says of every answer what its types say; `npx vitest run test/schemas/schemas.test.ts -u` writes it anew. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { answerSchemas } from './answer-schemas.ts';
import { ANSWERS, schemaFile } from './answers.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const LIMIT_MS = 120_000;

test(
  'the schema of every answer is that of the types that make it',
  async () => {
    for (const [answer, schema] of answerSchemas()) {
      expect([answer, JSON.stringify(schema).includes('"schema":{"const":1}')]).toEqual([answer, true]);
      const file = path.join(ROOT, schemaFile(answer));
      await expect(`${JSON.stringify(schema, undefined, 2)}\n`).toMatchFileSnapshot(file);
    }
    const known = Object.keys(ANSWERS).map((answer) => path.basename(schemaFile(answer)));
    const kept = await readdir(path.join(ROOT, 'schemas', '1'));
    expect(kept.filter((name) => !known.includes(name))).toEqual([]);
  },
  LIMIT_MS,
);

test('every command that takes --json has a schema', async () => {
  const { stdout } = await runCli(['completion', 'bash']);
  const commands = [...stdout.matchAll(/^ {4}'recon ([^']+)'\) words='[^']*--json/gm)].map(([, name]) => name ?? '');
  expect(commands).toContain('accounts list');
  expect(commands.filter((name) => ANSWERS[name] === undefined)).toEqual([]);
});
