/** Every kind of unit with its work; one that is missing here does not compile. */
import type { UnitKindName } from '../../src/store/units/unit-queue.ts';
import { BALANCE_UNITS } from '../night/collect/balance-units.ts';
import { DEPOSIT_UNITS } from '../night/collect/deposit-units.ts';
import { ORDER_UNITS } from '../night/collect/order-units.ts';
import type { Context } from '../context/context.ts';
import { itemsOf } from './unit.ts';
import type { Claim, UnitKind, UnitRun } from './unit.ts';

interface KindOfHandedWork {
  /** @param items as they were read from the unit: of this kind, because this kind wrote them */
  work(context: Context, run: UnitRun, items: readonly object[], claim: Claim): Promise<object>;
}

function handed<Item extends object, Made extends object>(kind: UnitKind<Item, Made>): KindOfHandedWork {
  return {
    work: (context, run, items, claim) => kind.work(context, run, itemsOf(items as readonly Item[]), claim),
  };
}

export const KINDS: Readonly<Record<UnitKindName, KindOfHandedWork>> = {
  deposits: handed(DEPOSIT_UNITS),
  orders: handed(ORDER_UNITS),
  balances: handed(BALANCE_UNITS),
};
