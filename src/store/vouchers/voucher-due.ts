/**
 * The due list: one row for each order whose voucher is wanted, put there when the order became final, by sets from
 * what was written since the list was last filled (VCH-01…05, U51). Refunds have no kind of voucher and no row.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Db, Tables } from '../schema/schema.ts';
import { unitOfWork } from '../database/unit-of-work.ts';
import { markingOf } from './voucher-marks.ts';
import { highestWriteNo, progressOf, saveProgress } from '../database/writing.ts';

const STEP = 'vouchers';
const SETTLEMENT_STEP = 'vouchers of settlements asked as ';

export interface FillRules {
  /** The service's zone: a voucher lies in the bundle of the month in which its money moved there. */
  timeZone: string;
  /** transType a settlement is asked for with; none: it has no voucher (`vouchers.autoWithdrawType`). */
  autoWithdrawType: '2' | 'none';
}

/** Filling twice is filling once: a row changes only when what it says of its order did. */
export async function fillVoucherDue(db: Db, rules: FillRules): Promise<void> {
  await unitOfWork(db, async (trx) => {
    const upTo = await highestWriteNo(trx);
    await followSettlementRule(trx, rules, upTo);
    const after = await progressOf(trx, STEP);
    if (upTo <= after) return;
    const written = (row: string) =>
      sql`${sql.raw(row)}.written_no > ${after} and ${sql.raw(row)}.written_no <= ${upTo}`;
    await fill(trx, { rows: deposits(written('d')), upTo, ...rules });
    await fill(trx, { rows: transfers(written('o')), upTo, ...rules });
    await fill(trx, { rows: withdrawals(written('o')), upTo, ...rules });
    await fill(trx, { rows: settlements(written('o'), rules), upTo, ...rules });
    await saveProgress(trx, STEP, upTo);
  });
}

/** Whoever paid is named; of one who is not, the last four digits of the bank's number. */
const PAYER = sql`case when d.payer_name <> '' then d.payer_name
  when d.payer_acct_no <> '' and length(d.payer_acct_no) >= 8 then '****' || right(d.payer_acct_no, 4)
  when d.payer_acct_no <> '' then '****' else '' end`;

function deposits(isWritten: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select d.account_no, 'deposit' as kind, d.order_no as number, d.order_no, '' as other_account_no,
      d.deposited_at as moved_at, d.amount_fen, ${PAYER} as counterparty, 'due' as state, '' as reason
    from deposit d where ${isWritten}`;
}

/**
 * The instant at which an order's change counts: that of its movement where it is posted already, else by the same
 * rule from what our looks saw of it.
 */
function movedAt(of: {
  subject: 'transfer' | 'withdrawal' | 'settlement';
  account: string;
  head: string;
}): RawBuilder<unknown> {
  return sql`cross join lateral (
    select coalesce(
      (select m.effective_from from movement m
        where m.account_no = ${sql.raw(of.account)} and m.dedup_key = ${sql.lit(of.head)} || o.out_order_no
          and m.order_account = o.account_no),
      case when s.last_open_at is null then least(s.since, s.first_final_at) end, s.first_final_at) as at
    from order_state_seen s
    where s.account_no = o.account_no and s.out_order_no = o.out_order_no
      and s.subject = ${sql.lit(of.subject)} and s.state = 'moved'
    order by s.change_no limit 1) moved`;
}

/** Where the payee is an account of the company's, its bundle holds the voucher as well. */
function transfers(isWritten: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select o.account_no, 'transfer' as kind, o.out_order_no as number, o.order_no,
      case when o.payee_account_no <> o.account_no and exists (
        select from account a where a.account_no = o.payee_account_no) then o.payee_account_no else '' end
        as other_account_no,
      moved.at as moved_at, o.amount_fen, o.payee_account_no as counterparty, 'due' as state, '' as reason
    from transfer_order o
    ${movedAt({ subject: 'transfer', account: 'o.account_no', head: 'transfer_out:' })}
    where ${isWritten} and o.effective_state = 'moved'`;
}

