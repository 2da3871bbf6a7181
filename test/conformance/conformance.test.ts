/** Every numbered requirement of the interface, on the client and on the sandbox; what the job does is in conformance.sql.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ALL_RULES } from './all-rules.ts';
import { numbersWithoutTest, playClient, playSandbox } from './play.ts';
import { REQUIREMENTS } from './requirements.ts';
import { inProcess, overHttp } from './wire.ts';
import type { Target } from './wire.ts';

const known = new Map(REQUIREMENTS);

test('every number has a rule, and every rule a number', () => {
  expect(numbersWithoutTest(ALL_RULES)).toEqual([]);
  expect(Object.keys(ALL_RULES).filter((id) => !known.has(id))).toEqual([]);
  expect(REQUIREMENTS).toHaveLength(280);
  expect(known.size).toBe(280);
});

const named = Object.entries(ALL_RULES).map(([id, rule]) => [`${id}: ${known.get(id)}`, rule] as const);

describe('the sandbox', () => {
  const target = inProcess();

  test.each(named.filter(([, { sandbox, harmless }]) => sandbox ?? harmless))('%s', async (_name, rule) => {
    expect(await playSandbox(rule, target)).toBe('pass');
  });
});

/** Where a socket could make a difference: methods, paths, types and texts on the wire, and pushes. */
const ON_THE_WIRE = /^(?:ENV-0[1-4]|ENV-17|ENV-30|SIG-03|SIG-06|EVT-\d+|CTL)\b/;

describe('the sandbox over HTTP', () => {
  let target: Target;
  beforeAll(async () => {
    target = await overHttp();
  });
  afterAll(async () => {
    await target[Symbol.asyncDispose]();
  });

  test.each(named.filter(([name, { sandbox, harmless }]) => ON_THE_WIRE.test(name) && (sandbox ?? harmless)))(
    '%s',
    async (_name, rule) => {
      expect(await playSandbox(rule, target)).toBe('pass');
    },
  );
});

describe('the client', () => {
  test.each(named.flatMap(([name, { client }]) => (client ? [[name, client] as const] : [])))(
    '%s',
    async (_name, client) => {
      expect(await playClient(client)).toBe('pass');
    },
  );
});
