/**
 * A record that shows up late changes days that were already closed: they are proven again, in order, and those
 * whose numbers change get a new version, in the same night (docs/architecture.md 3, P5).
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { jsonText } from '../../../src/core/json.ts';
import { addDays } from '../../../src/core/time.ts';
import type { Day } from '../../../src/core/time.ts';
import { reason } from '../../../src/reconcile/balance/reasons.ts';
import { listAccounts } from '../../../src/store/intake/accounts.ts';
import type { AccountRow } from '../../../src/store/intake/accounts.ts';
import type { Lease } from '../../../src/store/database/leases.ts';
import { requireLease } from '../../../src/store/database/leases.ts';
import { isAnotherOpening } from '../../../src/store/runs/chain.ts';
import {
  accountsOfSubject,
  isProven,
  listProofs,
  openRun,
  saveRunFacts,
  subjectOf,
} from '../../../src/store/runs/runs.ts';
import { savePublished } from '../../../src/store/runs/published-runs.ts';
import { discardRun, leaveAsItWas } from '../../../src/store/runs/undone-runs.ts';
import type { Run } from '../../../src/store/runs/runs.ts';
import type { Db, Tables } from '../../../src/store/schema/schema.ts';
import { highestWriteNo, progressOf, saveProgress } from '../../../src/store/database/writing.ts';
import type { Context } from '../../context/context.ts';
import { proveRun } from './prove-run.ts';
import { publishRun } from '../publish/publish.ts';
import { rulesInForce } from './rules-in-force.ts';

export interface Restated {
  day: Day;
  version: number;
}

/** Records stored since days were last looked at for restating. */
export interface LateRecords {
  /** The first day whose closing one of them may touch. */
  earliest: Day | undefined;
  upTo: bigint;
}

/** Those that the run's own proof knows: of one whose proof is stored, up to where it knew them. */
export async function findLateRecords(context: Context, run: Run): Promise<LateRecords> {
  return context.db.transaction().execute(async (trx) => {
    const known = isProven(run) ? factsOf(run).restatedUpTo : undefined;
    const upTo = known === undefined ? await highestWriteNo(trx) : BigInt(known);
    const written = { after: await progressOf(trx, 'restate'), upTo };
    return { earliest: await firstDayTouched(trx, context.zone.name, written), upTo };
  });
}

/**
 * A record touches its own day, and every day before it whose closing was rolled back from a balance that may hold
 * the record: of the runs that stated a closing, those whose cut lies after the last balance before it.
 */
async function firstDayTouched(
  trx: Transaction<Tables>,
  timeZone: string,
  written: { after: bigint; upTo: bigint },
): Promise<Day | undefined> {
  const { rows } = await sql<{ day: Day | null }>`
    with late as materialized (
      select account_no, min(at) as at from (${lateMoments(written)}) r group by account_no
    ), touched as (
      select l.account_no, to_char(l.at at time zone ${timeZone}, 'YYYY-MM-DD') as day,
        coalesce(to_char(b.taken_at at time zone ${timeZone}, 'YYYY-MM-DD'), '') as balance_day
      from late l left join lateral (
        select max(b.taken_at) as taken_at from balance_snapshot b
        where b.account_no = l.account_no and b.state = 'stable' and b.closed_at < l.at
      ) b on true
    )
    select min(day) as day from (
      select day from touched
      union all
      select r.to_day
      from touched t
      join run r on r.to_day >= t.balance_day and r.to_day < t.day
      join run_account a on a.run_id = r.run_id and a.account_no = t.account_no
      where t.balance_day < t.day and r.verdict is not null and r.superseded_by is null and a.source is not null
    ) d`.execute(trx);
  return rows[0]?.day ?? undefined;
}

/**
 * By account, when each record took place, and where each movement counts, counted until now, or counted until it was
 * taken back. An order that is open or failed moves nothing, and yet it may have held an amount before anybody knew of
 * it.
 */
function lateMoments({ after, upTo }: { after: bigint; upTo: bigint }): RawBuilder<unknown> {
  const isNew = sql`written_no > ${after} and written_no <= ${upTo}`;
  return sql`
    select account_no, min(deposited_at) as at from deposit where ${isNew} group by account_no
    union all
    select account_no, min(least(effective_from, formerly_from)) from movement
    where ${isNew} group by account_no
    union all
    select account_no, min(counted_from) from movement_taken_back where ${isNew} group by account_no
    union all
    select account_no, min(s.since) from (
      select account_no, out_order_no from transfer_order
      where ${isNew} and effective_state in ('open', 'failed')
      union all
      select account_no, out_order_no from withdrawal
      where ${isNew} and effective_state in ('open', 'failed')
    ) o
    join order_state_seen s using (account_no, out_order_no)
    where s.change_no = 1 and s.since is not null
      and (s.state = 'open' or (s.state = 'failed' and s.last_open_at is null))
    group by account_no`;
}

/** All days these records touch are done with. */
export async function markLateRecordsProcessed(context: Context, late: LateRecords): Promise<void> {
  await context.db.transaction().execute((trx) => saveProgress(trx, 'restate', late.upTo));
}

/**
 * Proves the run's own days in their place among the days that late records touch, oldest first: each closing is the
 * opening of the next.
 * @returns what the run's own proof returned, and the days that have a new version now
 */
