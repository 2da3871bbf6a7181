/** `recon ledger pull`: takes the books from the company's database, as the start of a night does. */
import { WrongInput } from '../../src/core/errors.ts';
import type { PullResult } from '../../src/intake/pull/pull.ts';
import type { Zone } from '../../src/core/time.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions, KnownSurroundings, Outcome } from '../cli/command.ts';
import { parseRange } from '../context/day-arguments.ts';
import { pulledLines, refusalLines, requireBooks, runPull } from './run-pull.ts';
import type { PullWish } from './run-pull.ts';

export interface PullOptions extends CommonOptions {
  from?: string;
  to?: string;
  dryRun?: boolean;
  replace?: boolean;
  force?: boolean;
}

export function pullCommand(options: PullOptions): Promise<void> {
  const needs = {
    platform: false,
    arguments: (at: KnownSurroundings) => wishOf(options, at),
    afterStop: () => 'what was taken in is kept; to go on from there: recon ledger pull',
  };
  return withContext(options, needs, async (context, wish) =>
    outcomeOf(await runPull(context, requireBooks(context.settings.books), wish), context.zone),
  );
}

function wishOf(options: PullOptions, { zone, clock, settings }: KnownSurroundings): PullWish {
  if (settings !== undefined) requireBooks(settings.books);
  const isRange = (options.from ?? options.to) !== undefined;
  const days = isRange ? parseRange(options, zone.dayOf(clock.wall())) : undefined;
  if (options.replace === true && days === undefined)
    throw new WrongInput('--replace is of days that are named: --from and --to');
  const is = (flag: boolean | undefined): boolean => flag === true;
  return { days, rehearse: is(options.dryRun), replace: is(options.replace), force: is(options.force) };
}

function outcomeOf(result: PullResult, zone: Zone): Outcome<PullResult> {
  const refusal = refusalLines(result);
  const told = pulledLines(result, zone);
  if (refusal.length > 0)
    return { status: 2, document: result, text: [...refusal, ...told].join('\n'), isRefusal: true };
  const dry = result.dryRun ? ['nothing was stored (--dry-run)'] : [];
  return { status: 0, document: result, text: [...told, ...dry].join('\n') };
}
