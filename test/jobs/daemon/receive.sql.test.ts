/** A push is a hint: it is kept, acknowledged, and makes the job ask sooner; it changes nothing by itself (EVT-04, U53). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RUN_LEASE } from '../../../jobs/night/prove/prove-run.ts';
import { releaseLease, takeLease } from '../../../src/store/database/leases.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { OrderNight } from '../../helpers/company/order-night.ts';
import { at } from '../../helpers/service-time.ts';
import { Receiver, pushLines, pushesAre, sealed } from './receive-desk.ts';

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
const TAKEN = { status: 200, body: 'success' };

/** Batch B1 of one order that succeeded, registered. */
async function aFinishedBatch(no = 'B1'): Promise<void> {
  night.batch(no, [{ state: 'SUCCESS', delayMs: 1_000 }]);
  await night.registerBatches(no);
}

test('U39, U40: a signed push is acknowledged, its batch is asked for, and the answer is what counts', async () => {
  await aFinishedBatch();
  receiver = await Receiver.open(night.job);
  const said = sealed(night, { ...B1, state: 'FAIL' });
  expect(await receiver.post(said)).toEqual(TAKEN);
  await pushesAre(night, ['transfer B1   FAIL true 1 asked']);
  expect(await night.orders()).toEqual(['B1-1 moved none 0']);
  const seen = await lines(night.night.db, 'order_state_seen', ['out_order_no', 'subject', 'state']);
  expect(seen).toEqual(['B1-1 transfer moved']);
  expect(await lines(night.night.db, 'run', ['run_id']), 'no night has run').toEqual([]);
  expect(asks()).toBe(1);
});

test('EVT-08: the same push three times is one hint and one query', async () => {
  await aFinishedBatch();
  receiver = await Receiver.open(night.job);
  for (let times = 0; times < 3; times++) expect(await receiver.post(sealed(night, B1))).toEqual(TAKEN);
  await pushesAre(night, ['transfer B1   SUCCESS true 3 asked']);
  expect(asks()).toBe(1);
});

test('EVT-08: several pushes about a batch within its ten seconds are one query, and the rest wait', async () => {
  await aFinishedBatch();
  receiver = await Receiver.open(night.job);
  await receiver.post(sealed(night, B1));
  await pushesAre(night, ['transfer B1   SUCCESS true 1 asked']);
  await receiver.post(sealed(night, { ...B1, state: 'PROCESSING' }));
  await receiver.post(sealed(night, { ...B1, state: 'INIT' }));
  await aFinishedBatch('B2');
  await receiver.post(sealed(night, { outBatchNo: 'B2' }));
  await pushesAre(night, [
    'transfer B1   INIT true 1 waiting',
    'transfer B1   PROCESSING true 1 waiting',
    'transfer B1   SUCCESS true 1 asked',
    'transfer B2    true 1 asked',
  ]);
  expect(asks()).toBe(2);
});

test('U53: a push without signature is a hint too, and marked as unsigned', async () => {
  await aFinishedBatch();
  receiver = await Receiver.open(night.job);
  expect(await receiver.post(JSON.stringify(B1))).toEqual(TAKEN);
  await pushesAre(night, ['transfer B1   SUCCESS false 1 asked']);
});

test('U40: a form is taken as well as JSON, and the acknowledgement is the profile’s', async () => {
  await night.profile({ notify: { ackBody: 'OK' } });
  receiver = await Receiver.open(night.job);
  const form = await receiver.post('reqNo=R1&state=2', 'application/x-www-form-urlencoded');
  expect(form).toEqual({ status: 200, body: 'OK' });
  await pushesAre(night, ['change  R1  2 false 1 kept']);
});

test('SIG-11, EVT-07: a forged push is refused, stored nowhere and counted; the log shows nothing of it', async () => {
  await aFinishedBatch();
  receiver = await Receiver.open(night.job);
  const forged = sealed(night, B1).replace('SUCCESS', 'FAILURE');
  expect(await receiver.post(forged)).toEqual({ status: 400, body: '{"error":"refused"}' });
  expect(await pushLines(night)).toEqual([]);
  expect(await receiver.metrics('recon_pushes_total')).toEqual([
    'recon_pushes_total{kind="unknown",outcome="forged"} 1',
  ]);
  const log = JSON.stringify(night.job.log.lines);
  expect(log).toContain('push.forged');
  expect(log).not.toContain('FAILURE');
  expect(log).not.toContain('B1');
  expect(asks()).toBe(0);
});

describe('a batch that nobody registered', () => {
  test('is never made: one warning, a place in the list and in the metrics', async () => {
    night.batch('B1', [{ state: 'SUCCESS' }]);
    receiver = await Receiver.open(night.job);
    await receiver.post(sealed(night, B1));
    await pushesAre(night, ['transfer B1   SUCCESS true 1 unregistered']);
    await receiver.post(sealed(night, { ...B1, state: 'PROCESSING' }));
    await pushesAre(night, [
      'transfer B1   PROCESSING true 1 unregistered',
      'transfer B1   SUCCESS true 1 unregistered',
    ]);
    expect(night.job.log.lines.filter(({ event }) => event === 'push.unregistered')).toMatchObject([
      { outBatchNo: 'B1', signed: true },
    ]);
    await receiver.metricsAre('recon_push', [
      'recon_push_hints{kind="transfer",state="unregistered"} 2',
      'recon_pushes_total{kind="transfer",outcome="taken"} 2',
    ]);
    expect(await night.dues()).toEqual([]);
    expect(await lines(night.night.db, 'transfer_batch', ['out_batch_no'])).toEqual([]);
    expect(asks()).toBe(0);
  });

  test('is asked for once it is registered', async () => {
    receiver = await Receiver.open(night.job);
    await receiver.post(sealed(night, B1));
    await pushesAre(night, ['transfer B1   SUCCESS true 1 unregistered']);
    await aFinishedBatch();
    await pushesAre(night, ['transfer B1   SUCCESS true 1 asked']);
    expect(await night.orders()).toEqual(['B1-1 moved none 0']);
  });
});

