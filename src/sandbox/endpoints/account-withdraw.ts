/** `account/withdraw`: from a registry account to a bank account of its owner (WDR-01…12). */
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { leastAvailable } from '../world/book.ts';
import { Bookings } from '../world/bookings.ts';
import type { Call } from '../protocol/handler.ts';
import { takeOutcome } from '../orders/outcome-plan.ts';
import { nextNumber } from '../world/numbers.ts';
import { withdrawalLegs } from '../orders/money.ts';
import { wireWithdrawal } from '../orders/order-wire.ts';
import type { Withdrawal } from '../orders/order.ts';
import { bookWithdrawal, failedWithdrawal, planWithdrawal } from '../orders/plan.ts';
import { receivingCard } from '../orders/receiving-card.ts';
import { requireUsable, shortOf } from '../orders/usable.ts';
import {
  optionalJsonText,
  optionalText,
  requireAmount,
  requireNumber,
  requireText,
} from '../protocol/params.ts';
import { Refused, wrongParameter } from '../protocol/refusal.ts';
import { requireSmsCode } from '../world/sms-codes.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';

/** @throws Refused for wrong members, a used number, an account that may not, another card, too little money */
export function accountWithdraw({ world, biz, caller }: Call<'account/withdraw'>): WireObject {
  const { merchant } = caller.credential;
  const outOrderNo = requireNumber(biz, 'outOrderNo', world.switches);
  const acctNo = requireText(biz, 'acctNo', world.switches);
  const amountFen = requireAmount(biz, 'amount', { declared: 'number', ...world.switches });
  const extra = extraOf(world, biz);
  const account = requireUsable(world, merchant, acctNo);
  const first = firstOfThatNumber(world, merchant, outOrderNo);
  if (first) return wireWithdrawal(world, first);
  const card = receivingCard(account, extra.recvAcctNo);
  if (!card) throw wrongParameter('recvAcctNo', 'it is neither bound nor whitelisted for withdrawals');
  const code = needsCode(world, account)
    ? requireSmsCode(world, extra, { merchant, accountNos: [acctNo] })
    : undefined;
  const draft = world.outcomes.draft();
  const outcome = takeOutcome(draft, 'withdrawal', { outOrderNo, accountNo: acctNo }) ?? {};
  const planned = planWithdrawal(
    world,
    { merchant, outOrderNo, orderNo: '', acctNo, amountFen, card },
    { outcome, startMs: world.clock.nowMs() },
  );
  const made = carriedOut(world, planned, account);
  const withdrawal = { ...made, orderNo: nextNumber(world, 'WD', made.submittedAtMs) };
  if (code) code.used = true;
  draft.keep();
  world.orders.addWithdrawal(withdrawal);
  return wireWithdrawal(world, withdrawal);
}

interface Extra {
  smsCode: string;
  smsFlowNo: string;
  recvAcctNo: string | undefined;
}

/** Where both are read the business data prevails (WDR-04, U48). */
function extraOf(world: World, biz: JsonObject): Extra {
  const { withdrawExtraIn } = world.switches;
  const extra = withdrawExtraIn === 'bizData' ? {} : channelExtra(biz);
  const isInExtra = (name: string): boolean =>
    withdrawExtraIn === 'channelExtra' || member(biz, name) === undefined;
  const text = (name: string): string =>
    optionalText(isInExtra(name) ? extra : biz, name, world.switches) ?? '';
  const recvAcctNo = text('recvAcctNo');
  return {
    smsCode: text('smsCode'),
    smsFlowNo: text('smsFlowNo'),
    recvAcctNo: recvAcctNo === '' ? undefined : recvAcctNo,
  };
}

function channelExtra(biz: JsonObject): JsonObject {
  return member(biz, 'channelExtra') === '' ? {} : (optionalJsonText(biz, 'channelExtra') ?? {});
}

/** WDR-07, U56. */
function needsCode(world: World, account: Account): boolean {
  return !world.switches.passwordFree || !account.passwordFree;
}

/** As for batches (U26). @throws Refused for a number that is used, unless the first is to be answered */
function firstOfThatNumber(world: World, merchant: string, outOrderNo: string): Withdrawal | undefined {
  const scope = world.switches.numberScope;
  if (!world.orders.isOrderNoTaken({ merchant, outOrderNo, kind: 'withdrawal', scope })) return undefined;
  const first = world.orders.withdrawal(merchant, { own: outOrderNo });
  if (first && world.switches.duplicate === 'returnFirst') return first;
  throw new Refused('DUPLICATE', '商户订单号重复 (duplicate outOrderNo)');
}

/** @throws Refused when there is too little, unless the withdrawal fails instead (WDR-12) */
function carriedOut(world: World, withdrawal: Withdrawal, account: Account): Withdrawal {
  const bookings = new Bookings();
  bookWithdrawal(world, bookings, withdrawal, account);
  const { amountFen, feeFen, feeType } = withdrawal;
  const neededFen = withdrawalLegs(world, { amountFen, feeFen, feeType, account })
    .filter(({ held }) => held)
    .reduce((sum, { deltaFen }) => sum - deltaFen, 0n);
  const availableFen = leastAvailable(account.balance, account.frozen, world.clock.nowMs());
  const short = neededFen > availableFen ? account : bookings.book();
  if (!short) return withdrawal;
  if (world.switches.shortBalance === 'refuse') throw shortOf(short);
  return failedWithdrawal(withdrawal, '可用余额不足');
}
