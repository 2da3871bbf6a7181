/** `recon nightly`: the night of one day, yesterday unless another is named. */
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { parseDayOption, requirePast } from '../context/day-arguments.ts';
import { breaksUnseen, hasOpenAmount } from './open-amount.ts';
import { resultText } from './result-text.ts';
import { reconcileRange } from '../night/night.ts';
import type { RangeOutcome } from '../night/night.ts';

export interface NightlyOptions extends CommonOptions {
  day?: string;
  /** False with `--no-settle`. */
  settle?: boolean;
  /** False with `--no-vouchers`. */
  vouchers?: boolean;
  failOnBreaks?: boolean;
}

export function nightlyCommand(options: NightlyOptions): Promise<void> {
  const needs: CommandNeeds<Day> = {
    platform: true,
    arguments: ({ zone, clock }) => {
      const today = zone.dayOf(clock.wall());
      if (options.day === undefined) return addDays(today, -1);
      return requirePast('--day', parseDayOption('--day', options.day), today);
    },
  };
  return withContext(options, needs, async (context, day) =>
    outcomeOf(
      context.db,
      await runNight(context, day, {
        mayRetry: options.settle !== false,
        mayFetchVouchers: options.vouchers !== false,
      }),
      options,
    ),
  );
}

/** Only the night of yesterday retries settlements, an older day never does (docs/architecture.md 3). */
export function runNight(
  context: Context,
  day: Day,
  { mayRetry = true, mayFetchVouchers = true }: { mayRetry?: boolean; mayFetchVouchers?: boolean } = {},
): Promise<RangeOutcome> {
  const yesterday = addDays(context.zone.dayOf(context.clock.wall()), -1);
  return reconcileRange(context, {
    job: 'nightly',
    fromDay: day,
    toDay: day,
    accounts: [],
    mayRetry: mayRetry && day === yesterday,
    mayFetchVouchers,
  });
}

/** Incomplete is a failure of the job; an amount that stands open is data, unless the caller wants to hear of it. */
export async function outcomeOf(
  db: Db,
  { result, isNew }: RangeOutcome,
  options: { failOnBreaks?: boolean },
): Promise<Outcome> {
  const unseen = await breaksUnseen(db, result);
  const isOpen = hasOpenAmount(result) || unseen.length > 0;
  const { verdict } = result.run;
  const status = verdict === 'incomplete' ? 1 : isOpen && options.failOnBreaks === true ? 3 : 0;
  return { status, document: result, text: [resultText(result, isNew), ...unseenText(unseen)].join('\n') };
}

function unseenText(ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const are = ids.length === 1 ? 'break of earlier runs is' : 'breaks of earlier runs are';
  return [`${ids.length} ${are} open that this run could not close: recon breaks list`];
}
