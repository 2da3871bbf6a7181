/** What stands beside the breaks: pairs that cancel out, write-offs, and changes of what earlier periods rested on. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Day } from '../../src/core/time.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { ItemRow } from './read-items.ts';
import { PAIRS } from './read-pairs.ts';
import type { PairKind } from './read-pairs.ts';
import { dropStage, indexStage, layAside, staging } from './stage.ts';
import type { Stage } from './stage.ts';

export interface PairRow {
  n: bigint;
  kind: PairKind;
  amount_fen: Fen;
  plus_account: string;
  plus_name: string;
  plus_reference: string;
  plus_class: ItemRow['class'];
  plus_id: string;
  minus_account: string;
  minus_name: string;
  minus_reference: string;
  minus_class: ItemRow['class'];
  minus_id: string;
}

export interface ChangeRow extends ItemRow {
  /** What the period rested on, and what stands there now, where each is one amount. */
  recorded_fen: Fen | null;
  actual_fen: Fen | null;
  change_fen: Fen | null;
  /** The last day of what was signed, or the day of the record, else the one on which the change was first seen. */
  period: Day;
}

export type WriteOffState = 'approved' | 'proposed' | 'renewal' | 'expired' | 'lapsed';

export interface WriteOffRow extends ItemRow {
  until: Day;
  proposed_by: string;
  /** Empty: nobody approved it. */
  approved_by: string;
  /** Of this write-off; the item has that of the one in force, or none. */
  write_off_reason: string;
  state: WriteOffState;
}

export const OFFSETS: Stage<PairRow> = { name: 'report_offset' };
export const WRITE_OFFS: Stage<WriteOffRow> = { name: 'report_write_off' };
export const CHANGES: Stage<ChangeRow> = { name: 'report_change' };

/** The items are laid aside already. */
export async function stageSideLists(session: Db, zoneName: string): Promise<void> {
  await staging(session, async (trx) => {
    await layAside(trx, OFFSETS, offsets());
    await layAside(trx, WRITE_OFFS, writeOffs());
    await layAside(trx, CHANGES, changes(zoneName));
    for (const stage of [OFFSETS, WRITE_OFFS, CHANGES]) await indexStage(trx, stage);
    await dropStage(trx, PAIRS);
  });
}

function offsets(): RawBuilder<unknown> {
  return sql`
    select row_number() over (order by array_position(array['order', 'account', 'amount'], p.kind), a.n) as n,
      p.kind, a.difference_fen as amount_fen,
      a.account_no as plus_account, a.account_name as plus_name, a.reference as plus_reference,
      a.class as plus_class, a.break_id as plus_id,
      b.account_no as minus_account, b.account_name as minus_name, b.reference as minus_reference,
      b.class as minus_class, b.break_id as minus_id
    from report_pair p join report_item a on a.break_id = p.plus_id and a.list = 'break'
    join report_item b on b.break_id = p.minus_id and b.list = 'break'`;
}

/**
 * One row a write-off. An item that is written off has a second one while another awaits approval: a renewal, which is no
 * second item; one that can no longer be approved changes nothing.
 */
function writeOffs(): RawBuilder<unknown> {
  const isSecond = sql`w.place > 1`;
  const isApproved = sql`w.write_off ->> 'approvedBy' is not null`;
  return sql`
    select row_number() over (order by w.write_off ->> 'expires', i.n, w.place) as n, ${WITHOUT_NUMBER},
      w.write_off ->> 'expires' as until, coalesce(w.write_off ->> 'proposedBy', '') as proposed_by,
      coalesce(w.write_off ->> 'approvedBy', '') as approved_by,
      coalesce(w.write_off ->> 'reason', '') as write_off_reason,
      case when ${isApproved} and i.work_status = 'written_off' then 'approved'
        when ${isApproved} and i.work_status = 'expired' then 'expired'
        when ${isSecond} then 'renewal' when i.is_proposed then 'proposed' else 'lapsed' end as state
    from report_item i
    cross join lateral jsonb_array_elements(i.write_offs) with ordinality w (write_off, place)
    where i.list in ('break', 'attention') and (i.is_proposed or not ${isSecond})`;
}

