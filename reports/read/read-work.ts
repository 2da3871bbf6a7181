/** What people had said of the items of a run when its proof was stored, and how that is seen on the run's last day. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Day } from '../../src/core/time.ts';
import { isProposed, lastWorkOf, statusOf } from '../../src/store/runs/break-work.ts';
import type { SeenBreak } from '../../src/store/runs/break-work.ts';
import type { Db, WorkAction, WorkStatus, WriteOff } from '../../src/store/schema/schema.ts';
import type { AgeBucket } from '../words/terms.ts';
import type { RunHead } from './read-run.ts';

/** Of an item that needs a person. Texts are empty where nothing was said. */
export interface ItemWork {
  work_status: WorkStatus;
  owner: string;
  reason: string;
  remark: string;
  /** What is proposed to be done; empty: nothing is. */
  action: WorkAction | '';
  is_proposed: boolean;
  /** The last one, and before it the one that is in force as long as that awaits approval. */
  write_offs: Pick<WriteOff, 'reason' | 'expires' | 'proposedBy' | 'approvedBy'>[];
}

/** Up to which event of the audit trail, and as of which day, what people say is shown. */
export interface SeenAt {
  trailNo: bigint | null;
  today: Day;
}

/** Those columns for the findings `f` of the run: what to select, and the joins it takes. */
export function workOfItems(
  { toDay }: Pick<RunHead, 'toDay'>,
  { trailNo, today }: SeenAt,
): Record<'columns' | 'joins', RawBuilder<unknown>> {
  const seen: SeenBreak = {
    work: sql`w.work`,
    class: sql`f.class`,
    differenceFen: sql`f.difference_fen`,
    foundDay: sql`${toDay}::text`,
    today: sql`${today}::text`,
  };
  const status = statusOf(seen);
  const inForce = sql`case ${status} when 'written_off' then w.work -> 'inForce' end`;
  return {
    columns: sql`
      ${status} as work_status, coalesce(w.work ->> 'owner', '') as owner,
      coalesce(w.work ->> 'reason', '') as reason, coalesce(w.work ->> 'note', '') as remark,
      coalesce(w.work ->> 'action', '') as action, ${isProposed(seen)} as is_proposed,
      jsonb_path_query_array(jsonb_build_array(${inForce}, w.work -> 'writeOff'), '$[*] ? (@ != null)') as write_offs`,
    joins: sql`left join lateral (${lastWorkOf(sql`f.break_id`, sql`${trailNo ?? 0n}::bigint`)}) w on true`,
  };
}

/** How many breaks are that old; a bucket without any is not there. */
export interface AgeSum {
  bucket: AgeBucket;
  count: number;
}

const BUCKET = sql`case when age_days <= 1 then 'days0' when age_days <= 7 then 'days2' when age_days <= 30 then 'days8'
  else 'days31' end`;

export async function sumAges(session: Db): Promise<AgeSum[]> {
  const { rows } = await sql<AgeSum>`
    select ${BUCKET} as bucket, count(*)::integer as count
    from report_item where list = 'break' group by 1 order by 1`.execute(session);
  return rows;
}

/** Breaks and items for attention that are alike in status, owner and age. */
export interface WorkSum {
  status: WorkStatus;
  owner: string;
  bucket: AgeBucket;
  count: number;
  grossFen: Fen;
  oldestDays: number;
}

export async function sumWork(session: Db): Promise<WorkSum[]> {
  const { rows } = await sql<WorkSum>`
    select work_status as status, owner, ${BUCKET} as bucket, count(*)::integer as count, sum(abs(difference_fen))::bigint as "grossFen",
      max(age_days) as "oldestDays"
    from report_item where list in ('break', 'attention') group by 1, 2, 3 order by 1, 2, 3`.execute(session);
  return rows;
}
