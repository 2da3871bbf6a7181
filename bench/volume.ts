/** The volume all parts of the benchmark agree on. */
import path from 'node:path';
import { addDays } from '../src/core/time.ts';
import type { Day } from '../src/core/time.ts';
import type { VolumeOptions } from '../src/sandbox/scenarios/volume.ts';

export const zoneOfBench = 'Asia/Shanghai';
export const FROM = '2026-02-01';
export const DAYS = 28;
/** The rehearsed moment: the night after the last day. */
export const NIGHT = '2026-03-01T02:00:00+08:00';
export const LAST_DAY = '2026-02-28';

/** The rehearsed moment of the night after a day. */
export function nightAfter(day: Day): string {
  return `${addDays(day, 1)}T02:00:00+08:00`;
}

/** A thousand deposits an account over four weeks. */
export function volume(records: number): VolumeOptions {
  const accounts = Math.max(1, Math.round(records / 1_000));
  return { seed: 7, accounts, depositsPerAccount: Math.round(records / accounts), from: FROM, days: DAYS };
}

/** A night of transfers and withdrawals: 20 orders a batch, one order in five a withdrawal more, few deposits. */
export function orderVolume(orders: number): VolumeOptions {
  return {
    seed: 11,
    accounts: 200,
    depositsPerAccount: 20,
    from: LAST_DAY,
    days: 1,
    transferBatches: Math.round(orders / 20),
    ordersPerBatch: 20,
    withdrawals: Math.round(orders / 5),
  };
}

/** Nights of `bench -- N history`: ten times those of its first figure. */
export const HISTORY_NIGHTS = 30;

/** Nights of `bench -- N spoilt`: two as ever, one with all their numbers changed, one with them put right. */
export const SPOILT_NIGHTS = 4;

/** So many deposits a day on 200 accounts, day after day. */
export function historyVolume(perDay: number, days: number): VolumeOptions {
  const accounts = 200;
  return { seed: 13, accounts, depositsPerAccount: Math.round((perDay * days) / accounts), from: FROM, days };
}

/** The ledger of one day of the history. */
export function ledgerOf(home: string, day: Day): string {
  return path.join(home, `ledger-${day}.csv`);
}

/** A night of `bench -- N workers`: on so many accounts a deposit or two, four batches and three withdrawals each. */
export function workerVolume(accounts: number): VolumeOptions {
  return {
    seed: 17,
    accounts,
    depositsPerAccount: 2,
    from: LAST_DAY,
    days: 1,
    transferBatches: accounts * 4,
    ordersPerBatch: 3,
    withdrawals: accounts * 3,
  };
}
