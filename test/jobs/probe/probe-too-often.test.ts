/** A refusal as too frequent says nothing of what was asked: it neither proves nor disproves anything (U47, N18). */
import { expect, test } from 'vitest';
import { Stopped } from '../../../src/core/errors.ts';
import { contradicted, ofKey, probed, sandboxWith } from './probe-world.ts';

/** Nothing is asked again, so that every such refusal reaches the question. */
const ONCE = { http: { rate: { perSecond: 10_000 }, retryQueries: false } };

test.each([2, 3, 4, 5, 7])(
  'U47: every %ith call refused as too frequent contradicts nothing',
  async (everyKth) => {
    for (let skip = 2; skip < 2 + Math.min(everyKth, 4); skip++) {
      const sandbox = sandboxWith();
      sandbox.addFault({ kind: 'too_frequent', skip, everyKth, times: null });
      const { findings } = await probed(sandbox, { profile: ONCE, isThorough: true });
      expect(contradicted(findings), `after ${skip}`).toEqual([]);
    }
  },
);

test('U28, U45: a listing that is asked too often leaves its questions open', async () => {
  const sandbox = sandboxWith();
  sandbox.addFault({ kind: 'too_frequent', path: 'query/deposit', times: null });
  const { findings } = await probed(sandbox, { profile: ONCE });
  for (const key of ['emulator.strictTypes', 'deposits.pageSize', 'deposits.windowMonths']) {
    const [found] = ofKey(findings, key);
    expect(found, key).toMatchObject({ verdict: 'open' });
    expect(found?.answer, key).toContain('no answer: asked too often');
  }
});

test('U1: a platform that only says too often has not accepted a signature', async () => {
  const sandbox = sandboxWith();
  sandbox.addFault({ kind: 'too_frequent', skip: 1, times: null });
  const error = await probed(sandbox, { profile: ONCE }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Stopped);
  expect((error as Stopped).message).toBe('the platform cannot be asked: asked too often');
});
