import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { post } from '../../../src/reconcile/post/post.ts';
import type { FeeBearer, PostingRules } from '../../../src/reconcile/post/posting-rules.ts';
import { Books } from '../../helpers/company/books.ts';
import { onPostgres, testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { dumpOf, emptyTables } from '../../helpers/dump.ts';
import { OrderBooks, postingRules } from '../../helpers/company/order-books.ts';
import type { TransferLine, WithdrawalLine } from '../../helpers/company/order-books.ts';
import { fc, runs } from '../../helpers/properties.ts';

let database: TestDatabase;
let orders: OrderBooks;
let fresh: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  fresh = await testDatabase();
  orders = new OrderBooks(database.db);
});
beforeEach(() => emptyTables(database.db, 'all'));
afterAll(async () => {
  await database.close();
  await fresh.close();
});

const T1 = { out: 'T1', payer: 'P', payee: 'Q', amountFen: 10_000n, feeFen: 30n, feeType: 'ACCOUNT' };

/** The write number of each movement, by its key. */
async function written(): Promise<Record<string, bigint>> {
  const rows = await database.db.selectFrom('movement').select(['dedup_key', 'written_no']).execute();
  return Object.fromEntries(rows.map((row) => [row.dedup_key, row.written_no]));
}

async function seedAll(): Promise<void> {
  await orders.transfer({
    ...T1,
    settle: { state: 'moved' },
    refunds: [{ amountFen: 4_000n }, { amountFen: -100n }],
  });
  await orders.transfer({ ...T1, out: 'T2', feeType: 'ORDER' });
  await orders.withdrawal({ ...T1, out: 'W1', account: 'P', returned: { finalAt: '2026-03-05 02:00:00' } });
  await new Books(database.db).deposits('A', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n, feeFen: 5n, feeType: 'ACCOUNT' },
  ]);
}

test('posting twice and five times is posting once, and writes nothing', async () => {
  await seedAll();
  await post(database.db, postingRules());
  const [once, numbers] = [await orders.movements(), await written()];
  expect(once).toHaveLength(16);
  for (let times = 0; times < 4; times++) await post(database.db, postingRules());
  expect(await orders.movements()).toEqual(once);
  expect(await written()).toEqual(numbers);
});

test('an order that is seen again unchanged, or whose refund rises, leaves its other movements alone', async () => {
  await orders.transfer({ ...T1, refunds: [{ amountFen: 4_000n }] });
  await post(database.db, postingRules());
  const before = await written();
  await orders.transfer({ ...T1, refunds: [{ amountFen: 4_000n }] });
  await post(database.db, postingRules());
  expect(await written()).toEqual(before);
  await orders.transfer({ ...T1, refunds: [{ amountFen: 4_000n }, { amountFen: 1_000n }] });
  await post(database.db, postingRules());
  expect(await written()).toMatchObject(before);
  expect(await orders.movements()).toEqual([
    'P refund_in:T1:1 4000',
    'P refund_in:T1:2 1000',
    'P transfer_fee:T1 -30 (30)',
    'P transfer_out:T1 -10000',
    'Q refund_out:T1:1 -4000',
    'Q refund_out:T1:2 -1000',
    'Q transfer_in:T1 10000',
  ]);
});

test('other rules touch what they are about and nothing else', async () => {
  await seedAll();
  await post(database.db, postingRules());
  const before = await written();
  await post(database.db, postingRules({ bearers: { transfer: 'acct:X' } }));
  const after = await written();
  const { 'transfer_fee:T1': moved, ...others } = after;
  expect(before).toMatchObject(others);
  expect(moved).toBeGreaterThan(before['transfer_fee:T1'] ?? 0n);
  expect((await orders.movements()).filter((line) => line.includes('transfer_fee'))).toEqual([
    'X transfer_fee:T1 -30 (30)',
  ]);
});

test('another bearer of deposit fees leaves orders alone, and other rules of orders leave deposits alone', async () => {
  await seedAll();
  await post(database.db, postingRules());
  const before = await written();
  await post(database.db, postingRules({ bearers: { deposit: 'external' } }));
  const { 'deposit_fee:D1': _fee, ...others } = before;
  expect(await written()).toEqual(others);
  await post(database.db, postingRules({ bearers: { deposit: 'external' }, feeReturned: true }));
  expect(await written()).toEqual(others);
});

test('a database that had only deposits keeps what it posted', async () => {
  await new Books(database.db).deposits('A', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n, feeFen: 5n, feeType: 'ACCOUNT' },
  ]);
  await post(database.db, postingRules());
  await database.db.deleteFrom('progress').where('step', 'like', 'post orders%').execute();
  const before = await written();
  await orders.transfer(T1);
  await post(database.db, postingRules());
  expect(await written()).toMatchObject(before);
  expect(await orders.movements()).toHaveLength(5);
});

