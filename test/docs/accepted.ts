/** What a key takes, said in a few words from its JSON schema. */
import { z } from 'zod';

interface JsonSchema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  additionalProperties?: JsonSchema | boolean;
  minimum?: number;
  maximum?: number;
  format?: string;
}

/** The members of an object of the schema, each with what it takes; members of groups by their path. */
export function acceptedBy(schema: z.ZodType): ReadonlyMap<string, string> {
  const accepted = new Map<string, string>();
  const walk = (members: JsonSchema['properties'] = {}, prefix = ''): void => {
    for (const [name, member] of Object.entries(members)) {
      accepted.set(`${prefix}${name}`, wordsFor(member));
      walk(member.properties, `${prefix}${name}.`);
    }
  };
  walk(jsonSchemaOf(schema).properties);
  return accepted;
}

export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** What cannot be told by its schema is an amount: its check is a transformation. */
const OPAQUE = 'whole fen';

function wordsFor(schema: JsonSchema): string {
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(', ');
  if (schema.anyOf) {
    const isAmount = schema.anyOf.some((part) => Object.keys(part).length === 0);
    return isAmount ? OPAQUE : schema.anyOf.map(wordsFor).join(' or ');
  }
  if (schema.type === 'array') return `list of ${wordsFor(schema.items ?? {})}`;
  if (schema.type === 'object') return objectWords(schema);
  if (schema.type === 'boolean') return '`true`, `false`';
  if (schema.type === 'null') return '`null`';
  if (schema.type === 'string') return schema.format === 'uri' ? 'URL' : 'text';
  if (schema.type === 'integer' || schema.type === 'number') return rangeWords(schema);
  return OPAQUE;
}

function objectWords({ properties, additionalProperties }: JsonSchema): string {
  if (properties) {
    return Object.entries(properties)
      .map(([name, member]) => `\`${name}\` (${wordsFor(member)})`)
      .join(', ');
  }
  const values = typeof additionalProperties === 'object' ? wordsFor(additionalProperties) : 'values';
  return `object, name to ${values}`;
}

function rangeWords({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined || maximum === undefined) return 'number';
  return `${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`;
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
