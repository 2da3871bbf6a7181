/** Draws business of a company: amounts that occur once, hours that tell, and what an honest accountant books. */
import { addDays } from '../../src/core/time.ts';
import type { Stream } from '../simulate/world/random.ts';
import type { Item, WorldAccount } from './item.ts';
import { depositItem, refunded, transferItem, withdrawalItem } from './trade-items.ts';
import type {
  BookStyle,
  Charge,
  Course,
  DepositFacts,
  TransferFacts,
  WithdrawalFacts,
} from './trade-items.ts';

/** Paid to somebody who is no account of the company. */
export const STRANGER = 'X9';

/** Amounts and numbers of a world: none comes twice, in whatever group. */
export class Names {
  readonly #amounts = new Set<bigint>();
  #made = 0;

  number(prefix: string): string {
    this.#made += 1;
    return `${prefix}${this.#made}`;
  }

  amount(random: Stream, least: number, most: number): bigint {
    for (;;) {
      const fen = BigInt(random.whole(least, most));
      if (this.#amounts.has(fen)) continue;
      this.#amounts.add(fen);
      return fen;
    }
  }
}

export class Trader {
  readonly random: Stream;
  readonly #names: Names;
  readonly style: BookStyle;
  readonly accounts: readonly WorldAccount[];
  readonly days: readonly string[];
  readonly #balanceDays = new Set<string>();
  readonly #undecidedDays = new Set<string>();
  readonly #taken = new Set<string>();
  readonly #occupied = new Set<string>();

  constructor(
    random: Stream,
    of: { names: Names; style: BookStyle; accounts: readonly WorldAccount[]; days: readonly string[] },
  ) {
    this.random = random;
    this.#names = of.names;
    this.style = of.style;
    this.accounts = of.accounts;
    this.days = of.days;
  }

  number(prefix: string): string {
    return this.#names.number(prefix);
  }

  /** An amount that no other piece of business has. */
  amount(least = 1_000, most = 900_000): bigint {
    return this.#names.amount(this.random, least, most);
  }

  /** Well within a day: at any time between the night's end and the evening. */
  moment(day: string): string {
    const { random } = this;
    return `${day} ${two(random.whole(3, 20))}:${two(random.whole(0, 59))}:${two(random.whole(0, 59))}`;
  }

  /** A day of trade; what an account whose first balance is its opening did before it is nobody's business. */
  day(account?: WorldAccount): string {
    const first = account?.opening === 'observed' ? 1 : 0;
    return this.days[this.random.whole(first, this.days.length - 1)] ?? '';
  }

