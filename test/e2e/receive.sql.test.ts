/**
 * From the payment to the books before any night: the company pays with a notifyUrl, the sandbox pushes over HTTP, the
 * receiver acknowledges and asks, and what the query says is stored (EVT-04, EVT-08, EVT-09, U39, U40).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addMs } from '../../src/core/time.ts';
import { lineWith } from '../helpers/cli.ts';
import { startRecon } from '../helpers/child.ts';
import type { Child } from '../helpers/child.ts';
import { Night, at, findingsOf } from '../helpers/night.ts';
import type { Process } from '../helpers/night.ts';
import { lines } from '../helpers/company/order-answers.ts';
import { OrderNight } from '../helpers/company/order-night.ts';
import { openPlace } from '../helpers/own-database.ts';
import type { Place } from '../helpers/own-database.ts';
import { register } from '../helpers/company/order-registering.ts';
import { Receiver, pushesAre } from '../jobs/daemon/receive-desk.ts';

describe('a payment with a notifyUrl', () => {
  let night: OrderNight;
  let receiver: Receiver;

  beforeEach(async () => {
    night = await OrderNight.open();
    night.night.sandbox.setSwitches({ payerRoles: ['FQ', 'JS'] });
    receiver = await Receiver.open(night.job);
  });
  afterEach(async () => {
    await receiver.stop();
    await night.close();
  });

  /** The company registers and pays, as docs/registering-orders.md tells its program to. */
  async function pay(no: string): Promise<void> {
    await night.registerBatches(no);
    const client = await (night.job satisfies Process).platform();
    const order = { outOrderNo: `${no}-1`, body: '货款', amount: '10000', payeeAcctNo: 'Q' };
    const outcome = await client.call('division/pay', {
      outBatchNo: no,
      payerAcctNo: 'P',
      num: 1,
      amount: 10_000n,
      currency: 'CNY',
      clientIp: '10.0.0.1',
      orderList: JSON.stringify([order]),
      notifyUrl: `${receiver.url}/push`,
    });
    expect(outcome).toMatchObject({ kind: 'accepted' });
  }

  const pushed = () => night.night.sandbox.pushes();

  /** Answered means sent and written down by who sent it. */
  async function attempts(count: number): Promise<void> {
    while ((pushed()[0]?.attempts.length ?? 0) < count) await night.job.realClock.sleep(5);
  }

  test('is in the books with its end before any night', async () => {
    await pay('B1');
    await attempts(1);
    await pushesAre(night, [`transfer B1 ${await batchNoOf('B1')}  SUCCESS true 1 asked`]);
    expect(pushed()).toMatchObject([{ acknowledged: true, attempts: [{ status: 200, answer: 'success' }] }]);
    expect(await night.orders()).toEqual(['B1-1 moved none 0']);
    const changes = await lines(night.night.db, 'order_state_seen', ['out_order_no', 'subject', 'state']);
    expect(changes).toEqual(['B1-1 transfer moved']);
    const seen = await night.night.db.selectFrom('order_state_seen').select('first_final_at').execute();
    expect(seen[0]?.first_final_at).not.toBeNull();
    expect(await lines(night.night.db, 'run', ['run_id'])).toEqual([]);
    expect(night.asked('division/query')).toBe(1);
  });

  async function batchNoOf(no: string): Promise<string> {
    const sent = pushed().find(({ outBatchNo }) => outBatchNo === no)?.attempts[0]?.sent ?? '{}';
    const { bizData } = JSON.parse(sent) as { bizData: string };
    return (JSON.parse(bizData) as { batchNo: string }).batchNo;
  }

  test('EVT-08: pushed three times, it is asked for once', async () => {
    await pay('B1');
    await attempts(1);
    for (let times = 2; times <= 3; times++) {
      night.night.sandbox.repeatPush(1);
      // Whatever is asked makes the sandbox look at what is due.
      await (await night.job.platform()).call('acct/queryInfo', { accountNo: 'P' });
      await attempts(times);
    }
    // Each try states its own time: within a second it is the same body, and afterwards another about the same.
    const rows = await night.night.db.selectFrom('push').select(['own_no', 'times_seen']).execute();
    expect(new Set(rows.map(({ own_no }) => own_no))).toEqual(new Set(['B1']));
    expect(rows.reduce((sum, { times_seen }) => sum + times_seen, 0)).toBe(3);
    expect(pushed()[0]?.attempts.map(({ status }) => status)).toEqual([200, 200, 200]);
    while (night.asked('division/query') === 0) await night.job.realClock.sleep(5);
    await receiver.stop();
    expect(night.asked('division/query')).toBe(1);
  });

  test('U40, U53: flat and unsigned, it is asked for as well and marked', async () => {
    night.night.sandbox.setSwitches({ pushFormat: 'flat' });
    await pay('B1');
    await attempts(1);
    const { batchNo } = JSON.parse(pushed()[0]?.attempts[0]?.sent ?? '{}') as { batchNo: string };
    await pushesAre(night, [`transfer B1 ${batchNo}  SUCCESS false 1 asked`]);
    expect(await night.orders()).toEqual(['B1-1 moved none 0']);
  });
});

