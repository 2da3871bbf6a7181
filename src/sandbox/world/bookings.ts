/**
 * Effects on several accounts that take place together or not at all: an order moves money here and there, now
 * and later, and may leave no account with less than nothing at any time (ACC-09).
 */
import { leastAvailable } from './book.ts';
import type { Effect } from './book.ts';
import type { Account } from './account.ts';

interface Touched {
  balance: Set<Effect>;
  frozen: Set<Effect>;
  fromMs: number;
}

export class Bookings {
  readonly #touched = new Map<Account, Touched>();

  add(account: Account, side: 'balance' | 'frozen', effect: Effect): void {
    let touched = this.#touched.get(account);
    if (!touched) {
      touched = { balance: new Set(), frozen: new Set(), fromMs: effect.atMs };
      this.#touched.set(account, touched);
    }
    touched[side].add(effect);
    touched.fromMs = Math.min(touched.fromMs, effect.atMs);
  }

  /**
   * Books everything, or nothing when an account's available balance would fall below zero at any time.
   * @returns the first account that falls short; undefined when all is booked
   */
  book(): Account | undefined {
    for (const [account, { balance, frozen }] of this.#touched) {
      for (const effect of balance) account.balance.add(effect);
      for (const effect of frozen) account.frozen.add(effect);
    }
    for (const [account, { fromMs }] of this.#touched) {
      if (leastAvailable(account.balance, account.frozen, fromMs) >= 0n) continue;
      this.#takeBack();
      return account;
    }
    return undefined;
  }

  #takeBack(): void {
    for (const [account, { balance, frozen }] of this.#touched) {
      account.balance.remove(balance);
      account.frozen.remove(frozen);
    }
  }
}
