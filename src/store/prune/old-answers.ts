/**
 * Signed answers that are old enough to go, and which of them are kept, whatever their age: a fact that somebody may still
 * look into has its evidence. An answer is as young as the last fact that was read from it: texts that are equal are one.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Instant, Zone } from '../../core/time.ts';
import type { Db, Tables } from '../schema/schema.ts';
import type { Found, Why } from './evidence.ts';
import { savePruned } from './pruned.ts';
import type { PrunedRow, Pruning } from './pruned.ts';

/** They go within some seconds, in which nobody misses the lock; what is read since is looked for once a piece. */
const ANSWERS_A_PIECE = 10_000;

/** Facts with the answer that they were read from, the accounts and numbers they are about and from when to when. */
const NAMED = sql`
  select answer_sha256 as sha256, account_no, '' as other_no, array[order_no] as numbers,
    least(deposited_at, seen_at) as from_at, greatest(deposited_at, seen_at) as to_at, seen_at, '' as run_id,
    false as unsettled
  from deposit
  union all
  select answer_sha256, account_no, '', array[order_no], least(deposited_at, seen_at), greatest(deposited_at, seen_at),
    seen_at, '', false from deposit_version
  union all
  select answer_sha256, account_no, '', array[out_batch_no, batch_no], first_seen_at, seen_at, seen_at, '', false
  from transfer_batch
  union all
  select o.answer_sha256, o.account_no, o.payee_account_no, array[o.out_order_no, o.order_no, o.out_batch_no],
    coalesce(o.submitted_at, o.first_seen_at), o.seen_at, o.seen_at, '', o.effective_state = 'open'
      or o.settlement in ('open', 'unknown', 'failed') or o.refund_waiting_fen <> 0
      or exists (select from settle_attempt t where t.account_no = o.account_no and t.out_order_no = o.out_order_no)
      or exists (select from refund_denied r where r.account_no = o.account_no and r.out_order_no = o.out_order_no)
      or exists (select from call_by_hand c where c.number in (o.out_order_no, o.order_no, o.out_batch_no))
  from transfer_order o
  union all
  select answer_sha256, account_no, '', array[out_order_no, order_no], coalesce(submitted_at, first_seen_at), seen_at,
    seen_at, '', effective_state = 'open' from withdrawal
  union all
  select v.answer_sha256, v.account_no, coalesce(o.payee_account_no, ''),
    array[v.out_order_no, coalesce(o.order_no, w.order_no, ''), coalesce(o.out_batch_no, '')],
    least(coalesce(o.submitted_at, w.submitted_at, v.seen_at), v.seen_at), v.seen_at, v.seen_at, '', exists (
      select from settle_attempt t where t.account_no = v.account_no and t.out_order_no = v.out_order_no)
  from order_version v
  left join transfer_order o on v.kind = 'transfer' and o.account_no = v.account_no and o.out_order_no = v.out_order_no
  left join withdrawal w on v.kind = 'withdrawal' and w.account_no = v.account_no and w.out_order_no = v.out_order_no
  union all
  select answer_sha256, account_no, '', '{}', taken_at, greatest(taken_at, closed_at), closed_at, run_id, false
  from balance_snapshot
  union all
  select answer_sha256, account_no, payee_account_no, array[out_order_no, order_no], planned_at,
    coalesce(closed_at, planned_at), coalesce(closed_at, planned_at), run_id, true from settle_attempt`;

/** In the order in which they are told: the first that holds counts. Each selects digests. */
const REASONS: readonly { why: Why; digests: (before: Instant) => RawBuilder<unknown> }[] = [
  { why: 'read_since', digests: (before) => sql`select sha256 from prune_named where seen_at >= ${before}` },
  { why: 'settlement', digests: () => sql`select sha256 from prune_named where unsettled` },
  {
    why: 'open_break',
    digests: () => sql`
      select n.sha256 from prune_named n where exists (select from prune_open o
        where o.account_no <> '' and o.account_no in (n.account_no, n.other_no)
          or o.number <> '' and o.number = any(n.numbers))`,
  },
  {
    why: 'signed_period',
    digests: () => sql`
      select n.sha256 from prune_named n
      where exists (select from prune_signed s where n.from_at < s.to_at and n.to_at >= s.from_at)
        or n.run_id in (select run_id from prune_signed_run)`,
  },
  {
    // What proofs begin with, and what is known of an account that has ended; and that the platform signs at all: else
    // an answer that nobody signed would pass again.
    why: 'latest',
    digests: () => sql`
      select sha256 from (select distinct on (account_no) answer_sha256 as sha256 from balance_snapshot
        order by account_no, closed_at desc) l
      union all
      select s.answer_sha256 from balance_snapshot s join account_baseline b using (account_no)
      where s.taken_at = b.snapshot_at
      union all
      (select sha256 from raw_answer where signed order by requested_at desc, sha256 limit 1)`,
  },
];

/** Lays aside the answers that are old enough, each with why it is kept. */
export async function layAnswers(
  session: Db,
  { before, zone }: { before: Instant; zone: Zone },
): Promise<void> {
  await sql`drop table if exists pg_temp.prune_answer`.execute(session);
  await sql`drop table if exists pg_temp.prune_named`.execute(session);
  await sql`
    create temporary table prune_answer as
    select sha256, octet_length(body_zstd)::bigint as bytes,
      to_char(requested_at at time zone ${zone.name}, 'YYYY-MM-DD') as day, null::text as why
    from raw_answer where requested_at < ${before}`.execute(session);
  await sql`create unique index on prune_answer (sha256)`.execute(session);
  await sql`analyze prune_answer`.execute(session);
  await sql`
    create temporary table prune_named as select n.* from (${NAMED}) n join prune_answer using (sha256)`.execute(
    session,
  );
  await sql`analyze prune_named`.execute(session);
  for (const { why, digests } of REASONS) {
    await sql`
      update prune_answer set why = ${why} where why is null and sha256 in (${digests(before)})`.execute(
      session,
    );
  }
}

export async function sumAnswers(session: Db): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select why, count(*)::integer as count, coalesce(sum(bytes), 0)::bigint as bytes, min(day) as "from", max(day) as "to"
    from prune_answer group by why order by why nulls first`.execute(session);
  return rows;
}

/**
 * Removes some of those that are laid aside. Nobody stores an answer meanwhile: one that a fact was read from since is
 * seen, and stays.
 * @returns undefined where none is left to be looked at
 */
export async function pruneSomeAnswers(
  trx: Transaction<Tables>,
  pruning: Pruning,
  before: Instant,
): Promise<PrunedRow[] | undefined> {
  await sql`lock table raw_answer in share row exclusive mode`.execute(trx);
  await sql`drop table if exists pg_temp.prune_some`.execute(trx);
  await sql`
    create temporary table prune_some on commit drop as select sha256, bytes, day from prune_answer
    where why is null order by sha256 limit ${ANSWERS_A_PIECE}`.execute(trx);
  await sql`delete from prune_answer a using prune_some s where a.sha256 = s.sha256`.execute(trx);
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from prune_some`.execute(
    trx,
  );
  if (rows[0]?.count === 0) return undefined;
  await sql`
    delete from prune_some where sha256 in (select sha256 from (${NAMED}) n where n.seen_at >= ${before})`.execute(
    trx,
  );
  const removed = sql`select sha256 as key, sha256, bytes, day from prune_some`;
  const gone = await savePruned(trx, pruning, { removed, going: 'with it' });
  await sql`delete from raw_answer r using prune_some s where r.sha256 = s.sha256`.execute(trx);
  return gone;
}
