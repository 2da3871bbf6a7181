/** The breaks, timing items and items for attention of the sample night, and the timing items of the night before. */
import type { Db } from '../../src/store/schema/schema.ts';
import { aClosedBreak, aFinding, at } from '../helpers/company/run-rows.ts';

export interface SampleNames {
  runId: string;
  /** The run of the night before. */
  before: string;
  accounts: readonly [string, string, string, string, string];
}

export async function sampleItems(db: Db, names: SampleNames): Promise<void> {
  await itemsBefore(db, names);
  await breaks(db, names);
  await timing(db, names);
}

async function itemsBefore(db: Db, { before, runId, accounts: [A1, , , A4] }: SampleNames): Promise<void> {
  const timing = { run_id: before, severity: 'timing', first_day: '2026-02-27' } as const;
  await aFinding(db, {
    ...timing,
    account_no: A4,
    break_id: 'B-cleared',
    class: 'late',
    difference_fen: 4_500n,
    platform_fen: 4_500n,
  });
  await aFinding(db, {
    ...timing,
    account_no: A1,
    break_id: 'B-carried',
    class: 'late',
    difference_fen: 1_900n,
    platform_fen: 1_900n,
  });
  await aFinding(db, {
    ...timing,
    account_no: A1,
    break_id: 'B-moved',
    class: 'pending',
    difference_fen: 100n,
    platform_fen: 100n,
  });
  await aClosedBreak(db, {
    account_no: A4,
    break_id: 'B-cleared',
    closed_day: '2026-03-01',
    closed_run: runId,
    cleared_by: 'PZ-0301-007',
  });
}

async function breaks(db: Db, { runId, accounts: [A1, A2] }: SampleNames): Promise<void> {
  const of = { run_id: runId, account_no: A1 } as const;
  await aFinding(db, {
    ...of,
    break_id: 'B-only',
    reference: 'D-0002',
    difference_fen: 5_000n,
    platform_fen: 5_000n,
  });
  await aFinding(db, {
    ...of,
    break_id: 'B-amount',
    class: 'amount',
    reference: 'D-0003',
    platform_fen: 9_700n,
    ledger_fen: 10_000n,
    difference_fen: -300n,
    ledger_ref: 'PZ-0003',
    ledger_at: at('2026-03-01 11:00:00'),
    note: 'payer 6222021234567890123 called 13812345678',
  });
  await aFinding(db, {
    ...of,
    break_id: 'B-ledger',
    class: 'ledger_only',
    reference: 'D-0009',
    platform_fen: null,
    platform_ref: '',
    platform_at: null,
    ledger_fen: 1_000n,
    ledger_ref: 'PZ-0009',
    ledger_state: 'posted',
    ledger_at: at('2026-03-01 12:00:00'),
    difference_fen: -1_000n,
  });
  await aFinding(db, {
    ...of,
    break_id: 'B-moved',
    class: 'state',
    difference_fen: 100n,
    platform_fen: 100n,
    first_day: '2026-02-27',
    age_days: 2,
  });
  const balance = { ...of, line: false, platform_ref: '', reference: A1, platform_at: null } as const;
  await aFinding(db, {
    ...balance,
    break_id: 'B-unexplained',
    class: 'unexplained',
    item_key: 'unexplained:2026-03-01',
    platform_fen: 107_634n,
    difference_fen: 1_234n,
  });
  await aFinding(db, {
    ...balance,
    break_id: 'B-opening',
    class: 'opening',
    item_key: 'opening',
    platform_fen: null,
    difference_fen: -100n,
    first_day: '2026-02-01',
    age_days: 28,
  });
  await aFinding(db, {
    ...balance,
    account_no: A2,
    break_id: 'B-voucher',
    class: 'voucher_missing',
    severity: 'attention',
    reference: 'D-0004',
    difference_fen: 0n,
    platform_fen: null,
  });
}

async function timing(db: Db, { runId, accounts: [A1, , , A4] }: SampleNames): Promise<void> {
  const of = { run_id: runId, account_no: A1, severity: 'timing' } as const;
  await aFinding(db, {
    ...of,
    break_id: 'B-carried',
    class: 'late',
    reference: 'D-0005',
    platform_fen: 2_000n,
    difference_fen: 2_000n,
    first_day: '2026-02-27',
    age_days: 2,
  });
  await aFinding(db, {
    ...of,
    break_id: 'B-pending',
    class: 'pending',
    reference: 'W-0001',
    platform_fen: null,
    ledger_fen: -700n,
    difference_fen: 700n,
    ledger_at: at('2026-03-01 15:00:00'),
  });
  await aFinding(db, {
    ...of,
    account_no: A4,
    break_id: 'B-paid',
    class: 'late',
    reference: 'W-0002',
    platform_fen: -3_000n,
    difference_fen: -3_000n,
  });
}
