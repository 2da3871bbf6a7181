/** Each part of what an account lacks in its books has an item of its own, whatever numbers orders share. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { post } from '../../../src/reconcile/post/post.ts';
import type { FeeBearer } from '../../../src/reconcile/post/posting-rules.ts';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import { OrderBooks, postingRules } from '../../helpers/company/order-books.ts';
import { openMarchIn } from '../orders-in-march.ts';
import { fc } from '../../helpers/properties.ts';

const NAMES = ['P', 'Q', 'R'] as const;
const SHARED = { payee: 'Q', out: 'T1', isRefunded: false, isSettled: false } as const;
const seen = fc.constantFrom('2026-03-01 11:00:00', '2026-03-01 12:00:00', '2026-03-01 13:00:00');
const order = fc.record({
  payer: fc.constantFrom(...NAMES),
  payee: fc.constantFrom(...NAMES),
  out: fc.constantFrom('T1', '/Q:T1', 'Q:T1'),
  finalAt: seen,
  isRefunded: fc.boolean(),
  isSettled: fc.boolean(),
});
const drawn = fc.record({
  orders: fc.uniqueArray(order, {
    minLength: 2,
    maxLength: 7,
    selector: ({ payer, out }) => `${payer} ${out}`,
  }),
  withdrawals: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }),
  bearer: fc.constantFrom<FeeBearer>('payer', 'payee', 'acct:R'),
});

/** Parts as they are told apart, by account: those of a transfer to oneself by side, of others by family and payer. */
const PARTS = sql`
  select m.account_no, count(*)::integer as n, sum(fen)::bigint as fen from (
    select m.account_no, sum(m.delta_fen) as fen
    from movement m left join transfer_order o on o.account_no = m.order_account and o.out_order_no = m.reference
    group by m.account_no, m.family, m.reference, m.order_account,
      case when o.account_no = o.payee_account_no and m.family <> 'withdrawal' then
        case when m.kind in ('transfer_in', 'refund_out') then m.kind else 'out' end end
    having sum(m.delta_fen) <> 0) m
  group by m.account_no order by m.account_no`;

test('parts of one account and night never share a key', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ orders, withdrawals, bearer }) => {
      const database = await testDatabase();
      try {
        const { db } = database;
        const [books, orderBooks] = [new Books(db), new OrderBooks(db)];
        await openMarchIn(books, ...NAMES);
        const fee = { feeFen: 30n, feeType: 'ACCOUNT' } as const;
        let at = 0;
        for (const { isRefunded, isSettled, ...line } of orders) {
          const change = { state: 'moved', finalAt: '2026-03-01 20:00:00' } as const;
          await orderBooks.transfer({
            ...line,
            ...fee,
            batch: `B${++at}`,
            orderNo: `N${at}`,
            amountFen: 1_000n * 2n ** BigInt(at),
            submittedAt: '2026-03-01 09:00:00',
            refunds: isRefunded ? [{ ...change, amountFen: 7n }] : [],
            settle: isSettled ? [change] : [],
          });
        }
        for (const account of withdrawals) {
          const own = {
            account,
            out: 'T1',
            orderNo: `W${account}`,
            amountFen: 500n,
            finalAt: '2026-03-01 12:00:00',
          };
          await orderBooks.withdrawal({ ...own, ...fee, submittedAt: '2026-03-01 09:00:00' });
        }
        const rules = postingRules({
          bearers: { transfer: bearer, withdraw: bearer === 'acct:R' ? bearer : 'self' },
        });
        await post(db, rules);
        const parts = (await sql<{ account_no: string; n: number; fen: bigint }>`${PARTS}`.execute(db)).rows;
        for (const accountNo of NAMES) {
          const fen = 100_000n + (parts.find((part) => part.account_no === accountNo)?.fen ?? 0n);
          await books.balance(accountNo, { at: '2026-03-02 02:00:05', fen });
        }
        const { runId } = await books.night('2026-03-01', { rules });
        const { rows } = await sql<{ account_no: string; n: number; fen: bigint }>`
        select account_no, count(distinct item_key)::integer as n, sum(difference_fen)::bigint as fen
        from finding where run_id = ${runId} and line group by account_no order by account_no`.execute(db);
        expect(rows).toEqual(parts);
      } finally {
        await database.close();
      }
    }),
    {
      numRuns: 25,
      examples: [
        [{ orders: [], withdrawals: ['R', 'P'], bearer: 'acct:R' }],
        [
          {
            orders: [
              { ...SHARED, payer: 'P', finalAt: '2026-03-01 11:00:00' },
              { ...SHARED, payer: 'R', finalAt: '2026-03-01 12:00:00' },
            ],
            withdrawals: [],
            bearer: 'acct:R',
          },
        ],
      ],
    },
  );
});
