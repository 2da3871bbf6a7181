/** What hints must not do: hold up a night or snapshot, repeat a failure, fill the log (N8, N11, I10). */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RUN_LEASE } from '../../../jobs/night/prove/prove-run.ts';
import { SNAPSHOT_LEASE } from '../../../jobs/night/collect/bracket.ts';
import { Stopped } from '../../../src/core/errors.ts';
import { releaseLease, takeLease } from '../../../src/store/database/leases.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { OrderNight } from '../../helpers/company/order-night.ts';
import { Receiver, logged, pushLines, pushesAre, sealed } from './receive-desk.ts';

let night: OrderNight;
let receiver: Receiver | undefined;

beforeEach(async () => {
  night = await OrderNight.open();
});
afterEach(async () => {
  await receiver?.stop();
  receiver = undefined;
  await night.close();
});

const asks = (): number => night.asked('division/query');
const B1 = { outBatchNo: 'B1', state: 'SUCCESS' };

/** Batch B1 of one order that succeeded, registered. */
async function aFinishedBatch(no = 'B1'): Promise<void> {
  night.batch(no, [{ state: 'SUCCESS', delayMs: 1_000 }]);
  await night.registerBatches(no);
}

test('while a snapshot is taken the hint waits, and is asked for after it', async () => {
  await aFinishedBatch();
  const { db } = night.night;
  const { realClock } = night.job;
  const lease = await takeLease(db, { name: SNAPSHOT_LEASE, holder: 'a snapshot', realClock });
  receiver = await Receiver.open(night.job);
  await receiver.post(sealed(night, { reqNo: 'R1', state: 3 }));
  await receiver.post(sealed(night, B1));
  await pushesAre(night, ['change  R1  3 true 1 kept', 'transfer B1   SUCCESS true 1 waiting']);
  await realClock.sleep(60);
  expect(asks()).toBe(0);
  await releaseLease(db, lease, realClock);
  await pushesAre(night, ['change  R1  3 true 1 kept', 'transfer B1   SUCCESS true 1 asked']);
});

test('a night that begins while hints are asked for waits for two questions, not for all of them', async () => {
  const { db, sandbox } = night.night;
  const { realClock } = night.job;
  const all = ['B1', 'B2', 'B3', 'B4', 'B5'];
  for (const no of all) await aFinishedBatch(no);
  receiver = await Receiver.open(night.job, { debounceMs: 300 });
  sandbox.addFault({ kind: 'delay', ms: 300, path: 'division/query', times: null });
  for (const outBatchNo of all) await receiver.post(sealed(night, { outBatchNo }));
  while (asks() === 0) await realClock.sleep(1);
  const lease = await takeLease(db, { name: RUN_LEASE, holder: 'a night', realClock });
  await logged(night.job, 'push.asked');
  const waiting = (await pushLines(night)).filter((line) => line.endsWith(' waiting'));
  expect(waiting.length, 'two are asked for at once').toBeGreaterThanOrEqual(3);
  expect(waiting.length).toBe(5 - asks());
  await releaseLease(db, lease, realClock);
  await pushesAre(
    night,
    all.map((no) => `transfer ${no}    true 1 asked`),
  );
  expect(asks()).toBe(5);
});

