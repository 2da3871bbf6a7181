/** What the run asked about orders, as it recorded it itself. */
import { isJsonObject, member } from '../../src/core/json.ts';
import type { RunHead } from './read-run.ts';

/** Null where the run recorded nothing. */
export interface Asked {
  batches: number | null;
  transferOrders: number | null;
  withdrawals: number | null;
  /** Batches and withdrawals among them that only the ledger names. */
  ledgerOnly: number | null;
  /** Orders that only the ledger names, without a number that can be asked for. */
  unaskable: number | null;
}

/** Who asked last is overwritten by the next run, so the counts are read where the run kept them. */
export function askedOf({ facts }: RunHead): Asked {
  const count = (group: string, name: string): number | null => {
    const kept = isJsonObject(facts) ? member(facts, group) : undefined;
    const value = isJsonObject(kept) ? member(kept, name) : undefined;
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
  };
  return {
    batches: count('asked', 'batches'),
    transferOrders: count('asked', 'transferOrders'),
    withdrawals: count('asked', 'withdrawals'),
    ledgerOnly: count('orders', 'ledgerOnly'),
    unaskable: count('orders', 'unaskable'),
  };
}
