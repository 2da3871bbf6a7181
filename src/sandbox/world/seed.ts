/** Puts accounts, deposits and movements outside the interface into the sandbox (CTL). */
import type { z } from 'zod';

import { WrongInput } from '../../core/errors.ts';
import type { Fen } from '../../core/fen.ts';
import { Book, leastAvailable } from './book.ts';
import type { Effect } from './book.ts';
import { nextNumber } from './numbers.ts';
import { accountSchema, checked, depositSchema, timeMs } from './seed-schema.ts';
import type { AccountSeed, DepositSeed } from './seed-schema.ts';
import { DepositIndex } from './deposit-index.ts';
import type { Deposit, SpecialDeposit } from './deposit-index.ts';
import type { WirePatch } from './wire-patch.ts';
import { isOpen, stateAt } from './account.ts';
import type { Account } from './account.ts';
import type { World } from './world.ts';

/** @throws WrongInput for a fault in any of them; then none is opened */
export function seedAccounts(world: World, seeds: readonly AccountSeed[]): void {
  const accounts = seeds.map((seed, place) =>
    accountOf(checked(accountSchema, seed, `account ${place + 1}`)),
  );
  const numbers = new Set(world.accounts.keys());
  for (const account of accounts) {
    if (numbers.has(account.accountNo)) throw new WrongInput(`account ${account.accountNo} exists already`);
    numbers.add(account.accountNo);
    if (leastAvailable(account.balance, account.frozen) < 0n) {
      throw new WrongInput(`account ${account.accountNo}: more is frozen than it holds`);
    }
  }
  for (const account of accounts) world.accounts.set(account.accountNo, account);
}

function accountOf(seed: z.output<typeof accountSchema>): Account {
  const { accountNo, merchant, name, role, subjectId, autoSettle, remark, paymentPassword, passwordFree } =
    seed;
  const card = { mobile: '', instBranchCode: '', accountType: 'E' as const, whiteType: 'OUT' as const };
  return {
    merchant,
    accountNo,
    name,
    role,
    subjectId,
    autoSettle,
    remark,
    paymentPassword,
    passwordFree,
    eleAcctNo: seed.eleAcctNo ?? `EA${accountNo}`,
    states: [{ atMs: -Infinity, state: seed.state }],
    replacedBy: undefined,
    openedAtMs: -Infinity,
    bindCard: seed.bindCard ?? { bankAccountNo: `BANK${accountNo}`, bankAccountName: name, ...card },
    whiteCards: seed.whiteCards,
    settleCards: seed.settleCards,
    openReqNo: seed.openReqNo ?? `RQ${accountNo}`,
    balance: new Book(seed.balanceFen),
    frozen: new Book(seed.frozenFen),
    shelf: new DepositIndex(),
    failedDeposits: [],
    drift: { fen: seed.drift?.fen ?? 0n, queriesLeft: seed.drift ? (seed.drift.queries ?? Infinity) : 0 },
  };
}

/**
 * All are checked before the first is booked; one that cannot be booked leaves those before it.
 * @throws WrongInput for an unknown account and the like
 * @returns the orderNos, given or made
 */
export function seedDeposits(world: World, seeds: readonly DepositSeed[]): string[] {
  const deposits = seeds.map((seed, place) => checked(depositSchema, seed, `deposit ${place + 1}`));
  return deposits.map((deposit) => seedDeposit(world, deposit));
}

function seedDeposit(world: World, seed: z.output<typeof depositSchema>): string {
  const account = requireAccount(world, seed.payeeAcctNo);
  const depositedAtMs = timeMs(world.zone, seed.depositTime);
  const bookedAtMs = seed.bookedAt === undefined ? depositedAtMs : timeMs(world.zone, seed.bookedAt);
  if (stateAt(account, bookedAtMs) === '0') throw new WrongInput(`account ${account.accountNo} is closed`);
  const deposit = depositOf(world, seed, depositedAtMs);
  if (seed.failed) {
    account.failedDeposits.push(deposit);
    return deposit.orderNo;
  }
  const listed = listedAs(world, seed, { deposit, bookedAtMs });
  credit(world, account, { deposit, bookedAtMs, creditedFen: seed.creditedFen });
  account.shelf.add(listed);
  return deposit.orderNo;
}

export function requireAccount(world: World, accountNo: string): Account {
  const account = world.accounts.get(accountNo);
  if (!account) throw new WrongInput(`there is no account ${accountNo}`);
  return account;
}

