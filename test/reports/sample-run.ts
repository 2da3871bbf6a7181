/**
 * A night with something of everything: five accounts, one of each verdict, breaks of several classes, timing
 * items on all four lines of the statement, one cleared since the night before and one that became a break.
 */
import type { Db } from '../../src/store/schema/schema.ts';
import { aDeposit } from '../helpers/company/deposit-rows.ts';
import {
  anAccount,
  aProvenDay,
  aRun,
  aRunAccount,
  aSnapshot,
  at,
  aWindow,
} from '../helpers/company/run-rows.ts';
import { sampleItems } from './sample-items.ts';

/** Nineteen digits that differ at the end only: what a spreadsheet would take for one number. */
export const ACCOUNTS = [
  '6217000000000000001',
  '6217000000000000002',
  '6217000000000000003',
  '6217000000000000004',
  '6217000000000000005',
] as const;
const [A1, A2, A3, A4, A5] = ACCOUNTS;

export const BEFORE = 'nightly-2026-02-28-v1';
export const RUN = 'nightly-2026-03-01-v2';

const ASSUMPTIONS = [
  {
    key: 'agingDays',
    u: '3.5',
    value: '3',
    default: '3',
    changed: false,
    description: 'Days after which a timing item becomes a break',
  },
  {
    key: 'deposits.endInclusive',
    u: 'U44',
    value: 'yes',
    default: 'unknown',
    changed: true,
    description: 'Whether the end date of a listing is part of the answer',
  },
];

export async function aSampleRun(db: Db): Promise<string> {
  await accounts(db);
  await aRun(db, {
    run_id: BEFORE,
    from_day: '2026-02-28',
    to_day: '2026-02-28',
    started_at: at('2026-03-01 02:00:00'),
  });
  await aRun(db, {
    run_id: RUN,
    version: 2,
    supersedes: 'nightly-2026-03-01-v1',
    verdict: 'incomplete',
    assumptions: JSON.stringify(ASSUMPTIONS),
    facts: JSON.stringify({ records: 9, collectMs: 12_345, calls: { calls: 14, retries: 2 }, restated: [] }),
  });
  await runAccounts(db);
  await sampleItems(db, { runId: RUN, before: BEFORE, accounts: ACCOUNTS });
  await deposits(db);
  await readings(db);
  return RUN;
}

async function accounts(db: Db): Promise<void> {
  const names = ['示例甲公司备付金账户', '乙', '丙有限公司', '丁 & <Co>', ''];
  for (const [index, accountNo] of ACCOUNTS.entries()) {
    await anAccount(db, { account_no: accountNo, name: names[index] ?? '' });
  }
}

async function runAccounts(db: Db): Promise<void> {
  const numbers = { in_fen: 30_000n, out_fen: 3_000n, fee_fen: 700n };
  const ledger = { ledger_in_fen: 26_000n, ledger_out_fen: 500n, ledger_fee_fen: 500n };
  await aRunAccount(db, { run_id: BEFORE, account_no: A1 });
  await aRunAccount(db, { run_id: BEFORE, account_no: A4 });
  await aRunAccount(db, {
    ...numbers,
    ...ledger,
    run_id: RUN,
    account_no: A1,
    verdict: 'breaks',
    opening_run: BEFORE,
    opening_fen: 80_100n,
    platform_fen: 107_634n,
    unexplained_fen: 1_234n,
    ledger_opening_fen: 75_000n,
    ledger_fen: 100_000n,
    line_difference_fen: 6_500n,
    opening_difference_fen: -100n,
    difference_fen: 7_634n,
    assumptions: JSON.stringify(['ledger_opening_assumed', 'entries_before_opening:12']),
  });
  await aRunAccount(db, {
    run_id: RUN,
    account_no: A2,
    in_fen: 123_456_789_012n,
    ledger_in_fen: 123_456_789_012n,
  });
  await aRunAccount(db, {
    run_id: RUN,
    account_no: A3,
    verdict: 'unverified',
    reason: 'balance_absent',
    source: null,
    platform_fen: null,
    unexplained_fen: null,
    opening_difference_fen: null,
    difference_fen: null,
  });
  await aRunAccount(db, {
    run_id: RUN,
    account_no: A4,
    verdict: 'reconciled_with_timing',
    source: 'derived',
    opening_run: BEFORE,
    out_fen: 3_000n,
    ledger_out_fen: 0n,
    ledger_fen: 100_000n,
    line_difference_fen: -3_000n,
    difference_fen: -3_000n,
  });
  await aRunAccount(db, { run_id: RUN, account_no: A5, verdict: 'incomplete', reason: 'windows_unread:1' });
}

async function deposits(db: Db): Promise<void> {
  const matched = (amountFen: bigint, id: string) => ({ entry: { id, amountFen } });
  await aDeposit(db, {
    accountNo: A1,
    orderNo: 'D-0001',
    amountFen: 15_300n,
    feeFen: 300n,
    ...matched(15_000n, 'PZ-0001'),
  });
  await aDeposit(db, { accountNo: A1, orderNo: 'D-0002', amountFen: 5_000n });
  await aDeposit(db, { accountNo: A1, orderNo: 'D-0003', amountFen: 9_700n, ...matched(10_000n, 'PZ-0003') });
  await aDeposit(db, { accountNo: A1, orderNo: 'D-0005', amountFen: 2_000n, at: at('2026-03-01 23:59:59') });
  await aDeposit(db, {
    accountNo: A2,
    orderNo: 'D-0004',
    amountFen: 123_456_789_012n,
    at: at('2026-03-01 00:00:00'),
    payerName: '=HYPERLINK("http://x")',
    rule: 'amount, payer name, date',
    ...matched(123_456_789_012n, 'PZ-0004'),
  });
  await aDeposit(db, { accountNo: A5, orderNo: 'D-0006', amountFen: 1n });
  await aDeposit(db, { accountNo: A5, orderNo: 'D-0007', amountFen: 1n, at: at('2026-03-02 00:00:00') });
}

async function readings(db: Db): Promise<void> {
  for (const accountNo of ACCOUNTS.slice(0, 4)) {
    await aWindow(db, {
      run_id: RUN,
      account_no: accountNo,
      passes: 2,
      pages: 3,
      total: 6,
      distinct_count: 6,
      inside_count: 5,
    });
    await aProvenDay(db, { account_no: accountNo, day: '2026-03-01' });
    await aSnapshot(db, { run_id: RUN, account_no: accountNo });
  }
  const unread = { total: null, distinct_count: null, inside_count: null, sum_fen: null, verified_at: null };
  await aWindow(db, {
    ...unread,
    run_id: RUN,
    account_no: A5,
    state: 'failed',
    reason: 'total kept changing',
  });
}