/** Of entries or records: how many, and what they add up to. */
const OF_BOOKS = '(?:entries|records) [0-9]{1,16}, sum (-?[0-9]{1,16}) fen';

/** Of what changed of a signed day or month, which has its name as reference. */
const LAST_DAY_SIGNED = sql`case when i.class = 'period_changed' and i.list = 'attention' then
  case length(i.reference) when 7 then to_char((i.reference || '-01')::date + interval '1 month - 1 day', 'YYYY-MM-DD')
    else i.reference end end`;

/** The amounts are those that the proof's own sentences tell: the finding itself has what stands there now. */
function changes(zoneName: string): RawBuilder<unknown> {
  const told = (form: string): RawBuilder<unknown> => sql`substring(i.note from ${form})::bigint`;
  return sql`
    select c.*, c.actual_fen - c.recorded_fen as change_fen from (select row_number() over (order by i.n) as n, ${WITHOUT_NUMBER},
      case i.class
        when 'period_changed' then coalesce(${told('began with (-?[0-9]{1,16}) fen')}, ${told(`^signed off: ${OF_BOOKS}`)})
        when 'record_vanished' then i.platform_fen else ${told('^was ([0-9]{1,16}) fen')} end as recorded_fen,
      case i.class
        when 'period_changed' then coalesce(${told('they state (-?[0-9]{1,16}) fen')}, ${told(`; now: ${OF_BOOKS}`)})
        when 'record_vanished' then 0 when 'record_changed' then case when i.note ~ '^was [0-9]{1,16} fen' then i.platform_fen end
        end as actual_fen,
      coalesce(${LAST_DAY_SIGNED}, to_char(i.platform_at at time zone ${zoneName}, 'YYYY-MM-DD'), i.first_day) as period
    from report_item i
    where i.list in ('break', 'attention')
      and i.class in ('period_changed', 'record_changed', 'record_vanished', 'state_regression')) c`;
}

const WITHOUT_NUMBER = sql`i.list, i.account_index, i.account_no, i.account_name, i.group_no, i.break_id, i.class,
  i.statement_line, i.reference, i.platform_fen, i.ledger_fen, i.difference_fen, i.platform_ref, i.platform_state,
  i.platform_at, i.ledger_ref, i.ledger_state, i.ledger_at, i.counterparty, i.note, i.first_day, i.age_days,
  i.item_state, i.cleared_day, i.cleared_by, i.work_status, i.owner, i.reason, i.remark, i.is_proposed,
  i.write_offs`;

export interface SideSum {
  rows: number;
  fen: Fen;
}

export interface SideLists {
  offsets: SideSum;
  writeOffs: SideSum;
  /** Of the write-offs those of items that are written off, and counted, already. */
  renewals: SideSum;
  /** Of the write-offs those that hold. */
  approved: SideSum;
  /** Of the write-offs those that await approval. */
  proposed: SideSum;
  changes: SideSum;
}

export async function sumSideLists(session: Db): Promise<SideLists> {
  const sum = async (rows: RawBuilder<unknown>): Promise<SideSum> => {
    const found = await sql<SideSum>`
      select count(*)::integer as rows, coalesce(sum(fen), 0)::bigint as fen from (${rows}) r`.execute(
      session,
    );
    return found.rows[0] ?? { rows: 0, fen: 0n };
  };
  const writtenOff = sql`select difference_fen as fen from report_write_off`;
  return {
    offsets: await sum(sql`select amount_fen as fen from report_offset`),
    writeOffs: await sum(writtenOff),
    renewals: await sum(sql`${writtenOff} where state = 'renewal'`),
    approved: await sum(sql`${writtenOff} where state = 'approved'`),
    proposed: await sum(sql`${writtenOff} where state = 'proposed'`),
    changes: await sum(sql`select change_fen as fen from report_change`),
  };
}
