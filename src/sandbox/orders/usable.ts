/** Which accounts may move money, and in which role (DIV-02, ACC-04, U21, U25). */
import { Refused } from '../protocol/refusal.ts';
import { findAccount } from '../world/world.ts';
import { stateAt } from '../world/account.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';

/** @throws Refused for an account the caller does not have or that may not move money now */
export function requireUsable(world: World, merchant: string, accountNo: string): Account {
  const account = findAccount(world, merchant, accountNo);
  if (!account) throw new Refused('NOT_FOUND', `账户不存在 (account ${accountNo} not found)`);
  if (!isUsable(world, account)) {
    throw new Refused('ACCOUNT', `账户不可用 (account ${accountNo} is not activated)`);
  }
  return account;
}

export function findUsable(world: World, merchant: string, accountNo: string): Account | undefined {
  const account = findAccount(world, merchant, accountNo);
  return account && isUsable(world, account) ? account : undefined;
}

function isUsable(world: World, account: Account): boolean {
  const state = stateAt(account, world.clock.nowMs());
  return state === '1' || (state === '2' && world.switches.pendingMayOperate);
}

export function shortOf(account: Account): Refused {
  return new Refused('BALANCE', `可用余额不足 (account ${account.accountNo} has too little available)`);
}
