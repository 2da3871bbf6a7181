/** People read every moment in the service's zone, whatever the zone of the host and of the database. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RUN_LEASE } from '../../../jobs/night/prove/prove-run.ts';
import { underLease } from '../../../jobs/context/under-lease.ts';
import { LockHeld } from '../../../src/core/errors.ts';
import { takeLease } from '../../../src/store/database/leases.ts';
import { Night, zone } from '../../helpers/night.ts';

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  await night.accounts({ no: 'P', heldFen: 10_000n });
});
afterEach(() => night.close());

test('a lock is held until a time of the service', async () => {
  const job = await night.process();
  try {
    const { db, realClock } = job;
    await takeLease(db, { name: RUN_LEASE, holder: 'a night elsewhere', realClock });
    const { until } = await db.selectFrom('lease').select('until').executeTakeFirstOrThrow();
    const work = underLease(job, RUN_LEASE, () => Promise.resolve());
    await expect(work).rejects.toThrow(LockHeld);
    await expect(work).rejects.toThrow(`until ${zone.localText(until)}; wait for it to finish`);
  } finally {
    await job.close();
  }
});

test('a changed record says when it was dated before, in the time of the service', async () => {
  night.deposits({
    payeeAcctNo: 'P',
    orderNo: 'D1',
    amountFen: 500n,
    depositTime: '2026-03-10 09:00:00',
    changes: [{ at: '2026-03-11 12:00:00', set: { remark: 'another' } }],
  });
  await night.night('2026-03-10');
  night.moveTo('2026-03-12 02:00:00');
  await night.night('2026-03-11');
  const notes = await night.db
    .selectFrom('finding')
    .select('note')
    .where('class', '=', 'record_changed')
    .execute();
  expect(notes.map(({ note }) => note)).toContain('was 500 fen, dated 2026-03-10 09:00:00');
});
