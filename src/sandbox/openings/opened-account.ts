/** The account an opening makes, and what becomes of the one it replaces (OPN-04, OPN-18, CHG-20). */
import { Book } from '../world/book.ts';
import { nextNumber } from '../world/numbers.ts';
import { DepositIndex } from '../world/deposit-index.ts';
import type { Account, BankCard } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { identityOf, subjectAt } from './application.ts';
import type { Opening, Subject } from './application.ts';
import { accountsOf } from './subject-claims.ts';

const ACTIVATED = '1';
const CLOSED = '0';

/**
 * It is there from that instant on; name, identity and bound card are what the subject's data say by the clock. An
 * account of the same subject is replaced at that instant: what it holds stays on it (U31).
 */
export function openAccount(world: World, opening: Opening, atMs: number): Account {
  const { merchant, role, reqNo, decision } = opening;
  const others = role === 'FQ' ? accountsOf(world, merchant, identityOf(opening.subject)) : [];
  const current = (): Subject => subjectAt(opening, world.clock.nowMs());
  const account: Account = {
    merchant,
    accountNo: freeAccountNo(world, atMs),
    eleAcctNo: nextNumber(world, 'EA', atMs),
    role,
    openedAtMs: atMs,
    get name() {
      return nameOf(current());
    },
    get subjectId() {
      return identityOf(current());
    },
    get bindCard() {
      return boundCardOf(current());
    },
    autoSettle: decision?.autoSettle ?? false,
    states: statesOf(world, opening, atMs),
    replacedBy: undefined,
    whiteCards: [],
    settleCards: [],
    openReqNo: reqNo,
    remark: '',
    paymentPassword: true,
    passwordFree: true,
    balance: new Book(0n),
    frozen: new Book(0n),
    shelf: new DepositIndex(),
    failedDeposits: [],
    drift: { fen: 0n, queriesLeft: 0 },
  };
  world.accounts.set(account.accountNo, account);
  for (const old of others) replace(old, account.accountNo, atMs);
  return account;
}

/** Seeds may have taken any number. */
function freeAccountNo(world: World, atMs: number): string {
  let accountNo: string;
  do accountNo = nextNumber(world, 'AC', atMs);
  while (world.accounts.has(accountNo));
  return accountNo;
}

function statesOf(world: World, { decision }: Opening, atMs: number): Account['states'] {
  const state = decision?.accountState ?? world.switches.openedAccountState;
  const states = [
    { atMs: -Infinity, state: CLOSED },
    { atMs, state },
  ];
  const afterMs = decision?.activatedAfterMs;
  if (afterMs !== undefined) states.push({ atMs: atMs + afterMs, state: ACTIVATED });
  return states;
}

function replace(old: Account, accountNo: string, atMs: number): void {
  old.states.push({ atMs, state: CLOSED });
  old.states.sort((a, b) => a.atMs - b.atMs);
  old.replacedBy = { accountNo, atMs };
}

function nameOf(subject: Subject): string {
  const own = subject['idCardName'] ?? '';
  return subject['entPerFlag'] === 'E' ? (subject['licenseName'] ?? own) : own;
}

/** A sole proprietor who does not say it has a personal account, as an individual has (OPN-F12). */
function boundCardOf(subject: Subject): BankCard {
  return {
    bankAccountNo: subject['settAccountNo'] ?? '',
    bankAccountName: subject['settAccountName'] ?? '',
    mobile: subject['settAccountPhone'] ?? '',
    instBranchCode: subject['settAccountBankBranchCode'] ?? '',
    accountType: subject['settAccountType'] === 'E' ? 'E' : 'P',
    whiteType: 'OUT',
  };
}
