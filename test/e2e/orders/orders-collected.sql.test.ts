/** Nights that collect orders: what is asked, what a run keeps of it, and what happens when the platform fails. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeSnapshots } from '../../../jobs/commands/snapshot.ts';
import { Night, at, findingsOf } from '../../helpers/night.ts';
import type { BookLine } from '../../helpers/company/company-files.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { register } from '../../helpers/company/order-registering.ts';

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-02 02:00:00' });
  const midnight = '2026-03-01 00:00:00';
  await night.accounts(
    { no: 'P', opening: { fen: 1_000_000n, at: midnight } },
    { no: 'Q', opening: { fen: 0n, at: midnight } },
  );
  night.sandbox.seedTransfers([
    {
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-01 09:00:00',
      orders: [
        { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n, feeFen: 30n },
        { outOrderNo: 'T2', payeeAcctNo: 'Q', amountFen: 7_000n, finalAt: '2026-03-02 09:00:00' },
      ],
    },
  ]);
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W1', acctNo: 'P', amountFen: 500n, submittedAt: '2026-03-01 10:00:00' },
  ]);
  const sent = { payer_account_no: 'P', submitted_at: at('2026-03-01 09:00:00') };
  await register(
    night.db,
    { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'T1', ...sent },
    { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'T2', ...sent },
    { kind: 'withdrawal', out_order_no: 'W1', ...sent },
  );
});
afterEach(() => night.close());

const entry = (
  account: string,
  kind: string,
  reference: string,
  fen: bigint,
  bookedAt = '2026-03-01 09:00:00',
): BookLine => ({
  id: `${kind}-${reference}`,
  account,
  kind,
  reference,
  fen,
  at: bookedAt,
});

const booksOfFirstDay = () =>
  night.entries([
    entry('P', 'transfer_out', 'T1', -10_000n),
    entry('Q', 'transfer_in', 'T1', 9_970n),
    entry('P', 'withdrawal', 'W1', -500n),
  ]);

const asked = () => night.sandbox.requests().filter(({ path }) => /query$|queryWithdraw$/.test(path)).length;

test('a night asks for what was registered, in flight included, and its books are green', async () => {
  await booksOfFirstDay();
  const { result } = await night.night('2026-03-01');
  expect(result.collected).toMatchObject({ batches: 1, transferOrders: 2, withdrawals: 1 });
  expect(
    result.accounts.map(({ accountNo, platformFen, unexplainedFen }) => [
      accountNo,
      platformFen,
      unexplainedFen,
    ]),
  ).toEqual([
    ['P', 989_500n, 0n],
    ['Q', 9_970n, 0n],
  ]);
  expect(findingsOf({ result, isNew: true })).toEqual(['in_flight P T2 0']);
  const [run] = await night.db.selectFrom('run').select('facts').execute();
  expect(run?.facts).toMatchObject({
    asked: { batches: 1, transferOrders: 2, withdrawals: 1 },
    orders: { failed: 0, ledgerOnly: 0, unaskable: 0, changed: 3 },
  });
});

test('the same night again asks, finds nothing new and makes no version', async () => {
  await booksOfFirstDay();
  await night.night('2026-03-01');
  const again = await night.night('2026-03-01');
  expect(again.isNew).toBe(false);
  expect(await lines(night.db, 'transfer_order', ['out_order_no', 'version'])).toEqual(['T1 1', 'T2 1']);
});

test('an order that could not be read makes the night incomplete; the version goes on when it can', async () => {
  await booksOfFirstDay();
  night.sandbox.addFault({ kind: 'unmapped_code', path: 'division/query', times: null });
  const first = await night.night('2026-03-01');
  expect(first.result.run).toMatchObject({ verdict: 'incomplete', version: 1 });
  expect(
    await lines(night.db, 'withdrawal', ['out_order_no', 'effective_state']),
    'what was answered is kept',
  ).toEqual(['W1 moved']);
  night.sandbox.liftFaults();
  night.moveTo('2026-03-02 02:10:00');
  const before = asked();
  const second = await night.night('2026-03-01');
  expect(second.result.run).toMatchObject({ verdict: 'reconciled_with_timing', version: 1 });
  // Nobody knew the payee before: its amount was unexplained; the balance that was read with the order confirms it.
  expect(second.result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`)).toEqual([
    'P reconciled_with_timing',
    'Q reconciled',
  ]);
  expect(second.result.collected).toMatchObject({ batches: 1, transferOrders: 2, withdrawals: 1 });
  // The batch in the collection and in the brackets of both its accounts; the final withdrawal not again.
  expect(asked() - before).toBe(3);
});

test('an order in flight at midnight belongs to the day on which it moved', async () => {
  await booksOfFirstDay();
  await night.night('2026-03-01');
  night.moveTo('2026-03-03 00:00:05');
  const job = await night.process();
  await takeSnapshots(job);
  await job.close();
  await night.entries([
    entry('P', 'transfer_out', 'T2', -7_000n, '2026-03-02 09:00:00'),
    entry('Q', 'transfer_in', 'T2', 7_000n, '2026-03-02 09:00:00'),
  ]);
  night.moveTo('2026-03-03 02:00:00');
  const { result } = await night.night('2026-03-02');
  expect(result.run.verdict).toBe('reconciled');
  expect(result.collected, 'the midnight snapshot read it').toMatchObject({ batches: 1, transferOrders: 2 });
  expect(
    result.accounts.map(({ accountNo, source, movementsFen }) => [accountNo, source, movementsFen]),
  ).toEqual([
    ['P', 'observed', -7_000n],
    ['Q', 'observed', 7_000n],
  ]);
  expect(findingsOf({ result, isNew: true })).toEqual([]);
});

test('a backfill of one account asks for its own orders only', async () => {
  await register(night.db, { kind: 'withdrawal', out_order_no: 'W2', payer_account_no: 'Q' });
  const { result } = await night.backfill('2026-03-01', '2026-03-01', ['P']);
  expect(result.collected).toMatchObject({ batches: 1, transferOrders: 2, withdrawals: 1 });
  expect(await lines(night.db, 'order_due', ['number', 'state'])).toEqual(['B1 open', 'W1 final', 'W2 new']);
});
