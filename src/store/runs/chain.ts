/**
 * The chain of an account's proofs (docs/reconciliation.md 3.8): each begins at the closing of the last run in which
 * this very account was proven, whatever became of other accounts or of that run as a whole.
 */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';
import { STATED_OPENINGS } from '../intake/openings.ts';
import type { DbOrTransaction } from '../schema/schema.ts';

/** A closing that a proof may begin at. */
export interface Link {
  runId: string;
  /** The last day of its run: the closing is at the end of it. */
  toDay: Day;
  fen: Fen;
  /** The in-flight model that was known then. */
  model: 'frozen' | 'debited' | undefined;
}

/**
 * The last link of each account before a day; of runs that end with the same day the night comes first. A first balance
 * is none where the proof begins with an opening that was stated since: nobody has read the days between the two.
 */
export async function lastLinks(
  db: DbOrTransaction,
  accounts: readonly string[],
  before: Day,
): Promise<Map<string, Link>> {
  const { rows } = await sql<{
    account_no: string;
    run_id: string;
    to_day: Day;
    platform_fen: Fen;
    inflight_model: '' | 'frozen' | 'debited';
  }>`
    select n.account_no, l.run_id, l.to_day, l.platform_fen, l.inflight_model
    from unnest(${accounts}::text[]) n (account_no)
    left join (${STATED_OPENINGS}) s using (account_no)
    cross join lateral (
      select r.run_id, r.to_day, a.platform_fen, a.inflight_model
      from run r join run_account a on a.run_id = r.run_id and a.account_no = n.account_no and a.chained
      where r.superseded_by is null and r.to_day < ${before}
        and (s.account_no is null or a.opening_run <> '' or (a.opening_at, a.opening_fen) = (s.at, s.fen))
      order by r.to_day desc, r.job desc, r.version desc, r.run_id desc limit 1
    ) l`.execute(db);
  return new Map(
    rows.map((row) => [
      row.account_no,
      {
        runId: row.run_id,
        toDay: row.to_day,
        fen: row.platform_fen,
        model: row.inflight_model === '' ? undefined : row.inflight_model,
      },
    ]),
  );
}

/** Accounts that an earlier try at this run has proven, or a version of it that stands. */
export async function provenInRun(db: DbOrTransaction, runId: string): Promise<Set<string>> {
  const { rows } = await sql<{ account_no: string }>`
    select distinct a.account_no
    from run mine
    join run r on r.job = mine.job and r.from_day = mine.from_day and r.to_day = mine.to_day
      and r.accounts = mine.accounts and r.superseded_by is null
    join run_account a on a.run_id = r.run_id and a.chained
    where mine.run_id = ${runId}`.execute(db);
  return new Set(rows.map((row) => row.account_no));
}

/**
 * What the newest try at this run, else the version of it that stands, left unexplained on the accounts that it has
 * proven: by account, by the day at whose end it shows.
 */
export async function toldInRun(db: DbOrTransaction, runId: string): Promise<Map<string, Map<Day, Fen>>> {
  const { rows } = await sql<{ account_no: string; day: Day | null; fen: Fen | null }>`
    select a.account_no, u.to_day as day, u.fen
    from (
      select distinct on (p.account_no) p.account_no, p.run_id
      from run mine
      join run r on r.job = mine.job and r.from_day = mine.from_day and r.to_day = mine.to_day
        and r.accounts = mine.accounts and r.superseded_by is null
      join run_account p on p.run_id = r.run_id and p.chained
      where mine.run_id = ${runId}
      order by p.account_no, r.version desc
    ) a
    left join run_unexplained u on u.run_id = a.run_id and u.account_no = a.account_no`.execute(db);
  const told = new Map<string, Map<Day, Fen>>();
  for (const { account_no: accountNo, day, fen } of rows) {
    const amounts = told.get(accountNo) ?? new Map<Day, Fen>();
    if (day !== null && fen !== null) amounts.set(day, fen);
    told.set(accountNo, amounts);
  }
  return told;
}

