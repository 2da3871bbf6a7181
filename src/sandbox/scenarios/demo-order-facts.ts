/** Transfers of which the platform says what cannot be, or what nobody knows; the books are right. */
import type { Fen } from '../../core/fen.ts';
import type { LedgerEntry } from './demo-draft.ts';
import { orderEntries, payeeEntries, payerEntries } from './demo-order-books.ts';
import { msBetween } from './demo-orders.ts';
import type { SentOrder } from './demo-orders.ts';
import type { DemoAccount } from './demo-accounts.ts';
import { finds, plantTransfer, sceneAt, sendTransfer } from './demo-scene.ts';
import type { Scene } from './demo-scene.ts';
import type { DemoDraft } from './demo-draft.ts';

export function plantOrderFacts(draft: DemoDraft): void {
  const scene = sceneAt(draft, 'payer');
  const { account: payee } = sceneAt(draft, 'lines');
  plantLabel(scene, payee);
  plantUnknownWord(scene, payee);
  plantStepBack(scene, payee);
  plantWrongReal(scene, payee);
  plantFailedSettlements(scene);
}

function bothSides(order: SentOrder, at: string): LedgerEntry[] {
  return [...payerEntries(order, at), ...payeeEntries(order, at)];
}

/** Of its two orders one failed; the label is the batch's own. */
function plantLabel(scene: Scene, payee: DemoAccount): void {
  const failing = { state: 'FAIL', note: '超过单日收款限额' } as const;
  const failed = sendTransfer(
    scene,
    { at: `${scene.lastDay} 09:55:40`, payee, amountFen: 88_000n, ...failing },
    { listed: { set: { state: 'SUCCESS' } } },
  );
  const note = 'the batch is called successful although one of its two orders failed';
  finds(scene, { class: 'batch_children', reference: failed.outBatchNo, note });
}

/** The money is held until the platform says a word that is known. */
function plantUnknownWord(scene: Scene, payee: DemoAccount): void {
  const states = [
    { afterMs: 0, state: 'PROCESSING' },
    { afterMs: 480_000, state: 'RISK_REVIEW' },
  ];
  const { outOrderNo: reference } = plantTransfer(scene, {
    note: 'the platform says RISK_REVIEW, which its document does not know',
    transfer: {
      at: `${scene.lastDay} 12:20:00`,
      payee,
      amountFen: 330_000n,
      state: 'PROCESSING',
      seed: { states },
    },
    finds: { class: 'unknown_state' },
  });
  const note = 'what an order in an unknown state holds';
  finds(scene, { class: 'in_flight', reference, note, follows: 'unknown_state' });
}

function plantStepBack(scene: Scene, payee: DemoAccount): void {
  const { draft, dayBefore, lastDay } = scene;
  const at = `${dayBefore} 11:04:00`;
  const states = [
    { afterMs: 0, state: 'PROCESSING' },
    { afterMs: 45_000, state: 'SUCCESS' },
    { afterMs: msBetween(draft, at, `${lastDay} 09:30:00`), state: 'PROCESSING' },
  ];
  plantTransfer(scene, {
    note: 'a transfer that had succeeded is called PROCESSING a day later; its money stays where it went',
    transfer: { at, payee, amountFen: 157_000n, seed: { states } },
    books: bothSides,
    finds: { class: 'state_regression' },
  });
}

function plantWrongReal(scene: Scene, payee: DemoAccount): void {
  const fee = { feeFen: 900n, feeType: 'ACCOUNT' } as const;
  const seed = { listed: { set: { realAmount: 299_100 } } };
  plantTransfer(scene, {
    note: 'realAmount is 2,991.00 although the fee of 9.00 is an outer one (3,000.00 would be right)',
    transfer: { at: `${scene.lastDay} 13:40:00`, payee, amountFen: 300_000n, ...fee, seed },
    books: bothSides,
    finds: { class: 'fee_invariant' },
  });
}

/** The money stays on the account and the company books no settlement; one retry will succeed, the other not. */
function plantFailedSettlements(scene: Scene): void {
  plantFailedSettlement(scene, {
    at: '10:20:00',
    amountFen: 520_000n,
    remark: '收款银行账户状态异常',
    retried: 'FAIL',
    note: "the payee's bank refused the automatic withdrawal; the money stays on the account, and a retry fails too",
  });
  plantFailedSettlement(scene, {
    at: '10:50:00',
    amountFen: 310_000n,
    remark: '收款银行系统维护',
    retried: 'SUCCESS',
    note: "the payee's bank was down for maintenance when the automatic withdrawal came; a retry succeeds",
  });
}

/** As many as the settings may ask for. */
const RETRIES = 10;

function plantFailedSettlement(
  scene: Scene,
  of: { at: string; amountFen: Fen; remark: string; retried: 'SUCCESS' | 'FAIL'; note: string },
): void {
  const { draft, lastDay } = scene;
  const { account: payee } = sceneAt(draft, 'facts');
  const { at, amountFen, remark, retried, note } = of;
  const retries =
    retried === 'SUCCESS' ? [{}] : Array.from({ length: RETRIES }, () => ({ state: 'FAIL', remark }));
  const settle = { delayMs: 1_500_000, state: 'FAIL', remark, retries };
  plantTransfer(scene, {
    note,
    transfer: { at: `${lastDay} ${at}`, payee, amountFen, seed: { settle } },
    books: (order) => orderEntries(draft, { ...order, settledAt: undefined }),
    finds: { class: 'settle_failed', accountNo: payee.accountNo, retried },
  });
}
