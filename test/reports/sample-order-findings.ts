/** What the night of the sample orders found: breaks, what is on its way, and what only needs attention. */
import type { Db } from '../../src/store/schema/schema.ts';
import { aFinding, at } from '../helpers/company/run-rows.ts';

interface Names {
  runId: string;
  accounts: readonly [string, string, string, string];
}

const FOUND = { first_day: '2026-03-05', platform_at: at('2026-03-05 10:00:00') } as const;

export async function orderFindings(db: Db, names: Names): Promise<void> {
  await lineBreaks(db, names);
  await otherBreaks(db, names);
  await timing(db, names);
}

async function lineBreaks(db: Db, { runId, accounts: [B1, , B3, B4] }: Names): Promise<void> {
  const of = { ...FOUND, run_id: runId, account_no: B1 } as const;
  await aFinding(db, {
    ...of,
    break_id: 'O-fee',
    item_key: 'line:transfer:T2',
    class: 'fee',
    reference: 'T2',
    platform_fen: -200_500n,
    ledger_fen: -200_000n,
    ledger_ref: 'E-T2',
    ledger_state: 'posted',
    ledger_at: at('2026-03-05 10:00:00'),
    difference_fen: -500n,
  });
  await aFinding(db, {
    ...of,
    break_id: 'O-state',
    item_key: 'line:transfer:T4',
    class: 'state',
    reference: 'T4',
    platform_fen: null,
    platform_state: 'FAIL',
    ledger_fen: -70_000n,
    ledger_ref: 'E-T4',
    ledger_state: 'posted',
    ledger_at: at('2026-03-05 10:30:00'),
    difference_fen: 70_000n,
  });
  await aFinding(db, {
    ...of,
    break_id: 'O-refund',
    item_key: 'line:refund:T5',
    reference: 'T5',
    platform_fen: 30_000n,
    difference_fen: 30_000n,
    platform_state: 'REFUND',
    platform_at: at('2026-03-05 16:00:00'),
  });
  await aFinding(db, {
    ...of,
    account_no: B3,
    break_id: 'O-return',
    item_key: 'line:withdrawal:W2',
    class: 'amount',
    reference: 'W2',
    platform_fen: 0n,
    platform_state: 'FAIL',
    ledger_fen: -300_000n,
    ledger_ref: 'E-W2',
    ledger_at: at('2026-03-04 09:00:00'),
    difference_fen: 300_000n,
  });
  await aFinding(db, {
    ...of,
    account_no: B4,
    break_id: 'O-bearer',
    item_key: 'line:withdrawal:W1',
    reference: 'W1',
    platform_fen: -100n,
    difference_fen: -100n,
  });
}

async function otherBreaks(db: Db, { runId, accounts: [B1, B2] }: Names): Promise<void> {
  const of = { ...FOUND, run_id: runId, line: false, platform_fen: null, difference_fen: 0n } as const;
  await aFinding(db, {
    ...of,
    account_no: B1,
    break_id: 'O-batch',
    item_key: 'batch_children:B1',
    class: 'batch_children',
    reference: 'B1',
    platform_state: 'SUCCESS',
  });
  await aFinding(db, {
    ...of,
    account_no: B1,
    break_id: 'O-regression',
    item_key: 'state_regression:T1',
    class: 'state_regression',
    reference: 'T1',
    platform_state: 'PROCESSING',
  });
  await aFinding(db, {
    ...of,
    account_no: B2,
    break_id: 'O-settle',
    item_key: 'settle_failed:T2',
    class: 'settle_failed',
    severity: 'attention',
    reference: 'T2',
  });
}

async function timing(db: Db, { runId, accounts: [B1, , B3] }: Names): Promise<void> {
  const of = { ...FOUND, run_id: runId, account_no: B3, severity: 'timing' } as const;
  await aFinding(db, {
    ...of,
    account_no: B1,
    break_id: 'O-flight',
    item_key: 'in_flight:transfer:T3',
    class: 'in_flight',
    reference: 'T3',
    platform_fen: -50_000n,
    difference_fen: 0n,
    platform_state: 'PROCESSING',
    platform_at: at('2026-03-05 23:00:00'),
    counterparty: '6217000000000000012',
  });
  await aFinding(db, {
    ...of,
    break_id: 'O-pending',
    item_key: 'line:withdrawal:W3',
    class: 'pending',
    reference: 'W3',
    platform_fen: -400_000n,
    ledger_fen: -400_000n,
    ledger_ref: 'E-W3',
    ledger_state: 'posted',
    ledger_at: at('2026-03-05 09:10:00'),
    difference_fen: 400_000n,
    platform_state: 'XYZ',
  });
  await aFinding(db, {
    ...of,
    break_id: 'O-later',
    item_key: 'line:withdrawal:W5',
    class: 'in_flight',
    reference: 'W5',
    platform_fen: -20_000n,
    difference_fen: 0n,
  });
  await aFinding(db, {
    ...of,
    break_id: 'O-unknown',
    item_key: 'line:withdrawal:W6',
    class: 'unknown_not_found',
    reference: 'W6',
    platform_fen: null,
    platform_ref: '',
    platform_state: '',
    platform_at: null,
    ledger_fen: -600n,
    ledger_ref: 'E-W6',
    ledger_state: 'posted',
    ledger_at: at('2026-03-05 09:20:00'),
    difference_fen: 600n,
  });
}
