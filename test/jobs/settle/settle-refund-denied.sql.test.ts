/** What a person says of a refund by hand that the platform did not take holds of one order of one payer (U36). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notRefunded } from '../../../jobs/call/not-refunded.ts';
import { WrongInput } from '../../../src/core/errors.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import { DAY_MS } from '../../../src/core/time.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
});
afterEach(() => world.close());

/** @returns what `recon settle --not-refunded` prints, or why it refuses */
async function deny(denial: {
  reqId: string | null;
  accountNo?: string;
  outOrderNo?: string;
}): Promise<unknown> {
  const said = { accountNo: 'P', outOrderNo: 'T1', by: 'Li Na', ...denial, reqId: String(denial.reqId) };
  await world.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
  try {
    return (await notRefunded(world.orders.job, said)).document;
  } catch (error) {
    if (error instanceof WrongInput) return error.message;
    throw error;
  } finally {
    await world.restart();
  }
}

const denied = (reqId: string | null): unknown =>
  expect.objectContaining({ reqId, accountNo: 'P', reference: 'T1', deniedBy: 'Li Na' });
const REFUSED: unknown = expect.stringContaining('is waited for');

test('nor is one of which somebody says that the platform took none, and who said so is kept', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' });
  const named = { outBatchNo: 'B1', outOrderNos: 'T1' };
  const { reqId } = await world.refundByHand(named, { smsCode: '1', smsFlowNo: '1' });
  world.moveTo('02 04:00:00');
  const { notRetried } = await world.step();
  expect(notRetried).toMatchObject([{ outOrderNo: 'T1', code: 'refunded' }]);
  expect(notRetried[0]?.reason).toContain(
    `recon settle --not-refunded ${String(reqId)} --payer P --order T1 --by NAME`,
  );
  const others = [{ reqId: 'another' }, { reqId, outOrderNo: 'T2' }, { reqId, accountNo: 'Q' }];
  for (const other of others) expect(await deny(other)).toEqual(REFUSED);
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  expect([await deny({ reqId }), await deny({ reqId })]).toEqual([denied(reqId), REFUSED]);
  const kept = await world.db.selectFrom('refund_denied').select(['account_no', 'denied_by']).execute();
  expect(kept).toEqual([{ account_no: 'P', denied_by: 'Li Na' }]);
  expect(settledLines(await world.step())).toEqual(['T1 1 SUCCESS']);
});

test('that the platform took none of one order says nothing of the others that the same request names', async () => {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 3 * DAY_MS, settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' }, { outOrderNo: 'T2' }, { settle: null });
  const client = await world.orders.job.platform();
  const callRaw = client.callRaw.bind(client);
  vi.spyOn(client, 'callRaw').mockImplementationOnce((endpoint, biz, options) =>
    callRaw(endpoint, { ...biz, outOrderNos: 'T2' }, options),
  );
  world.orders.job.platform = () => Promise.resolve(client);
  const { reqId } = await world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1,T2' });
  world.moveTo('02 04:00:00');
  expect(await deny({ reqId })).toEqual(denied(reqId));
  const outcome = await world.step();
  expect([leftLines(outcome), settledLines(outcome)]).toEqual([['T2 refunded'], ['T1 1 SUCCESS']]);
  await world.orders.collectOn('08');
  expect((await world.orders.orders()).slice(-2)).toEqual(['T1 moved settled 0', 'T2 moved failed 10000']);
  expect([world.paid('T1'), world.paid('T2')]).toEqual([1, 0]);
});

test('nor of that of another payer which has the same number', async () => {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 3 * DAY_MS, settleGuard: false });
  // The payee has money that could be paid out twice.
  world.orders.batch('B1', [{ settle: null, amountFen: 20_000n }]);
  await world.failedOfTwoPayers('T1');
  const { reqId, outcome } = await world.refundByHand({ outBatchNo: 'BR', outOrderNos: 'T1' });
  expect(outcome).toBe('accepted');
  world.moveTo('02 04:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded', 'T1 refunded']);
  expect(await deny({ reqId, accountNo: 'P' })).toEqual(denied(reqId));
  const { settlements, notRetried } = await world.step();
  expect(settlements).toMatchObject([{ accountNo: 'P', outcome: 'SUCCESS' }]);
  expect(notRetried).toMatchObject([{ accountNo: 'R', code: 'refunded' }]);
  await world.orders.collectOn('08');
  expect(world.paid('T1')).toBe(1);
});
