/** What a proof is about: the accounts, the span, the cut. All rules of a run read it. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import type { Day, Instant } from '../core/time.ts';
import { copyRows } from '../store/bulk.ts';
import type { Tables } from '../store/schema.ts';
import { placeOpenEntries } from './entry-place.ts';

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

/**
 * Fills `stage_scope` for the rules, lays out what the matching left open (`open_movement`, `open_entry`) and
 * makes the empty table `found` that they write to.
 */
export async function openScope(trx: Transaction<Tables>, accounts: readonly AccountScope[]): Promise<void> {
  await sql`drop table if exists found`.execute(trx);
  await copyRows(
    trx,
    STAGE,
    accounts.map(({ accountNo, baseline, ledger }) => [accountNo, baseline.at, ledger.at]),
  );
  await layOutOpenItems(trx);
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

/**
 * The leftovers of all accounts, an order by the company's number whichever the books use, each with the other
 * accounts on which the other side has it open in the same direction: a record and an entry that differ only in
 * the account must be told from two that have nothing in common.
 */
async function layOutOpenItems(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table open_movement on commit drop as
    select m.account_no, m.family, m.reference, m.delta_fen, m.effective_from, m.order_account, u.ambiguous
    from unmatched u join movement m on m.account_no = u.account_no and m.dedup_key = u.item_key
    where u.side = 'platform'`.execute(trx);
  await placeOpenEntries(trx);
  await sql`
    create temporary table open_entry on commit drop as
    select e.account_no, e.source, e.entry_id, e.kind, e.amount_fen, e.counterparty, e.booked_at, e.status,
      e.out_batch_no, u.ambiguous, p.reference, p.family
    from unmatched u join ledger_entry e on e.entry_no = u.item_key::bigint
    join entry_place p on p.entry_no = e.entry_no
    where u.side = 'ledger'`.execute(trx);
  await sql`
    create temporary table reference_on_platform on commit drop as
    select family, reference, direction, min(account_no) as first_account, max(account_no) as last_account
    from (select account_no, family, reference, sign(sum(delta_fen)) as direction from open_movement
      group by account_no, family, reference) m
    group by family, reference, direction`.execute(trx);
  await sql`
    create temporary table reference_in_books on commit drop as
    select family, reference, direction, min(account_no) as first_account, max(account_no) as last_account
    from (select account_no, family, reference, sign(sum(amount_fen)) as direction from open_entry
      where reference <> '' group by account_no, family, reference) e
    group by family, reference, direction`.execute(trx);
  for (const table of ['open_movement', 'open_entry', 'reference_on_platform', 'reference_in_books']) {
    await sql`analyze ${sql.table(table)}`.execute(trx);
  }
}
