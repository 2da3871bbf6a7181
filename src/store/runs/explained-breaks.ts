/** What adjusting entries are proposed from: explained breaks, with what both sides have of each. */
import { sql } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import type { BreakClass, DbOrTransaction, LedgerKind, TimingClass } from '../schema/schema.ts';

/** An amount of one kind, of the platform or of the books. */
export interface BookedPart {
  kind: LedgerKind;
  amountFen: Fen;
}

/** An entry of the books. */
export interface EntryPart extends BookedPart {
  entryId: string;
  reference: string;
}

export interface ExplainedBreak {
  break_id: string;
  account_no: string;
  item_key: string;
  class: BreakClass | TimingClass;
  reference: string;
  platform_fen: Fen | null;
  ledger_fen: Fen | null;
  difference_fen: Fen;
  counterparty: string;
  /** The company's number of the batch, of the order of that reference; empty where there is none. */
  out_batch_no: string;
  /** Who explains it, and when it was said. */
  reason: string;
  explained_at: Instant;
  /** The number of its last adjusting entry that the newest run which found it had in its books; 0 without one. */
  adjusted: number;
  movements: BookedPart[];
  entries: EntryPart[];
}

interface Row extends Omit<ExplainedBreak, 'movements' | 'entries'> {
  movements: { kind: LedgerKind; fen: string }[];
  entries: { kind: LedgerKind; fen: string; entryId: string; reference: string }[];
}

/** An adjusting entry has a name of its own: the same each time it is proposed, and no other one's. */
export function adjustingEntryId(breakId: string, no: number): string {
  return `ADJ-${breakId}-${no}`;
}

/** By account, class and reference; amounts travel as text, because JSON has no whole numbers of that size. */
export async function findExplained(
  db: DbOrTransaction,
  { breakIds, timeZone }: { breakIds: readonly string[]; timeZone: string },
): Promise<ExplainedBreak[]> {
  const { rows } = await sql<Row>`
    with wanted as materialized (
      select b.*, f.counterparty, f.ledger_ref,
        coalesce((r.facts ->> 'writtenUpTo')::bigint, 9223372036854775807) as known,
        (r.to_day::date + 1)::timestamp at time zone ${timeZone} as cut
      from break b join finding f on f.run_id = b.last_run and f.break_id = b.break_id
      join run r on r.run_id = b.last_run
      where b.break_id = any(${breakIds}::text[])
    ), moved as (
      select break_id, jsonb_agg(jsonb_build_object('kind', kind, 'fen', fen::text) order by kind) as parts
      from (
        select b.break_id, m.kind, sum(m.delta_fen)::bigint as fen
        from wanted b join movement m on m.account_no = b.account_no and m.reference = b.reference
          and b.item_key like 'line:' || m.family || ':%'
        group by 1, 2 having sum(m.delta_fen) <> 0) p
      group by 1
    ), booked as (
      select b.break_id, jsonb_agg(jsonb_build_object('kind', e.kind, 'fen', e.amount_fen::text,
        'entryId', e.entry_id, 'reference', e.reference) order by e.entry_id) as parts
      from wanted b cross join lateral unnest(string_to_array(b.ledger_ref, ', ')) as n (entry_id)
      join ledger_entry e on e.account_no = b.account_no and e.entry_id = n.entry_id
      where e.current and e.status = 'posted' group by 1
    ), adjusted as (
      select b.break_id, max(substring(e.entry_id from '[0-9]{1,9}$')::integer) as no
      from wanted b join ledger_entry e on e.account_no = b.account_no
        and substring(e.entry_id from '^ADJ-(.*)-[0-9]{1,9}$') = b.break_id
      where e.current and not e.withdrawn and e.written_no <= b.known and e.booked_at < b.cut group by 1
    ), batch as (
      select b.break_id, max(t.out_batch_no) as out_batch_no
      from wanted b join transfer_order t on t.out_order_no = b.reference
        and b.account_no in (t.account_no, t.payee_account_no)
      group by 1
    )
    select b.break_id, b.account_no, b.item_key, b.class, b.reference, b.platform_fen, b.ledger_fen, b.difference_fen,
      b.counterparty, coalesce(o.out_batch_no, '') as out_batch_no, coalesce(w.work ->> 'reason', '') as reason,
      w.at as explained_at, coalesce(a.no, 0) as adjusted, coalesce(m.parts, '[]') as movements,
      coalesce(e.parts, '[]') as entries
    from wanted b
    join lateral (
      select e.work, e.at from break_event e where e.break_id = b.break_id and e.event = 'explained'
      order by e.event_no desc limit 1) w on true
    left join moved m using (break_id) left join booked e using (break_id) left join batch o using (break_id)
    left join adjusted a using (break_id)
    order by b.account_no, b.class, b.reference, b.break_id`.execute(db);
  return rows.map((row) => ({
    ...row,
    movements: row.movements.map(({ kind, fen }) => ({ kind, amountFen: BigInt(fen) })),
    entries: row.entries.map(({ fen, ...entry }) => ({ ...entry, amountFen: BigInt(fen) })),
  }));
}