  /**
   * Of one account and day only one difference of the balance can be told from others; beside a refund it may be told
   * only with the next day's. @returns whether it is free
   */
  takeBalanceDay(account: string, day: string): boolean {
    const [key, next] = [`${account} ${day}`, `${account} ${addDays(day, 1)}`];
    const isUndecided = this.#undecidedDays.has(key);
    const keys = isUndecided ? [key, next] : [key];
    if (keys.some((taken) => this.#balanceDays.has(taken))) return false;
    if (this.#occupied.has(day) || (isUndecided && this.#occupied.has(addDays(day, 1)))) return false;
    // The next day tells nothing where it has to be told itself.
    if (isUndecided && this.#undecidedDays.has(next)) return false;
    for (const taken of keys) this.#balanceDays.add(taken);
    return true;
  }

  /** @returns whether nothing has taken it yet */
  takeOnce(what: string): boolean {
    if (this.#taken.has(what)) return false;
    this.#taken.add(what);
    return true;
  }

  /** Only looks at it a day apart tell when it came: no midnight balance says on which side of it. */
  leaveUndecided(accounts: readonly string[], day: string): void {
    for (const account of accounts) this.#undecidedDays.add(`${account} ${day}`);
  }

  /** Whether what was wrong with the balance of that day is told only by the next one. */
  isUndecided(account: string, day: string): boolean {
    return this.#undecidedDays.has(`${account} ${day}`);
  }

  /** Nothing is wrong with the balances of that day, of whatever account. */
  occupy(day: string): void {
    this.#occupied.add(day);
  }

  account(suits: (account: WorldAccount) => boolean = () => true): WorldAccount {
    const [first, ...others] = this.accounts.filter((one) => one.isListed && one.isOnPlatform && suits(one));
    if (first === undefined) throw new Error('no account suits');
    return this.random.one([first, ...others]);
  }

  charge(): Charge {
    const { random } = this;
    const feeFen = random.chance(0.5) ? 0n : BigInt(random.whole(1, 60));
    return { fen: this.amount(), feeFen, feeType: random.one(['ORDER', 'ACCOUNT']) };
  }

  /** Sent and done within minutes, well within a day. */
  course(day: string, fails = false): Course {
    const sentAt = this.moment(day);
    const doneAt = later(sentAt, this.random.whole(5, 900));
    return { sentAt, doneAt, bookedAt: later(doneAt, this.random.whole(30, 900)), fails };
  }

  /** Sent before midnight and done after it: before the night looks or long after. */
  courseOverMidnight(day: string): Course {
    const { random } = this;
    const sentAt = `${day} 23:${two(random.whole(30, 58))}:00`;
    const next = addDays(day, 1);
    const hour = random.chance(0.5) ? '00' : two(random.whole(3, 20));
    const doneAt = `${next} ${hour}:${two(random.whole(10, 59))}:00`;
    return { sentAt, doneAt, bookedAt: later(doneAt, random.whole(60, 600)), fails: random.chance(0.2) };
  }

  depositFacts(account: WorldAccount, day: string): DepositFacts {
    const no = this.number('D');
    const at = this.moment(day);
    const reference = this.random.chance(0.75) ? no : '';
    return {
      no,
      account: account.no,
      at,
      bookedAt: later(at, this.random.whole(0, 3_000)),
      reference,
      ...this.charge(),
    };
  }

  withdrawalFacts(account: WorldAccount, course: Course): WithdrawalFacts {
    return { no: this.number('W'), account: account.no, ...course, ...this.charge() };
  }

  transferFacts(payer: WorldAccount, course: Course): TransferFacts {
    const payees = this.accounts.filter((one) => one.isOnPlatform && one.isListed && one !== payer);
    const payee =
      this.random.chance(0.8) && payees.length > 0
        ? payees[this.random.whole(0, payees.length - 1)]
        : undefined;
    const settlesAfter = payee?.autoSettle === true ? this.random.whole(5, 600) : undefined;
    const settledAt = later(course.doneAt, settlesAfter ?? 0);
    return {
      no: this.number('T'),
      payer: payer.no,
      payee: payee?.no ?? STRANGER,
      isPayeeOurs: payee !== undefined,
      settlesAfter,
      settledAt,
      settledBookedAt: later(settledAt, this.random.whole(60, 600)),
      ...course,
      ...this.charge(),
    };
  }

  /** One piece of business without any fault. */
  honest(): Item {
    const account = this.account();
    const { style, random } = this;
    const day = this.day(account);
    const isOver = random.chance(0.25) && day !== this.days.at(-1) && account.opening === 'stated';
    const course = isOver ? this.courseOverMidnight(day) : this.course(day, random.chance(0.15));
    const drawn = random.fraction();
    if (drawn < 0.35) return depositItem(this.depositFacts(account, day), style);
    if (drawn < 0.5) return withdrawalItem(this.withdrawalFacts(account, course), style);
    if (drawn < 0.8)
      return transferItem(this.sameOpening(this.transferFacts(account, course), isOver), style);
    const facts = this.transferFacts(account, this.course(day));
    this.leaveUndecided([facts.payer, facts.payee], addDays(day, 1));
    const [at, part] = [this.moment(addDays(day, 1)), BigInt(random.whole(1, 900))];
    const refund = { fen: part, at, bookedAt: later(at, random.whole(60, 600)) };
    return refunded(transferItem(facts, style), facts, refund);
  }

  /** Business over midnight touches only accounts that are known from the beginning. */
  sameOpening(facts: TransferFacts, isOver: boolean): TransferFacts {
    const payee = this.accounts.find(({ no }) => no === facts.payee);
    if (!isOver || payee?.opening !== 'observed') return facts;
    return { ...facts, payee: STRANGER, isPayeeOurs: false, settlesAfter: undefined };
  }
}

export function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** So many seconds later, on the wall clock of a zone without summer time. */
export function later(at: string, seconds: number): string {
  const moved = new Date(`${at.replace(' ', 'T')}Z`).getTime() + seconds * 1_000;
  return new Date(moved).toISOString().slice(0, 19).replace('T', ' ');
}
