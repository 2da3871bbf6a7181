/** What refunds truly gave back to payers. */
import type { Fen } from '../../core/fen.ts';
import type { World } from '../world/world.ts';
import { phasesOf, refundMeaning } from './life.ts';

/** A refund that was accepted, whatever it comes to. */
export interface PayerRefund {
  outOrderNo: string;
  /** Of the request that asked for it; empty for one that was put in. */
  reqId: string;
  amountFen: Fen;
  acceptedAtMs: number;
  /** When the payer has the money; undefined when it never does. */
  atMs: number | undefined;
  /** When the payee has it for good: refused, or given back; undefined when it never does. */
  backAtMs: number | undefined;
}

/** Every refund of every kept order, past and to come, in the order in which they were accepted. */
export function listRefunds(world: World): PayerRefund[] {
  const refunds: PayerRefund[] = [];
  for (const { orders } of world.orders.batches()) {
    for (const { outOrderNo, refunds: own } of orders) {
      for (const { amountFen, reqId, life } of own) {
        const phases = phasesOf(life, refundMeaning);
        const last = phases.at(-1);
        refunds.push({
          outOrderNo,
          reqId,
          amountFen,
          acceptedAtMs: life[0]?.atMs ?? 0,
          atMs: phases.find(({ phase }) => phase === 'gone')?.atMs,
          backAtMs: last?.phase === 'free' ? last.atMs : undefined,
        });
      }
    }
  }
  return refunds.sort((a, b) => a.acceptedAtMs - b.acceptedAtMs);
}
