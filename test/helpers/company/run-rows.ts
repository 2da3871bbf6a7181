/**
 * Rows of a finished run, one valid row a call, with what the test cares about: the workbook is written from
 * tables alone, so tests of it need tables and no night.
 */
import { sql } from 'kysely';
import type { Insertable } from 'kysely';
import { Zone } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import { appendEvents, gatherEvents, openTrail } from '../../../src/store/runs/audit-trail.ts';
import type { Db, Tables, Verdict } from '../../../src/store/schema/schema.ts';

export const zone = new Zone('Asia/Shanghai');

/** `at('2026-03-01 09:00:00')`: an instant of the service's time. */
export function at(local: string): Instant {
  const instant = zone.parseLocal(local);
  if (instant === undefined) throw new Error(`not a local time: ${local}`);
  return instant;
}

const FILE_ID = 'file-accounts';

export async function anIntakeFile(
  db: Db,
  file: Partial<Insertable<Tables['intake_file']>> = {},
): Promise<string> {
  const row = {
    file_id: FILE_ID,
    kind: 'accounts' as const,
    source: 'accounts',
    name: 'accounts.csv',
    sha256: 'a'.repeat(64),
    row_count: 3,
    spans_from: null,
    spans_to: null,
    imported_at: at('2026-02-28 10:00:00'),
    ...file,
  };
  await db
    .insertInto('intake_file')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return row.file_id;
}

export async function anAccount(
  db: Db,
  account: Partial<Insertable<Tables['account']>> & { account_no: string },
): Promise<void> {
  const fileId = await anIntakeFile(db);
  await db
    .insertInto('account')
    .values({ name: '', file_id: fileId, ...account })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function aRun(db: Db, run: Partial<Insertable<Tables['run']>> = {}): Promise<string> {
  const row: Insertable<Tables['run']> = {
    run_id: 'nightly-2026-03-01-v1',
    job: 'nightly',
    from_day: '2026-03-01',
    to_day: '2026-03-01',
    version: 1,
    supersedes: null,
    superseded_by: null,
    state: 'finished',
    step: 'published',
    verdict: 'reconciled',
    fence: 1n,
    clock_at: at('2026-03-02 02:00:00'),
    started_at: at('2026-03-02 02:00:00'),
    finished_at: null,
    settings_digest: 'b'.repeat(64),
    profile_digest: 'c'.repeat(64),
    assumptions: '[]',
    outcome_digest: null,
    ...run,
  };
  await db.insertInto('run').values(row).execute();
  return row.run_id;
}

/** An account of a run whose numbers add up: closing = opening + in − out − fees, on both sides. */
export async function aRunAccount(
  db: Db,
  account: Partial<Insertable<Tables['run_account']>> & { run_id: string; account_no: string },
): Promise<void> {
  await anAccount(db, { account_no: account.account_no });
  const verdict: Verdict = 'reconciled';
  const balance = { opening_fen: 100_000n, in_fen: 0n, out_fen: 0n, fee_fen: 0n, ...account };
  const movements = (balance.in_fen ?? 0n) - (balance.out_fen ?? 0n) - (balance.fee_fen ?? 0n);
  const platform = account.platform_fen === undefined ? 100_000n + movements : account.platform_fen;
  await db
    .insertInto('run_account')
    .values({
      verdict,
      source: 'observed',
      stated_fen: platform,
      platform_fen: platform,
      frozen_fen: 0n,
      opening_at: at('2026-03-01 00:00:00'),
      movements_fen: movements,
      unexplained_fen: 0n,
      ledger_fen: platform ?? 100_000n,
      ledger_opening_fen: 100_000n,
      ledger_in_fen: balance.in_fen,
      ledger_out_fen: balance.out_fen,
      ledger_fee_fen: balance.fee_fen,
      line_difference_fen: 0n,
      opening_difference_fen: 0n,
      difference_fen: 0n,
      ...balance,
    })
    .execute();
}

export async function aFinding(
  db: Db,
  finding: Partial<Insertable<Tables['finding']>> & { run_id: string; account_no: string; break_id: string },
): Promise<void> {
  const itemClass = finding.class ?? 'platform_only';
  const reference = finding.reference ?? `D-${finding.break_id}`;
  await db
    .insertInto('finding')
    .values({
      item_key: `line:deposit:${reference}`,
      class: itemClass,
      severity: 'break',
      reference,
      platform_fen: 1_000n,
      ledger_fen: null,
      difference_fen: 1_000n,
      line: true,
      platform_ref: reference,
      platform_state: 'SUCCESS',
      platform_at: at('2026-03-01 10:00:00'),
      ledger_at: null,
      first_day: '2026-03-01',
      age_days: 0,
      ...finding,
    })
    .execute();
}

export async function aClosedBreak(
  db: Db,
  closed: {
    account_no: string;
    break_id: string;
    closed_day: string;
    closed_run: string;
    cleared_by: string;
  },
): Promise<void> {
  const known = { first_day: '2026-02-27', first_run: 'before', last_day: '2026-02-28', last_run: 'before' };
  await db
    .insertInto('break')
    .values({
      ...known,
      ...closed,
      item_key: `line:deposit:${closed.break_id}`,
      occurrence: 1,
      class: 'late',
      severity: 'timing',
      reference: closed.break_id,
      platform_fen: null,
      ledger_fen: null,
      difference_fen: 0n,
      status: 'closed',
      cleared_cause: 'entry',
    })
    .execute();
  await db.transaction().execute(async (trx) => {
    const head = await openTrail(trx);
    const { closed_day: closedDay, cleared_by: clearedBy } = closed;
    const details = JSON.stringify({ clearedBy, cause: 'entry', closedDay });
    await gatherEvents(trx, sql`select ${closed.break_id}, 'closed', ${details}::jsonb, null::jsonb`);
    const by = { runId: closed.closed_run, actor: 'recon', at: at('2026-03-02 02:00:00') };
    await appendEvents(trx, by, head);
  });
}

export async function aWindow(
  db: Db,
  window: Partial<Insertable<Tables['sync_window']>> & { run_id: string; account_no: string },
): Promise<void> {
  await db
    .insertInto('sync_window')
    .values({
      from_day: '2026-03-01',
      to_day: '2026-03-02',
      state: 'verified',
      passes: 1,
      pages: 1,
      total: 1,
      distinct_count: 1,
      inside_count: 1,
      sum_fen: 1_000n,
      digest: '',
      reason: null,
      verified_at: at('2026-03-02 02:00:10'),
      ...window,
    })
    .execute();
}

export async function aProvenDay(db: Db, proven: { account_no: string; day: string }): Promise<void> {
  await db
    .insertInto('sync_day')
    .values({
      ...proven,
      record_count: 1,
      sum_fen: 0n,
      digest: '',
      verified_run: 'nightly-2026-03-01-v1',
      verified_at: at('2026-03-02 02:00:10'),
      sealed_run: null,
      sealed_at: null,
    })
    .execute();
}

export async function aSnapshot(
  db: Db,
  snapshot: Partial<Insertable<Tables['balance_snapshot']>> & { run_id: string; account_no: string },
): Promise<void> {
  await db
    .insertInto('balance_snapshot')
    .values({
      taken_at: at('2026-03-02 02:00:05'),
      closed_at: at('2026-03-02 02:00:07'),
      purpose: 'bracket',
      balance_fen: 100_000n,
      frozen_fen: 0n,
      available_fen: 100_000n,
      account_state: '1',
      state: 'stable',
      tries: 1,
      signed: true,
      answer_sha256: '',
      ...snapshot,
    })
    .execute();
}
