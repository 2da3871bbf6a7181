/** What a proof is about: the accounts, the span, the cut. All rules of a run read it. */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';
import { copyRows } from '../../store/database/bulk.ts';
import type { Tables } from '../../store/schema/schema.ts';
import { placeOpenEntries } from '../match/entry-place.ts';

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
  /** For a first snapshot: what it came to when a run first told it. */
  toldFen: Fen | undefined;
}

/** Where the ledger of an account begins. */
export interface LedgerOpening {
  at: Instant;
  fen: Fen;
  /** Without an `opening` entry it is taken to equal the baseline. */
  assumed: boolean;
  /** What the books state otherwise since a proof rested on it: how much more they hold by that. */
  change: { fen: Fen; note: string } | undefined;
  /** What the books state of it at the moment of the run. */
  stated: { at: Instant; fen: Fen } | undefined;
  /** The last proof before that saw another statement; undefined: there was none. */
  statedSince: Instant | undefined;
  /** The books begin only after the cut: they prove nothing at it. */
  isToCome: boolean;
}

export interface AccountScope {
  accountNo: string;
  baselineAt: Instant;
  /** Where this run's proof of it begins: it may span days that none has proven. */
  openingAt: Instant;
  ledger: LedgerOpening;
}

const STAGE = {
  name: 'stage_scope',
  columns: [
    { name: 'account_no', type: 'text collate "C"' },
    { name: 'baseline_at', type: 'timestamptz' },
    { name: 'opening_at', type: 'timestamptz' },
    { name: 'ledger_from', type: 'timestamptz' },
  ],
} as const;

/**
 * Fills `stage_scope` for the rules, lays out what the matching left open (`open_movement`, `open_entry`) and
 * makes the empty table `found` that they write to: one item a key, because its break is found again by that.
 */
export async function openScope(trx: Transaction<Tables>, accounts: readonly AccountScope[]): Promise<void> {
  await sql`drop table if exists found`.execute(trx);
  await copyRows(
    trx,
    STAGE,
    accounts.map(({ accountNo, baselineAt, openingAt, ledger }) => [
      accountNo,
      baselineAt,
      openingAt,
      ledger.at,
    ]),
  );
  await layOutOpenItems(trx);
  await sql`
    create temporary table found (
      account_no text collate "C" not null, item_key text collate "C" not null, class text not null,
      severity text not null, reference text collate "C" not null, platform_fen bigint, ledger_fen bigint,
      difference_fen bigint not null, line boolean not null, platform_ref text not null default '',
      platform_state text not null default '', platform_at timestamptz, ledger_ref text not null default '',
      ledger_state text not null default '', ledger_at timestamptz, counterparty text not null default '',
      note text not null default '', unique (account_no, item_key)
    ) on commit drop`.execute(trx);
}

/**
 * The leftovers of all accounts, an order by the company's number whichever the books use, each with the other
 * accounts on which the other side has it open in the same direction: a record and an entry that differ only in
 * the account must be told from two that have nothing in common. What an account pays under a reference and what it
 * is paid are two sides, each with the kind of its principal; a fee goes with the side of its order that pays.
 */
async function layOutOpenItems(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table open_movement on commit drop as
    select m.account_no, m.family, m.reference, ${sideOf('m', 'm', ['m.order_account'])} as side, m.delta_fen,
      m.effective_from, m.written_no, m.order_account, u.ambiguous
    from unmatched u join movement m on m.account_no = u.account_no and m.dedup_key = u.item_key
    where u.side = 'platform'`.execute(trx);
  await placeOpenEntries(trx);
  await sql`
    create temporary table open_entry on commit drop as
    select e.entry_no, e.account_no, e.source, e.entry_id, e.kind, e.amount_fen, e.counterparty, e.booked_at,
      e.status, e.out_batch_no, u.ambiguous, p.reference, p.family, ${sideOf('e', 'p')} as side
    from unmatched u join ledger_entry e on e.entry_no = u.item_key::bigint
    join entry_place p on p.entry_no = e.entry_no
    where u.side = 'ledger'`.execute(trx);
  await sql`
    create temporary table reference_on_platform on commit drop as
    select family, reference, direction, min(account_no) as first_account, max(account_no) as last_account
    from (select account_no, family, reference, sign(sum(delta_fen)) as direction from open_movement
      group by account_no, family, reference, side) m
    group by family, reference, direction`.execute(trx);
  await sql`
    create temporary table reference_in_books on commit drop as
    select family, reference, direction, min(account_no) as first_account, max(account_no) as last_account
    from (select account_no, family, reference, sign(sum(amount_fen)) as direction from open_entry
      where reference <> '' group by account_no, family, reference, side) e
    group by family, reference, direction`.execute(trx);
  for (const table of ['open_movement', 'open_entry', 'reference_on_platform', 'reference_in_books']) {
    await sql`analyze ${sql.table(table)}`.execute(trx);
  }
}

/** @param record where account and kind of it are; @param place where its family and reference are */
function sideOf(record: string, place: string, order: readonly string[] = []): RawBuilder<unknown> {
  const kind = sql.ref(`${record}.kind`);
  const group = sql.join(
    [`${record}.account_no`, `${place}.family`, `${place}.reference`, ...order].map((name) => sql.ref(name)),
  );
  return sql`case ${kind} when 'fee' then coalesce(
    max(${kind}) filter (where ${kind} <> 'fee') over (partition by ${group}), 'fee') else ${kind} end`;
}