test('P3: a record that changed takes its former movements back, on former accounts too', async () => {
  await orders.transfer({ ...T1, settle: { state: 'moved' } });
  const rules = postingRules({ bearers: { transfer: 'payee' } });
  await post(database.db, rules);
  await orders.transfer({
    ...T1,
    payee: 'R',
    amountFen: 9_000n,
    feeType: 'ORDER',
    settle: { state: 'moved' },
  });
  await post(database.db, rules);
  expect(await orders.movements()).toEqual([
    'P transfer_out:T1 -9000',
    'R settlement:T1 -8970',
    'R transfer_in:T1 8970 (30)',
  ]);
});

const bearer = fc.constantFrom<FeeBearer[]>('payer', 'payee', 'self', 'external', 'acct:X', 'acct:P');
const someRules: fc.Arbitrary<PostingRules> = fc
  .record({
    transfer: bearer,
    withdraw: bearer,
    settle: bearer,
    settleFee: fc.constantFrom<PostingRules['settleFee'][]>(
      null,
      { feeType: 'ORDER', feeFen: 20n },
      { feeType: 'ACCOUNT', feeFen: 20n },
    ),
    settleAmount: fc.constantFrom<PostingRules['settleAmount'][]>('realAmount', 'amount'),
    feeReturned: fc.boolean(),
  })
  .map(({ transfer, withdraw, settle, ...rest }) =>
    postingRules({ ...rest, bearers: { transfer, withdraw, settle } }),
  );

const someRecord = fc.record({
  amountFen: fc.constantFrom(10_000n, 9_000n, null),
  feeFen: fc.constantFrom(0n, 30n, null),
  feeType: fc.constantFrom('ORDER', 'ACCOUNT', 'OTHER'),
});
const state = fc.constantFrom<('open' | 'moved' | 'failed')[]>('moved', 'moved', 'moved', 'open', 'failed');
const someTransfer: fc.Arbitrary<TransferLine> = fc
  .record({
    record: someRecord,
    state,
    out: fc.constantFrom('T1', 'T1:2', 'T2'),
    payer: fc.constantFrom('P', 'O'),
    payee: fc.constantFrom('Q', 'R', 'P'),
    settle: fc.array(
      fc.record({
        state: fc.constantFrom<('moved' | 'failed' | 'returned')[]>('moved', 'failed', 'returned'),
      }),
      { maxLength: 3 },
    ),
    refunds: fc.array(fc.record({ amountFen: fc.constantFrom(5_000n, -5_000n, 10_000n), state }), {
      maxLength: 3,
    }),
  })
  .map(({ record, ...line }) => ({ ...line, ...record, orderNo: '' }));
const someWithdrawal: fc.Arbitrary<WithdrawalLine> = fc
  .record({ record: someRecord, state, out: fc.constantFrom('W1', 'T1'), isReturned: fc.boolean() })
  .map(({ record, out, isReturned, ...line }) => ({
    ...line,
    ...record,
    out,
    account: 'P',
    orderNo: '',
    ...(isReturned ? { returned: { finalAt: '2026-03-05 02:00:00' } } : {}),
  }));
const someLook = fc.oneof(
  { weight: 3, arbitrary: someTransfer.map((transfer) => ({ transfer })) },
  { weight: 1, arbitrary: someWithdrawal.map((withdrawal) => ({ withdrawal })) },
);
type Look = { transfer: TransferLine } | { withdrawal: WithdrawalLine };

async function write(to: OrderBooks, look: Look): Promise<void> {
  if ('transfer' in look) await to.transfer(look.transfer);
  else await to.withdrawal(look.withdrawal);
}

/** The movements; two orders of one number may have them under swapped names. */
async function movementsOf({ db }: TestDatabase): Promise<string[]> {
  const dump = await dumpOf(db);
  const where = /,"formerly_from":[^}]+/;
  return (dump['movement'] ?? []).map((line) => line.replace(/:@[^"]+"/, '"').replace(where, '')).toSorted();
}

test('after any looks, rules and repetitions the movements are those of a fresh database (3.3, P2)', async () => {
  const step = fc.record({
    looks: fc.array(someLook, { maxLength: 4 }),
    rules: someRules,
    isNewRules: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      await emptyTables(database.db, 'all');
      await emptyTables(fresh.db, 'all');
      const last = new Map<string, Look>();
      let rules = postingRules();
      for (const { looks, rules: others, isNewRules } of steps) {
        for (const look of looks) {
          await write(orders, look);
          const order = 'transfer' in look ? look.transfer : look.withdrawal;
          last.set(`${Object.keys(look)[0]} ${'payer' in order ? order.payer : ''} ${order.out}`, look);
        }
        if (isNewRules) rules = others;
        await post(database.db, rules);
      }
      for (const look of last.values()) await write(new OrderBooks(fresh.db), look);
      await post(fresh.db, rules);
      expect(await movementsOf(database)).toEqual(await movementsOf(fresh));
    }),
    { numRuns: runs(onPostgres ? 25 : 20) },
  );
}, 240_000);
