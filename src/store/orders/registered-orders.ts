/** The order registry as people ask for it: what the company registered, and what is known of it by now. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';
import { OF_ONE_ORDER } from './registrations.ts';
import type { DbOrTransaction, DueState, RegisteredOutcome } from '../schema/schema.ts';
import type { SettlementState, TransferState, WithdrawalState } from '../schema/schema.ts';

/** What a registered order said before; never edited. */
export interface OrderChange {
  /** The column of the registry; amounts in fen, instants in UTC. */
  member: string;
  before: string;
  /** Empty: it says nothing any more. */
  after: string;
  /** When the file came; of what SQL changed, when a run first met it, null until then. */
  at: Instant | null;
  /** The database role that wrote it. */
  role: string;
  /** The file that said so; empty: SQL did. */
  file: string;
}

/** What a program registered of an order once more and otherwise: the registry kept what it had. */
export interface RegisteredAgain {
  /** The column of the registry; amounts in fen. */
  member: string;
  value: string;
  /** When a run first met it; null until then. */
  at: Instant | null;
  /** The database role that wrote it. */
  role: string;
  /** When a file put the order right, and its name; null and empty until then. */
  settledAt: Instant | null;
  settledBy: string;
}

export interface RegisteredOrder {
  kind: 'transfer' | 'withdrawal';
  outBatchNo: string;
  outOrderNo: string;
  batchNo: string;
  orderNo: string;
  payerAccountNo: string;
  payeeAccountNo: string;
  amountFen: Fen | null;
  submittedAt: Instant | null;
  outcome: RegisteredOutcome;
  registeredBy: 'program' | 'file';
  /** What asking for it has come to; null: the job has not met it yet. */
  asked: DueState | null;
  /** Why the last question had no answer; empty when it had one. */
  failure: string;
  /** What it came to; `mixed`: a batch registered as a whole whose orders differ. Null: the platform said nothing. */
  state: TransferState | WithdrawalState | 'mixed' | null;
  /** Of its automatic withdrawal; null for a withdrawal and for what is not known. */
  settlement: SettlementState | null;
  refundFen: Fen | null;
  /** The first change first. */
  changes: OrderChange[];
  contradictions: RegisteredAgain[];
}

export interface RegisteredFilter {
  /** Payer or payee. */
  accountNo: string | undefined;
  /** Only those whose end is not known or whose money is under way. */
  onlyOpen: boolean;
  limit: number | undefined;
}

/** An instant as JSON states it. */
function instantText(column: string): RawBuilder<unknown> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Of the order `r`, under whichever name it was registered then. */
const CHANGES = sql`coalesce((
  select json_agg(json_build_object('member', c.member, 'before', c.before, 'after', c.after,
      'at', ${instantText('c.at')}, 'role', c.by_role,
      'file', coalesce(f.name, '')) order by c.change_no)
  from registration_change c left join intake_file f on f.file_id = c.file_id
  where c.kind = r.kind and c.registered_as in (r.registered_as,
    case when r.order_no <> '' then 'order:' || r.order_no end,
    case when r.out_order_no = '' and r.order_no = '' then 'batchNo:' || r.batch_no end)), '[]')`;

/** Of the order `r`: what was settled, and what it says otherwise. */
const CONTRADICTIONS = sql`coalesce((
  select json_agg(json_build_object('member', m.name, 'value', m.value, 'at', ${instantText('c.at')},
      'role', c.by_role, 'settledAt', ${instantText('c.settled_at')}, 'settledBy', coalesce(f.name, ''))
    order by c.contradiction_no, m.name)
  from order_contradiction c
  left join intake_file f on f.file_id = c.settled_file_id
  cross join lateral (values ('out_batch_no', c.out_batch_no, r.out_batch_no), ('batch_no', c.batch_no, r.batch_no),
    ('order_no', c.order_no, r.order_no), ('payer_account_no', c.payer_account_no, r.payer_account_no),
    ('payee_account_no', c.payee_account_no, r.payee_account_no),
    ('amount_fen', c.amount_fen::text, r.amount_fen::text)) m (name, value, stands)
  where ${OF_ONE_ORDER} and m.value <> '' and m.value is distinct from m.stands), '[]')`;

