/** The platform's number of an order is that of a record which is its own, and of no other one (docs/settlements.md). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FaultSeed } from '../../../src/sandbox/faults/fault-schema.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.openUnguarded();
  await world.orders.night.accounts({ no: 'R', heldFen: 10_000_000n });
});
afterEach(() => world.close());

type Row = Pick<FaultSeed & { kind: 'record' }, 'row' | 'set' | 'remove'>;

const PAYER = ['payerAcctNo', 'payeyAcctNo'];

const unnumbered = [0, 1].map((row) => ({ row, remove: ['orderNo'] }));

/** B1-1, whose settlement failed, and another order, of which no number of the platform is stated. */
async function failedUnnumbered(): Promise<void> {
  for (const row of unnumbered) world.sandbox.addFault({ kind: 'record', path: 'division/query', ...row });
  await world.failed('B1', {}, { settle: null });
  world.sandbox.liftFaults();
  expect(await lines(world.db, 'transfer_order', ['out_order_no', 'order_no'])).toEqual(['B1-1 ', 'B1-2 ']);
}

async function nightSees(day: string, rows: readonly Row[], twice = false): Promise<void> {
  if (twice) world.sandbox.addFault({ kind: 'repeat_row', path: 'division/query', times: 1, row: 0 });
  for (const row of rows) world.sandbox.addFault({ kind: 'record', path: 'division/query', ...row });
  await world.orders.collectOn(day);
  world.sandbox.liftFaults();
}

test.each<[string, readonly Row[], boolean?]>([
  ['of another payer', [{ row: 0, set: { orderNo: 'N-7', payerAcctNo: 'R', payeyAcctNo: 'R' } }]],
  [
    'whose number of the platform another one states',
    [0, 1].map((row) => ({ row, set: { orderNo: 'N-7' } })),
  ],
  ['that is listed twice', [{ row: 0, set: { orderNo: 'N-7' } }], true],
  ['without a payer', [{ row: 0, set: { orderNo: 'N-7' }, remove: PAYER }]],
])(
  'a record %s gives an order no number, and that is retried once its records agree',
  async (_name, rows, twice) => {
    await failedUnnumbered();
    await nightSees('03', rows, twice);
    await nightSees('04', []);
    await nightSees('05', []);
    expect(
      await world.db.selectFrom('order_fault').select('note').where('cured_day', 'is', null).execute(),
    ).toEqual([]);
    world.moveTo('05 14:00:00');
    const outcome = await world.step();
    expect([leftLines(outcome), settledLines(outcome)]).toEqual([[], ['B1-1 1 SUCCESS']]);
  },
);

/** What comes of a retry, and how often B1-1 and R1 are paid, where queries state no numbers from then on. */
async function endsUnnumbered(): Promise<unknown[]> {
  await nightSees('04', unnumbered);
  await nightSees('05', unnumbered);
  world.moveTo('05 14:00:00');
  for (const row of unnumbered) world.sandbox.addFault({ kind: 'record', path: 'division/query', ...row });
  const outcome = await world.step();
  world.moveTo('05 20:00:00');
  return [leftLines(outcome), settledLines(outcome), world.paid('B1-1'), world.paid('R1')];
}

const OWN_PAID = [[], ['B1-1 1 SUCCESS'], 1, 0];

function anotherFailed(): void {
  const settle = { state: 'FAIL', remark: '账户异常' };
  world.orders.batch('BR', [{ outOrderNo: 'R1', orderNo: 'N-7', settle }], { payerAcctNo: 'R' });
}

test.each<[string, Row]>([
  ['of another payer', { row: 0, set: { orderNo: 'N-7', payerAcctNo: 'R', payeyAcctNo: 'R' } }],
  ['without a payer', { row: 0, set: { orderNo: 'N-7' }, remove: PAYER }],
])("another payer's order is not paid in its place after a record %s", async (_name, row) => {
  anotherFailed();
  await failedUnnumbered();
  await nightSees('03', [row]);
  expect(await endsUnnumbered()).toEqual(OWN_PAID);
});

test.each<[string, readonly Row[], boolean?]>([
  ['without its payer', [{ row: 0, set: { orderNo: 'N-7' }, remove: PAYER }]],
  ['twice, and otherwise each time', [{ row: 0, set: { orderNo: 'N-7', settleState: 'PROCESSING' } }], true],
  ["with another one's number", [0, 1].map((row) => ({ row, set: { orderNo: 'N-7' } }))],
  [
    "as another payer's that is under way",
    [{ row: 0, set: { orderNo: 'N-7', payerAcctNo: 'R', payeyAcctNo: 'R', state: 'PROCESSING' } }],
  ],
])('nor where it was first listed %s', async (_name, rows, twice = false) => {
  anotherFailed();
  if (twice) world.sandbox.addFault({ kind: 'repeat_row', path: 'division/query', times: 1, row: 0 });
  for (const row of rows)
    world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, ...row });
  await world.failed('B1', {}, { settle: null });
  world.sandbox.liftFaults();
  expect(await endsUnnumbered()).toEqual(OWN_PAID);
});
