/** `recon vouchers`: step 7 of the night alone; of a range, everything that is not there yet. */
import path from 'node:path';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { tableText } from '../cli/table-text.ts';
import { underLease } from '../context/under-lease.ts';
import { parseOpenRange } from './voucher-arguments.ts';
import { windowOfRange } from '../context/day-arguments.ts';
import type { DayRange } from '../context/day-arguments.ts';
import type { VoucherRun } from '../night/vouchers/voucher-run.ts';
import { voucherStep } from '../night/vouchers/voucher-step.ts';
import type { VoucherReport } from '../night/vouchers/voucher-step.ts';

export interface VouchersOptions extends CommonOptions {
  from?: string | undefined;
  to?: string | undefined;
  bundle?: boolean;
}

export function vouchersCommand(options: VouchersOptions): Promise<void> {
  const needs: CommandNeeds<DayRange | undefined> = {
    platform: true,
    arguments: ({ zone, clock }) => parseOpenRange(options, zone.dayOf(clock.wall())),
  };
  return withContext(options, needs, async (context, range) =>
    outcomeOf(await archiveVouchers(context, { range, isEveryBundle: options.bundle === true })),
  );
}

/**
 * Under the lease of the runs: what a night is at work on is not disturbed.
 * @throws LockHeld when another run is under way
 */
export function archiveVouchers(
  context: Context,
  { range, isEveryBundle }: { range: DayRange | undefined; isEveryBundle: boolean },
): Promise<VoucherReport> {
  return underLease(context, RUN_LEASE, (held, lease) => {
    const now = held.clock.wall();
    const run: VoucherRun = {
      runId: `vouchers-${held.zone.compactText(now)}-${lease.fence}`,
      today: held.zone.dayOf(now),
      lease,
      isEveryBundle,
      ...(range !== undefined && { window: windowOfRange(held.zone, range) }),
    };
    return voucherStep(held, run);
  });
}

const LEFT_OVER_BY = {
  '': '',
  perNight: ': the profile allows no more in one night (vouchers.perNight)',
  minutes: ': the time of one night was over (vouchers.minutes)',
  unanswered: ': the platform did not answer any more',
} as const;

/** What the budget leaves over is no failure, the next run goes on with it; a platform that is away is one. */
function outcomeOf(report: VoucherReport): Outcome {
  const numbers = [
    ['due', report.due],
    ['asked for', report.asked],
    ['filed', report.fetched],
    ['not there yet', report.missing],
    ['rejected', report.rejected],
    ['given up', report.givenUp],
    ['left over', report.leftOver],
  ] as const;
  const leftOver = report.leftOver === 0 ? '' : `\n${leftOverText(report)}`;
  const text = [
    tableText(
      ['vouchers', 'orders'],
      numbers.map(([what, count]) => [what, String(count)]),
      { right: [1] },
    ),
    '',
    tableText(
      ['bundle', 'pages', 'files'],
      report.bundles.map((part) => [part.path, String(part.pages), String(part.files)]),
      { right: [1, 2] },
    ),
  ].join('\n');
  const isAway = report.leftOverBy === 'unanswered';
  const isLost = report.lost.some(({ result }) => result !== 'restored');
  const document = { schema: 1, vouchers: report };
  return { status: isAway || isLost ? 1 : 0, document, text: `${text}${leftOver}${lostText(report)}` };
}

const LOST_BECAME = {
  restored: 'put back: the platform gave the same bytes',
  differs: 'NOT THE SAME: what the platform gives now is filed beside it',
  not_given: 'NOT PUT BACK',
} as const;

/** A terminal shows so many. */
const ROWS_SHOWN = 40;
/** Digests tell one file from another by their first places. */
const SHORT = 12;

function lostText({ lost }: VoucherReport): string {
  if (lost.length === 0) return '';
  const more = lost.length > ROWS_SHOWN ? `\n… and ${lost.length - ROWS_SHOWN} more (--json shows all)` : '';
  const rows = lost
    .slice(0, ROWS_SHOWN)
    .map(({ kind, number, sha256, found, result, reason, givenPaths }) => [
      `${kind} ${number}`,
      sha256.slice(0, SHORT),
      found,
      result === 'not_given' ? `${LOST_BECAME[result]}: ${reason}` : LOST_BECAME[result],
      givenPaths.map((given) => path.basename(given, '.pdf').slice(0, SHORT)).join(', '),
    ]);
  return `\n\n${tableText(['original of', 'on record', 'was', 'became', 'given now'], rows)}${more}`;
}

function leftOverText({ leftOver, leftOverBy, unanswered }: VoucherReport): string {
  const how = unanswered === 0 ? '' : `, ${unanswered} of them were asked for and got no answer`;
  return `${leftOver} vouchers are left over${how}${LEFT_OVER_BY[leftOverBy]}; the next run goes on with them`;
}
