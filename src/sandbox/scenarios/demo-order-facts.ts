/** Transfers of which the platform says what cannot be, or what nobody knows; the books are right. */
import type { LedgerEntry } from './demo-draft.ts';
import { orderEntries, payeeEntries, payerEntries } from './demo-order-books.ts';
import { msBetween } from './demo-orders.ts';
import type { SentOrder } from './demo-orders.ts';
import { plantAll, sceneAt } from './demo-scene.ts';
import type { TransferPlant } from './demo-scene.ts';
import type { DemoDraft } from './demo-draft.ts';

export function plantOrderFacts(draft: DemoDraft): void {
  plantAll(sceneAt(draft, 'payer'), [...FACTS, ...FAILED_SETTLEMENTS]);
}

function bothSides(order: SentOrder, at: string): LedgerEntry[] {
  return [...payerEntries(order, at), ...payeeEntries(order, at)];
}

const FACTS: readonly TransferPlant[] = [
  {
    // The label is the batch's own.
    note: 'the batch is called successful although one of its two orders failed',
    transfer: { at: '09:55:40', payee: 'lines', amountFen: 88_000n, state: 'FAIL', note: '超过单日收款限额' },
    batch: { listed: { set: { state: 'SUCCESS' } } },
    finds: [{ class: 'batch_children', about: 'batch' }],
  },
  {
    // The money is held until the platform says a word that is known.
    note: 'the platform says RISK_REVIEW, which its document does not know',
    transfer: { at: '12:20:00', payee: 'lines', amountFen: 330_000n, state: 'PROCESSING' },
    seed: () => ({
      states: [
        { afterMs: 0, state: 'PROCESSING' },
        { afterMs: 480_000, state: 'RISK_REVIEW' },
      ],
    }),
    finds: [
      { class: 'unknown_state' },
      { class: 'in_flight', note: 'what an order in an unknown state holds', follows: 'unknown_state' },
    ],
  },
  {
    note: 'a transfer that had succeeded is called PROCESSING a day later; its money stays where it went',
    transfer: { at: '11:04:00 -1', payee: 'lines', amountFen: 157_000n },
    seed: ({ draft, dayBefore, lastDay }) => ({
      states: [
        { afterMs: 0, state: 'PROCESSING' },
        { afterMs: 45_000, state: 'SUCCESS' },
        { afterMs: msBetween(draft, `${dayBefore} 11:04:00`, `${lastDay} 09:30:00`), state: 'PROCESSING' },
      ],
    }),
    books: bothSides,
    finds: [{ class: 'state_regression' }],
  },
  {
    note: 'realAmount is 2,991.00 although the fee of 9.00 is an outer one (3,000.00 would be right)',
    transfer: { at: '13:40:00', payee: 'lines', amountFen: 300_000n, feeFen: 900n, feeType: 'ACCOUNT' },
    seed: () => ({ listed: { set: { realAmount: 299_100 } } }),
    books: bothSides,
    finds: [{ class: 'fee_invariant' }],
  },
];

/** As many as the settings may ask for. */
const RETRIES = 10;

/** The money stays on the account and the company books no settlement; one retry will succeed, the other not. */
const FAILED_SETTLEMENTS: readonly TransferPlant[] = [
  {
    note: "the payee's bank refused the automatic withdrawal; the money stays on the account, and a retry fails too",
    at: '10:20:00',
    amountFen: 520_000n,
    remark: '收款银行账户状态异常',
    retried: 'FAIL' as const,
  },
  {
    note: "the payee's bank was down for maintenance when the automatic withdrawal came; a retry succeeds",
    at: '10:50:00',
    amountFen: 310_000n,
    remark: '收款银行系统维护',
    retried: 'SUCCESS' as const,
  },
].map(({ note, at, amountFen, remark, retried }) => {
  const failing = Array.from({ length: RETRIES }, () => ({ state: 'FAIL', remark }));
  const retries = retried === 'SUCCESS' ? [{}] : failing;
  return {
    note,
    transfer: { at, payee: 'facts', amountFen },
    seed: () => ({ settle: { delayMs: 1_500_000, state: 'FAIL', remark, retries } }),
    books: (order, _, { draft }) => orderEntries(draft, { ...order, settledAt: undefined }),
    finds: [{ class: 'settle_failed', on: 'facts', retried }],
  } satisfies TransferPlant;
});
