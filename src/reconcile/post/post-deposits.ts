/**
 * Deposits become movements, once each, by the fee rules of docs/reconciliation.md 3.3 (U35). A fee inside the
 * order lessens the movement; a fee beside it is a movement of its own on the account that bears it.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { FORMERLY, dropMovements } from './drop-movements.ts';
import { feeIsBeside } from './fee-is-beside.ts';
import type { FeeBearer } from './posting-rules.ts';

export interface PostingRange {
  /** Rows written after this number … */
  after: bigint;
  /** … up to this one. */
  upTo: bigint;
  writeNo: bigint;
}

const BESIDE = feeIsBeside('d');

/** Posting twice is posting once: a movement changes only when its deposit did. */
export async function postDeposits(
  trx: Transaction<Tables>,
  range: PostingRange,
  bearer: FeeBearer,
): Promise<void> {
  await postAmounts(trx, range);
  await postFees(trx, range, bearer);
}

async function postAmounts(trx: Transaction<Tables>, range: PostingRange): Promise<void> {
  await sql`
    insert into movement (account_no, dedup_key, family, kind, delta_fen, fee_fen, reference,
      effective_from, effective_to, written_no)
    select d.account_no, 'deposit:' || d.order_no, 'deposit', 'deposit',
      case when ${BESIDE} then d.amount_fen else d.amount_fen - d.fee_fen end,
      case when ${BESIDE} then 0 else d.fee_fen end,
      d.order_no, d.deposited_at, d.deposited_at, ${range.writeNo}
    from deposit d
    where d.written_no > ${range.after} and d.written_no <= ${range.upTo}
    order by d.account_no, d.order_no
    on conflict (account_no, dedup_key) do update set
      delta_fen = excluded.delta_fen, fee_fen = excluded.fee_fen,
      effective_from = excluded.effective_from, effective_to = excluded.effective_to,
      written_no = excluded.written_no, ${FORMERLY}
    where (movement.delta_fen, movement.fee_fen, movement.effective_from)
      is distinct from (excluded.delta_fen, excluded.fee_fen, excluded.effective_from)`.execute(trx);
}

async function postFees(trx: Transaction<Tables>, range: PostingRange, bearer: FeeBearer): Promise<void> {
  await dropFees(
    trx,
    range.writeNo,
    sql`d.written_no > ${range.after} and d.written_no <= ${range.upTo} and d.version > 1
      and not (${BESIDE} and d.fee_fen > 0)`,
  );
  if (bearer === 'external' || bearer === 'payer') return;
  const isOwn = !bearer.startsWith('acct:');
  const account = isOwn ? sql`d.account_no` : sql`${bearer.slice('acct:'.length)}::text`;
  const key = isOwn ? sql`d.order_no` : sql`d.account_no || '/' || d.order_no`;
  await sql`
    insert into movement (account_no, dedup_key, family, kind, delta_fen, fee_fen, reference,
      effective_from, effective_to, written_no)
    select ${account}, 'deposit_fee:' || ${key}, 'deposit', 'fee', -d.fee_fen, d.fee_fen,
      d.order_no, d.deposited_at, d.deposited_at, ${range.writeNo}
    from deposit d
    where d.written_no > ${range.after} and d.written_no <= ${range.upTo} and ${BESIDE} and d.fee_fen > 0
    order by d.account_no, d.order_no
    on conflict (account_no, dedup_key) do update set
      delta_fen = excluded.delta_fen, fee_fen = excluded.fee_fen,
      effective_from = excluded.effective_from, effective_to = excluded.effective_to,
      written_no = excluded.written_no, ${FORMERLY}
    where (movement.delta_fen, movement.effective_from) is distinct from (excluded.delta_fen, excluded.effective_from)`.execute(
    trx,
  );
}

/** Takes back fees of deposits that no longer have one beside them. */
async function dropFees(
  trx: Transaction<Tables>,
  writeNo: bigint,
  which: RawBuilder<unknown>,
): Promise<void> {
  await dropMovements(
    trx,
    writeNo,
    sql`m.kind = 'fee' and m.family = 'deposit' and exists (
      select from deposit d where d.order_no = m.reference
        and (m.dedup_key = 'deposit_fee:' || d.account_no || '/' || d.order_no
          or (m.dedup_key = 'deposit_fee:' || d.order_no and m.account_no = d.account_no))
        and ${which})`,
  );
}

/** Another bearer: all fees beside deposits are taken back, to be posted anew where they now belong. */
export async function dropAllDepositFees(trx: Transaction<Tables>, writeNo: bigint): Promise<void> {
  await dropMovements(trx, writeNo, sql`m.kind = 'fee' and m.family = 'deposit'`);
}