function depositOf(world: World, seed: z.output<typeof depositSchema>, depositedAtMs: number): Deposit {
  const { amountFen, feeFen, feeType, payerAcctNo, payerName, payerBankNo, payeeBankNo, remark, errCode } =
    seed;
  const orderFeeFen = feeType === 'ORDER' ? feeFen : 0n;
  return {
    amountFen,
    feeFen,
    feeType,
    payerAcctNo,
    payerName,
    payerBankNo,
    payeeBankNo,
    remark,
    errCode,
    orderNo: seed.orderNo ?? nextNumber(world, 'DP', depositedAtMs),
    realFen: seed.realFen ?? amountFen - orderFeeFen,
    depositedAtMs,
  };
}

function listedAs(
  world: World,
  seed: z.output<typeof depositSchema>,
  known: { deposit: Deposit; bookedAtMs: number },
): Deposit | SpecialDeposit {
  const { deposit, bookedAtMs } = known;
  const { visibleFrom, vanishesAt, listed, changes } = seed;
  const visibleFromMs =
    visibleFrom === undefined ? bookedAtMs + world.switches.visibleDelayMs : timeMs(world.zone, visibleFrom);
  const isPlain = visibleFromMs === deposit.depositedAtMs && !vanishesAt && !listed && changes.length === 0;
  if (isPlain) return deposit;
  return {
    ...deposit,
    visibleFromMs,
    vanishesAtMs: vanishesAt === undefined ? Infinity : timeMs(world.zone, vanishesAt),
    patches: patchesOf(world, { listed, changes }),
  };
}

/** What is shown instead of what is true, in the order of its instants. */
export function patchesOf(
  world: World,
  of: { listed: WirePatch | undefined; changes: readonly (WirePatch & { at: string })[] },
): { atMs: number; patch: WirePatch }[] {
  const patches: { atMs: number; patch: WirePatch }[] = of.changes.map(({ at, ...patch }) => ({
    atMs: timeMs(world.zone, at),
    patch,
  }));
  if (of.listed) patches.push({ atMs: -Infinity, patch: of.listed });
  return patches.sort((a, b) => a.atMs - b.atMs);
}

/**
 * A deposit raises the payee by what is left of it, and lowers who else bears an ACCOUNT fee (docs/reconciliation.md
 * 3.3, U35).
 */
function credit(
  world: World,
  account: Account,
  what: { deposit: Deposit; bookedAtMs: number; creditedFen: Fen | undefined },
): void {
  const { deposit, bookedAtMs } = what;
  const bearer = deposit.feeType === 'ACCOUNT' ? world.switches.depositFeeBearer : 'payee';
  const payeeBears = bearer === 'payee' || bearer === 'self';
  const creditedFen = what.creditedFen ?? deposit.amountFen - (payeeBears ? deposit.feeFen : 0n);
  const effect = { atMs: bookedAtMs, kind: 'deposit', reference: deposit.orderNo };
  if (what.creditedFen === undefined && bearer.startsWith('acct:')) {
    const payer = requireAccount(world, bearer.slice('acct:'.length));
    book(payer, 'balance', { ...effect, kind: 'fee', deltaFen: -deposit.feeFen });
  }
  book(account, 'balance', { ...effect, deltaFen: creditedFen });
}

/**
 * Adds an effect to an account's balance or frozen amount.
 * @throws WrongInput before the account is opened, and when its available balance would fall below zero at any
 *   time (ACC-09)
 */
export function book(account: Account, side: 'balance' | 'frozen', effect: Effect): void {
  if (!isOpen(account, effect.atMs)) throw new WrongInput(`account ${account.accountNo} is not opened yet`);
  account[side].add(effect);
  const lowers = side === 'balance' ? effect.deltaFen < 0n : effect.deltaFen !== 0n;
  if (!lowers) return;
  if (account.frozen.least() >= 0n && leastAvailable(account.balance, account.frozen) >= 0n) return;
  account[side].remove(new Set([effect]));
  throw new WrongInput(`account ${account.accountNo}: its available balance would fall below zero`);
}

/**
 * A deposit that arrives between two pages: booked once so many more pages of its account have been answered.
 * @throws WrongInput when the deposit could not be booked now
 */
export function seedArrival(world: World, arrival: { afterPages: number; deposit: DepositSeed }): void {
  const deposit = checked(depositSchema, arrival.deposit, 'deposit');
  const { accountNo } = requireAccount(world, deposit.payeeAcctNo);
  timeMs(world.zone, deposit.depositTime);
  const pagesLeft = Math.max(1, arrival.afterPages);
  world.arrivals.push({ accountNo, pagesLeft, book: () => void seedDeposit(world, deposit) });
}
