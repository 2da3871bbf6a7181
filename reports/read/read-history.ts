/** The nights up to this run's day, for charts: balances of the largest accounts, and what nobody can explain. */
import { sql } from 'kysely';
import { absolute } from '../../src/core/fen.ts';
import type { Fen } from '../../src/core/fen.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { AccountRow, RunHead } from './read-run.ts';

/** As many days as people compare, and as many lines as they tell apart. */
const NIGHTS = 30;
const ACCOUNTS_MAX = 5;

export interface History {
  /** Those with the largest balances, the largest first. */
  accounts: readonly AccountRow[];
  nights: readonly Night[];
}

export interface Night {
  day: Day;
  /** All accounts together, without sign. */
  unexplainedFen: Fen;
  /** In the order of the accounts; null where it is not stated. */
  balances: readonly (Fen | null)[];
}

/** What stood when the run began: a version that came later does not change what is written again. */
export async function readHistory(db: Db, head: RunHead, accounts: readonly AccountRow[]): Promise<History> {
  const largest = accounts
    .filter(({ platformFen }) => platformFen !== null)
    .toSorted(
      (one, other) => bySize(one.platformFen ?? 0n, other.platformFen ?? 0n) || one.index - other.index,
    )
    .slice(0, ACCOUNTS_MAX);
  const numbers = largest.map(({ accountNo }) => accountNo);
  const { rows } = await sql<{ day: Day; unexplainedFen: Fen; balances: readonly (string | null)[] }>`
    with own as (select * from run where run_id = ${head.runId}), standing as (
      select distinct on (r.to_day) r.run_id, r.to_day
      from run r, own
      where r.job = 'nightly' and own.job = 'nightly' and r.from_day = r.to_day and r.accounts = own.accounts
        and r.to_day > ${addDays(head.toDay, -NIGHTS)}
        and (r.run_id = own.run_id
          or (r.verdict is not null and r.to_day < own.to_day and r.started_at < own.started_at))
      order by r.to_day, r.version desc
    )
    select s.to_day as day, coalesce(sum(abs(a.unexplained_fen)), 0)::bigint as "unexplainedFen",
      array(select b.platform_fen::text from unnest(${numbers}::text[]) with ordinality n (account_no, place)
        left join run_account b on b.run_id = s.run_id and b.account_no = n.account_no
        order by n.place) as balances
    from standing s left join run_account a on a.run_id = s.run_id
    group by s.run_id, s.to_day order by s.to_day`.execute(db);
  return {
    accounts: largest,
    nights: rows.map(({ day, unexplainedFen, balances }) => ({
      day,
      unexplainedFen,
      balances: balances.map((fen) => (fen === null ? null : BigInt(fen))),
    })),
  };
}

function bySize(one: Fen, other: Fen): number {
  const [size, otherSize] = [absolute(one), absolute(other)];
  return size === otherSize ? 0 : size > otherSize ? -1 : 1;
}
