/** The schema of every answer, as it is kept in `schemas/`; open to members that are added. */
import { ANSWERS } from './answers.ts';
import { readMadeTypes } from './made-types.ts';
import { schemaOf } from './type-schema.ts';
import type { Schema } from './type-schema.ts';

/** It changes when a member changes its meaning or goes away, which none does (docs/architecture.md 5). */
const VERSION = 1;

export function answerSchemas(): Map<string, Schema> {
  const made = readMadeTypes(Object.values(ANSWERS));
  return new Map(
    Object.entries(ANSWERS).map(([answer, where]) => [
      answer,
      headed(answer, schemaOf(made.checker, made.typesOf(where))),
    ]),
  );
}

/** Every document says by which version it is to be read. */
function headed(answer: string, schema: Schema): Schema {
  const properties = schema['properties'] as Record<string, Schema> | undefined;
  const versioned = properties?.['schema'] === undefined ? undefined : { ...properties, schema: { const: VERSION } };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:recon:schema:${VERSION}:${answer.replaceAll(/[ -]+/g, '-')}`,
    title: `recon ${answer}`,
    ...schema,
    ...(versioned !== undefined && { properties: versioned }),
  };
}

/** The same without room for members that it does not name. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isOpen = 'properties' in schema && 'type' in schema && !('additionalProperties' in schema);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}
