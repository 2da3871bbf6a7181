/**
 * The OpenAPI document: kept as `schemas/openapi.json`, which `npx vitest run test/openapi/openapi.test.ts -u` writes
 * anew, sound by a validator, and served by the sandbox.
 */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../jobs/demo/openapi/openapi.ts';
import { jsonText } from '../../src/core/json.ts';
import { readProfile } from '../../src/core/profile/profile.ts';
import { PATH_PREFIX } from '../../src/platform/contract.ts';
import { CONTROL_ROUTES } from '../../src/sandbox/control/control-routes.ts';
import { firstDocument, startRecon } from '../helpers/child.ts';
import { OPENAPI_FILE, readOpenApi } from './document.ts';
import type { OpenApi } from './document.ts';

const LIMIT_MS = 60_000;

test('schemas/openapi.json is made from the contract', async () => {
  const document = openApiDocument({ profile: readProfile(undefined, 'defaults'), controls: true });
  await expect(`${jsonText(document, 1)}\n`).toMatchFileSnapshot(OPENAPI_FILE);
});

test('it is OpenAPI 3.1, with every path of the platform and of the control surface', async () => {
  const document = readOpenApi();
  expect(await new Validator().validate({ ...document })).toEqual({ valid: true });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.filter((one) => one.includes(PATH_PREFIX))).toHaveLength(17);
  const controls = CONTROL_ROUTES.map(({ method, path }) => `${method} /control${path}`);
  expect(operations.filter((one) => one.includes(' /control/')).toSorted()).toEqual(controls.toSorted());
});

async function servedBy(...over: string[]): Promise<{ said: Record<string, unknown>; document: OpenApi }> {
  const child = startRecon(['sandbox', '--port', '0', '--scenario', 'empty', '--json', ...over], {});
  try {
    const said = (await firstDocument(child)) as Record<string, unknown>;
    const reply = await fetch(String(said['openApi']));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    return { said, document: (await reply.json()) as OpenApi };
  } finally {
    child.process.kill('SIGTERM');
    await child.ended;
  }
}

test(
  'recon sandbox names it and serves it, with the control surface where there is one',
  async () => {
    const { document } = await servedBy('--controls');
    expect(document).toEqual(readOpenApi());
    const plain = await servedBy();
    expect(Object.keys(plain.document.paths)).toHaveLength(17);
    expect(plain.said['controls']).toBeNull();
  },
  LIMIT_MS,
);