test('while a night holds its lease the hint waits, and the night is not held up', async () => {
  await aFinishedBatch();
  const { db } = night.night;
  const { realClock } = night.job;
  const lease = await takeLease(db, { name: RUN_LEASE, holder: 'a night', realClock });
  receiver = await Receiver.open(night.job);
  await receiver.post(sealed(night, B1));
  await receiver.post(sealed(night, { reqNo: 'R1', state: 3 }));
  await pushesAre(night, ['change  R1  3 true 1 kept', 'transfer B1   SUCCESS true 1 waiting']);
  expect(asks()).toBe(0);
  await releaseLease(db, lease, realClock);
  await pushesAre(night, ['change  R1  3 true 1 kept', 'transfer B1   SUCCESS true 1 asked']);
  const taken = await takeLease(db, { name: RUN_LEASE, holder: 'the next', realClock });
  expect(taken.fence).toBe(lease.fence + 1n);
});

test('two processes take pushes, and one of them asks', async () => {
  await aFinishedBatch();
  const { db } = night.night;
  const { realClock } = night.job;
  const lease = await takeLease(db, { name: 'push', holder: 'another process', realClock });
  receiver = await Receiver.open(night.job);
  expect(await receiver.post(sealed(night, B1))).toEqual(TAKEN);
  await receiver.post(JSON.stringify({ reqNo: 'R1', state: 3 }));
  await pushesAre(night, ['change  R1  3 false 1 kept', 'transfer B1   SUCCESS true 1 waiting']);
  await releaseLease(db, lease, realClock);
  await pushesAre(night, ['change  R1  3 false 1 kept', 'transfer B1   SUCCESS true 1 asked']);
  expect(asks()).toBe(1);
});

test('what was kept before the process ended is asked for by the next one', async () => {
  await aFinishedBatch();
  receiver = await Receiver.open(night.job, { debounceMs: 3_600_000 });
  expect(await receiver.post(sealed(night, B1))).toEqual(TAKEN);
  await receiver.stop();
  expect(await pushLines(night)).toEqual(['transfer B1   SUCCESS true 1 waiting']);
  receiver = await Receiver.open(night.job);
  await pushesAre(night, ['transfer B1   SUCCESS true 1 asked']);
  expect(asks()).toBe(1);
});

test('a platform that is away is asked again, and after five times left to the night', async () => {
  await aFinishedBatch();
  await night.profile({ http: { retryQueries: false, rate: { perSecond: 1_000, concurrency: 4 } } });
  night.night.sandbox.addFault({ kind: 'drop_before', path: 'division/query', times: null });
  receiver = await Receiver.open(night.job);
  await receiver.post(sealed(night, B1));
  await pushesAre(night, ['transfer B1   SUCCESS true 1 left']);
  expect(asks()).toBe(5);
  night.night.sandbox.liftFaults();
  expect(await night.collect()).toMatchObject({ batches: 1, failed: 0 });
});

test('EVT-01: an opening that succeeded for an account outside the list is warned of; our own is not', async () => {
  receiver = await Receiver.open(night.job);
  const opening = { reqNo: 'R1', outReqNo: 'O1', state: 2, accountNo: 'X', accountState: '1' };
  await receiver.post(sealed(night, opening));
  await receiver.post(sealed(night, { ...opening, outReqNo: 'O2', accountNo: 'Q' }));
  await receiver.post(sealed(night, { reqNo: 'R3', outReqNo: 'O3', state: 3, remark: 'no' }));
  await pushesAre(night, [
    'opening O1 R1 X 2 true 1 kept',
    'opening O2 R1 Q 2 true 1 kept',
    'opening O3 R3  3 true 1 kept',
  ]);
  const warned = night.job.log.lines.filter(({ event }) => event === 'push.account_unknown');
  expect(warned).toMatchObject([{ accountNo: 'X', signed: true }]);
  expect(await lines(night.night.db, 'account', ['account_no'])).toEqual(['P', 'Q']);
});

test('processed hints are dropped after ninety days', async () => {
  receiver = await Receiver.open(night.job);
  await receiver.post(JSON.stringify({ reqNo: 'R1', state: 3 }));
  await pushesAre(night, ['change  R1  3 false 1 kept']);
  night.night.clock.moveTo(at('2026-05-31 02:00:00'));
  await receiver.post(JSON.stringify({ reqNo: 'R2', state: 3 }));
  await pushesAre(night, ['change  R1  3 false 1 kept', 'change  R2  3 false 1 kept']);
  night.night.clock.moveTo(at('2026-06-01 02:00:00'));
  await pushesAre(night, ['change  R2  3 false 1 kept']);
  await receiver.metricsAre('recon_push_hints', ['recon_push_hints{kind="change",state="kept"} 1']);
  expect(await pushLines(night)).toEqual(['change  R2  3 false 1 kept']);
});
