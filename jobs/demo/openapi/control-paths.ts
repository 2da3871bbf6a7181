/** The control surface as OpenAPI, from the schemas that check it. */
import { z } from 'zod';
import type { Schema } from '../../../src/platform/requests/checks.ts';
import { CONTROL_PREFIX } from '../../../src/sandbox/control/control.ts';
import { CONTROL_ROUTES } from '../../../src/sandbox/control/control-routes.ts';
import type { ControlRoute } from '../../../src/sandbox/control/control-route.ts';

const JSON_TYPE = 'application/json';

export function controlPaths(): Record<string, Schema> {
  const paths: Record<string, Schema> = {};
  for (const route of CONTROL_ROUTES) {
    const path = `${CONTROL_PREFIX}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return paths;
}

export const CONTROL_FAULT: Schema = {
  type: 'object',
  properties: {
    error: { type: 'string' },
    faults: { type: 'array', items: { type: 'string' }, description: 'each with the place it stands at' },
  },
  required: ['error'],
};

function operationOf(route: ControlRoute): Schema {
  const { method, path, does } = route;
  const names = path.split('/').filter((part) => part !== '');
  const id = names.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  return {
    operationId: `${method.toLowerCase()}Control${id}`,
    summary: does,
    tags: ['control'],
    ...takenBy(route),
    responses: {
      '200': said('what was asked for, or {"done": true}', { type: 'object' }),
      '400': said('what was given is wrong', { $ref: '#/components/schemas/ControlFault' }),
    },
  };
}

function said(description: string, schema: Schema): Schema {
  return { description, content: { [JSON_TYPE]: { schema } } };
}

/** The body of a POST, the query of a GET. */
function takenBy({ method, schema, items }: ControlRoute): Schema {
  const given = withItems(wireSchema(schema), items);
  const properties = Object.entries((given['properties'] ?? {}) as Record<string, Schema>);
  if (method === 'POST') {
    return { requestBody: { required: properties.length > 0, content: { [JSON_TYPE]: { schema: given } } } };
  }
  const parameters = properties.map(([name, one]) => ({ name, in: 'query', required: false, schema: one }));
  return parameters.length === 0 ? {} : { parameters };
}

/** Lists whose items are checked where they are seeded are described by what checks them there. */
function withItems(given: Schema, items: ControlRoute['items']): Schema {
  if (items === undefined) return given;
  const properties = (given['properties'] ?? {}) as Record<string, Schema>;
  const described = Object.entries(items).map(([name, seed]) => {
    const inner = wireSchema(seed);
    return [name, properties[name]?.['type'] === 'array' ? { ...properties[name], items: inner } : inner];
  });
  return { ...given, properties: { ...properties, ...(Object.fromEntries(described) as Schema) } };
}

/** As it is given, before defaults are put in. JSON has whole numbers where a program has `bigint`. */
function wireSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodBigInt) jsonSchema.type = 'integer';
    },
  });
  return rest;
}