/** An amount that a run could not explain. */
export interface Unexplained {
  /** The balance at the end of this day is the first that shows it. */
  toDay: Day;
  /** The balance before it. */
  since: Instant;
  /** That balance itself; undefined: not kept. */
  until: Instant | undefined;
  fen: Fen;
  /** Under which its break is found again. */
  key: string;
}

/** A later proof that begins before the cut of a run and ends after it: it has proven the run's days already. */
export interface SpanningLink {
  toDay: Day;
  /** Oldest first. */
  unexplained: Unexplained[];
}

/** The first proof of each account that spans the end of the day. */
export async function spanningLinks(
  db: DbOrTransaction,
  accounts: readonly string[],
  end: { day: Day; cut: Instant },
): Promise<Map<string, SpanningLink>> {
  const { rows } = await sql<{ account_no: string; run_id: string; to_day: Day }>`
    select distinct on (a.account_no) a.account_no, r.run_id, r.to_day
    from run_account a join run r on r.run_id = a.run_id
    where a.account_no = any(${accounts}::text[]) and a.chained and r.superseded_by is null
      and r.to_day > ${end.day} and a.opening_at < ${end.cut}
    order by a.account_no, r.to_day, r.job desc, r.version desc, r.run_id desc`.execute(db);
  const items = await unexplainedOf(
    db,
    rows.map((row) => row.account_no),
    rows.map((row) => row.run_id),
  );
  return new Map(
    rows.map((row) => [
      row.account_no,
      {
        toDay: row.to_day,
        unexplained: items.filter(({ accountNo }) => accountNo === row.account_no),
      },
    ]),
  );
}

/** What each of these runs could not explain on the account of the same place, oldest day first. */
async function unexplainedOf(
  db: DbOrTransaction,
  accounts: readonly string[],
  runs: readonly string[],
): Promise<(Unexplained & { accountNo: string })[]> {
  if (runs.length === 0) return [];
  const { rows } = await sql<Omit<Unexplained, 'until'> & { accountNo: string; until: Instant | null }>`
    select u.account_no as "accountNo", u.to_day as "toDay", u.since, u.until, u.fen, u.item_key as key
    from run_unexplained u
    join unnest(${accounts}::text[], ${runs}::text[]) l (account_no, run_id) using (account_no, run_id)
    order by u.to_day`.execute(db);
  return rows.map((row) => ({ ...row, until: row.until ?? undefined }));
}

/**
 * What the proofs that lead to these openings could not explain, the oldest of each account first. An opening names
 * the version it was taken from; where another has taken its place since, the one that stands counts.
 */
export async function listEarlierUnexplained(
  db: DbOrTransaction,
  starts: readonly { accountNo: string; openingRun: string }[],
): Promise<(Unexplained & { accountNo: string })[]> {
  if (starts.length === 0) return [];
  const { rows } = await sql<{ account_no: string; run_id: string }>`
    with recursive chain as (
      select account_no, run_id
      from unnest(${starts.map(({ accountNo }) => accountNo)}::text[],
        ${starts.map(({ openingRun }) => openingRun)}::text[]) s (account_no, run_id)
      union all
      select c.account_no, v.run_id
      from chain c
      join run_account a on a.run_id = c.run_id and a.account_no = c.account_no
      join run o on o.run_id = a.opening_run
      cross join lateral (
        select v.run_id from run v join run_account p on p.run_id = v.run_id and p.account_no = c.account_no
        where (v.job, v.from_day, v.to_day, v.accounts) = (o.job, o.from_day, o.to_day, o.accounts)
          and p.chained and (v.superseded_by is null or v.run_id = o.run_id)
        order by v.superseded_by is null desc, v.version desc limit 1
      ) v
    )
    select account_no, run_id from chain`.execute(db);
  return unexplainedOf(
    db,
    rows.map((row) => row.account_no),
    rows.map((row) => row.run_id),
  );
}

