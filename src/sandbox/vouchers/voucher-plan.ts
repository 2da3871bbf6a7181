/** Which vouchers are planned to be otherwise, and how often each order was asked for. */
import type { Slip, TransType } from './slip.ts';
import type { PlannedVoucher } from './voucher-schema.ts';

interface Planned {
  no: number;
  voucher: PlannedVoucher;
  left: number;
}

/** An order as it is asked for. */
export interface AskedOrder {
  transType: TransType;
  slip: Slip;
}

export class VoucherPlan {
  #planned: Planned[] = [];
  #count = 0;
  readonly #asks = new Map<string, number>();

  /** @returns the number under which it can be dropped */
  add(voucher: PlannedVoucher): number {
    this.#planned.push({ no: ++this.#count, voucher, left: voucher.times ?? Infinity });
    return this.#count;
  }

  /** Drops one, or all. */
  drop(no?: number): void {
    this.#planned = no === undefined ? [] : this.#planned.filter((planned) => planned.no !== no);
  }

  /** `left` is null where it decides all. */
  list(): readonly { no: number; voucher: PlannedVoucher; left: number | null }[] {
    return this.#planned.map(({ no, voucher, left }) => ({
      no,
      voucher,
      left: Number.isFinite(left) ? left : null,
    }));
  }

  /**
   * What was planned for this order by its number, else for any; of several the latest. `use` tells whether it
   * decides one order less from then on.
   */
  find(asked: AskedOrder): { voucher: PlannedVoucher; use: () => boolean } | undefined {
    const fitting = this.#planned.filter(({ voucher }) => fits(voucher, asked));
    const planned = fitting.findLast(({ voucher }) => voucher.number !== undefined) ?? fitting.at(-1);
    if (!planned) return undefined;
    const use = (): boolean => {
      planned.left--;
      this.#planned = this.#planned.filter(({ left }) => left > 0);
      return Number.isFinite(planned.left);
    };
    return { voucher: planned.voucher, use };
  }

  /** Counts an ask for an order. @returns which it is, from 1 */
  countAsk({ transType, slip }: AskedOrder): number {
    const key = `${transType} ${slip.orderNo}`;
    const asks = (this.#asks.get(key) ?? 0) + 1;
    this.#asks.set(key, asks);
    return asks;
  }
}

function fits({ number, transType }: PlannedVoucher, asked: AskedOrder): boolean {
  const { orderNo, outOrderNo } = asked.slip;
  const isItsNumber = number === undefined || number === orderNo || number === outOrderNo;
  return isItsNumber && (transType === undefined || transType === asked.transType);
}
