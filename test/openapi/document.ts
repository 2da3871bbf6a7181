/** The kept document, as those who build upon it read it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Schemas } from './content-schemas.ts';

export const OPENAPI_FILE = path.join(import.meta.dirname, '..', '..', 'schemas', 'openapi.json');

interface Content {
  content: { 'application/json': { schema: unknown } };
}

export interface Operation {
  operationId: string;
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface OpenApi {
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: { schemas: Schemas };
}

export function readOpenApi(): OpenApi {
  return JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as OpenApi;
}

export function bodyOf(content: Content | undefined): unknown {
  if (content === undefined) throw new Error('the operation has no such body');
  return content.content['application/json'].schema;
}
