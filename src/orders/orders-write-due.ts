/** When each batch and withdrawal that was asked for is to be asked again. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { isDueOfBatch } from '../store/orders/batch-numbers.ts';
import { mayHaveShown, unitText } from '../store/orders/order-claims.ts';
import { TEXT_C, copyRows, stageOf } from '../store/database/bulk.ts';
import type { Instant } from '../core/time.ts';
import type { UnitKey } from '../store/orders/order-due.ts';
import type { OrderSave } from './orders-answers.ts';
import type { PendingWrites } from './pending-writes.ts';
import type { Tables } from '../store/schema/schema.ts';

const STAGE = stageOf('stage_order_due', {
  kind: 'text',
  number_kind: 'text',
  number: TEXT_C,
  account_no: TEXT_C,
  state: 'text',
  final_day: 'text',
  next_day: 'text',
  asked_at: 'timestamptz',
  failure: 'text',
  not_found_since: 'timestamptz',
  refused_since: 'timestamptz',
  given_up_day: 'text',
  // Under which it was asked for.
  claim_fence: 'bigint',
});

/**
 * A run that keeps no list leaves alone which run asked last and what that could not read, unless it could read
 * it now. A claim ends with the answer that was asked for under it, and with no other one.
 */
export async function writeDues(
  trx: Transaction<Tables>,
  { runId, keepsList, answers }: Pick<OrderSave, 'runId' | 'keepsList' | 'answers'>,
  drafts: PendingWrites,
): Promise<void> {
  await keepUnkept(trx, [...drafts.unkept.values()]);
  for (const { unit, batchNo } of drafts.batchNos.values()) {
    await sql`update order_due set batch_no = ${batchNo}
      where kind = ${unit.kind} and number_kind = ${unit.numberKind} and number = ${unit.number}`.execute(
      trx,
    );
  }
  const dues = [...drafts.dues.values()];
  if (dues.length === 0) return;
  const fences = new Map(answers.map(({ unit, claimFence }) => [unitText(unit), claimFence]));
  await copyRows(
    trx,
    STAGE,
    dues.map((due) => [
      due.unit.kind,
      due.unit.numberKind,
      due.unit.number,
      due.accountNo,
      due.state,
      due.finalDay,
      due.nextDay,
      due.askedAt,
      due.failure,
      due.notFoundSince,
      due.refusedSince,
      due.givenUpDay,
      fences.get(unitText(due.unit))?.toString() ?? null,
    ]),
  );
  await renumber(trx, [...drafts.renumbered.values()]);
  await sql`
    update order_due d set account_no = s.account_no, state = s.state, final_day = s.final_day,
      next_day = s.next_day, asked_at = s.asked_at, not_found_since = s.not_found_since,
      refused_since = s.refused_since, given_up_day = s.given_up_day,
      asked_run = case when ${keepsList}::boolean then ${runId} else d.asked_run end,
      claim_by = case d.claim_fence when s.claim_fence then null else d.claim_by end,
      claim_until = case d.claim_fence when s.claim_fence then null else d.claim_until end,
      failure = case when ${keepsList}::boolean or s.failure = '' then s.failure else d.failure end
    from stage_order_due s
    where d.kind = s.kind and d.number_kind = s.number_kind and d.number = s.number`.execute(trx);
}

/** Once for one look, by however many numbers of the batch; the list may have it by its other number alone. */
async function keepUnkept(
  trx: Transaction<Tables>,
  unkept: readonly { unit: UnitKey; at: Instant }[],
): Promise<void> {
  if (unkept.length === 0) return;
  await sql`
    with looks as (
      select d.kind, d.number_kind, d.number, max(k.at) as at
      from unnest(${unkept.map(({ unit }) => unit.number)}::text[], ${unkept.map(({ at }) => at)}::timestamptz[]) k (number, at)
      cross join lateral (select * from order_due d where ${isDueOfBatch(sql.ref('k.number'))} offset 0) d
      group by d.kind, d.number_kind, d.number)
    update order_due d set may_have_shown_at = ${mayHaveShown(sql.ref('s.at'))} from looks s
    where d.kind = s.kind and d.number_kind = s.number_kind and d.number = s.number`.execute(trx);
}

/** What was found under its other number is asked for by that from now on; it stays one row, as do several that are one. */
async function renumber(
  trx: Transaction<Tables>,
  renumbered: readonly { from: UnitKey; to: UnitKey }[],
): Promise<void> {
  if (renumbered.length === 0) return;
  const [from, to] = [renumbered.map((unit) => unit.from), renumbered.map((unit) => unit.to)];
  await sql`
    with former as (
      delete from order_due d
      using unnest(${from.map(({ kind }) => kind)}::text[], ${from.map(({ numberKind }) => numberKind)}::text[],
        ${from.map(({ number }) => number)}::text[], ${to.map(({ numberKind }) => numberKind)}::text[],
        ${to.map(({ number }) => number)}::text[]) s (kind, number_kind, number, new_kind, new_number)
      where d.kind = s.kind and d.number_kind = s.number_kind and d.number = s.number
      returning d.*, s.new_kind, s.new_number)
    insert into order_due (kind, number_kind, number, account_no, origin, submitted_at, first_submitted_at, may_have_shown_at)
    select kind, new_kind, new_number, max(account_no), max(origin), min(submitted_at), min(first_submitted_at),
      max(may_have_shown_at)
    from former group by kind, new_kind, new_number
    order by kind, new_kind, new_number
    on conflict (kind, number_kind, number) do update set
      submitted_at = least(order_due.submitted_at, excluded.submitted_at),
      first_submitted_at = least(order_due.first_submitted_at, excluded.first_submitted_at),
      may_have_shown_at = greatest(order_due.may_have_shown_at, excluded.may_have_shown_at)`.execute(trx);
}
