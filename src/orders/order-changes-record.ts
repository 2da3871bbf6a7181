/**
 * What an order states, taken together with what it stated before: members may be filled in at any time and may
 * change as long as the order is not final; a later change is a new version, and its values count (P3).
 */
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import { shownWord } from './order-changes-faults.ts';
import type {
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
}

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
  const why = `orderNo was ${shownWord(was)} and is ${shownWord(look.orderNo)} now: it is another order`;
  return { ...look, orderNo: was, unreadable: [...look.unreadable, why] };
}

export function mergeTransfer(
  before: TransferRow | undefined,
  look: TransferObservation & LookTime,
): Merged<TransferRow> {
  const comparison = new Comparison(before, look);
  const payee = comparison.text('payeeAcctNo', before?.payee_account_no, look.payeeAccountNo);
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
  return { row, changed: comparison.sentences(), isNewVersion: comparison.isNewVersion };
}

export function mergeWithdrawal(
  before: WithdrawalRow | undefined,
  look: OrderObservation & LookTime,
): Merged<WithdrawalRow> {
  const comparison = new Comparison(before, look);
  const common = commonOf(before, look, comparison);
  const row = { ...common, version: comparison.version, effective_state: before?.effective_state ?? 'open' };
  return { row, changed: comparison.sentences(), isNewVersion: comparison.isNewVersion };
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
    order_no: look.orderNo || (before?.order_no ?? ''),
    amount_fen: comparison.money('amount', before?.amount_fen, look.amountFen),
    real_fen: comparison.money('realAmount', before?.real_fen, look.realFen),
    fee_fen: comparison.money('fee', before?.fee_fen, look.feeFen),
    fee_type: comparison.text('feeType', before?.fee_type, look.feeType),
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

const NOW_NAMES = ' and now names ';

/** Whether a fault is that a final order's record named another payer: looked for in its note, as no column says so. */
export function namesOtherPayer(note: string): boolean {
  return note.includes(NOW_NAMES);
}

/** Former and stated values side by side; what differs after the order was final is remembered. */
class Comparison {
  readonly accountNo: string;
  readonly #isFinal: boolean;
  /** A record that cannot be read whole changes nothing that counts. */
  readonly #isReadable: boolean;
  readonly #formerVersion: number;
  readonly #changed: string[] = [];
  readonly #moved: string[] = [];

  constructor(before: TransferRow | WithdrawalRow | undefined, look: OrderObservation) {
    this.#isFinal = before !== undefined && before.effective_state !== 'open';
    this.#isReadable = look.unreadable.length === 0;
    this.#formerVersion = before?.version ?? 1;
    const mayMove = !this.#isFinal && this.#isReadable;
    this.accountNo = before === undefined || mayMove ? look.accountNo : before.account_no;
    if (this.#isReadable && this.accountNo !== look.accountNo) {
      this.#moved.push(`it belongs to ${this.accountNo}${NOW_NAMES}${look.accountNo}`);
    }
  }

  money(member: string, was: Fen | null | undefined, now: Fen | null): Fen | null {
    const former = was ?? null;
    if (!this.#counts(now !== null)) return former;
    if (former !== null && former !== now) this.#note(`${member} was ${former} fen and is ${now} now`);
    return now;
  }

  text(member: string, was: string | undefined, now: string): string {
    const former = was ?? '';
    if (!this.#counts(now !== '')) return former;
    if (former !== '' && former !== now)
      this.#note(`${member} was ${shownWord(former)} and is ${shownWord(now)} now`);
    return now;
  }

  get isNewVersion(): boolean {
    return this.#changed.length > 0;
  }

  get version(): number {
    return this.#formerVersion + (this.isNewVersion ? 1 : 0);
  }

  sentences(): string[] {
    return [...this.#moved, ...this.#changed];
  }

  #counts(isStated: boolean): boolean {
    return isStated && (this.#isReadable || !this.#isFinal);
  }

  #note(sentence: string): void {
    if (this.#isFinal) this.#changed.push(sentence);
  }
}
