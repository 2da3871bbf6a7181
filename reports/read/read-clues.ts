/**
 * What else the run found that may be the other half of a break: the same amount on the other side of the same account, under
 * the same number on another account, or on other accounts. Set by set, and of any number of equal
 * amounts only the first few are named, so that forty thousand breaks take no longer for being alike.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../src/store/schema/schema.ts';
import { dropStage, layAside } from './stage.ts';

export interface ItemClues {
  /** Names of the first candidates on the same account, by a comma, several entries of one by a plus; empty: an unexplained amount. */
  candidates: string | null;
  candidate_count: number;
  /** The account on whose other side the same number has that amount, and the name it has there. */
  mirror_account: string | null;
  mirror_name: string | null;
  /** The account whose same side has the opposite amount under the same number: the other leg of one order. */
  leg_account: string | null;
  /** The only other account whose other side has that amount, where this one is alone with its own too. */
  elsewhere_account: string | null;
  elsewhere_name: string | null;
  /** How many of that amount the other side of other accounts has. */
  elsewhere_count: number;
}

export const CLUES = { name: 'report_clue' };

export const CLUE_COLUMNS = sql`c.candidates, coalesce(c.candidate_count, 0) as candidate_count, c.mirror_account,
  c.mirror_name, c.leg_account, c.elsewhere_account, c.elsewhere_name, coalesce(c.elsewhere_count, 0) as elsewhere_count`;

/** Candidates that are named; the others are counted. */
export const CANDIDATES_NAMED = 3;

const HALVES = { name: 'report_half' };
const PEERS = { name: 'report_peer' };
const NUMBERED = { name: 'report_numbered' };
const ALIKE = { name: 'report_alike' };

/**
 * Lays aside the clues by run_id and break_id, of those that have any. Each step has a table of its own, so that the planner knows
 * how large it is: guessing, it compares each with each.
 */
export async function stageClues(trx: Transaction<Tables>, runIds: readonly string[]): Promise<void> {
  await layAside(trx, HALVES, halves(runIds));
  await layAside(trx, PEERS, PEERS_OF_HALVES);
  await layAside(trx, NUMBERED, HALVES_OF_NUMBERS);
  await layAside(trx, ALIKE, ALIKE_HALVES);
  await layAside(trx, CLUES, CLUES_OF_HALVES);
  for (const stage of [HALVES, PEERS, NUMBERED, ALIKE]) await dropStage(trx, stage);
}

/** What an order under way is about to take, which is no difference yet; one that is so for too long has it in its note. */
const UNDER_WAY = sql`case f.class when 'state' then -substring(f.note from 'its amount is ([0-9]+) fen')::bigint
  else f.platform_fen end`;

/** What only one side has, though it be only under way there, or nobody explains. */
function halves(runIds: readonly string[]): RawBuilder<unknown> {
  return sql`
    select f.run_id, f.break_id, f.account_no, f.class, f.reference, h.fen as difference_fen, -h.fen as opposite_fen,
      f.first_day, case when f.ledger_fen is null then 'platform' else 'ledger' end as side,
      case when f.ledger_fen is null then 'ledger' else 'platform' end as other_side,
      case when f.class = 'unexplained' then '' when f.ledger_fen is not null then replace(f.ledger_ref, ', ', ' + ')
        when f.platform_ref <> '' then f.platform_ref else f.reference end as name
    from finding f
    cross join lateral (
      select case when f.difference_fen <> 0 or f.ledger_fen is not null then f.difference_fen else ${UNDER_WAY} end as fen) h
    where f.run_id = any(${runIds}::text[]) and h.fen <> 0 and (f.platform_fen is null or f.ledger_fen is null)
      and (f.class in ('platform_only', 'ledger_only', 'ambiguous', 'account', 'unexplained', 'state', 'in_flight', 'unknown_not_found')
        or (f.class = 'pending' and f.ledger_fen is not null))`;
}

/** Of one account: that the other half of what lies on the wrong account is elsewhere is known. */
const PEERS_OF_HALVES = sql`
  select run_id, account_no, difference_fen, side, count(*)::integer as count,
    (count(*) filter (where class <> 'unexplained'))::integer as alike,
    string_agg(name, ', ' order by place) filter (where place <= ${sql.lit(CANDIDATES_NAMED)}) as names
  from (
    select h.*, row_number() over (partition by run_id, account_no, difference_fen, side order by first_day, name, break_id)
      as place
    from ${sql.table(HALVES.name)} h where h.class <> 'account') numbered
  group by 1, 2, 3, 4`;

const HALVES_OF_NUMBERS = sql`
  select run_id, reference, difference_fen, side, min(account_no) as account_no, min(name) as name
  from ${sql.table(HALVES.name)} where class <> 'unexplained' and reference <> ''
  group by 1, 2, 3, 4 having count(*) = 1`;

const ALIKE_HALVES = sql`
  select run_id, difference_fen, side, count(*)::integer as count, min(account_no) as account_no, min(name) as name
  from ${sql.table(HALVES.name)} where class not in ('account', 'unexplained')
  group by 1, 2, 3`;

const CLUES_OF_HALVES = sql`
  select h.run_id, h.break_id, p.names as candidates, p.count as candidate_count, m.account_no as mirror_account,
    m.name as mirror_name, l.account_no as leg_account,
    case when e.is_lone then o.account_no end as elsewhere_account, case when e.is_lone then o.name end as elsewhere_name,
    e.count as elsewhere_count
  from ${sql.table(HALVES.name)} h
  left join ${sql.table(PEERS.name)} p on p.run_id = h.run_id and p.account_no = h.account_no and p.difference_fen = h.opposite_fen
    and p.side = h.other_side and h.class <> 'account'
  left join ${sql.table(NUMBERED.name)} m on m.run_id = h.run_id and m.reference = h.reference and m.difference_fen = h.opposite_fen
    and m.side = h.other_side and m.account_no <> h.account_no and h.class <> 'unexplained'
  left join ${sql.table(NUMBERED.name)} l on l.run_id = h.run_id and l.reference = h.reference and l.difference_fen = h.opposite_fen
    and l.side = h.side and l.account_no <> h.account_no and h.class not in ('account', 'unexplained')
  left join ${sql.table(ALIKE.name)} a on a.run_id = h.run_id and a.difference_fen = h.difference_fen and a.side = h.side
  left join ${sql.table(ALIKE.name)} o on o.run_id = h.run_id and o.difference_fen = h.opposite_fen and o.side = h.other_side
    and h.class not in ('account', 'unexplained')
  cross join lateral (select coalesce(o.count, 0) - coalesce(p.alike, 0) as count,
    a.count = 1 and o.count = 1 and o.account_no <> h.account_no as is_lone) e
  where p.count is not null or m.account_no is not null or l.account_no is not null or e.count > 0`;
