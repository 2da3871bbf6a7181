/**
 * Accounts that have ended and that the platform knows no more (docs/reconciliation.md 3.8): they hold nothing. What
 * one held at its last balance, less what moved since, is unexplained from then on, until the books adjust it.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { ProofRequest } from './proof-request.ts';

export interface GoneAccount {
  /** When the platform said in this run that it knows no such account. */
  at: Instant;
  /** The last time it stated a balance; undefined where it never did. */
  lastBalanceAt: Instant | undefined;
}

export type GoneAccounts = ReadonlyMap<string, GoneAccount>;

export async function findGone(trx: Transaction<Tables>, request: ProofRequest): Promise<GoneAccounts> {
  const ended = request.accounts.filter(
    ({ activeTo }) => activeTo !== undefined && activeTo <= request.span.cut,
  );
  if (ended.length === 0) return new Map();
  const { rows } = await sql<{ account_no: string; at: Instant; last_balance_at: Instant | null }>`
    select u.account_no, u.at::timestamptz as at, (
      select max(s.taken_at) from balance_snapshot s
      where s.account_no = u.account_no and s.state = 'stable') as last_balance_at
    from run r cross join lateral jsonb_each_text(coalesce(r.facts -> 'unknownAccounts', '{}')) u (account_no, at)
    where r.run_id = ${request.runId}
      and u.account_no = any(${ended.map(({ accountNo }) => accountNo)}::text[])`.execute(trx);
  return new Map(
    rows.map((row) => [row.account_no, { at: row.at, lastBalanceAt: row.last_balance_at ?? undefined }]),
  );
}