test('the night after proves the day with what the push brought, and the look of the morning bounds it', async () => {
  const night = await Night.open({ now: '2026-03-01 09:05:00' });
  const midnight = '2026-03-01 00:00:00';
  await night.accounts(
    { no: 'P', opening: { fen: 1_000_000n, at: midnight } },
    { no: 'Q', opening: { fen: 0n, at: midnight } },
  );
  const submittedAt = '2026-03-01 09:00:00';
  const orders = [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n }];
  night.sandbox.seedTransfers([{ outBatchNo: 'B1', payerAcctNo: 'P', submittedAt, orders }]);
  await register(night.db, { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'T1' });
  const job = await night.process();
  const receiver = await Receiver.open(job);
  try {
    await receiver.post('{"outBatchNo":"B1","state":"SUCCESS"}');
    while ((await lines(night.db, 'push', ['state']))[0] !== 'asked') await job.realClock.sleep(5);
  } finally {
    await receiver.stop();
    await job.close();
  }
  const booked = { outBatchNo: 'B1', reference: 'T1', at: submittedAt };
  await night.entries([
    { id: 'E1', account: 'P', kind: 'transfer_out', fen: -10_000n, ...booked },
    { id: 'E2', account: 'Q', kind: 'transfer_in', fen: 10_000n, ...booked },
  ]);
  night.moveTo('2026-03-02 02:00:00');
  const outcome = await night.night('2026-03-01');
  expect(outcome.result.run.verdict).toBe('reconciled');
  expect(findingsOf(outcome)).toEqual([]);
  const [moved] = await night.db.selectFrom('order_state_seen').select('first_final_at').execute();
  expect((moved?.first_final_at ?? '') < at('2026-03-01 10:00:00')).toBe(true);
  await night.close();
});

describe('I10: the process', () => {
  const NOW = '2026-03-02 10:00:00';
  let folder: string;
  let place: Place;
  let night: Night;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'recon-receive-'));
    place = await openPlace(path.join(folder, 'home'));
    await place.withDatabase(async (database) => {
      night = await Night.open({ now: NOW, database });
      await night.accounts({ no: 'P', heldFen: 10_000_000n }, { no: 'Q', heldFen: 0n });
      await register(database.db, { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'B1-1' });
    });
    const orders = [{ outOrderNo: 'B1-1', payeeAcctNo: 'Q', amountFen: 10_000n }];
    const submittedAt = '2026-03-02 09:00:00';
    night.sandbox.seedTransfers([{ outBatchNo: 'B1', payerAcctNo: 'P', submittedAt, orders }]);
  });
  afterEach(async () => {
    await place.close();
    await night.close();
    await rm(folder, { recursive: true, force: true });
  });

  function start(...args: readonly string[]): Child {
    const never = { NIGHTLY_CRON: '0 0 29 2 *', SNAPSHOT_CRON: '0 0 29 2 *', PUSH_PORT: '0' };
    night.moveTo(NOW);
    const settings = { ...night.environment(), ...never, ...place.settings };
    return startRecon([...args, '--clock', addMs(at(NOW), 1_000)], settings);
  }

  async function post(child: Child, body: string): Promise<number> {
    const line = await lineWith(child.process, 'push.listening');
    const { port } = JSON.parse(line) as { port: number };
    return (await fetch(`http://127.0.0.1:${port}/push`, { method: 'POST', body })).status;
  }

  const asked = (): number =>
    night.sandbox.requests().filter((request) => request.path.endsWith('division/query')).length;

  test('killed between commit and query, the hint is asked for by the next start, and listed', async () => {
    night.sandbox.addFault({ kind: 'delay', ms: 600_000, path: 'division/query', times: null });
    const killed = start('receive');
    expect(await post(killed, '{"outBatchNo":"B1","state":"SUCCESS"}')).toBe(200);
    killed.process.kill('SIGKILL');
    expect((await killed.ended).signal).toBe('SIGKILL');
    const askedBefore = asked();
    night.sandbox.liftFaults();

    const next = start('schedule');
    await lineWith(next.process, 'push.asked');
    next.process.kill('SIGTERM');
    expect((await next.ended).status).toBe(0);

    const listed = start('pushes', 'list', '--json');
    const { status, stdout } = await listed.ended;
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 1,
      pushes: [{ kind: 'transfer', ownNo: 'B1', statedState: 'SUCCESS', signed: false, state: 'asked' }],
    });
    expect(asked()).toBe(askedBefore + 1);
  });
});
