/** Each member that the client reads of an answer is one of the tables that describe the answers. */
import { expect, test } from 'vitest';
import { Zone } from '../../src/core/time.ts';
import { ANSWER_MEMBERS, answerSchema } from '../../src/platform/answer-members.ts';
import { ENDPOINT_NAMES } from '../../src/platform/contract.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import { DECODERS } from '../../src/platform/decode.ts';
import { profileOf } from '../platform/platform-server.ts';

type Members = Record<string, unknown>;

interface Described {
  type?: unknown;
  properties?: Record<string, Described>;
  items?: Described;
  contentSchema?: Described;
}

/** An answer that holds all that is described, and notes which names are looked for, with their place. */
function watched(schema: Described, asked: Set<string>, place = ''): unknown {
  if (schema.type === 'array') return [watched(schema.items ?? {}, asked, `${place}[].`)];
  if (schema.properties === undefined) return schema.type === 'integer' ? 1 : '1';
  const members = Object.entries(schema.properties).map(([name, one]) => [
    name,
    watched(one.contentSchema ?? one, asked, `${place}${name}`),
  ]);
  return new Proxy(Object.fromEntries(members) as Members, {
    getOwnPropertyDescriptor: (object, name) => {
      asked.add(`${place}${String(name)}`);
      return Reflect.getOwnPropertyDescriptor(object, name);
    },
  });
}

function namesIn({ properties = {} }: Described, place = ''): string[] {
  return Object.entries(properties).flatMap(([name, one]) => {
    const items = (one.contentSchema ?? one).items ?? {};
    return [`${place}${name}`, ...namesIn(items, `${place}${name}[].`), ...namesIn(one, `${place}${name}`)];
  });
}

function readOf(endpoint: EndpointName): { asked: string[]; described: string[] } {
  const schema = answerSchema(ANSWER_MEMBERS[endpoint].members) as Described;
  const asked = new Set<string>();
  const answer = watched(schema, asked) as Members;
  DECODERS[endpoint](answer, { profile: profileOf(), zone: new Zone('Asia/Shanghai') });
  return { asked: [...asked], described: namesIn(schema) };
}

test.each(ENDPOINT_NAMES)('%s', (endpoint) => {
  const { asked, described } = readOf(endpoint);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((name) => !described.includes(name))).toEqual([]);
});