/** The latest submitted first. */
export async function listRegisteredOrders(
  db: DbOrTransaction,
  filter: RegisteredFilter,
): Promise<RegisteredOrder[]> {
  const { accountNo, onlyOpen, limit } = filter;
  const ofAccount =
    accountNo === undefined
      ? sql`true`
      : sql`(r.payer_account_no = ${accountNo} or r.payee_account_no = ${accountNo})`;
  const newestFirst = sql`r.submitted_at desc nulls last, r.kind, r.registered_as`;
  const { rows } = await sql<RegisteredOrder>`
    with chosen as (
      select * from order_registry r where ${ofAccount}
      order by ${newestFirst} limit ${onlyOpen ? null : (limit ?? null)}::bigint
    ), asked as (
      select r.*, coalesce(own.state, platform.state) as due_state,
        coalesce(own.failure, platform.failure, '') as due_failure,
        coalesce(nullif(own.account_no, ''), nullif(platform.account_no, ''), r.payer_account_no) as owner,
        coalesce(nullif(r.out_order_no, ''), alias.out_order_no) as own_no
      from chosen r
      left join order_due own on own.kind = case r.kind when 'transfer' then 'batch' else r.kind end
        and own.number_kind = 'out'
        and own.number = case r.kind when 'transfer' then r.out_batch_no else r.out_order_no end
      left join order_due platform on platform.kind = case r.kind when 'transfer' then 'batch' else r.kind end
        and platform.number_kind = 'platform'
        and platform.number = case r.kind when 'transfer' then r.batch_no else r.order_no end
      left join order_alias alias on r.out_order_no = '' and alias.order_no = r.order_no
    ), known as (
      select r.*, coalesce(t.effective_state, w.effective_state, whole.state) as effective_state, t.settlement,
        t.refund_fen, t.refund_waiting_fen
      from asked r
      left join transfer_order t on r.kind = 'transfer' and t.account_no = r.owner and t.out_order_no = r.own_no
      left join withdrawal w on r.kind = 'withdrawal' and w.account_no = r.owner and w.out_order_no = r.own_no
      left join lateral (
        select case when bool_or(o.effective_state = 'open') then 'open'
          when bool_and(o.effective_state = 'moved') then 'moved'
          when bool_and(o.effective_state = 'failed') then 'failed' when count(*) > 0 then 'mixed' end as state
        from transfer_order o
        where r.kind = 'transfer' and r.out_order_no = '' and r.order_no = '' and o.account_no = r.owner
          and o.out_batch_no = coalesce(nullif(r.out_batch_no, ''), (select b.out_batch_no from transfer_batch b
            where b.account_no = r.owner and b.batch_no = r.batch_no limit 1))
      ) whole on true
    )
    select r.kind, r.out_batch_no as "outBatchNo", r.out_order_no as "outOrderNo", r.batch_no as "batchNo",
      r.order_no as "orderNo", r.payer_account_no as "payerAccountNo", r.payee_account_no as "payeeAccountNo",
      r.amount_fen as "amountFen", r.submitted_at as "submittedAt", r.outcome,
      case when r.file_id is null then 'program' else 'file' end as "registeredBy", r.due_state as asked,
      r.due_failure as failure, r.effective_state as state, r.settlement, r.refund_fen as "refundFen",
      ${CHANGES} as changes, ${CONTRADICTIONS} as contradictions
    from known r
    where not ${onlyOpen}::boolean or (r.due_state is distinct from 'refused'
      and (r.effective_state is null or r.effective_state = 'open' or r.settlement in ('open', 'unknown')
        or r.refund_waiting_fen <> 0))
    order by ${newestFirst} limit ${limit ?? null}::bigint`.execute(db);
  return rows;
}
