/** Account by account the proofs of a month, link by link back from its last one. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Day, Instant, Zone } from '../../src/core/time.ts';
import type { Period } from '../../src/store/periods/period.ts';
import type { SignOff } from '../../src/store/periods/sign-offs.ts';
import { toldSince } from '../../src/store/runs/told-since.ts';
import type { Db, Verdict } from '../../src/store/schema/schema.ts';

/** A side of an account over the month. */
export interface MonthSide {
  openingFen: Fen | null;
  inFen: Fen;
  outFen: Fen;
  feeFen: Fen;
  /** By how much proofs began otherwise than the ones before had ended: booked since into days that were proven. */
  carriedFen: Fen;
  closingFen: Fen | null;
  /** As it was signed at the end of the period before; null: it was no part of it, or none was signed. */
  signedFen: Fen | null;
}

export interface MonthAccount {
  accountNo: string;
  name: string;
  /** Of the last run of the month that it was part of; incomplete where it was part of none and is told of since. */
  verdict: Verdict;
  lastDay: Day;
  /** The last day of the proof that the figures are of; null: no run of the month has figures of it. */
  provenDay: Day | null;
  openingAt: Instant | null;
  /** When it ends, as the account list says now. */
  activeTo: Instant | null;
  /** Another run tells of it again, from within the month on, or with something left in it. */
  isBack: boolean;
  platform: MonthSide;
  ledger: MonthSide;
}

/** Whether what its figures begin with is of the month; one proof over its edge begins with what stood before. */
export function beginsWithin(
  { period, zone }: { period: Period; zone: Zone },
  { openingAt }: MonthAccount,
): boolean {
  return openingAt !== null && openingAt >= zone.dayStart(period.from);
}

interface Row {
  account_no: string;
  name: string;
  verdict: Verdict;
  last_day: Day;
  proven_day: Day | null;
  opening_at: Instant | null;
  active_to: Instant | null;
  is_back: boolean;
  opening_fen: Fen | null;
  in_fen: Fen;
  out_fen: Fen;
  fee_fen: Fen;
  carried_fen: Fen;
  platform_fen: Fen | null;
  ledger_opening_fen: Fen | null;
  ledger_in_fen: Fen;
  ledger_out_fen: Fen;
  ledger_fee_fen: Fen;
  ledger_carried_fen: Fen;
  ledger_fen: Fen | null;
  signed_platform_fen: Fen | null;
  signed_ledger_fen: Fen | null;
}

/** More links than a month has days, and versions of them. */
const LINKS_MAX = 200;

/**
 * The proof with which an account ends the month is that of the last run, else the last one that is a link; from there
 * each is followed to the version that stands of the one it began with, for as long as that ends within the month.
 */
