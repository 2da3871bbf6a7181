/**
 * Calls that move money by hand, as the retry of settlements sees them: what may have left is stored before it leaves,
 * because no query shows it while it is on its way.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { addMs } from '../core/time.ts';
import type { Instant } from '../core/time.ts';
import type { DbOrTransaction, Tables } from '../store/schema/schema.ts';
import type { CallByHand, Denial, Denied, MoneyNamed, OpenForCall } from './call-store.ts';
import { wasSentBeside } from './sent-beside.ts';
import { unkeptAt } from './unkept-looks.ts';

/** In one letter case: a platform may read both as the same, and a person may type either. */
function inOneCase(text: string): RawBuilder<string> {
  return sql<string>`lower(${sql.ref(text)} collate "C")`;
}

const isOfOrder = sql<boolean>`(c.about = 'order' and ${inOneCase('c.number')}
  in (${inOneCase('o.out_order_no')}, ${inOneCase('o.order_no')}, ${inOneCase('o.stated_no')}))`;

/** When a call that names the order `o`, or withdraws from its payee, last left or was about to; null: none ever. */
export const lastCallByHand = sql<Instant | null>`(select max(c.req_time) from call_by_hand c
  where ${isOfOrder}
    or (c.about = 'account' and (${inOneCase('c.number')} = ${inOneCase('o.payee_account_no')}
      or exists (select from account a where a.account_no = o.payee_account_no
        and ${inOneCase('a.ele_acct_no')} = ${inOneCase('c.number')}))))`;

/**
 * Of a call, and the order `o`. What was said too early, by another lag or under an earlier version, says nothing; nor does
 * what was said before a look showed what may be a refund of it, or so soon after that that a view may lag behind, also
 * where that look was kept only later: none need go on showing that.
 */
const isWaitedFor = (lagMs: number): RawBuilder<boolean> => sql`(c.endpoint = 'division/refund' and c.is_taken
  and ${isOfOrder}
  and not exists (select from refund_denied d
    where d.req_id = c.req_id and d.account_no = o.account_no and d.out_order_no = o.out_order_no
      and d.denied_at > ${later(sql`greatest(c.req_time, o.refund_shown_at, ${unkeptAt})`, lagMs)}))`;

/** From then on no call `c` is on its way, and queries show what came of it. */
function overAt(lagMs: number): RawBuilder<Instant> {
  return later(sql`c.req_time`, lagMs);
}

function later(time: RawBuilder<unknown>, ms: number): RawBuilder<Instant> {
  return sql`(${time} + ${ms} * interval '1 millisecond')`;
}

/**
 * The request of the first refund by hand of the order `o` that was taken, or may have been, since which no query has
 * shown that one is done, later than what was before it may be shown and heard: it may wait for its confirmation for days,
 * and queries need not show it before it is done (U36), nor go on showing that it waits. That an earlier one was given back,
 * or came to nothing, shows nothing of it, nor does a record with which something is wrong. Left out are those of which
 * somebody says that the platform took none of this very order.
 */
export const refundUnseen = (
  lagMs: number,
): RawBuilder<string | null> => sql`(select c.req_id from call_by_hand c
  where ${isWaitedFor(lagMs)}
    and not exists (select from order_state_seen s
      where s.account_no = o.account_no and s.out_order_no = o.out_order_no and s.subject = 'refund'
        and s.amount_fen > 0 and s.state = 'moved' and not s.is_odd
        and s.first_final_at > ${overAt(lagMs)})
  order by c.req_time, c.req_id limit 1)`;

