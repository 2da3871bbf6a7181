/**
 * The movements that changes of orders make: the table of docs/reconciliation.md 3.3, one line a movement, with
 * the bearers of fees by the profile (U35–U37).
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FeeBearer, PostingRules } from './posting-rules.ts';

export type Subject = 'transfer' | 'settlement' | 'refund' | 'withdrawal';

/** `payer` is the account the order belongs to; for a withdrawal both sides are it. */
export type Side = 'payer' | 'payee' | { accountNo: string };

/** One movement of a change `c` of `order_change`. */
export interface MovementLine {
  subject: Subject;
  /** What its dedup_key begins with. */
  head: string;
  /** `fee`, or the head. */
  kind: string;
  side: Side;
  delta: RawBuilder<unknown>;
  /** Part of delta; for a fee of its own all of it, turned. */
  fee: RawBuilder<unknown>;
  when: RawBuilder<unknown>;
}

const ALWAYS = sql`true`;
const NONE = sql`0`;
/** The part of the fee that the payee never got. */
const INSIDE = sql`case when c.beside then 0 else c.fee_fen end`;
const INSIDE_BACK = sql`case when c.beside then 0 else c.fee_back_fen end`;

export function movementLines(rules: PostingRules): MovementLine[] {
  return [
    ...transferLines(rules),
    ...settlementLines(rules),
    ...refundLines(rules),
    ...withdrawalLines(rules),
  ];
}

/** The payer loses the amount; the payee gets it, less a fee inside the order (E2). */
function transferLines({ bearers }: PostingRules): MovementLine[] {
  const subject = 'transfer';
  return [
    principal(subject, 'transfer_out', 'payer', { delta: sql`c.principal_fen`, fee: NONE }),
    principal(subject, 'transfer_in', 'payee', { delta: sql`c.amount_fen - ${INSIDE}`, fee: INSIDE }),
    ...feeBeside(subject, bearers.transfer, {
      side: 'payer',
      fen: sql`c.fee_fen`,
      when: sql`c.beside and c.fee_fen <> 0`,
    }),
  ];
}

/** The payee loses what arrived; a fee inside lessens what the bank gets (E6), one beside is lost too (E7). */
function settlementLines({ bearers }: PostingRules): MovementLine[] {
  const subject = 'settlement';
  const fen = sql`c.settle_fee_fen`;
  return [
    principal(subject, 'settlement', 'payee', {
      delta: sql`c.principal_fen`,
      fee: sql`case when c.settle_beside then 0 else ${fen} end`,
    }),
    ...feeBeside(subject, bearers.settle, {
      side: 'payee',
      fen,
      when: sql`c.settle_beside and ${fen} <> 0`,
    }),
  ];
}

/** The payee gives back what refundAmount says (E5); the fee comes back only where the profile says so (U36). */
function refundLines({ bearers, feeReturned }: PostingRules): MovementLine[] {
  const subject = 'refund';
  return [
    principal(subject, 'refund_in', 'payer', { delta: sql`c.principal_fen`, fee: NONE }),
    principal(subject, 'refund_out', 'payee', {
      delta: sql`-c.principal_fen + ${INSIDE_BACK}`,
      fee: sql`-(${INSIDE_BACK})`,
    }),
    ...(feeReturned
      ? feeBeside(subject, bearers.transfer, {
          side: 'payer',
          fen: sql`-c.fee_back_fen`,
          when: sql`c.beside and c.fee_back_fen <> 0`,
        })
      : []),
  ];
}

/** The account loses the amount; a fee inside is part of it, one beside comes on top (E4). */
function withdrawalLines({ bearers }: PostingRules): MovementLine[] {
  const subject = 'withdrawal';
  return [
    principal(subject, 'withdrawal', 'payer', {
      delta: sql`c.principal_fen`,
      fee: sql`c.sign * (${INSIDE})`,
    }),
    ...feeBeside(subject, bearers.withdraw, {
      side: 'payer',
      fen: sql`c.sign * c.fee_fen`,
      when: sql`c.beside and c.fee_fen <> 0`,
    }),
  ];
}

function principal(
  subject: Subject,
  head: string,
  side: Side,
  amounts: Pick<MovementLine, 'delta' | 'fee'>,
): MovementLine {
  return { subject, head, kind: head, side, ...amounts, when: ALWAYS };
}

/** A movement of its own on the account that bears the fee; none where that is nobody's here. */
function feeBeside(
  subject: Subject,
  bearer: FeeBearer,
  of: { side: Side; fen: RawBuilder<unknown>; when: RawBuilder<unknown> },
): MovementLine[] {
  if (bearer === 'external') return [];
  const { fen, when } = of;
  const side = sideOf(bearer, of.side);
  return [{ subject, head: `${subject}_fee`, kind: 'fee', side, delta: sql`-(${fen})`, fee: fen, when }];
}

function sideOf(bearer: Exclude<FeeBearer, 'external'>, self: Side): Side {
  if (bearer === 'self') return self;
  if (bearer === 'payer' || bearer === 'payee') return bearer;
  return { accountNo: bearer.slice('acct:'.length) };
}

/** The account of a line; `of` is the name under which the order's columns are there. */
export function accountOf(side: Side, of: RawBuilder<unknown>): RawBuilder<unknown> {
  if (side === 'payer') return sql`${of}.account_no`;
  if (side === 'payee') return sql`${of}.payee_account_no`;
  return sql`${sql.lit(side.accountNo)}::text collate "C"`;
}