export async function proveInOrder<T>(
  context: Context,
  of: { run: Run; lease: Lease; late: LateRecords },
  proveOwn: () => Promise<T>,
): Promise<{ own: T; restated: Restated[] }> {
  const { db, zone } = context;
  const { run, late, lease } = of;
  const { earliest } = late;
  const next = addDays(run.to_day, 1);
  const restated =
    earliest === undefined ? [] : await restateNights(context, of, { from: earliest, before: next });
  await requireLease(db, lease);
  const own = await proveOwn();
  // A closing that is another opening than the next day's own changes all days after it.
  const isAnother = await isAnotherOpening(db, run.run_id, zone.dayStart(next));
  const from = isAnother ? next : earliest !== undefined && earliest < next ? next : earliest;
  if (from !== undefined) restated.push(...(await restateNights(context, of, { from })));
  return { own, restated };
}

async function restateNights(
  context: Context,
  of: { run: Run; lease: Lease; late: LateRecords },
  span: { from: Day; before?: Day },
): Promise<Restated[]> {
  const restated: Restated[] = [];
  for (const night of await listProofs(context.db, span)) {
    if (isSameSubject(night, of.run)) continue;
    context.signal.throwIfAborted();
    await requireLease(context.db, of.lease);
    // It died after its proof was stored.
    if (night.step !== 'published') await publishNight(context, night.run_id);
    const former = factsOf(night).restatedBy === of.run.run_id ? night.version : undefined;
    const isDone = former !== undefined && isRestatedWith(night, of.late, context);
    const version = isDone ? former : ((await restateNight(context, night, of)) ?? former);
    if (version !== undefined) restated.push({ day: night.to_day, version });
  }
  return restated;
}

/** Another version of this very run: it makes its own. */
function isSameSubject(night: Run, run: Run): boolean {
  return (
    night.job === run.job &&
    night.from_day === run.from_day &&
    night.to_day === run.to_day &&
    night.accounts === run.accounts
  );
}

/** What a run records of restating, in the transaction of its proof. */
interface RestatingFacts {
  /** The run that made this version. */
  restatedBy?: string;
  /** Up to which write number late records were known to it. */
  restatedUpTo?: number;
}

function factsOf({ facts }: Run): RestatingFacts {
  return facts as RestatingFacts;
}

/** An interrupted run goes on after the nights that it has restated with these very records and rules. */
function isRestatedWith(night: Run, { upTo }: LateRecords, context: Context): boolean {
  const { settingsDigest, profileDigest } = context;
  return (
    factsOf(night).restatedUpTo === Number(upTo) &&
    night.settings_digest === settingsDigest &&
    night.profile_digest === profileDigest
  );
}

async function restateNight(
  context: Context,
  night: Run,
  { run: by, lease, late }: { run: Run; lease: Lease; late: LateRecords },
): Promise<number | undefined> {
  const { db, clock } = context;
  const { run } = await openRun(db, subjectOf(night), {
    fence: lease.fence,
    clockAt: clock.wall(),
    startedAt: clock.wall(),
    ...rulesInForce(context),
  });
  const facts = { ...(night.facts as object), writtenUpTo: await progressOf(db, 'match') };
  await saveRunFacts(db, run.run_id, jsonText(facts));
  await takeOverWindows(db, { from: night.run_id, to: run.run_id });
  const accounts = await accountsOf(db, night);
  const proof = await proveRun(context, run, {
    accounts,
    knownDigest: night.outcome_digest ?? undefined,
    stillUnread: await stillUnread(db, night.run_id),
    facts: { restatedBy: by.run_id, restatedUpTo: late.upTo },
  });
  if (!proof.saved) {
    await (run.run_id === night.run_id ? leaveAsItWas(db, night, lease) : discardRun(db, run, lease));
    return undefined;
  }
  await publishNight(context, run.run_id);
  context.log.info({ event: 'run.restated', restated: run.run_id, verdict: proof.verdict });
  return run.version;
}

async function publishNight(context: Context, runId: string): Promise<void> {
  await publishRun(context, runId, []);
  await savePublished(context.db, runId, context.clock.wall());
}

/** The accounts the run was ever about: one that came later has no history in it. */
async function accountsOf(db: Db, night: Run): Promise<AccountRow[]> {
  const names = await accountsOfSubject(db, subjectOf(night));
  return (await listAccounts(db)).filter((account) => names.has(account.account_no));
}

/** Restating asks the platform for nothing: what the run could not read stays unread. */
async function stillUnread(db: Db, runId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('run_account')
    .select(['account_no', 'reason'])
    .where('run_id', '=', runId)
    .where('verdict', '=', 'incomplete')
    .execute();
  const unread = rows.filter((row) => !row.reason.startsWith(reason('ledger_incomplete')));
  return new Map(unread.map((row) => [row.account_no, row.reason]));
}

/** A restated day rests on the same readings as before: its extraction proof goes along. */
async function takeOverWindows(db: Db, runs: { from: string; to: string }): Promise<void> {
  await sql`
    insert into sync_window (run_id, account_no, from_day, to_day, state, passes, pages, total, distinct_count,
      inside_count, sum_fen, digest, reason, verified_at)
    select ${runs.to}, account_no, from_day, to_day, state, passes, pages, total, distinct_count, inside_count,
      sum_fen, digest, reason, verified_at
    from sync_window where run_id = ${runs.from}
    on conflict do nothing`.execute(db);
}
