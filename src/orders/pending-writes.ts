/**
 * What is to be written after a batch of answers: gathered in memory, each row once, so that it can be written
 * set by set in the order of the keys.
 */
import { unitText } from '../store/orders/order-claims.ts';
import type { AnswerEvidence } from '../store/deposits/answers.ts';
import type { DueTimes } from './order-due-next.ts';
import type { UnitKey } from '../store/orders/order-due.ts';
import type {
  ChangeRow,
  Known,
  LookTime,
  Observed,
  OpenFaults,
  TransferRow,
  WithdrawalRow,
} from './order-observations.ts';
import { latest } from './order-changes-rows.ts';
import { shownAtOf } from './order-changes-shown.ts';
import { faultText, keyText } from './read-known-orders.ts';
import type { BatchRow, FaultKey, OrderKey } from './read-known-orders.ts';
import type { Day, Instant } from '../core/time.ts';
import type { FaultSubject, OrderFaultClass } from '../store/schema/schema-orders.ts';

export interface DueDraft extends DueTimes {
  unit: UnitKey;
  /** Another number under which it was on the list before. */
  formerly: UnitKey | undefined;
  accountNo: string;
  askedAt: Instant | null;
  failure: string;
  notFoundSince: Instant | null;
  /** Since when it is answered without being shown, and the day on which that became an item of its own. */
  refusedSince: Instant | null;
  givenUpDay: Day | null;
}

export interface FaultDraft extends OrderKey {
  subject: FaultSubject;
  class: OrderFaultClass;
  /** Undefined: cured. */
  note: string | undefined;
}

type OrderRow = TransferRow | WithdrawalRow;
type OrderKind = 'transfer' | 'withdrawal';

/** Columns that a look alone may change; they are no news. */
const SHOWN = ['settle_shown_at', 'unfailed_shown_at', 'refund_shown_at'] as const;
const BY_LOOKING = new Set<string>(['seen_at', 'answer_sha256', 'signed', 'written_no', ...SHOWN]);

export class PendingWrites {
  readonly transfers = new Map<string, { row: TransferRow; isNewVersion: boolean }>();
  readonly withdrawals = new Map<string, { row: WithdrawalRow; isNewVersion: boolean }>();
  /** Orders of which nothing is news but when what was shown of their settlement. */
  readonly shown = new Map<string, TransferRow>();
  readonly changes = new Map<string, ChangeRow>();
  readonly batches = new Map<string, BatchRow>();
  readonly aliases = new Map<string, string>();
  readonly evidence = new Map<string, AnswerEvidence>();
  readonly dues = new Map<string, DueDraft>();
  /** What stands on the list by another number from now on; several may by the same. */
  readonly renumbered = new Map<string, { from: UnitKey; to: UnitKey }>();
  /** Platform's numbers of batches that are asked for by a number which they are not known by. */
  readonly batchNos = new Map<string, { unit: UnitKey; batchNo: string }>();
  readonly unkept = new Map<string, { unit: UnitKey; at: Instant }>();
  /** Rows that stand under another key from now on, or were never more than a stand-in. */
  readonly dropped = new Map<string, OrderKey & { kind: OrderKind }>();
  readonly #faults = new Map<string, { key: FaultKey; open: OpenFaults; now: Faults }>();

  transfer(known: Known<TransferRow> | undefined, observed: Observed<TransferRow>): boolean {
    if (known !== undefined) this.showing(known.row, observed.row);
    return this.#order('transfer', this.transfers, known, observed);
  }

  /** What was shown of it, alone. */
  showing(before: TransferRow, row: TransferRow): void {
    if (SHOWN.every((name) => before[name] === row[name])) return;
    this.shown.set(keyText({ accountNo: row.account_no, outNo: row.out_order_no }), row);
  }

  withdrawal(known: Known<WithdrawalRow> | undefined, observed: Observed<WithdrawalRow>): boolean {
    return this.#order('withdrawal', this.withdrawals, known, observed);
  }

