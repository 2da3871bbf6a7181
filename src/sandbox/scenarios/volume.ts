/**
 * Very many deposits without keeping one of them: each is computed from the seed, its account and its place,
 * so that a million cost no memory and start at once. The company's side of the same rows comes from the
 * same formula, with differences only where they are asked for.
 */
import type { Fen } from '../../core/fen.ts';
import { addDays, epochMs, instantOf, SECOND_MS } from '../../core/time.ts';
import type { Day } from '../../core/time.ts';
import { Zone } from '../../core/time.ts';
import type { ComputedEffects } from '../book.ts';
import { mixed } from '../random.ts';
import { requireAccount, seedAccounts } from '../seed.ts';
import type { Deposit, DepositRun } from '../shelf.ts';
import type { World } from '../world.ts';

export interface VolumeOptions {
  seed: number;
  accounts: number;
  depositsPerAccount: number;
  /** The first day, and how many days the deposits are spread over. */
  from: Day;
  days: number;
}

export function volumeAccountNo(account: number): string {
  return `41${String(account).padStart(8, '0')}`;
}

/** What each account holds before the first deposit. */
export const VOLUME_OPENING_FEN = 1_000_000n;

export function fillVolume(world: World, options: VolumeOptions): void {
  const accounts = Array.from({ length: options.accounts }, (_, account) => account);
  seedAccounts(
    world,
    accounts.map((account) => ({
      accountNo: volumeAccountNo(account),
      name: `示例商户${account}`,
      balanceFen: VOLUME_OPENING_FEN,
    })),
  );
  for (const account of accounts) {
    const { shelf, balance } = requireAccount(world, volumeAccountNo(account));
    const run = volumeRun(options, { account, zone: world.zone });
    shelf.compute(run);
    balance.compute(sumsOf(run));
  }
}

/** One account's deposits, oldest first. */
export function volumeRun(options: VolumeOptions, of: { account: number; zone: Zone }): DepositRun {
  const startMs = epochMs(of.zone.dayStart(options.from));
  const endMs = epochMs(of.zone.dayStart(addDays(options.from, options.days)));
  const stepMs = (endMs - startMs) / Math.max(1, options.depositsPerAccount);
  const timeMs = (place: number): number => {
    const within = mixed(options.seed, of.account, place, 1) / 4_294_967_296;
    const ms = startMs + (place + within) * stepMs;
    return Math.floor(ms / SECOND_MS) * SECOND_MS;
  };
  const at = (place: number): Deposit => volumeDeposit(options, { ...of, place, timeMs: timeMs(place) });
  return { length: options.depositsPerAccount, timeMs, at };
}

const PAYER_COUNT = 5_000;

function volumeDeposit(
  options: VolumeOptions,
  of: { account: number; place: number; timeMs: number; zone: Zone },
): Deposit {
  const draw = mixed(options.seed, of.account, of.place, 2);
  const amountFen = BigInt(100 + (draw % 4_999_900));
  const kind = draw % 10;
  const feeFen = kind < 5 ? 0n : BigInt(1 + (draw % 97));
  const feeType = kind < 8 ? 'ORDER' : 'ACCOUNT';
  const payer = mixed(options.seed, of.account, of.place, 3) % PAYER_COUNT;
  return {
    orderNo: `DV${String(of.account).padStart(6, '0')}K${String(of.place).padStart(8, '0')}`,
    amountFen,
    feeFen,
    feeType,
    realFen: feeType === 'ORDER' ? amountFen - feeFen : amountFen,
    payerAcctNo: `PA${String(payer).padStart(8, '0')}`,
    payerName: `付款方${payer}`,
    payerBankNo: `PB${String(payer % 40).padStart(6, '0')}`,
    payeeBankNo: 'PB999999',
    remark: '货款',
    errCode: '',
    depositedAtMs: of.timeMs,
  };
}

