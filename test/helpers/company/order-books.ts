/**
 * Transfers, refunds, settlements and withdrawals in a test database, written as the collector stores them: the
 * order as last stated, the changes seen of it, its two numbers. Writing an order again is a newer look: it takes
 * the place of the former one, whole, under a new write number.
 */
import type { PostingRules } from '../../../src/reconcile/post/posting-rules.ts';
import type { Db, DueState, OrderFaultClass, RegisteredOutcome } from '../../../src/store/schema/schema.ts';
import type { FaultSubject } from '../../../src/store/schema/schema-orders.ts';
import {
  SUBMITTED,
  WORDS,
  changes,
  instantOf,
  saveBatch,
  saveRecord,
  saveStates,
  settlementOf,
  sumOf,
  supersede,
} from './order-rows.ts';
import type { OrderLine, RefundLine, SeenLine, SettleLine } from './order-rows.ts';

export type { RefundLine, SeenLine, SettleLine };

/** The defaults of the profile, or other rules. */
export function postingRules(
  other: Partial<Omit<PostingRules, 'bearers'>> & { bearers?: Partial<PostingRules['bearers']> } = {},
): PostingRules {
  return {
    settleFee: null,
    settleAmount: 'realAmount',
    feeReturned: false,
    ...other,
    bearers: { deposit: 'payee', transfer: 'payer', withdraw: 'self', settle: 'self', ...other.bearers },
  };
}

export interface TransferLine extends OrderLine {
  batch?: string;
  payer: string;
  payee: string;
  /** Default moved. */
  state?: 'open' | 'moved' | 'failed';
  /** The platform's word; default INIT, SUCCESS, FAIL. */
  word?: string;
  /** Changes of its automatic withdrawal, oldest first. */
  settle?: SettleLine | readonly SettleLine[];
  /** Changes of its refundAmount, oldest first. */
  refunds?: readonly RefundLine[];
}

export interface WithdrawalLine extends OrderLine {
  account: string;
  state?: 'open' | 'moved' | 'failed';
  /** The bank sent it back after it had moved. */
  returned?: SeenLine;
  word?: string;
}