/** Taken, unless it turns out not to have left. Only in the turn of whoever changes attempts; once more is stored already. */
export async function saveCallByHand(
  trx: Transaction<Tables>,
  { reqId, endpoint, runId, reqTime, orders, accounts }: CallByHand & { runId: string },
): Promise<void> {
  const call = { req_id: reqId, endpoint, run_id: runId, req_time: reqTime, is_taken: true };
  const rows = [
    ...orders.map((number) => ({ ...call, about: 'order' as const, number })),
    ...accounts.map((number) => ({ ...call, about: 'account' as const, number })),
  ];
  if (rows.length === 0) return;
  await trx
    .insertInto('call_by_hand')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** It did not leave. */
export async function saveNotTaken(db: DbOrTransaction, reqId: string): Promise<void> {
  await db.updateTable('call_by_hand').set({ is_taken: false }).where('req_id', '=', reqId).execute();
}

/**
 * Somebody says that the platform says that it took no refund of that order by that request, whose other orders may be
 * refunded all the same, also another payer's that has the same number. Only in one's turn.
 * @param lagMs so long after its time what was sent may arrive, and looks may not show it, nor what another look showed
 *   besides the plain failure: nobody can say so by then
 */
export async function saveDenied(
  trx: Transaction<Tables>,
  { reqId, accountNo, outOrderNo, by, at }: Denial,
  lagMs: number,
): Promise<Denied> {
  const { rows } = await sql<{ since: Instant }>`
    select greatest(c.req_time, o.settle_shown_at, ${unkeptAt}) as since from call_by_hand c
    join transfer_order o on o.account_no = ${accountNo} and o.out_order_no = ${outOrderNo}
    where c.req_id = ${reqId} and ${isWaitedFor(lagMs)} limit 1`.execute(trx);
  const [call] = rows;
  if (call === undefined) return 'unknown';
  const notBefore = addMs(call.since, lagMs);
  if (at <= notBefore) return { notBefore };
  const key = { req_id: reqId, account_no: accountNo, out_order_no: outOrderNo };
  await trx
    .insertInto('refund_denied')
    .values({ ...key, denied_by: by, denied_at: at })
    // What was said too early is said again.
    .onConflict((conflict) =>
      conflict
        .columns(['req_id', 'account_no', 'out_order_no'])
        .doUpdateSet({ denied_by: by, denied_at: at }),
    )
    .execute();
  return 'noted';
}

/** Those that are dated later than that were refused, and count as sent now; only in one's turn. */
export async function redateCalls(
  trx: Transaction<Tables>,
  { now, latest }: { now: Instant; latest: Instant },
): Promise<void> {
  await trx
    .updateTable('call_by_hand')
    .set({ req_time: now, is_taken: false })
    .where('req_time', '>', latest)
    .execute();
}

/**
 * Attempts that are not closed, of an order that the call names or out of an account that it withdraws from, and of such an
 * order those that the platform may have taken as well as another one; by key.
 */
export async function openAttemptsMet(
  db: DbOrTransaction,
  { orders, accounts }: MoneyNamed,
): Promise<OpenForCall[]> {
  const named = (numbers: readonly string[]): RawBuilder<unknown> =>
    sql`(select ${inOneCase('n')} from unnest(${numbers}::text[]) n)`;
  const isNamed = sql`(${inOneCase('t.out_order_no')} in ${named(orders)}
    or ${inOneCase('t.order_no')} in ${named(orders)}
    or ${inOneCase('o.order_no')} in ${named(orders)} or ${inOneCase('o.stated_no')} in ${named(orders)})`;
  const { rows } = await sql<OpenForCall>`
    select t.out_order_no as "outOrderNo", t.attempt_no as "attemptNo", t.state, t.payee_account_no as "payeeAccountNo"
    from settle_attempt t
    left join transfer_order o on o.account_no = t.account_no and o.out_order_no = t.out_order_no
    where (t.state <> 'CLOSED' and (${isNamed}
        or ${inOneCase('t.payee_account_no')} in ${named(accounts)}
        or exists (select from account a
          where a.account_no = t.payee_account_no and ${inOneCase('a.ele_acct_no')} in ${named(accounts)})))
      or (${isNamed} and exists (select from settle_attempt r where ${wasSentBeside('t', 'r')}))
    order by t.account_no, t.out_order_no, t.attempt_no`.execute(db);
  return rows;
}
