/**
 * The demo: a group of companies with sixteen registry accounts and a month of deposits, transfers with their
 * settlements and refunds, and withdrawals, whose last day holds a planted break of every class that they and
 * the balances can show. Most accounts reconcile to the fen. The company's own files (`demo-books.ts`) come from
 * the same data, so they are true but for what is planted.
 */
import type { Fen } from '../../core/fen.ts';
import { addDays, Zone } from '../../core/time.ts';
import type { Day, Instant } from '../../core/time.ts';
import type { TransferSeed, WithdrawalSeed } from '../orders/order-schema.ts';
import { Seeded } from '../world/random.ts';
import type { AccountSeed, DepositSeed, MovementSeed } from '../world/seed-schema.ts';
import { demoAccounts } from './demo-accounts.ts';
import type { DemoAccount } from './demo-accounts.ts';
import type { DemoDraft, LedgerEntry, Planted, Registered } from './demo-draft.ts';
import { ordinaryTrade } from './demo-month.ts';
import { ordinaryOrders } from './demo-order-month.ts';
import { plantOrderFacts } from './demo-order-facts.ts';
import { plantOrderLines } from './demo-order-lines.ts';
import { plantOrderTiming } from './demo-order-timing.ts';
import { plantBreaks } from './demo-plants.ts';
import { plantWithdrawals } from './demo-withdrawal-plants.ts';

export interface DemoScenario {
  firstDay: Day;
  /** The last day: the one whose night finds the breaks. */
  through: Day;
  /**
   * The two nights to run, in order, each with the instant at which the sandbox's clock has to stand: the
   * first stores the baseline and sees the records that change and vanish before the second.
   */
  nights: readonly [{ day: Day; at: Instant }, { day: Day; at: Instant }];
  accounts: readonly AccountSeed[];
  deposits: readonly DepositSeed[];
  transfers: readonly TransferSeed[];
  withdrawals: readonly WithdrawalSeed[];
  movements: readonly MovementSeed[];
  emptyListingOf: readonly string[];
  ledger: readonly LedgerEntry[];
  registry: readonly Registered[];
  planted: readonly Planted[];
  /** What each account really held when the month began. */
  openings: readonly { accountNo: string; openingFen: Fen }[];
  /** The accounts in which the last night finds nothing. */
  cleanAccounts: readonly string[];
  companyAccounts: readonly DemoAccount[];
}

/** A month is enough for a report that looks like one and still builds in a moment. */
const DAYS = 30;

/** The nightly job's usual hour. */
const NIGHT_TIME = '02:00:00';

/** @param options.through the day whose night finds the breaks; the month ends with it */
export function demoScenario(options: { seed: number; through: Day; timeZone: string }): DemoScenario {
  const { through } = options;
  const firstDay = addDays(through, 1 - DAYS);
  const random = new Seeded(options.seed);
  const zone = new Zone(options.timeZone);
  const accounts = demoAccounts(random);
  const draft: DemoDraft = {
    random,
    zone,
    days: Array.from({ length: DAYS }, (_, place) => addDays(firstDay, place)),
    accounts,
    plantPayers: [],
    deposits: [],
    transfers: [],
    withdrawals: [],
    movements: [],
    emptyListingOf: [],
    ledger: [],
    registry: [],
    planted: [],
  };
  openBooks(draft);
  ordinaryTrade(draft);
  plantBreaks(draft);
  ordinaryOrders(draft);
  plantOrderLines(draft);
  plantOrderFacts(draft);
  plantWithdrawals(draft);
  plantOrderTiming(draft);
  const lasting = draft.planted.filter(({ until }) => until === undefined);
  const planted = new Set(lasting.map(({ accountNo }) => accountNo));
  return {
    ...draft,
    firstDay,
    through,
    accounts: accounts.map((account) => account.seed),
    nights: nightsOf(through, zone),
    openings: accounts.map(({ accountNo, openingFen }) => ({ accountNo, openingFen })),
    cleanAccounts: accounts.map(({ accountNo }) => accountNo).filter((accountNo) => !planted.has(accountNo)),
    companyAccounts: accounts,
  };
}

/** Each account's ledger begins with what the account held when the month began. */
function openBooks(draft: DemoDraft): void {
  const [firstDay = ''] = draft.days;
  for (const { accountNo, openingFen } of draft.accounts) {
    draft.ledger.push({
      accountNo,
      kind: 'opening',
      amountFen: openingFen,
      reference: '',
      counterparty: '',
      bookedAt: `${firstDay} 00:00:00`,
      status: 'posted',
      memo: '期初余额',
    });
  }
}

function nightsOf(through: Day, zone: Zone): DemoScenario['nights'] {
  const nightAfter = (day: Day): { day: Day; at: Instant } => {
    const at = zone.parseLocal(`${addDays(day, 1)} ${NIGHT_TIME}`);
    if (at === undefined) throw new Error(`Bug: no night after ${day}`);
    return { day, at };
  };
  return [nightAfter(addDays(through, -1)), nightAfter(through)];
}
