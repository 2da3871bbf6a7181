/** `acct/queryInfo`: what an account is and holds now (ACC-01…09). */
import type { EndpointName } from '../../platform/contract.ts';
import type { Call } from '../protocol/handler.ts';
import { optionalText } from '../protocol/params.ts';
import { Refused, wrongParameter } from '../protocol/refusal.ts';
import { wireWhole } from '../protocol/wire.ts';
import type { WireObject } from '../protocol/wire.ts';
import { findAccount, findAccountOpenedBy } from '../world/world.ts';
import { stateAt } from '../world/account.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';

/** @throws Refused without a number (ACC-01) and for an account the caller does not have (ACC-08) */
export function queryInfo(call: Call<EndpointName & 'acct/queryInfo'>): WireObject {
  const { world } = call;
  const account = requestedAccount(call);
  if (account.drift.queriesLeft > 0) {
    move(account, world.clock.nowMs());
    world.readEffects++;
  }
  return accountInfo(world, account);
}

function requestedAccount({ world, biz, caller }: Call<'acct/queryInfo'>): Account {
  const { merchant } = caller.credential;
  const accountNo = optionalText(biz, 'accountNo', world.switches) ?? '';
  const reqNo = world.switches.queryInfoByReqNo ? (optionalText(biz, 'reqNo', world.switches) ?? '') : '';
  if (accountNo === '' && reqNo === '') throw wrongParameter('accountNo', 'it is required');
  const account =
    accountNo === '' ? findAccountOpenedBy(world, merchant, reqNo) : findAccount(world, merchant, accountNo);
  if (!account) throw new Refused('NOT_FOUND', '账户不存在 (account not found)');
  return account;
}

/** A balance that moves during a run: it has moved before each answer, until the drift is used up. */
function move(account: Account, nowMs: number): void {
  account.drift.queriesLeft--;
  account.balance.add({ atMs: nowMs, deltaFen: account.drift.fen, kind: 'drift', reference: '' });
}

function accountInfo(world: World, account: Account): WireObject {
  const nowMs = world.clock.nowMs();
  const balanceFen = account.balance.atMs(nowMs);
  const frozenFen = account.frozen.atMs(nowMs);
  return {
    accountNo: account.accountNo,
    eleAcctNo: account.eleAcctNo,
    eleAcctName: account.name,
    accountState: stateAt(account, nowMs),
    balance: wireWhole(world, world.switches.balanceHoldsFrozen ? balanceFen : balanceFen - frozenFen),
    frozen: wireWhole(world, frozenFen),
    availableBalance: wireWhole(world, balanceFen - frozenFen),
    bindAcctInfo: { ...account.bindCard },
    whiteAcctList: account.whiteCards.map((card) => ({ ...card })),
    openReqNo: account.openReqNo,
    remark: account.remark,
  };
}
