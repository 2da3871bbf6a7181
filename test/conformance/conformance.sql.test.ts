/** What the interface asks of the job around the client, which needs a database. */
import { expect, test } from 'vitest';

import { ALL_RULES } from './all-rules.ts';
import { playClient } from './play.ts';
import { REQUIREMENTS } from './requirements.ts';

const ofJob = REQUIREMENTS.flatMap(([id, what]) => {
  const job = ALL_RULES[id]?.job;
  return job ? [[`${id}: ${what}`, job] as const] : [];
});

test.each(ofJob)('%s', async (_name, job) => {
  expect(await playClient(job)).toBe('pass');
});
