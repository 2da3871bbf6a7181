import { describe, expect, test } from 'vitest';

import { NotSent, OutcomeUnknown, SignatureWrong, WrongInput } from '../../src/core/errors.ts';
import { pauseMs, retryRead } from '../../src/core/retry.ts';
import type { Read } from '../../src/core/retry.ts';
import { countedIds, virtualClock } from './virtual-clock.ts';

const ANSWER: Read = { isTransient: false, retryAfterMs: undefined };
const TOO_OFTEN: Read = { isTransient: true, retryAfterMs: 7_000 };

/** Brings what is listed, one an attempt, and then an answer. */
function failing(failures: readonly (Error | Read)[]): {
  attempt: (n: number) => Promise<Read>;
  seen: number[];
} {
  const seen: number[] = [];
  const attempt = async (attemptNumber: number): Promise<Read> => {
    seen.push(attemptNumber);
    const failure = failures[attemptNumber - 1] ?? ANSWER;
    if (failure instanceof Error) throw failure;
    return await Promise.resolve(failure);
  };
  return { attempt, seen };
}

describe('a read is repeated', () => {
  test('N1: while it was not sent, with pauses that grow from half a second', async () => {
    const clock = virtualClock();
    const { attempt, seen } = failing(Array.from({ length: 4 }, () => new NotSent('refused')));
    await expect(retryRead({ clock, ids: countedIds(1), attemptsMax: 5 }, attempt)).resolves.toBe(ANSWER);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(clock.slept).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  test('N2: while its outcome is unknown', async () => {
    const clock = virtualClock();
    const { attempt, seen } = failing([new OutcomeUnknown('reset')]);
    await expect(retryRead({ clock, ids: countedIds(0), attemptsMax: 5 }, attempt)).resolves.toBe(ANSWER);
    expect(seen).toEqual([1, 2]);
    expect(clock.slept).toEqual([500]);
  });

  test('N6: not before the platform wished', async () => {
    const clock = virtualClock();
    const { attempt } = failing([new OutcomeUnknown('429', {}, { retryAfterMs: 7_000 })]);
    await retryRead({ clock, ids: countedIds(0.5), attemptsMax: 2 }, attempt);
    expect(clock.slept).toEqual([7_000]);
  });

  test('N6, N12: while it is refused for a reason that passes; the last refusal is its answer', async () => {
    const clock = virtualClock();
    const limits = { clock, ids: countedIds(0.5), attemptsMax: 3 };
    await expect(retryRead(limits, failing([TOO_OFTEN]).attempt)).resolves.toBe(ANSWER);
    expect(clock.slept).toEqual([7_000]);
    const { attempt, seen } = failing([TOO_OFTEN, TOO_OFTEN, TOO_OFTEN]);
    await expect(retryRead(limits, attempt)).resolves.toBe(TOO_OFTEN);
    expect(seen).toEqual([1, 2, 3]);
    expect(clock.slept).toEqual([7_000, 7_000, 7_000]);
  });

  test('and given up after the last attempt, with its own error', async () => {
    const clock = virtualClock();
    const { attempt, seen } = failing([new NotSent('first'), new NotSent('second'), new NotSent('third')]);
    await expect(retryRead({ clock, ids: countedIds(0), attemptsMax: 3 }, attempt)).rejects.toThrow('third');
    expect(seen).toEqual([1, 2, 3]);
    expect(clock.slept).toHaveLength(2);
  });
});

describe('a read is not repeated', () => {
  test.each([new SignatureWrong('sign'), new WrongInput('input'), new Error('Bug: x')])(
    'after %s',
    async (error) => {
      const clock = virtualClock();
      const { attempt, seen } = failing([error]);
      await expect(retryRead({ clock, ids: countedIds(0), attemptsMax: 5 }, attempt)).rejects.toBe(error);
      expect(seen).toEqual([1]);
      expect(clock.slept).toEqual([]);
    },
  );

  test('once the run is stopped', async () => {
    const stop = new AbortController();
    const { attempt, seen } = failing([new NotSent('refused'), new NotSent('refused')]);
    const limits = { clock: virtualClock(), ids: countedIds(0), attemptsMax: 5, signal: stop.signal };
    const reading = retryRead(limits, async (attemptNumber) => {
      stop.abort(new Error('stopped'));
      return await attempt(attemptNumber);
    });
    await expect(reading).rejects.toThrow('stopped');
    expect(seen).toEqual([1]);
  });
});

test.each([
  [1, 0, 500],
  [1, 0.75, 750],
  [3, 0.5, 2_000],
  [5, 1, 16_000],
  [6, 1, 30_000],
  [1_000, 1, 30_000],
])('N1: the pause after attempt %i with jitter %f is %i ms', (attemptNumber, jitter, expected) => {
  expect(pauseMs({ ids: countedIds(jitter), attemptNumber, retryAfterMs: undefined })).toBe(expected);
});
