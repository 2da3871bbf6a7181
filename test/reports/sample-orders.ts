/**
 * A day with orders of every kind and fate: transfers inside and beside the amount, a settlement that went and one
 * that failed, a refund, a withdrawal that came back, what is in flight, what failed, what nobody knows.
 */
import type { Db } from '../../src/store/schema/schema.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { anIntakeFile, at } from '../helpers/company/run-rows.ts';
import { orderFindings } from './sample-order-findings.ts';
import { MOVED, aMovement, transfer } from './sample-order-movements.ts';
import { DAY, ORDER_ACCOUNTS, ORDER_RUN, orderRun } from './sample-order-run.ts';

const [B1, B2, B3] = ORDER_ACCOUNTS;

export async function aSampleOfOrders(db: Db): Promise<string> {
  const fileId = await anIntakeFile(db, {
    file_id: 'file-ledger',
    kind: 'ledger',
    source: 'erp',
    name: 'ledger 2026-03.xlsx',
    sha256: 'd'.repeat(64),
  });
  await transfers(new OrderBooks(db));
  await withdrawals(new OrderBooks(db));
  await orderRun(db);
  for (const line of MOVED) await aMovement(db, fileId, line);
  await orderFindings(db, { runId: ORDER_RUN, accounts: ORDER_ACCOUNTS });
  return ORDER_RUN;
}

async function transfers(books: OrderBooks): Promise<void> {
  const between = { payer: B1, payee: B2, submittedAt: `${DAY} 10:00:00` } as const;
  await books.transfer({
    ...between,
    out: 'T1',
    amountFen: 1_000_000n,
    feeFen: 3_000n,
    finalAt: `${DAY} 10:05:00`,
    settle: { state: 'moved', finalAt: `${DAY} 12:00:00` },
  });
  await books.transfer({
    ...between,
    out: 'T2',
    amountFen: 200_000n,
    feeFen: 500n,
    feeType: 'ACCOUNT',
    finalAt: `${DAY} 10:06:00`,
    settle: { state: 'failed', finalAt: `${DAY} 12:01:00` },
  });
  await books.transfer({
    ...between,
    out: 'T3',
    amountFen: 50_000n,
    state: 'open',
    submittedAt: `${DAY} 23:00:00`,
    lastOpenAt: '2026-03-06 02:00:00',
  });
  await books.transfer({
    ...between,
    out: 'T4',
    amountFen: 70_000n,
    state: 'failed',
    finalAt: `${DAY} 15:00:00`,
  });
  await books.transfer({
    ...between,
    out: 'T5',
    amountFen: 30_000n,
    submittedAt: '2026-02-01 09:00:00',
    finalAt: '2026-02-01 09:05:00',
    refunds: [{ amountFen: 30_000n, lastOpenAt: '2026-03-05 02:00:00', finalAt: `${DAY} 16:00:00` }],
  });
  await books.transfer({
    ...between,
    out: '=1+1',
    orderNo: '@N6',
    payee: '@SUM(A1)',
    batch: '-B6',
    amountFen: 12_345n,
    finalAt: `${DAY} 10:07:00`,
  });
}

async function withdrawals(books: OrderBooks): Promise<void> {
  const of = { account: B3, submittedAt: `${DAY} 09:00:00` } as const;
  await books.withdrawal({
    ...of,
    account: B2,
    out: 'W1',
    amountFen: 100_000n,
    feeFen: 100n,
    feeType: 'ACCOUNT',
    finalAt: `${DAY} 09:30:00`,
  });
  await books.withdrawal({
    ...of,
    out: 'W2',
    amountFen: 300_000n,
    submittedAt: '2026-03-04 09:00:00',
    finalAt: '2026-03-04 09:30:00',
    returned: { lastOpenAt: '2026-03-05 02:00:00', finalAt: `${DAY} 11:00:00` },
  });
  await books.withdrawal({
    ...of,
    out: 'W3',
    amountFen: 400_000n,
    state: 'open',
    lastOpenAt: '2026-03-06 02:00:00',
  });
  await books.withdrawal({
    ...of,
    out: 'W4',
    amountFen: 5_000n,
    state: 'failed',
    lastOpenAt: '2026-03-06 00:10:00',
    finalAt: '2026-03-06 01:00:00',
  });
  await books.withdrawal({
    ...of,
    out: 'W5',
    amountFen: 20_000n,
    submittedAt: `${DAY} 23:50:00`,
    lastOpenAt: '2026-03-06 00:10:00',
    finalAt: '2026-03-06 01:30:00',
  });
}

/** The night after: what was in flight arrived, a settlement was retried, a refund began, an order turned up late. */
export async function whatCameLater(db: Db): Promise<void> {
  const books = new OrderBooks(db);
  const between = { payer: B1, payee: B2, submittedAt: `${DAY} 10:00:00` } as const;
  const next = { lastOpenAt: '2026-03-06 02:00:00', finalAt: '2026-03-07 01:00:00' } as const;
  await books.transfer({
    ...between,
    ...next,
    out: 'T3',
    amountFen: 50_000n,
    submittedAt: `${DAY} 23:00:00`,
    settle: { state: 'open', lastOpenAt: '2026-03-07 01:00:00' },
  });
  await books.transfer({
    ...between,
    out: 'T1',
    amountFen: 1_000_000n,
    feeFen: 3_000n,
    finalAt: `${DAY} 10:05:00`,
    settle: { state: 'moved', finalAt: `${DAY} 12:00:00` },
    refunds: [{ amountFen: 1_000_000n, state: 'open', lastOpenAt: '2026-03-07 01:00:00' }],
  });
  await books.transfer({
    ...between,
    out: 'T2',
    amountFen: 200_000n,
    feeFen: 500n,
    feeType: 'ACCOUNT',
    finalAt: `${DAY} 10:06:00`,
    settle: [
      { state: 'failed', finalAt: `${DAY} 12:01:00` },
      { state: 'moved', finalAt: '2026-03-07 01:00:00' },
    ],
  });
  await books.withdrawal({
    ...next,
    account: B3,
    out: 'W3',
    amountFen: 400_000n,
    submittedAt: `${DAY} 09:00:00`,
  });
  // A look keeps when the order was first seen.
  for (const table of ['transfer_order', 'withdrawal'] as const) {
    await db
      .updateTable(table)
      .set({ first_seen_at: at(`${DAY} 10:00:00`) })
      .execute();
  }
  await books.transfer({ ...between, out: 'T9', amountFen: 900n, finalAt: '2026-03-07 01:00:00' });
  await aMovement(db, 'file-ledger', {
    ...transfer,
    account: B1,
    key: 'transfer_out:T9',
    kind: 'transfer_out',
    deltaFen: -900n,
    reference: 'T9',
    at: `${DAY} 10:00:00`,
    seenAt: '2026-03-07 01:00:00',
    writtenNo: 999n,
  });
  await aMovement(db, 'file-ledger', {
    ...transfer,
    account: B1,
    key: 'transfer_out:T3',
    kind: 'transfer_out',
    deltaFen: -50_000n,
    reference: 'T3',
    at: '2026-03-07 01:00:00',
    writtenNo: 999n,
  });
}
