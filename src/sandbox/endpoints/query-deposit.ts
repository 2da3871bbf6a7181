/** `query/deposit`: the successful deposits of one account in a range of days, page by page (DEP-01…11). */
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { addDays, addMonthClamped, epochMs, parseDay } from '../../core/time.ts';
import type { Day } from '../../core/time.ts';
import type { Call } from '../protocol/handler.ts';
import { requireText, wholeOrDefault } from '../protocol/params.ts';
import { Refused } from '../protocol/refusal.ts';
import { isSpecial, patchesAt } from '../world/deposit-index.ts';
import type { Deposit } from '../world/deposit-index.ts';
import { applyPatch } from '../world/wire-patch.ts';
import { wireDepositTime, wireWhole } from '../protocol/wire.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';

const PAGE_SIZE_MAX = 100;
const PAGE_SIZE_DEFAULT = 10;

interface PageAsked {
  page: number;
  pageSize: number;
}

/**
 * Answers an unknown account, another merchant's and one without deposits alike: an empty list (DEP-10).
 * @throws Refused for wrong dates (DEP-01…03), pages (DEP-05) and without an account (DEP-04)
 */
export function queryDeposit({ world, biz, caller }: Call<'query/deposit'>): WireObject {
  const days = requestedDays(biz);
  const payeeAcctNo = requireText(biz, 'payeeAcctNo', world.switches);
  const asked = requestedPage(world, biz);
  const account = listedAccount(world, caller.credential.merchant, payeeAcctNo);
  const answer = account ? listing(world, account, { ...asked, ...days }) : { total: 0, deposits: [] };
  if (account) countPage(world, account);
  return {
    total: wireWhole(world, Math.max(0, answer.total + world.switches.totalOffset)),
    page: wireWhole(world, asked.page),
    pageSize: wireWhole(world, asked.pageSize),
    depositList: account
      ? answer.deposits.map((deposit) => record(world, account, { deposit, payeeAcctNo }))
      : [],
  };
}

function requestedDays(biz: JsonObject): { startDate: Day; endDate: Day } {
  const [startDate, endDate] = [dayOf(biz, 'startDate'), dayOf(biz, 'endDate')];
  if (endDate < startDate) throw dateRangeError('endDate lies before startDate');
  if (endDate > addMonthClamped(startDate)) throw dateRangeError('more than one month');
  return { startDate, endDate };
}

function dayOf(biz: JsonObject, name: string): Day {
  const text = member(biz, name);
  const day = typeof text === 'string' ? parseDay(text) : undefined;
  if (day === undefined) throw dateRangeError(`${name} must be a date of the form yyyy-MM-dd`);
  return day;
}

function dateRangeError(why: string): Refused {
  return new Refused('DATE_RANGE', `日期范围错误 (date range error: ${why})`);
}

function requestedPage(world: World, biz: JsonObject): PageAsked {
  const { strictTypes } = world.switches;
  return {
    page: wholeOrDefault(biz, 'page', { min: 1, max: 1_000_000_000, default: 1, strictTypes }),
    pageSize: wholeOrDefault(biz, 'pageSize', {
      min: 1,
      max: PAGE_SIZE_MAX,
      default: PAGE_SIZE_DEFAULT,
      strictTypes,
    }),
  };
}

/** The account whose deposits are listed under that number; a wrong kind of number finds none (U24). */
function listedAccount(world: World, merchant: string, number: string): Account | undefined {
  const { depositAccountField, emptyListingOf } = world.switches;
  const byAccountNo = depositAccountField === 'eleAcctNo' ? undefined : world.accounts.get(number);
  const account =
    byAccountNo ?? (depositAccountField === 'accountNo' ? undefined : byEleAcctNo(world, number));
  if (account?.merchant !== merchant || emptyListingOf.includes(account.accountNo)) return undefined;
  return account;
}

function byEleAcctNo(world: World, number: string): Account | undefined {
  return [...world.accounts.values()].find((account) => account.eleAcctNo === number);
}

function listing(
  world: World,
  account: Account,
  asked: PageAsked & { startDate: Day; endDate: Day },
): { total: number; deposits: Deposit[] } {
  const { endInclusive, depositOrder } = world.switches;
  const firstDayOut = endInclusive ? addDays(asked.endDate, 1) : asked.endDate;
  return account.shelf.list(
    {
      fromMs: epochMs(world.zone.dayStart(asked.startDate)),
      toMs: epochMs(world.zone.dayStart(firstDayOut)),
      nowMs: world.clock.nowMs(),
      order: depositOrder,
      skip: (asked.page - 1) * asked.pageSize,
      take: asked.pageSize,
    },
    world.random,
  );
}

/** DEP-07. The payee is named by the kind of number that was asked with. */
function record(world: World, account: Account, of: { deposit: Deposit; payeeAcctNo: string }): WireObject {
  const { deposit } = of;
  const wire: WireObject = {
    orderNo: deposit.orderNo,
    amount: wireWhole(world, deposit.amountFen),
    fee: wireWhole(world, deposit.feeFen),
    realAmount: wireWhole(world, deposit.realFen),
    feeType: deposit.feeType,
    payerAcctNo: deposit.payerAcctNo,
    payerName: deposit.payerName,
    payerBankNo: deposit.payerBankNo,
    payeeAcctNo: of.payeeAcctNo,
    payeeName: account.name,
    payeeBankNo: deposit.payeeBankNo,
    remark: deposit.remark,
    errCode: deposit.errCode,
    depositTime: wireDepositTime(world, deposit.depositedAtMs),
  };
  if (isSpecial(deposit)) {
    for (const patch of patchesAt(deposit, world.clock.nowMs())) applyPatch(wire, patch);
  }
  return wire;
}

/** Deposits that arrive between two pages are booked once the page before them has been made. */
function countPage(world: World, account: Account): void {
  const waiting = world.arrivals.filter((arrival) => arrival.accountNo === account.accountNo);
  for (const arrival of waiting) {
    world.readEffects++;
    arrival.pagesLeft--;
    if (arrival.pagesLeft > 0) continue;
    world.arrivals.splice(world.arrivals.indexOf(arrival), 1);
    arrival.book();
  }
}