export interface UnexplainedKeys {
  /** Under which the newest version of this run showed an amount, by its day. */
  own: ReadonlyMap<Day, string>;
  /** Those of other links of the chain, each with the days at whose end an amount has it. */
  taken: readonly { key: string; toDay: Day }[];
}

/** Keys of unexplained amounts by account, where there are any. */
export async function unexplainedKeys(
  db: DbOrTransaction,
  runId: string,
  accounts: readonly string[],
): Promise<Map<string, UnexplainedKeys>> {
  const { rows } = await sql<{
    account_no: string;
    own: Record<Day, string> | null;
    taken: { key: string; toDay: Day }[];
  }>`
    select u.account_no,
      jsonb_object_agg(u.to_day, u.item_key order by r.version) filter (where s.own) as own,
      coalesce(jsonb_agg(jsonb_build_object('key', u.item_key, 'toDay', u.to_day)
        order by u.item_key, u.to_day) filter (where not s.own), '[]') as taken
    from run mine
    cross join run_unexplained u
    join run_account a on a.run_id = u.run_id and a.account_no = u.account_no
    join run r on r.run_id = u.run_id
    cross join lateral (
      select r.job = mine.job and r.from_day = mine.from_day and r.to_day = mine.to_day
        and r.accounts = mine.accounts as own
    ) s
    where mine.run_id = ${runId} and u.account_no = any(${accounts}::text[])
      and (s.own or (a.chained and r.superseded_by is null))
    group by u.account_no`.execute(db);
  return new Map(
    rows.map((row) => [row.account_no, { own: new Map(Object.entries(row.own ?? {})), taken: row.taken }]),
  );
}

/** An unexplained amount whose break is open, whichever proofs have it. */
export interface OpenUnexplained {
  key: string;
  fen: Fen;
  firstDay: Day;
}

/** By account, the oldest first. */
export async function openUnexplained(
  db: DbOrTransaction,
  accounts: readonly string[],
): Promise<Map<string, OpenUnexplained[]>> {
  const rows = await db
    .selectFrom('break')
    .select(['account_no', 'item_key as key', 'difference_fen as fen', 'first_day as firstDay'])
    .where('status', '=', 'open')
    .where('item_key', 'like', 'unexplained:%')
    .where(sql<boolean>`account_no = any(${accounts}::text[])`)
    .orderBy('first_day')
    .orderBy('item_key')
    .execute();
  return Map.groupBy(rows, (row) => row.account_no);
}

/**
 * Whether the run gave an account a closing that a later proof begins before, or that is not the opening of the proof
 * that begins there; or took the place of a version that left other amounts unexplained: the proofs after it are to
 * be made again.
 */
export async function isAnotherOpening(db: DbOrTransaction, runId: string, cut: Instant): Promise<boolean> {
  const amounts = sql`select to_day, since, until, fen, item_key from run_unexplained u`;
  const { rows } = await sql<{ another: boolean }>`
    select exists (
      select from run mine
      join run_account own on own.run_id = mine.run_id and own.chained
      join run_account a on a.account_no = own.account_no and a.chained
      join run r on r.run_id = a.run_id and r.superseded_by is null and r.to_day > mine.to_day
      left join run o on o.run_id = a.opening_run and o.version < mine.version
        and (o.job, o.from_day, o.to_day, o.accounts) = (mine.job, mine.from_day, mine.to_day, mine.accounts)
      where mine.run_id = ${runId} and (a.opening_at < ${cut}
        or (a.opening_at = ${cut} and a.opening_fen <> own.platform_fen)
        or (o.run_id is not null and exists (
          (${amounts} where u.run_id = o.run_id and u.account_no = own.account_no
            except ${amounts} where u.run_id = own.run_id and u.account_no = own.account_no)
          union all
          (${amounts} where u.run_id = own.run_id and u.account_no = own.account_no
            except ${amounts} where u.run_id = o.run_id and u.account_no = own.account_no))))
    ) as another`.execute(db);
  return rows[0]?.another ?? false;
}