export class OrderBooks {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** A transfer order in its batch, with its settlement and refunds. */
  async transfer(line: TransferLine): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const row = await saveRecord(trx, line, line.payer);
      const state = line.state ?? 'moved';
      const settles = line.settle === undefined ? [] : [line.settle].flat();
      const refunds = line.refunds ?? [];
      const parties = { payee_account_no: line.payee };
      const former = await supersede(trx, 'transfer_order', { ...row, ...parties });
      await trx
        .insertInto('transfer_order')
        .values({
          ...row,
          ...parties,
          ...former,
          out_batch_no: line.batch ?? 'B1',
          state: line.word ?? WORDS[state],
          effective_state: state,
          settle_state: settles.length === 0 ? '' : WORDS[settles.at(-1)?.state ?? 'open'],
          settlement: settlementOf(settles),
          settle_remark: '',
          refund_fen: sumOf(refunds, 'moved'),
          refund_waiting_fen: sumOf(refunds, 'open'),
          ext_param: '',
        })
        .execute();
      await saveBatch(trx, row, line.batch ?? 'B1');
      const own = changes(row, 'transfer', [{ ...line, state }]);
      const later = { ...row, submitted_at: own[0]?.since ?? null };
      await saveStates(trx, row, [
        ...own,
        ...changes(later, 'settlement', settles),
        ...changes(
          later,
          'refund',
          refunds.map((refund) => ({ ...refund, state: refund.state ?? 'moved' })),
        ),
      ]);
    });
  }

  /** A withdrawal, and its return where it came back. */
  async withdrawal(line: WithdrawalLine): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const row = await saveRecord(trx, line, line.account);
      const state = line.state ?? 'moved';
      const effective = line.returned === undefined ? state : 'returned';
      const former = await supersede(trx, 'withdrawal', row);
      await trx
        .insertInto('withdrawal')
        .values({ ...row, ...former, state: line.word ?? WORDS[effective], effective_state: effective })
        .execute();
      const returned = line.returned === undefined ? [] : [{ ...line.returned, state: 'returned' as const }];
      await saveStates(trx, row, changes(row, 'withdrawal', [{ ...line, state }, ...returned]));
    });
  }

  /** An order as the company registered it before it sent it. */
  async registered(line: {
    kind?: 'transfer' | 'withdrawal';
    out?: string;
    batch?: string;
    orderNo?: string;
    batchNo?: string;
    payer?: string;
    payee?: string;
    amountFen?: bigint;
    submittedAt?: string | null;
    outcome?: RegisteredOutcome;
    enrolled?: boolean;
  }): Promise<void> {
    await this.#db
      .insertInto('order_registry')
      .values({
        kind: line.kind ?? 'transfer',
        out_batch_no: line.batch ?? (line.kind === 'withdrawal' ? '' : 'B1'),
        out_order_no: line.out ?? '',
        batch_no: line.batchNo ?? '',
        order_no: line.orderNo ?? '',
        payer_account_no: line.payer ?? '',
        payee_account_no: line.payee ?? '',
        amount_fen: line.amountFen ?? null,
        submitted_at: instantOf(line.submittedAt, SUBMITTED),
        outcome: line.outcome ?? 'sent',
        enrolled: line.enrolled ?? true,
      })
      .execute();
  }

  /** What is to be asked, and what became of asking. */
  async due(line: {
    kind?: 'batch' | 'withdrawal';
    number: string;
    numberKind?: 'out' | 'platform';
    account?: string;
    origin?: 'registry' | 'ledger';
    state: DueState;
    submittedAt?: string | null;
    askedAt?: string;
    askedRun?: string;
    failure?: string;
    notFoundSince?: string;
    finalDay?: string;
    nextDay?: string | null;
  }): Promise<void> {
    const row = {
      account_no: line.account ?? '',
      origin: line.origin ?? 'registry',
      submitted_at: instantOf(line.submittedAt, SUBMITTED),
      state: line.state,
      final_day: line.finalDay ?? null,
      next_day: line.nextDay === undefined ? '' : line.nextDay,
      asked_at: instantOf(line.askedAt ?? null, SUBMITTED),
      asked_run: line.askedRun ?? '',
      failure: line.failure ?? '',
      not_found_since: instantOf(line.notFoundSince ?? null, SUBMITTED),
    } as const;
    await this.#db
      .insertInto('order_due')
      .values({
        kind: line.kind ?? 'batch',
        number_kind: line.numberKind ?? 'out',
        number: line.number,
        ...row,
      })
      .onConflict((conflict) => conflict.columns(['kind', 'number_kind', 'number']).doUpdateSet(row))
      .execute();
  }

  /** What the platform's record of an order is wrong about. */
  async fault(line: {
    account: string;
    reference: string;
    subject?: FaultSubject;
    class: OrderFaultClass;
    note?: string;
    day?: string;
    curedDay?: string;
  }): Promise<void> {
    await this.#db
      .insertInto('order_fault')
      .values({
        account_no: line.account,
        reference: line.reference,
        subject: line.subject ?? 'transfer',
        class: line.class,
        note: line.note ?? '',
        first_run: 'seed',
        first_day: line.day ?? '2026-03-01',
        cured_day: line.curedDay ?? null,
      })
      .execute();
  }

  /** All movements: `account key delta`, with the fee in brackets where there is one. */
  async movements(): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('movement')
      .selectAll()
      .orderBy('account_no')
      .orderBy('dedup_key')
      .execute();
    return rows.map(
      (row) =>
        `${row.account_no} ${row.dedup_key} ${row.delta_fen}${row.fee_fen === 0n ? '' : ` (${row.fee_fen})`}`,
    );
  }
}
