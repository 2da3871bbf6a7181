/** The units of reading balances: some accounts each, an account never in two. */
import { maskPersonal } from '../../../src/core/mask.ts';
import { addDays } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import { listSnapshotsOfRun } from '../../../src/store/deposits/snapshots.ts';
import { allOf } from '../../units/unit.ts';
import type { UnitKind } from '../../units/unit.ts';
import { bracketAccounts, unknownAccounts, unreadBalances } from './bracket.ts';
import type { ListedAccount } from './listing-number.ts';

export interface BalancesRead {
  /** Why there is no balance, by account. */
  unreadBalances: Record<string, string>;
  /** When the platform said of an account that it knows none, by account. */
  unknownAccounts: Record<string, Instant>;
}

export const BALANCE_UNITS: UnitKind<ListedAccount, BalancesRead> = {
  name: 'balances',
  itemsMax: 50,
  work: async (context, { runId, toDay, today }, accounts, claim) => {
    const fromDay = today > toDay ? today : addDays(toDay, 1);
    const run = { runId, purpose: 'bracket', toDay, fromDay, claim } as const;
    const bracketed = await bracketAccounts(context, run, await allOf(accounts));
    return { unreadBalances: unreadBalances(bracketed), unknownAccounts: unknownAccounts(bracketed) };
  },
  // Whose balance could not be stored holds up no other: each is stored by itself.
  giveUp: async (trx, { runId }, accounts, why) => {
    const read = new Set(
      await listSnapshotsOfRun(
        trx,
        runId,
        accounts.map(({ accountNo }) => accountNo),
      ),
    );
    const unread = accounts.filter(({ accountNo }) => !read.has(accountNo));
    const reason = maskPersonal(why);
    return {
      unreadBalances: Object.fromEntries(unread.map(({ accountNo }) => [accountNo, reason])),
      unknownAccounts: {},
    };
  },
};

export function sumOfBalances(units: readonly BalancesRead[]): BalancesRead {
  return {
    unreadBalances: Object.assign({}, ...units.map((unit) => unit.unreadBalances)) as Record<string, string>,
    unknownAccounts: Object.assign({}, ...units.map((unit) => unit.unknownAccounts)) as Record<
      string,
      Instant
    >,
  };
}
