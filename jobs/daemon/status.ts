/** How the job stands, read from tables: after a restart it says the same as before. */
import { Stopped } from '../../src/core/errors.ts';
import type { Clock } from '../../src/core/ports.ts';
import type { Instant } from '../../src/core/time.ts';
import {
  countOpenItems,
  countVerdicts,
  findLatestNight,
  lastSnapshotAt,
} from '../../src/store/runs/nights.ts';
import type { OpenItems, ProvenNight } from '../../src/store/runs/nights.ts';
import type { Db, Verdict } from '../../src/store/schema/schema.ts';

/** Who asks for health waits a few seconds at most, however long the database has been silent. */
const ANSWER_MS_MAX = 5_000;

export interface Status {
  night: ProvenNight | undefined;
  openItems: OpenItems[];
  verdicts: { verdict: Verdict; count: number }[];
  snapshotAt: Instant | undefined;
}

/** @throws Stopped when the database does not answer in time, and whatever it answers instead */
export function readStatus(db: Db, realClock: Clock): Promise<Status> {
  return within(realClock, async () => {
    const night = await findLatestNight(db);
    return {
      night,
      openItems: await countOpenItems(db),
      verdicts: night === undefined ? [] : await countVerdicts(db, night.runId),
      snapshotAt: await lastSnapshotAt(db),
    };
  });
}

export async function within<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const tooLate = clock.sleep(ANSWER_MS_MAX, ended.signal).then(() => {
    throw new Stopped(`the database did not answer in ${ANSWER_MS_MAX} ms`);
  });
  try {
    return await Promise.race([work(), tooLate]);
  } finally {
    ended.abort(new Error('answered'));
  }
}