/** One that the bank sent back moved its money all the same, and has its voucher. */
function withdrawals(isWritten: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select o.account_no, 'withdrawal' as kind, o.out_order_no as number, o.order_no, '' as other_account_no,
      moved.at as moved_at, o.amount_fen, '' as counterparty, 'due' as state, '' as reason
    from withdrawal o
    ${movedAt({ subject: 'withdrawal', account: 'o.account_no', head: 'withdrawal:' })}
    where ${isWritten} and o.effective_state in ('moved', 'returned')`;
}

const NO_TYPE = 'no voucher type';

/** Of the payee, whose money left; two payers may have given their orders one number, and it is asked for once. */
function settlements(isWritten: RawBuilder<unknown>, { autoWithdrawType }: FillRules): RawBuilder<unknown> {
  const isAsked = autoWithdrawType !== 'none';
  return sql`
    select distinct on (o.payee_account_no, o.out_order_no)
      o.payee_account_no as account_no, 'settlement' as kind, o.out_order_no as number, o.order_no,
      '' as other_account_no, moved.at as moved_at, coalesce(o.real_fen, o.amount_fen) as amount_fen,
      '' as counterparty, ${sql.lit(isAsked ? 'due' : 'unavailable')} as state,
      ${sql.lit(isAsked ? '' : NO_TYPE)} as reason
    from transfer_order o
    ${movedAt({ subject: 'settlement', account: 'o.payee_account_no', head: 'settlement:' })}
    where ${isWritten} and o.settlement = 'settled' and o.payee_account_no <> ''
    order by o.payee_account_no, o.out_order_no, o.account_no`;
}

/** Puts rows on the list and marks the bundles they lie in, and those they lay in before. */
async function fill(
  trx: Transaction<Tables>,
  of: { rows: RawBuilder<unknown>; upTo: bigint; timeZone: string },
): Promise<void> {
  const says = (row: string) =>
    sql.raw(`(${[...FACTS, 'month'].map((name) => `${row}.${name}`).join(', ')})`);
  await sql`
    with found as materialized (
      select f.*, to_char(f.moved_at at time zone ${of.timeZone}, 'YYYY-MM') as month from (${of.rows}) f
    ), former as materialized (
      select v.account_no, v.other_account_no, v.month from voucher_due v
      join found f on f.account_no = v.account_no and f.kind = v.kind and f.number = v.number
      where ${says('v')} is distinct from ${says('f')}
    ), listed as (
      insert into voucher_due (account_no, kind, number, order_no, other_account_no, moved_at, month, amount_fen,
        counterparty, state, reason, next_day)
      select account_no, kind, number, order_no, other_account_no, moved_at, month, amount_fen, counterparty,
        state, reason, case state when 'due' then '' end
      from found order by account_no, kind, number
      on conflict (account_no, kind, number) do update set
        ${sql.raw([...FACTS, 'month'].map((name) => `${name} = excluded.${name}`).join(', '))}
      where ${says('voucher_due')} is distinct from ${says('excluded')}
      returning account_no, other_account_no, month
    )
    ${markingOf(
      sql`
        select account_no, month from listed
        union select other_account_no, month from listed where other_account_no <> ''
        union select account_no, month from former
        union select other_account_no, month from former where other_account_no <> ''`,
      of.upTo,
    )}`.execute(trx);
}

/** What a row says of its order, beside the month. */
const FACTS = ['order_no', 'other_account_no', 'moved_at', 'amount_fen', 'counterparty'] as const;

/**
 * The profile may learn, or unlearn, what settlements are asked for with: those never asked follow. The step's name
 * carries the rule, so that it is looked for only when it is another.
 */
async function followSettlementRule(
  trx: Transaction<Tables>,
  { autoWithdrawType }: FillRules,
  writeNo: bigint,
): Promise<void> {
  const step = `${SETTLEMENT_STEP}${autoWithdrawType}`;
  if ((await progressOf(trx, step)) > 0n) return;
  const [from, to, nextDay, reason] =
    autoWithdrawType === 'none' ? ['due', 'unavailable', null, NO_TYPE] : ['unavailable', 'due', '', ''];
  await sql`
    with changed as (
      update voucher_due set state = ${to}, next_day = ${nextDay}, reason = ${reason}
      where kind = 'settlement' and state = ${from} and tries = 0
      returning account_no, month
    )
    ${markingOf(sql`select account_no, month from changed`, writeNo)}`.execute(trx);
  await trx.deleteFrom('progress').where('step', 'like', `${SETTLEMENT_STEP}%`).execute();
  await saveProgress(trx, step, 1n);
}
