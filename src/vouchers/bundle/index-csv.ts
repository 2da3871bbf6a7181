/** index.csv: what the bundle's index says, for programs and spreadsheets, with every text as it came. */
import { yuanText } from '../../core/fen.ts';
import type { Fen } from '../../core/fen.ts';
import type { PlannedOrder, SlotPlace } from './bundle-plan.ts';

export interface IndexedOrder {
  order: PlannedOrder;
  amountFen: Fen | null;
  /** Slot by slot. */
  places: readonly SlotPlace[];
}

const COLUMNS = 'no,time,kind,order_no,out_order_no,counterparty,amount_yuan,page,pages,sha256,status';
/** Excel reads a file without it in the machine's own encoding. */
const ORDER_MARK = '\ufeff';
/** A text that begins like a formula, also in wide characters, is kept from being one (I3). */
const FORMULA_START = /^[=+\-@\t\r\0＝＋－＠]/;

/**
 * A line a file, or one for an order without any. `no` is the order's, its further files repeat it; the amount stands
 * in the first line of an order only, so that the column adds up. `page` counts in the order's part; the manifest says
 * which numbers lie in which part.
 */
export function indexCsv(orders: readonly IndexedOrder[]): string {
  const lines = orders.flatMap(({ order, amountFen, places }) =>
    order.slots.map((slot, at) => {
      const place = places[at] ?? { page: 0, pages: 0 };
      const amount = at === 0 && amountFen !== null ? yuanText(amountFen) : '';
      return [
        String(order.no),
        order.time,
        order.kind,
        cell(order.orderNo),
        cell(order.outOrderNo),
        cell(order.counterparty),
        amount,
        String(place.page),
        String(place.pages),
        slot.sha256,
        slot.status,
      ].join(',');
    }),
  );
  return `${ORDER_MARK}${[COLUMNS, ...lines].join('\r\n')}\r\n`;
}

function cell(text: string): string {
  const inert = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
