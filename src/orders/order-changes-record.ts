/**
 * What an order states, taken together with what it stated before: members may be filled in at any time and may
 * change as long as the order is not final; a later change is a new version, and its values count (P3).
 */
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import { shownWord } from './order-changes-faults.ts';
import type {
  Known,
  LookTime,
  OrderObservation,
  TransferObservation,
  TransferRow,
  WithdrawalRow,
} from './order-observations.ts';

export interface Merged<R> {
  row: R;
  /** What changed after the order was final, for people. */
  changed: readonly string[];
  isNewVersion: boolean;
  /** The record is of this order and no other: it names its account, and no other record of the answer may stand for it. */
  isOwn: boolean;
}

type KnownRecord<R> = Pick<Known<R>, 'row' | 'faults'>;

/**
 * Under a known order's number a record with another number of the platform's is another order's, once that order is
 * final: it is shown, and nothing of it counts (docs/reconciliation.md 3.8, 9).
 */
export function asSameOrder<L extends OrderObservation>(
  before: TransferRow | WithdrawalRow | undefined,
  look: L,
): L {
  const was = before?.order_no ?? '';
  const isOther = was !== '' && look.orderNo !== '' && was !== look.orderNo;
  if (before === undefined || before.effective_state === 'open' || !isOther) return look;
  const why = `orderNo was ${shownWord(was)} and is ${shownWord(look.orderNo)} now; it is another order`;
  return { ...look, orderNo: was, unreadable: [...look.unreadable, why] };
}

export function mergeTransfer(
  known: KnownRecord<TransferRow> | undefined,
  look: TransferObservation & LookTime,
): Merged<TransferRow> {
  const before = known?.row;
  const comparison = new Comparison(known, look);
  const payee = comparison.stated('payeeAcctNo', before?.payee_account_no ?? '', look.payeeAccountNo);
  const common = commonOf(before, look, comparison);
  const row: TransferRow = {
    ...common,
    version: comparison.version,
    out_batch_no: before?.out_batch_no ?? look.outBatchNo,
    stated_no: look.statedNo,
    payee_account_no: payee,
    effective_state: before?.effective_state ?? 'open',
    settle_state: look.settleState,
    settlement: before?.settlement ?? 'none',
    settle_remark: look.settleRemark,
    refund_fen: before?.refund_fen ?? 0n,
    refund_waiting_fen: before?.refund_waiting_fen ?? 0n,
    ext_param: look.extParam,
    settle_shown_at: before?.settle_shown_at ?? null,
    unfailed_shown_at: before?.unfailed_shown_at ?? null,
    refund_shown_at: before?.refund_shown_at ?? null,
  };
  return { row, ...comparison.result() };
}

export function mergeWithdrawal(
  known: KnownRecord<WithdrawalRow> | undefined,
  look: OrderObservation & LookTime,
): Merged<WithdrawalRow> {
  const before = known?.row;
  const comparison = new Comparison(known, look);
  const common = commonOf(before, look, comparison);
  const row = { ...common, version: comparison.version, effective_state: before?.effective_state ?? 'open' };
  return { row, ...comparison.result() };
}

type CommonRow = Omit<WithdrawalRow, 'effective_state' | 'version'>;

function commonOf(
  before: TransferRow | WithdrawalRow | undefined,
  look: OrderObservation & LookTime,
  comparison: Comparison,
): CommonRow {
  const firstSeenAt = before?.first_seen_at ?? look.seenAt;
  return {
    account_no: comparison.accountNo,
    out_order_no: before?.out_order_no ?? look.outOrderNo,
    order_no: comparison.number(before?.order_no, look.orderNo),
    amount_fen: comparison.stated('amount', before?.amount_fen ?? null, look.amountFen),
    real_fen: comparison.stated('realAmount', before?.real_fen ?? null, look.realFen),
    fee_fen: comparison.stated('fee', before?.fee_fen ?? null, look.feeFen),
    fee_type: comparison.stated('feeType', before?.fee_type ?? '', look.feeType),
    state: look.state,
    note: look.note,
    submitted_at: submittedBy(firstSeenAt, look.submittedAt) ?? before?.submitted_at ?? null,
    first_seen_at: firstSeenAt,
    seen_at: look.answeredAt,
    answer_sha256: look.answerSha256,
    signed: look.signed,
    // Given when it is written.
    written_no: before?.written_no ?? 0n,
  };
}

/** A submission after the look that first showed the order is a fault of a clock or of a hand, and tells nothing. */
function submittedBy(firstSeenAt: Instant, submittedAt: Instant | null): Instant | null {
  return submittedAt !== null && submittedAt <= firstSeenAt ? submittedAt : null;
}

/** Former and stated values side by side; what differs after the order was final is remembered. */
class Comparison {
  readonly accountNo: string;
  readonly #isNew: boolean;
  /** What is known of it is of records with which something is wrong, or of another payer's. */
  readonly #wasOdd: boolean;
  readonly #isOwn: boolean;
  readonly #isReadable: boolean;
  readonly #isFinal: boolean;
  /** A record of a final order that cannot be read whole, or may be another's, changes nothing that counts. */
  readonly #counts: boolean;
  readonly #formerVersion: number;
  readonly #changed: string[] = [];
  readonly #moved: string[] = [];

  constructor(
    known: KnownRecord<TransferRow | WithdrawalRow> | undefined,
    look: OrderObservation & Partial<Pick<TransferObservation, 'beside'>>,
  ) {
    const before = known?.row;
    this.#isNew = before === undefined;
    this.#isFinal = before !== undefined && before.effective_state !== 'open';
    this.#formerVersion = before?.version ?? 1;
    this.#isReadable = look.unreadable.length === 0;
    const mayMove = !this.#isFinal && this.#isReadable;
    this.accountNo = before === undefined || mayMove ? look.accountNo : before.account_no;
    const isOdd = !this.#isFinal && known?.faults.has('bad_record') === true;
    this.#wasOdd = isOdd || before?.account_no !== this.accountNo;
    const namesIt = this.accountNo === look.accountNo;
    this.#isOwn = namesIt && (look.beside ?? []).length === 0;
    this.#counts = !this.#isFinal || (this.#isReadable && this.#isOwn);
    if (this.#isReadable && !namesIt)
      this.#moved.push(`it belongs to ${this.accountNo} and now names ${look.accountNo}`);
  }

  stated<T extends Fen | string | null>(member: string, was: T, now: T): T {
    if (!this.#counts || isAbsent(now)) return was;
    if (this.#isFinal && !isAbsent(was) && was !== now) {
      this.#changed.push(
        `${member} was ${valueText(was)} and is ${typeof now === 'bigint' ? now : valueText(now)} now`,
      );
    }
    return now;
  }

  /**
   * The platform's: a record that may be another's, or cannot be read whole, may state another's. It gives a known order none,
   * and a new one none that stays when one that counts, or names another payer, states none.
   */
  number(was = '', now: string): string {
    if (this.#isOwn && this.#isReadable) return now || (this.#wasOdd ? '' : was);
    return this.#isNew ? now : was;
  }

  get version(): number {
    return this.#formerVersion + (this.#changed.length > 0 ? 1 : 0);
  }

  result(): Omit<Merged<never>, 'row'> {
    return {
      changed: [...this.#moved, ...this.#changed],
      isNewVersion: this.#changed.length > 0,
      isOwn: this.#isOwn,
    };
  }
}

function isAbsent(value: Fen | string | null): boolean {
  return value === null || value === '';
}

function valueText(value: Fen | string | null): string {
  return typeof value === 'bigint' ? `${value} fen` : shownWord(value ?? '');
}
