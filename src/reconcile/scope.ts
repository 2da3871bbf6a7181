/** What a proof is about: the accounts, the span, the cut. All rules of a run read it. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import type { Day, Instant } from '../core/time.ts';
import { copyRows } from '../store/bulk.ts';
import type { Tables } from '../store/schema.ts';

export interface ProofSpan {
  fromDay: Day;
  toDay: Day;
  from: Instant;
  /** The first instant after the span: what lies before it counts. */
  cut: Instant;
}

/** Where the proof of an account begins. */
export interface Baseline {
  at: Instant;
  fen: Fen;
  source: 'opening' | 'first_snapshot';
  /** For a first snapshot: when it was taken. */
  snapshotAt: Instant | undefined;
}

/** Where the ledger of an account begins. */
export interface LedgerOpening {
  at: Instant;
  fen: Fen;
  /** Without an `opening` entry it is taken to equal the baseline. */
  assumed: boolean;
}

export interface AccountScope {
  accountNo: string;
  baseline: Baseline;
  ledger: LedgerOpening;
}

const STAGE = {
  name: 'stage_scope',
  columns: [
    { name: 'account_no', type: 'text collate "C"' },
    { name: 'baseline_at', type: 'timestamptz' },
    { name: 'ledger_from', type: 'timestamptz' },
  ],
} as const;

/** Fills `stage_scope` for the rules and makes the empty table `found` that they write to. */
export async function openScope(trx: Transaction<Tables>, accounts: readonly AccountScope[]): Promise<void> {
  await sql`drop table if exists found`.execute(trx);
  await copyRows(
    trx,
    STAGE,
    accounts.map(({ accountNo, baseline, ledger }) => [accountNo, baseline.at, ledger.at]),
  );
  await sql`
    create temporary table found (
      account_no text collate "C" not null, item_key text collate "C" not null, class text not null,
      severity text not null, reference text collate "C" not null, platform_fen bigint, ledger_fen bigint,
      difference_fen bigint not null, line boolean not null, platform_ref text not null default '',
      platform_state text not null default '', platform_at timestamptz, ledger_ref text not null default '',
      ledger_state text not null default '', ledger_at timestamptz, counterparty text not null default '',
      note text not null default ''
    ) on commit drop`.execute(trx);
}
