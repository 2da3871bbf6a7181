/** What a night is about to ask, and how long that takes at least: the platform's rate bounds it, whoever asks. */
import type { Context } from '../../context/context.ts';
import { clockText } from '../../context/progress.ts';
import { counted } from '../../../src/core/text.ts';

/** Two readings of its balance, and its newest deposits in between. */
const CALLS_PER_BALANCE = 3;

/** What is read sooner needs no word on a terminal beforehand. */
const TOLD_SECONDS_MIN = 60;

export interface ToRead {
  windows: number;
  /** Batches and withdrawals. */
  orders: number;
  balances: number;
}

/** Each window and each order takes a call or more. */
export function tellReading(
  context: Pick<Context, 'profile' | 'log' | 'tell'>,
  { windows, orders, balances }: ToRead,
): void {
  const { profile, log } = context;
  const { perSecond } = profile.http.rate;
  const callsMin = windows + orders + CALLS_PER_BALANCE * balances;
  const secondsMin = Math.ceil(callsMin / perSecond);
  log.info({ event: 'reading.planned', windows, orders, balances, callsMin, perSecond, secondsMin });
  if (secondsMin < TOLD_SECONDS_MIN) return;
  context.tell(
    `reading takes ${clockText(secondsMin)} or more: ${counted(callsMin, 'call')} (${counted(windows, 'window')} of deposits, ${counted(orders, 'order')}, ` +
      `${counted(balances, 'balance')}) at ${perSecond} a second; only a higher rate (http.rate.perSecond) makes that less`,
  );
}
