/** Looks at orders as the collector hands them on, one valid look a call, with what the test cares about. */
import { addMs } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import { observeTransfer } from '../../../src/orders/order-changes.ts';
import { observeWithdrawal } from '../../../src/orders/order-changes-withdrawal.ts';
import type {
  ChangeRow,
  Known,
  LookTime,
  Observed,
  OrderObservation,
  StateMeaning,
  TransferObservation,
  TransferRow,
  WithdrawalRow,
} from '../../../src/orders/order-observations.ts';
import type { OrderFaultClass, SettlementState } from '../../../src/store/schema/schema-orders.ts';
import { zone } from '../service-time.ts';

/** 10:00 on 2 March 2026, service time; looks are counted from here in seconds. */
const START = '2026-03-02T02:00:00.000Z';

/** The moment so many seconds after the start. */
export function second(seconds: number): Instant {
  return addMs(START, seconds * 1_000);
}

/** A look that was asked at that second and answered one second later, by both clocks. */
export function lookAt(seconds: number, over: Partial<LookTime> = {}): LookTime {
  const [askedAt, seenAt] = [second(seconds), second(seconds + 1)];
  return { sentAt: askedAt, answeredAt: seenAt, askedAt, seenAt, day: zone.dayOf(askedAt), ...over };
}

/** Documented words and what they mean by the default profile; every other word is unknown. */
const MEANINGS: Readonly<Record<string, StateMeaning>> = {
  INIT: 'open',
  PROCESSING: 'open',
  WAIT_CONFIRM: 'refunding',
  PART_REFUND: 'refunding',
  SUCCESS: 'moved',
  REFUND: 'moved',
  FAIL: 'failed',
  CLOSE: 'failed',
};

const SETTLEMENTS: Readonly<Record<string, SettlementState>> = {
  '': 'none',
  INIT: 'open',
  PROCESSING: 'open',
  SUCCESS: 'settled',
  FAIL: 'failed',
};

const COMMON: Omit<OrderObservation, 'state' | 'meaning'> = {
  accountNo: 'P',
  outOrderNo: 'T1',
  orderNo: 'N-T1',
  amountFen: 10_000n,
  realFen: 9_970n,
  feeFen: 30n,
  feeType: 'ORDER',
  note: '',
  submittedAt: null,
  notFoundAt: null,
  unreadable: [],
  remarks: [],
  answerSha256: 'a'.repeat(64),
  signed: true,
};

export function aTransferLook(state: string, over: Partial<TransferObservation> = {}): TransferObservation {
  const settleState = over.settleState ?? '';
  return {
    ...COMMON,
    outBatchNo: 'B1',
    statedNo: '',
    payeeAccountNo: 'Q',
    state,
    meaning: MEANINGS[state] ?? 'unknown',
    settleState,
    settlement: SETTLEMENTS[settleState] ?? 'unknown',
    settleRemark: '',
    refundFen: 0n,
    refundWaits: state === 'WAIT_CONFIRM',
    extParam: '',
    beside: [],
    ...over,
  };
}

export function aWithdrawalLook(state: string, over: Partial<OrderObservation> = {}): OrderObservation {
  const meaning = MEANINGS[state] ?? 'unknown';
  return { ...COMMON, outOrderNo: 'W1', orderNo: 'N-W1', state, meaning, ...over };
}

type AnyRow = TransferRow | WithdrawalRow;

/** What is known after a look, for the next one. */
export function knownAfter<R extends AnyRow>(
  before: Known<R> | undefined,
  observed: Observed<R>,
  look: LookTime,
): Known<R> {
  if (observed.isStale && before !== undefined) return { ...before, row: observed.row };
  const kept = (kind: OrderFaultClass) => before?.faults.get(kind)?.firstDay ?? look.day;
  return {
    row: observed.row,
    changes: observed.changes,
    faults: new Map([...observed.faults].map(([kind, note]) => [kind, { note, firstDay: kept(kind) }])),
    observedAt: observed.faults.size === 0 ? look.askedAt : (before?.observedAt ?? look.askedAt),
  };
}

/** All looks in turn, at the given times; what is known after the last. */
export function transferAfter(...looks: readonly (TransferObservation & LookTime)[]): Known<TransferRow> {
  return after(observeTransfer, looks);
}

export function withdrawalAfter(...looks: readonly (OrderObservation & LookTime)[]): Known<WithdrawalRow> {
  return after(observeWithdrawal, looks);
}

function after<R extends AnyRow, L extends OrderObservation & LookTime>(
  observe: (known: Known<R> | undefined, look: L) => Observed<R>,
  looks: readonly L[],
): Known<R> {
  let known: Known<R> | undefined;
  for (const look of looks) known = knownAfter(known, observe(known, look), look);
  if (known === undefined) throw new Error('Bug: a test without looks');
  return known;
}

/** Changes in a line each: `settlement 1 moved 10..21 +500`, times in seconds from the start, `-` where unknown. */
export function changeLines(changes: readonly ChangeRow[]): string[] {
  const at = (instant: Instant | null): string =>
    instant === null ? '-' : String((Date.parse(instant) - Date.parse(START)) / 1_000);
  return changes.map((change) => {
    const {
      subject,
      change_no: no,
      state,
      amount_fen: fen,
      since,
      last_open_at: open,
      first_final_at: end,
    } = change;
    const amount = fen === null ? '' : ` ${fen}`;
    return `${subject} ${no} ${state}${amount} since ${at(since)} open ${at(open)} seen ${at(end)}`;
  });
}
