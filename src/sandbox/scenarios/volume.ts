/**
 * Very many deposits without keeping one of them: each is computed from the seed, its account and its place,
 * so that a million cost no memory and start at once. The company's side of the same rows comes from the
 * same formula, with differences only where they are asked for.
 */
import type { Fen } from '../../core/fen.ts';
import { addDays, epochMs, instantOf, SECOND_MS, Zone } from '../../core/time.ts';
import type { Day } from '../../core/time.ts';
import type { ComputedEffects } from '../world/book.ts';
import type { ComputedOrders, OrderNumber } from '../orders/order-index.ts';
import { mixed } from '../world/random.ts';
import { countWhile } from '../world/count-while.ts';
import { requireAccount, seedAccounts } from '../world/seed.ts';
import type { Deposit, DepositRun } from '../world/deposit-index.ts';
import type { BankCard } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { volumeOrderEntries, volumeOrderRegistry } from './volume-order-books.ts';
import type { VolumeOrderEntry } from './volume-order-books.ts';
import { volumeNeeds, volumeSums } from './volume-effects.ts';
import { drawnMoney, placeOfName, VOLUME_MERCHANT, VolumeOrders } from './volume-orders.ts';
import type { VolumeOrderOptions } from './volume-orders.ts';

export interface VolumeOptions extends Partial<VolumeOrderOptions> {
  seed: number;
  accounts: number;
  depositsPerAccount: number;
  /** The first day, and how many days everything is spread over. */
  from: Day;
  days: number;
}

export function volumeAccountNo(account: number): string {
  return `41${String(account).padStart(8, '0')}`;
}

/** What each account holds before everything else, beside what its orders take from it. */
export const VOLUME_OPENING_FEN = 1_000_000n;

export function fillVolume(world: World, options: VolumeOptions): void {
  const orders = volumeOrders(options, world.zone);
  const openings = volumeOpenings(orders);
  seedAccounts(
    world,
    openings.map((balanceFen, account) => ({
      accountNo: volumeAccountNo(account),
      name: `示例商户${account}`,
      balanceFen,
    })),
  );
  const sums = volumeSums(orders);
  for (let account = 0; account < options.accounts; account++) {
    const { shelf, balance, frozen } = requireAccount(world, volumeAccountNo(account));
    const run = volumeRun(options, { account, zone: world.zone });
    shelf.compute(run);
    balance.compute(sumsOf(run));
    const ofOrders = sums[account];
    if (!ofOrders) continue;
    balance.compute(ofOrders.balance);
    frozen.compute(ofOrders.frozen);
  }
  world.orders.compute(computedOrders(world, orders));
}

/** The transfers and withdrawals of a volume, which by default has none. */
export function volumeOrders(options: VolumeOptions, zone: Zone): VolumeOrders {
  const none = { transferBatches: 0, ordersPerBatch: 20, withdrawals: 0 };
  return new VolumeOrders({ ...none, ...options }, { zone, accountNo: volumeAccountNo });
}

/** What each account holds before everything else. */
export function volumeOpenings(orders: VolumeOrders): Fen[] {
  return volumeNeeds(orders).map((needFen) => VOLUME_OPENING_FEN + needFen);
}

/** Each is made from its number and believed only if that is the number it then has. */
function computedOrders(world: World, orders: VolumeOrders): ComputedOrders {
  const cardOf = (accountNo: string): BankCard => requireAccount(world, accountNo).bindCard;
  const isMine = (merchant: string): boolean => merchant === VOLUME_MERCHANT;
  const placeOf = ({ own, platform }: OrderNumber, prefixes: { own: string; platform: string }): number =>
    own === undefined ? placeOfName(prefixes.platform, platform) : placeOfName(prefixes.own, own);
  return {
    batch: (merchant, number) => {
      const batch = orders.batch(placeOf(number, { own: 'VB', platform: 'TBV' }));
      const isAsked = batch?.outBatchNo === number.own || batch?.batchNo === number.platform;
      return isAsked && isMine(merchant) ? batch : undefined;
    },
    withdrawal: (merchant, number) => {
      const withdrawal = orders.withdrawal(placeOf(number, { own: 'VW', platform: 'WDV' }), cardOf);
      const isAsked = withdrawal?.outOrderNo === number.own || withdrawal?.orderNo === number.platform;
      return isAsked && isMine(merchant) ? withdrawal : undefined;
    },
    batchOf: (merchant, number) => {
      const batch = orders.batch(placeOf(number, { own: 'VO', platform: 'TOV' }));
      const isAsked = batch?.orders.some(
        ({ outOrderNo, orderNo }) => outOrderNo === number.own || orderNo === number.platform,
      );
      return isAsked && isMine(merchant) ? batch : undefined;
    },
  };
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
  const find = (orderNo: string): Deposit | undefined => {
    const place = Number.parseInt(DEPOSIT_NO.exec(orderNo)?.[1] ?? '', 10);
    const deposit = place < options.depositsPerAccount ? at(place) : undefined;
    return deposit?.orderNo === orderNo ? deposit : undefined;
  };
  return { length: options.depositsPerAccount, timeMs, at, find };
}

