/** A month of ordinary trade: what a shop's accounts receive, booked by the company as it came in. */
import type { Fen } from '../../core/fen.ts';
import { daysBetween } from '../../core/time.ts';
import type { Day } from '../../core/time.ts';
import type { Seeded } from '../world/random.ts';
import type { DepositSeed } from '../world/seed-schema.ts';
import type { DemoAccount } from './demo-accounts.ts';
import type { DemoDraft, LedgerEntry } from './demo-draft.ts';
import { payers } from './people.ts';
import type { Payer } from './people.ts';

/** One deposit as both sides would have it. */
export interface Trade {
  accountNo: string;
  orderNo: string;
  amountFen: Fen;
  feeFen: Fen;
  feeType: 'ORDER' | 'ACCOUNT';
  payer: Payer;
  /** `yyyy-MM-dd HH:mm:ss` in service time. */
  at: string;
}

const PAYERS = 36;

/** Hours of the day at which people pay, as often as they do. */
const HOURS = [
  0, 7, 8, 9, 9, 10, 10, 10, 11, 11, 12, 13, 14, 14, 15, 15, 16, 16, 17, 18, 19, 20, 20, 21, 22, 23,
];

/** One in so many deposits of an account without planted breaks is booked without the platform's number. */
const WITHOUT_REFERENCE = 11;

export function ordinaryTrade(draft: DemoDraft): void {
  const { random } = draft;
  const everyone = payers(random, PAYERS);
  for (const account of draft.accounts) {
    const amounts = new Set<Fen>();
    for (const day of draft.days) {
      for (let left = dealsOn(random, account, day); left > 0; left--) {
        const trade = deal(draft, { account, day, payer: random.pick(everyone), amounts });
        const named =
          account.part !== 'clean' ||
          trade.feeFen > 0n ||
          random.whole({ min: 1, max: WITHOUT_REFERENCE }) > 1;
        book(draft, trade, named ? trade.orderNo : '');
      }
    }
    if (account.part === 'clean' && account.perDay > 0) boundaryDeals(draft, { account, everyone, amounts });
  }
}

/** Weekends are quiet for a shop that sells to companies. */
function dealsOn(random: Seeded, account: DemoAccount, day: Day): number {
  if (account.perDay === 0) return 0;
  const usual = isWeekend(day) ? Math.ceil(account.perDay / 2) : account.perDay;
  return random.whole({ min: Math.max(1, usual - 2), max: usual + 2 });
}

/** 1900-01-01 was a Monday. */
export function isWeekend(day: Day): boolean {
  return daysBetween({ from: '1900-01-01', to: day }) % 7 > 4;
}

interface DealOf {
  account: DemoAccount;
  day: Day;
  payer: Payer;
  /** The account's amounts so far: no two are equal, so that an entry without a number fits one deposit. */
  amounts: Set<Fen>;
}

function deal(draft: DemoDraft, of: DealOf): Trade {
  const { random } = draft;
  let amountFen = amountOf(random);
  while (of.amounts.has(amountFen)) amountFen += 1n;
  of.amounts.add(amountFen);
  const at = timeOn(random, of.day, HOURS);
  return {
    ...tradeOf(draft, { accountNo: of.account.accountNo, amountFen, at, payer: of.payer }),
    ...feeOf(random, amountFen),
  };
}

const SIXTY = { min: 0, max: 59 };

/** A second of that day in one of the hours. */
export function timeOn(random: Seeded, day: Day, hours: readonly number[]): string {
  const [hour, minute, second] = [random.pick(hours), random.whole(SIXTY), random.whole(SIXTY)];
  return `${day} ${two(hour)}:${two(minute)}:${two(second)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Amounts end in a 1…9 that a planted amount never has, so that the two cannot be mistaken. */
function amountOf(random: Seeded): Fen {
  const size = random.whole({ min: 1, max: 10 });
  const [min, max] = size <= 6 ? [1_000, 90_000] : size <= 9 ? [90_000, 900_000] : [900_000, 12_000_000];
  const yuanTenths = Math.floor(random.whole({ min, max }) / 10);
  return BigInt(yuanTenths) * 10n + BigInt(random.whole({ min: 1, max: 8 }));
}

function feeOf(random: Seeded, amountFen: Fen): { feeFen: Fen; feeType: 'ORDER' | 'ACCOUNT' } {
  const kind = random.whole({ min: 1, max: 10 });
  if (kind <= 4) return { feeFen: 0n, feeType: 'ORDER' };
  if (kind <= 7) return { feeFen: 1n + (amountFen * 3n) / 1_000n, feeType: 'ORDER' };
  return { feeFen: random.pick([30n, 50n, 100n]), feeType: 'ACCOUNT' };
}

/** A trade without a fee. */
export function tradeOf(
  draft: DemoDraft,
  of: { accountNo: string; amountFen: Fen; at: string; payer: Payer },
): Trade {
  const no = String(draft.deposits.length + 1).padStart(6, '0');
  const orderNo = `DP${of.at.slice(0, 10).replaceAll('-', '')}K${no}`;
  return { ...of, orderNo, feeFen: 0n, feeType: 'ORDER' };
}

/** The first and the last second of days, the cut among them. */
function boundaryDeals(
  draft: DemoDraft,
  of: { account: DemoAccount; everyone: Payer[]; amounts: Set<Fen> },
): void {
  const [cutDay = '', lastDay = ''] = draft.days.slice(-2);
  const secondDay = draft.days[1] ?? '';
  for (const at of [
    `${secondDay} 00:00:00`,
    `${cutDay} 00:00:00`,
    `${cutDay} 23:59:59`,
    `${lastDay} 00:00:00`,
    `${lastDay} 23:59:59`,
  ]) {
    const payer = draft.random.pick(of.everyone);
    const trade = deal(draft, { account: of.account, day: at.slice(0, 10), payer, amounts: of.amounts });
    book(draft, { ...trade, at }, trade.orderNo);
  }
}

/** The deposit as the platform has it. @param seed what it does or shows otherwise */
export function deposited(draft: DemoDraft, trade: Trade, seed: Partial<DepositSeed> = {}): void {
  draft.deposits.push({
    payeeAcctNo: trade.accountNo,
    orderNo: trade.orderNo,
    amountFen: trade.amountFen,
    feeFen: trade.feeFen,
    feeType: trade.feeType,
    payerName: trade.payer.name,
    payerAcctNo: trade.payer.accountNo,
    payerBankNo: trade.payer.bankNo,
    payeeBankNo: '999000000001',
    remark: '货款',
    depositTime: trade.at,
    ...seed,
  });
}

/** The deposit as the company has it: an inner fee netted, an outer one as an entry of its own. */
export function ledgerEntries(trade: Trade, reference: string): LedgerEntry[] {
  const { accountNo, amountFen, feeFen, feeType, payer, at } = trade;
  const base = { accountNo, reference, counterparty: payer.name, bookedAt: at, status: 'posted' as const };
  const netFen = feeType === 'ORDER' ? amountFen - feeFen : amountFen;
  const entries: LedgerEntry[] = [{ ...base, kind: 'deposit', amountFen: netFen, memo: '货款' }];
  if (feeType === 'ACCOUNT' && feeFen > 0n) {
    entries.push({ ...base, kind: 'fee', amountFen: -feeFen, memo: '手续费' });
  }
  return entries;
}

/** Both sides, equal. */
export function book(draft: DemoDraft, trade: Trade, reference: string): void {
  deposited(draft, trade);
  draft.ledger.push(...ledgerEntries(trade, reference));
}
