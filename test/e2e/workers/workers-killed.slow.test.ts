/**
 * Workers that are killed at drawn moments of one night, each replaced by another: the same tables and the same cells as
 * of a night that nobody disturbs. `TEST_SEED` draws other moments.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { faultOf } from '../../helpers/child.ts';
import type { Child } from '../../helpers/child.ts';
import { onPostgres } from '../../helpers/database.ts';
import { fc } from '../../helpers/properties.ts';
import { asAlone, expectAsAlone } from './as-alone.ts';
import { CompanyWithWorkers } from './company-with-workers.ts';

const KILLS = 5;

/** Which of two workers is killed, how far the night's reading is by then, and how long after that call. */
const moments = fc
  .sample(
    fc.record({
      first: fc.boolean(),
      part: fc.double({ min: 0, max: 0.9, noNaN: true }),
      afterMs: fc.nat(300),
    }),
    KILLS,
  )
  .toSorted((one, other) => one.part - other.part);

describe.runIf(onPostgres)('on PostgreSQL', { timeout: 480_000 }, () => {
  test(`H1: killed at ${KILLS} moments, workers leave the same tables and cells as the night alone`, async ({
    onTestFinished,
  }) => {
    const { calls } = await asAlone();
    const company = await CompanyWithWorkers.open();
    onTestFinished(() => company.close());
    company.slowDown('*');
    const workers: [Child, Child] = [company.startWorker(), company.startWorker()];
    await company.untilAlive();
    let hasEnded = false;
    const night = company.backfill('--workers').finally(() => {
      hasEnded = true;
    });
    for (const { first, part, afterMs } of moments) {
      while (company.night.sandbox.requests().length < part * calls) await pause(5);
      await pause(afterMs);
      expect(hasEnded, `${part} of the calls and ${afterMs} ms`).toBe(false);
      const which = first ? 0 : 1;
      workers[which].process.kill('SIGKILL');
      workers[which] = company.startWorker();
    }
    expect(faultOf(await night)).toBe('');
    expect(await company.triesMost()).toBeGreaterThan(1);
    await expectAsAlone(company);
  });
});
