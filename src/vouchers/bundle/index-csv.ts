/** index.csv: what the bundle's index says, for programs and spreadsheets, with every text as it came. */
import { csvCell } from '../../core/csv-cell.ts';
import { yuanText } from '../../core/fen.ts';
import type { Fen } from '../../core/fen.ts';
import type { PlannedOrder, SlotPlace } from './bundle-plan.ts';

export interface IndexedOrder {
  order: PlannedOrder;
  amountFen: Fen | null;
  /** Slot by slot. */
  places: readonly SlotPlace[];
}

const COLUMNS =
  'no,time,kind,order_no,out_order_no,counterparty,amount_yuan,page,pages,sha256,status,counterparty_name';
/** Excel reads a file without it in the machine's own encoding. */
const ORDER_MARK = '\ufeff';

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
        csvCell(order.orderNo),
        csvCell(order.outOrderNo),
        csvCell(order.counterparty),
        amount,
        String(place.page),
        String(place.pages),
        slot.sha256,
        slot.status,
        csvCell(order.counterpartyName),
      ].join(',');
    }),
  );
  return `${ORDER_MARK}${[COLUMNS, ...lines].join('\r\n')}\r\n`;
}
