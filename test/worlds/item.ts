/**
 * What a random world is made of. An item is one piece of business with everything that belongs to it: what happens
 * on the platform, what truly moves, what the company registers and books, and what is wrong about that. Items know
 * nothing of each other, so that a world that fails can be told with as few of them as possible.
 */
import type { TransferSeed, WithdrawalSeed } from '../../src/sandbox/orders/order-schema.ts';
import type { DepositSeed, MovementSeed } from '../../src/sandbox/world/seed-schema.ts';
import type { BookLine, OrderLine } from '../helpers/company/company-files.ts';
import type { Trader } from './draw-trade.ts';

/** One change of one account's balance, as it truly was. Times are the service's, `yyyy-MM-dd HH:mm:ss`. */
export interface TrueMovement {
  account: string;
  at: string;
  fen: bigint;
  /** Where no answer tells when it took effect: the earliest that could be thought. */
  notBefore?: string;
  /** The day whose night is the first to know a record of it; undefined: its own. */
  recordedOn?: string;
}

/** A movement that nothing records. */
export const NEVER = '9999-12-31';

/** A difference that a person must be told of, from one night on and, where something cures it, up to another. */
export interface TrueDifference {
  account: string;
  /** Platform less books; undefined where the rule names the fault and leaves its amount open. */
  fen: bigint | undefined;
  /** What it may be called. */
  classes: readonly string[];
  /** Undefined: whatever the finding refers to. */
  reference?: string;
  /** The day whose night tells it first. */
  from: string;
  /** The day whose night tells it no more. */
  until?: string;
  /** Differences that follow each other and are one break, whatever becomes of it; undefined: this is all of it. */
  thread?: object;
}

/** An entry, or a version of it, that is handed in when it is booked, or later. */
export interface BookedLine extends BookLine {
  handedInAt?: string;
  /** From then on the books have it no more. */
  isWithdrawn?: true;
}

/** An order that is handed in when it is submitted, or later. */
export interface RegisteredOrder extends OrderLine {
  handedInAt?: string;
}

/** The company states the opening of an account anew, in a file that is handed in at noon. */
export interface Statement {
  account: string;
  /** The day of the file. */
  on: string;
  /** Undefined: the file states none. */
  opening: { at: string; moreFen: bigint } | undefined;
}

export interface Item {
  name: string;
  /** Accounts that are only of this business. */
  accounts: WorldAccount[];
  deposits: DepositSeed[];
  transfers: TransferSeed[];
  withdrawals: WithdrawalSeed[];
  movements: MovementSeed[];
  orders: RegisteredOrder[];
  /** An id that comes again is a newer version of its entry. */
  entries: BookedLine[];
  /** What accounts received before the world begins; their openings hold it. */
  before: { account: string; fen: bigint }[];
  statements: Statement[];
  truth: TrueMovement[];
  differences: TrueDifference[];
}

/** Plants one error; undefined where the world has no room for it. */
export type Plant = (trader: Trader) => Item | undefined;

export function emptyItem(name: string): Item {
  return {
    name,
    accounts: [],
    deposits: [],
    transfers: [],
    withdrawals: [],
    movements: [],
    orders: [],
    entries: [],
    before: [],
    statements: [],
    truth: [],
    differences: [],
  };
}

export interface WorldAccount {
  no: string;
  fen: bigint;
  autoSettle: boolean;
  /** Whether the company states what it held, or the first balance that is read has to do. */
  opening: 'stated' | 'observed';
  /** What the books begin with; undefined: they have no such entry. */
  bookedFen: bigint | undefined;
  /** Of the company, and known to the platform. */
  isListed: boolean;
  isOnPlatform: boolean;
  /** The day on which the company's list names it first; undefined: from the beginning. */
  listedOn?: string;
  /** From when on the company has ended it. */
  activeTo?: string;
}

export interface World {
  seed: number;
  accounts: readonly WorldAccount[];
  days: readonly string[];
  /** Days at whose end a snapshot was taken. */
  snapshotAfter: ReadonlySet<string>;
  /** Days in whose nights the platform answers about another account than was asked. */
  misled: ReadonlySet<string>;
  /** Days in whose nights the books are handed in whole, some entries under another id than before. */
  numberedAnew: ReadonlySet<string>;
  /** What is run once more after the night of a day, though nothing has changed since. */
  runsAfter: ReadonlyMap<string, RunOnceMore>;
  /** What is run once more before the night of a day, with all that came since the night before it. */
  runsBefore: ReadonlyMap<string, RunOnceMore>;
  items: readonly Item[];
}

/** A night, or a backfill from that day on. */
export interface RunOnceMore {
  job: 'night' | 'backfill';
  day: string;
}

/** The accounts of the world and those that its business brings along. */
export function accountsOf(world: World): WorldAccount[] {
  return [...world.accounts, ...world.items.flatMap(({ accounts }) => accounts)];
}

export function handedInAt({ handedInAt: at, at: bookedAt }: BookedLine): string {
  return at ?? bookedAt;
}