  /** @returns whether the look brought news */
  #order<R extends OrderRow>(
    kind: OrderKind,
    into: Map<string, { row: R; isNewVersion: boolean }>,
    known: Known<R> | undefined,
    observed: Observed<R>,
  ): boolean {
    const { row } = observed;
    const key = { accountNo: row.account_no, outNo: row.out_order_no };
    const former = known && { accountNo: known.row.account_no, outNo: known.row.out_order_no };
    if (former !== undefined && keyText(former) !== keyText(key)) this.drop(kind, former, known?.faults);
    const news =
      known === undefined || differs(known.row, row) || changesAreNews(known.changes, observed.changes);
    if (news) {
      const isNewVersion = observed.isNewVersion || into.get(keyText(key))?.isNewVersion === true;
      into.set(keyText(key), { row, isNewVersion });
      const hasBoth = row.order_no !== '' && row.order_no !== row.out_order_no;
      if (hasBoth) this.aliases.set(row.order_no, row.out_order_no);
    }
    for (const change of observed.changes) {
      if (known === undefined || !known.changes.some((before) => isSame(before, change)))
        this.#change(change);
    }
    // Under another account nothing was wrong with it yet.
    const isNamedSo = former === undefined || keyText(former) === keyText(key);
    this.faults({ ...key, subject: kind }, isNamedSo ? known?.faults : undefined, observed.faults);
    return news;
  }

  #change(change: ChangeRow): void {
    const { account_no, out_order_no, subject, change_no } = change;
    this.changes.set([account_no, out_order_no, subject, change_no].join('\t'), change);
  }

  /** With all that an answer before this one had of it. */
  drop(kind: OrderKind, key: OrderKey, open: OpenFaults | undefined): void {
    const text = keyText(key);
    this.dropped.set(`${kind}\t${text}`, { ...key, kind });
    (kind === 'transfer' ? this.transfers : this.withdrawals).delete(text);
    for (const [name, { account_no: accountNo, out_order_no: outNo, subject }] of this.changes) {
      const isOfKind = (subject === 'withdrawal') === (kind === 'withdrawal');
      if (isOfKind && keyText({ accountNo, outNo }) === text) this.changes.delete(name);
    }
    const noted = this.#faults.get(faultText({ ...key, subject: kind }));
    this.#faults.delete(faultText({ ...key, subject: kind }));
    this.faults({ ...key, subject: kind }, noted?.open ?? open, new Map());
  }

  /**
   * What is wrong with an order or batch now; several may share a number, and then all that is wrong stays.
   * @param open what is stored of it; of a second answer, what the first one left of that, which counts for nothing
   */
  faults(key: FaultKey, open: OpenFaults = new Map(), now: Faults): void {
    const noted = this.#faults.get(faultText(key));
    const merged = new Map(noted?.now);
    for (const [kind, note] of now) {
      const before = merged.get(kind);
      merged.set(kind, before === undefined || before === note ? note : `${before}; ${note}`);
    }
    this.#faults.set(faultText(key), { key, open: noted?.open ?? open, now: merged });
  }

  /** What is wrong with it as the answers so far leave it; undefined: none of them is about it. */
  faultsNow(key: FaultKey): Faults | undefined {
    return this.#faults.get(faultText(key))?.now;
  }

  /** Of which an answer is not kept that may have shown anything. */
  unkeptLook(unit: UnitKey, look: Pick<LookTime, 'answeredAt' | 'seenAt'>): void {
    const before = this.unkept.get(unitText(unit))?.at ?? null;
    this.unkept.set(unitText(unit), { unit, at: latest(shownAtOf(look), before) });
  }

  due(draft: DueDraft): void {
    const { unit, formerly } = draft;
    this.dues.set(unitText(unit), draft);
    if (formerly !== undefined) this.renumbered.set(unitText(formerly), { from: formerly, to: unit });
  }

  /** Faults that opened, say something else, or are cured. */
  faultDrafts(): FaultDraft[] {
    const drafts: FaultDraft[] = [];
    for (const { key, open, now } of this.#faults.values()) {
      for (const [kind, note] of now) {
        if (open.get(kind)?.note !== note) drafts.push({ ...key, class: kind, note });
      }
      for (const kind of open.keys())
        if (!now.has(kind)) drafts.push({ ...key, class: kind, note: undefined });
    }
    return drafts;
  }

  /** Whether anything but looks and plans is written: only that takes a write number. */
  get hasFacts(): boolean {
    return this.transfers.size + this.withdrawals.size + this.batches.size + this.dropped.size > 0;
  }
}

type Faults = ReadonlyMap<OrderFaultClass, string>;

/** Whether two records of the same kind differ in more than when they were seen. */
export function differs<R extends object>(before: R, after: R): boolean {
  return (Object.keys(after) as (keyof R & string)[]).some(
    (name) => !BY_LOOKING.has(name) && before[name] !== after[name],
  );
}

/** A later look at a change that is still under way is no news. */
function changesAreNews(before: readonly ChangeRow[], after: readonly ChangeRow[]): boolean {
  if (before.length !== after.length) return true;
  return after.some(
    (change) => !before.some((former) => isSame({ ...former, last_open_at: change.last_open_at }, change)),
  );
}

function isSame(one: ChangeRow, other: ChangeRow): boolean {
  return (Object.keys(other) as (keyof ChangeRow)[]).every((name) => one[name] === other[name]);
}