export async function readMonthAccounts(
  session: Db,
  { period, opening, zone }: { period: Period; opening: SignOff | undefined; zone: Zone },
): Promise<MonthAccount[]> {
  const signedNo = opening === undefined ? -1n : BigInt(opening.details.rowsNo);
  const since = { day: period.to, zone };
  const { rows } = await sql<Row>`
    with recursive own as (
      select a.*, r.n, r.day, r.n = (select max(n) from month_run) as is_last
      from month_run r join run_account a using (run_id) where r.n > 0
    ), ended as (${ended(period, since)}
    ), base as (
      select distinct on (account_no) account_no, run_id, day from own
      where opening_fen is not null and (chained or is_last) order by account_no, n desc
    ), link as (
      select account_no, run_id, 1 as depth from base
      union all
      select l.account_no, s.run_id, l.depth + 1
      from link l join run_account a on a.run_id = l.run_id and a.account_no = l.account_no
      join run o on o.run_id = a.opening_run
      join run s on s.job = o.job and s.from_day = o.from_day and s.to_day = o.to_day and s.accounts = o.accounts
        and s.state = 'finished' and s.superseded_by is null
      join run_account p on p.run_id = s.run_id and p.account_no = l.account_no and p.opening_fen is not null
      where s.to_day >= ${period.from} and l.depth < ${LINKS_MAX}
    ), flows as (
      select a.*, l.depth, lag(a.platform_fen) over before as platform_before, lag(a.ledger_fen) over before as ledger_before
      from link l join run_account a using (run_id, account_no)
      window before as (partition by a.account_no order by l.depth desc)
    ), summed as (
      select account_no, sum(in_fen)::bigint as in_fen, sum(out_fen)::bigint as out_fen, sum(fee_fen)::bigint as fee_fen,
        coalesce(sum(opening_fen - platform_before), 0)::bigint as carried_fen,
        sum(ledger_in_fen)::bigint as ledger_in_fen, sum(ledger_out_fen)::bigint as ledger_out_fen,
        sum(ledger_fee_fen)::bigint as ledger_fee_fen,
        coalesce(sum(ledger_opening_fen - ledger_before), 0)::bigint as ledger_carried_fen,
        max(depth) as first, min(depth) as last
      from flows group by account_no
    ), signed as (
      select key as account_no, (figures ->> 'platformFen')::bigint as platform_fen,
        (figures ->> 'ledgerFen')::bigint as ledger_fen
      from signed_row where trail_no = ${signedNo}::bigint and kind = 'account' and day = ${opening?.period.to ?? ''}
    )
    select e.account_no, coalesce(n.name, '') as name, n.active_to, e.verdict,
      e.day < ${period.to} and ${toldSince(sql.ref('e.account_no'), since)} as is_back,
      e.day as last_day, b.day as proven_day,
      f.opening_at, f.opening_fen, coalesce(s.in_fen, 0) as in_fen, coalesce(s.out_fen, 0) as out_fen,
      coalesce(s.fee_fen, 0) as fee_fen, coalesce(s.carried_fen, 0) as carried_fen, l.platform_fen, f.ledger_opening_fen,
      coalesce(s.ledger_in_fen, 0) as ledger_in_fen, coalesce(s.ledger_out_fen, 0) as ledger_out_fen,
      coalesce(s.ledger_fee_fen, 0) as ledger_fee_fen, coalesce(s.ledger_carried_fen, 0) as ledger_carried_fen,
      l.ledger_fen, g.platform_fen as signed_platform_fen, g.ledger_fen as signed_ledger_fen
    from ended e
    left join account n on n.account_no = e.account_no
    left join base b on b.account_no = e.account_no
    left join summed s on s.account_no = e.account_no
    left join flows f on f.account_no = e.account_no and f.depth = s.first
    left join flows l on l.account_no = e.account_no and l.depth = s.last
    left join signed g on g.account_no = e.account_no
    order by e.account_no`.execute(session);
  return rows.map(accountOf);
}

/** How each account of `own` stood last in the month, and that those which are told of only since did not. */
const ended = ({ to }: Period, since: { day: Day; zone: Zone }): RawBuilder<unknown> => sql`
  (select distinct on (account_no) account_no, verdict, day from own order by account_no, n desc)
  union all
  select account_no, 'incomplete', ${to} from account
  where account_no not in (select account_no from own) and ${toldSince(sql.ref('account.account_no'), since)}`;

function accountOf(row: Row): MonthAccount {
  return {
    accountNo: row.account_no,
    name: row.name,
    verdict: row.verdict,
    lastDay: row.last_day,
    provenDay: row.proven_day,
    openingAt: row.opening_at,
    activeTo: row.active_to,
    isBack: row.is_back,
    platform: {
      openingFen: row.opening_fen,
      inFen: row.in_fen,
      outFen: row.out_fen,
      feeFen: row.fee_fen,
      carriedFen: row.carried_fen,
      closingFen: row.platform_fen,
      signedFen: row.signed_platform_fen,
    },
    ledger: {
      openingFen: row.ledger_opening_fen,
      inFen: row.ledger_in_fen,
      outFen: row.ledger_out_fen,
      feeFen: row.ledger_fee_fen,
      carriedFen: row.ledger_carried_fen,
      closingFen: row.ledger_fen,
      signedFen: row.signed_ledger_fen,
    },
  };
}