const DEPOSIT_NO = /^DV\d{6}K(\d{8})$/;

const PAYER_COUNT = 5_000;

function volumeDeposit(
  options: VolumeOptions,
  of: { account: number; place: number; timeMs: number; zone: Zone },
): Deposit {
  const payer = mixed(options.seed, of.account, of.place, 3) % PAYER_COUNT;
  return {
    orderNo: `DV${String(of.account).padStart(6, '0')}K${String(of.place).padStart(8, '0')}`,
    ...drawnMoney(mixed(options.seed, of.account, of.place, 2)),
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
  return {
    sumUntil: (ms) => {
      sums ??= runningSums(run);
      return sums[countWhile(run.length, (place) => run.timeMs(place) <= ms) - 1] ?? 0n;
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

export interface VolumeLedgerRow extends VolumeOrderEntry {
  entryId: string;
  counterparty: string;
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

/** The company's ledger of the same: openings, deposits with their planted differences, then orders. */
export function* volumeLedger(
  options: VolumeOptions & { timeZone: string; differences: number },
): Generator<VolumeLedgerRow> {
  const zone = new Zone(options.timeZone);
  const orders = volumeOrders(options, zone);
  const total = options.accounts * options.depositsPerAccount;
  let [nth, entries] = [0, 0];
  const entryId = (): string => `E${String(++entries).padStart(9, '0')}`;
  const none = { reference: '', outBatchNo: '', counterparty: '', bookedAt: `${options.from} 00:00:00` };
  for (const [account, amountFen] of volumeOpenings(orders).entries()) {
    const accountNo = volumeAccountNo(account);
    yield { entryId: entryId(), accountNo, kind: 'opening', amountFen, ...none };
  }
  for (const deposit of volumeDeposits(options)) {
    const difference = volumeDifferenceAt(nth++, { total, differences: options.differences });
    for (const row of ledgerRows(deposit, { zone, difference })) yield { entryId: entryId(), ...row };
  }
  for (const entry of volumeOrderEntries(orders, zone)) {
    yield { entryId: entryId(), counterparty: '', ...entry };
  }
}

function ledgerRows(
  deposit: VolumeRow,
  of: { zone: Zone; difference: VolumeDifference | undefined },
): Omit<VolumeLedgerRow, 'entryId'>[] {
  if (of.difference === 'platform_only') return [];
  const { amountFen, feeFen, feeType, accountNo, orderNo, payerName } = deposit;
  const bookedAt = of.zone.localText(instantOf(deposit.depositedAtMs));
  const base = { accountNo, reference: orderNo, outBatchNo: '', counterparty: payerName, bookedAt };
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
    const { entryId, accountNo, kind, amountFen, reference, outBatchNo, counterparty, bookedAt } = row;
    yield `${entryId},${accountNo},${kind},${amountFen},${reference},${outBatchNo},${counterparty},${bookedAt},posted,\n`;
  }
}

/** The company's order registry as the lines of a file, the header first. */
export function* volumeOrdersCsv(options: VolumeOptions & { timeZone: string }): Generator<string> {
  const zone = new Zone(options.timeZone);
  yield 'kind,out_batch_no,out_order_no,batch_no,order_no,payer_account_no,payee_account_no,amount_fen,submitted_at,outcome\n';
  for (const row of volumeOrderRegistry(volumeOrders(options, zone), zone)) {
    const numbers = `${row.kind},${row.outBatchNo},${row.outOrderNo},${row.batchNo},${row.orderNo}`;
    yield `${numbers},${row.payerAccountNo},${row.payeeAccountNo},${row.amountFen},${row.submittedAt},accepted\n`;
  }
}

export function volumeAccountsCsv(options: VolumeOptions): string {
  const rows = Array.from(
    { length: options.accounts },
    (_, account) => `${volumeAccountNo(account)},EA${volumeAccountNo(account)},示例商户${account},JS,no\n`,
  );
  return `account_no,ele_acct_no,name,role,auto_settle\n${rows.join('')}`;
}