describe('a failure of ours', () => {
  const failed = () => night.job.log.lines.filter(({ event }) => event === 'push.failed');

  /** While a table is away under another name; `meanwhile` stands in its place. */
  async function without(table: string, work: () => Promise<void>, meanwhile?: string): Promise<void> {
    const { db } = night.night;
    await sql`alter table ${sql.table(table)} rename to away`.execute(db);
    if (meanwhile !== undefined) await sql.raw(`create view ${table} as ${meanwhile}`).execute(db);
    try {
      await work();
    } finally {
      await receiver?.stop();
      receiver = undefined;
      if (meanwhile !== undefined) await sql`drop view ${sql.table(table)}`.execute(db);
      await sql`alter table away rename to ${sql.table(table)}`.execute(db);
    }
  }

  test('is one line however many pushes come, until its rest is over', async () => {
    await aFinishedBatch();
    receiver = await Receiver.open(night.job, { restMs: 3_600_000 });
    await without('lease', async () => {
      await receiver?.post(sealed(night, B1));
      await logged(night.job, 'push.failed');
      for (const state of ['A', 'B', 'C']) await receiver?.post(sealed(night, { ...B1, state }));
      await night.job.realClock.sleep(100);
    });
    expect(failed()).toHaveLength(1);
  });

  test('after the question does not make the batch be asked for at once again', async () => {
    await aFinishedBatch();
    receiver = await Receiver.open(night.job);
    const asWasRead = 'select account_no, batch_no, out_batch_no from away';
    await without(
      'transfer_batch',
      async () => {
        await receiver?.post(sealed(night, B1));
        await logged(night.job, 'push.failed');
        await night.job.realClock.sleep(100);
      },
      asWasRead,
    );
    expect(asks()).toBe(1);
    expect(await pushLines(night)).toEqual(['transfer B1   SUCCESS true 1 waiting']);
  });

  test('N8: a client that wrong signatures halted is opened anew, and is not the one of nights and snapshots', async () => {
    await aFinishedBatch();
    await aFinishedBatch('B2');
    await night.profile({ http: { retryQueries: false, rate: { perSecond: 1_000, concurrency: 4 } } });
    night.night.sandbox.addFault({ kind: 'corrupt_sign', path: 'division/query', times: null });
    receiver = await Receiver.open(night.job);
    await receiver.post(sealed(night, B1));
    await logged(night.job, 'push.failed');
    expect(failed()).toMatchObject([{ error: expect.any(Stopped) as unknown }]);
    night.night.sandbox.liftFaults();
    await receiver.post(sealed(night, { outBatchNo: 'B2' }));
    await logged(night.job, 'push.asked');
    expect(await night.collect()).toMatchObject({ failed: 0 });
  });
});

test('EVT-01: an unsigned opening for an account outside the list advises no import', async () => {
  receiver = await Receiver.open(night.job);
  const opening = { reqNo: 'R1', outReqNo: 'O1', state: 2, accountNo: 'X', accountState: '1' };
  await receiver.post(JSON.stringify(opening));
  const { hint, signed } = await logged(night.job, 'push.account_unknown');
  expect(signed).toBe(false);
  await pushesAre(night, ['opening O1 R1 X 2 false 1 kept']);
  const [note] = await lines(night.night.db, 'push', ['note']);
  for (const said of [hint, note]) {
    expect(said).toContain('anybody may have sent it');
    expect(said).not.toContain('import');
  }
});

test('I10: each signed push is a line of the log; the unsigned are one in a minute', async () => {
  receiver = await Receiver.open(night.job);
  for (let no = 1; no <= 3; no++) {
    await receiver.post(sealed(night, { reqNo: `S${no}`, state: 3 }));
    await receiver.post(JSON.stringify({ reqNo: `U${no}`, state: 3 }));
  }
  const told = night.job.log.lines.filter(({ event }) => event.startsWith('push.kept'));
  expect(told.map(({ event, reqNo, count }) => [event, reqNo ?? count])).toEqual([
    ['push.kept', 'S1'],
    ['push.kept_unsigned', 1],
    ['push.kept', 'S2'],
    ['push.kept', 'S3'],
  ]);
});

test('I10: batches that nobody registered are twenty warnings in a minute at most, however many rounds there are', async () => {
  receiver = await Receiver.open(night.job);
  for (let no = 1; no <= 30; no++) await receiver.post(sealed(night, { outBatchNo: `X${no}` }));
  await receiver.metricsAre('recon_push_hints', [
    'recon_push_hints{kind="transfer",state="unregistered"} 30',
  ]);
  expect(night.job.log.lines.filter(({ event }) => event === 'push.unregistered')).toHaveLength(20);
});