/** Sums are made when a balance is first asked for; a million of them fit into eight megabytes. */
function sumsOf(run: DepositRun): ComputedEffects {
  let sums: BigInt64Array | undefined;
  const placeAfter = (ms: number): number => {
    let [low, high] = [0, run.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (run.timeMs(middle) <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    sumUntil: (ms) => {
      sums ??= runningSums(run);
      return sums[placeAfter(ms) - 1] ?? 0n;
    },
  };
}

function runningSums(run: DepositRun): BigInt64Array {
  const sums = new BigInt64Array(run.length);
  let sum = 0n;
  for (let place = 0; place < run.length; place++) {
    const { amountFen, feeFen } = run.at(place);
    sum += amountFen - feeFen;
    sums[place] = sum;
  }
  return sums;
}

/** A deposit of the volume as other programs load it. */
export interface VolumeRow extends Deposit {
  accountNo: string;
}

/** Every deposit of the scenario, account by account, oldest first. */
export function* volumeDeposits(options: VolumeOptions & { timeZone: string }): Generator<VolumeRow> {
  const zone = new Zone(options.timeZone);
  for (let account = 0; account < options.accounts; account++) {
    const run = volumeRun(options, { account, zone });
    for (let place = 0; place < run.length; place++) {
      yield { accountNo: volumeAccountNo(account), ...run.at(place) };
    }
  }
}

export interface VolumeLedgerRow {
  entryId: string;
  accountNo: string;
  kind: 'opening' | 'deposit' | 'fee';
  amountFen: Fen;
  reference: string;
  counterparty: string;
  /** `yyyy-MM-dd HH:mm:ss` in service time. */
  bookedAt: string;
}

/** How a planted difference is made; the kinds take turns. */
export type VolumeDifference = 'platform_only' | 'amount' | 'ledger_only' | 'duplicate';
const DIFFERENCES: readonly VolumeDifference[] = ['platform_only', 'amount', 'ledger_only', 'duplicate'];

/** The difference planted on the n-th deposit of all, if any: so many, evenly spread. */
export function volumeDifferenceAt(
  nth: number,
  of: { total: number; differences: number },
): VolumeDifference | undefined {
  if (of.differences === 0) return undefined;
  const every = Math.max(1, Math.floor(of.total / of.differences));
  const planted = Math.floor(nth / every);
  return nth % every === 0 && planted < of.differences
    ? DIFFERENCES[planted % DIFFERENCES.length]
    : undefined;
}

/** The company's ledger of the same deposits, openings first in each account. */
export function* volumeLedger(
  options: VolumeOptions & { timeZone: string; differences: number },
): Generator<VolumeLedgerRow> {
  const zone = new Zone(options.timeZone);
  const total = options.accounts * options.depositsPerAccount;
  let [nth, entries, accountNo] = [0, 0, ''];
  const entryId = (): string => `E${String(++entries).padStart(9, '0')}`;
  const none = { reference: '', counterparty: '', bookedAt: `${options.from} 00:00:00` };
  for (const deposit of volumeDeposits(options)) {
    if (deposit.accountNo !== accountNo) {
      ({ accountNo } = deposit);
      yield { entryId: entryId(), accountNo, kind: 'opening', amountFen: VOLUME_OPENING_FEN, ...none };
    }
    const difference = volumeDifferenceAt(nth++, { total, differences: options.differences });
    for (const row of ledgerRows(deposit, { zone, difference })) yield { entryId: entryId(), ...row };
  }
}

function ledgerRows(
  deposit: VolumeRow,
  of: { zone: Zone; difference: VolumeDifference | undefined },
): Omit<VolumeLedgerRow, 'entryId'>[] {
  if (of.difference === 'platform_only') return [];
  const { amountFen, feeFen, feeType, accountNo, orderNo, payerName } = deposit;
  const bookedAt = of.zone.localText(instantOf(deposit.depositedAtMs));
  const base = { accountNo, reference: orderNo, counterparty: payerName, bookedAt };
  const innerFeeFen = feeType === 'ORDER' ? feeFen : 0n;
  const wrongFen = of.difference === 'amount' ? 100n : 0n;
  const main = { ...base, kind: 'deposit' as const, amountFen: amountFen - innerFeeFen + wrongFen };
  const rows: Omit<VolumeLedgerRow, 'entryId'>[] = [main];
  if (of.difference === 'duplicate') rows.push(main);
  if (of.difference === 'ledger_only') rows.push({ ...main, reference: `${orderNo}X` });
  if (feeFen > innerFeeFen) rows.push({ ...base, kind: 'fee', amountFen: -feeFen });
  return rows;
}

/** The same as the lines of a ledger file, the header first. */
export function* volumeLedgerCsv(
  options: VolumeOptions & { timeZone: string; differences: number },
): Generator<string> {
  yield 'entry_id,account_no,kind,amount_fen,reference,out_batch_no,counterparty,booked_at,status,memo\n';
  for (const row of volumeLedger(options)) {
    const { entryId, accountNo, kind, amountFen, reference, counterparty, bookedAt } = row;
    yield `${entryId},${accountNo},${kind},${amountFen},${reference},,${counterparty},${bookedAt},posted,\n`;
  }
}

export function volumeAccountsCsv(options: VolumeOptions): string {
  const rows = Array.from(
    { length: options.accounts },
    (_, account) => `${volumeAccountNo(account)},EA${volumeAccountNo(account)},示例商户${account},JS,no\n`,
  );
  return `account_no,ele_acct_no,name,role,auto_settle\n${rows.join('')}`;
}
