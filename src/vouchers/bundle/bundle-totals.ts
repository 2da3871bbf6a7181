/** What a bundle holds, by kind of order: for its cover and for the run's result. */
import { yuanForPeople } from '../../core/fen.ts';
import type { Fen } from '../../core/fen.ts';
import type { VoucherKind } from '../../store/schema/schema-vouchers.ts';
import type { KindTotal, PlannedOrder } from './bundle-plan.ts';

/** In the order in which bookmarks and totals stand. */
export const KINDS: readonly VoucherKind[] = ['deposit', 'transfer', 'withdrawal', 'settlement'];

export interface Amounts {
  kind: VoucherKind;
  amountFen: Fen | null;
}

/** One line a kind that occurs, and their sum; amounts that are unknown are left out of it. */
export function totalsOf(orders: readonly PlannedOrder[], amounts: readonly Amounts[]): KindTotal[] {
  const lines = KINDS.filter((kind) => orders.some((order) => order.kind === kind)).map((kind) =>
    totalOf(
      kind,
      orders.filter((order) => order.kind === kind),
      amounts.filter((amount) => amount.kind === kind),
    ),
  );
  return [...lines, totalOf('total', orders, amounts)];
}

function totalOf(
  kind: KindTotal['kind'],
  orders: readonly PlannedOrder[],
  amounts: readonly Amounts[],
): KindTotal {
  const slots = orders.flatMap((order) => order.slots);
  const merged = slots.filter(({ status }) => status === 'merged').length;
  const missing = slots.filter(({ fileNo }) => fileNo === 0).length;
  const sumFen = amounts.reduce((sum, { amountFen }) => sum + (amountFen ?? 0n), 0n);
  return {
    kind,
    orders: orders.length,
    files: slots.length - missing,
    merged,
    standIns: slots.length - merged,
    missing,
    amount: yuanForPeople(sumFen),
  };
}
