/**
 * `recon verify`: reads sealed days again through the platform, every archived file from the disk, the audit trail of
 * the breaks from its first event and what was signed off, and prints Recorded / Actual / Difference. It changes no facts; what is wrong with a file is kept (docs/architecture.md 5.7).
 */
import path from 'node:path';
import { WrongInput } from '../../src/core/errors.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import { verifyTrail } from '../../src/store/runs/verify-trail.ts';
import type { KeptHead, TrailVerified } from '../../src/store/runs/verify-trail.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from '../cli/command.ts';
import { REPORTS } from '../night/publish/publish.ts';
import { tableText } from '../cli/table-text.ts';
import { periodsText } from '../sign-off/verify-periods-text.ts';
import { verifyPeriods } from '../sign-off/verify-periods.ts';
import type { PeriodsVerified } from '../sign-off/verify-periods.ts';
import { verifyDays } from './verify-days.ts';
import type { Comparison, DaysVerified } from './verify-days.ts';
import { parseOpenRange } from './voucher-arguments.ts';
import type { DayRange } from '../context/day-arguments.ts';
import { verifyArchive } from '../night/vouchers/voucher-verify.ts';
import type { ArchiveVerified } from '../night/vouchers/voucher-verify.ts';
import { counted } from '../../src/core/text.ts';

export interface VerifyOptions extends CommonOptions {
  from?: string | undefined;
  to?: string | undefined;
  trail?: string[] | undefined;
}

interface Given {
  range: DayRange | undefined;
  papers: KeptHead[];
}

const EVERY_DAY: DayRange = { fromDay: '2000-01-01', toDay: '9999-12-31' };

export function verifyCommand(options: VerifyOptions): Promise<void> {
  const needs: CommandNeeds<Given> = {
    platform: true,
    arguments: ({ zone, clock }) => ({
      range: parseOpenRange(options, zone.dayOf(clock.wall())),
      papers: (options.trail ?? []).map(parseHead),
    }),
  };
  return withContext(options, needs, async (context, { range, papers }) => {
    const trail = await verifyTrail(context.db, papers);
    const periods = await verifyPeriods(context, range ?? EVERY_DAY);
    const archive = await verifyArchive(context, range);
    const days = await verifyDays(context, range ?? EVERY_DAY);
    return outcomeOf(days, { archive, trail, periods });
  });
}

/** Sixteen digits cannot be found by trying. */
const HEAD = /^(\d{1,18}):([0-9a-f]{16,64})$/i;

/** `128:3fa9…`, as a summary prints it. @throws WrongInput */
function parseHead(text: string): KeptHead {
  const [, no, digest] = HEAD.exec(text.trim()) ?? [];
  if (no === undefined || digest === undefined) {
    throw new WrongInput(
      `--trail takes NUMBER:DIGEST as a workbook's summary states it, at least 16 digits of it: ${JSON.stringify(text)}`,
    );
  }
  return { no: BigInt(no), digest: digest.toLowerCase(), keptBy: `--trail ${text.trim()}` };
}

/** Whatever is not as it was recorded, or could not be looked at, is a failure. */
function outcomeOf(
  days: DaysVerified,
  { archive, trail, periods }: { archive: ArchiveVerified; trail: TrailVerified; periods: PeriodsVerified },
): Outcome {
  const faults = [days.differences, days.unread, archive.faults, trail.faults, periods.changes];
  const isWhole = faults.every((of) => of.length === 0);
  const verified = { ...days, archive, trail, signed: periods };
  return {
    status: isWhole ? 0 : 1,
    document: { schema: 1, verified },
    text: [daysText(days), archiveText(archive), trailText(trail), periodsText(periods)].join('\n\n'),
  };
}

/** A day is sealed by a second, later, equal reading. */
const NOTHING_SEALED = 'sealed days: none in this period, so no day was read again';

function daysText({ accounts, differences, unread }: DaysVerified): string {
  const head = ['account', 'sealed days', 'Recorded', '', 'Actual', '', 'Difference', ''];
  const right = [2, 3, 4, 5, 6, 7];
  if (accounts.length === 0) return NOTHING_SEALED;
  const texts = [
    tableText(
      head,
      accounts.map((account) => [
        account.accountNo,
        `${account.days}, ${account.from} to ${account.to}`,
        ...cellsOf(account),
      ]),
      { right },
    ),
  ];
  if (differences.length > 0) {
    const rows = differences.map((found) => [found.accountNo, found.day, ...cellsOf(found), noteOf(found)]);
    texts.push(tableText(['account', 'day', ...head.slice(2), 'what'], rows, { right }));
  }
  if (unread.length > 0) {
    const rows = unread.map(({ accountNo, from, to, reason }) => [accountNo, `${from} to ${to}`, reason]);
    texts.push(tableText(['account', 'could not be read', 'why'], rows));
  }
  return texts.join('\n\n');
}

function cellsOf({ recorded, actual, difference }: Comparison): string[] {
  return [recorded, actual, difference].flatMap(({ records, amountFen }) => [
    String(records),
    yuanForPeople(amountFen),
  ]);
}

function noteOf({ difference }: Comparison): string {
  const isSame = difference.records === 0 && difference.amountFen === 0n;
  return isSame ? 'records changed' : '';
}

function archiveText({ originals, bundles, reports, pruned, faults }: ArchiveVerified): string {
  const ofReports = faults.filter((fault) => fault.path.startsWith(`${REPORTS}${path.sep}`)).length;
  const counts = [
    `archive: ${counted(originals, 'original')} and ${counted(bundles, 'bundle')} read, ${counted(faults.length - ofReports, 'file')} not as recorded`,
    `reports: ${reports} workbooks, results and manifests read, ${ofReports} not as recorded${pruned === 0 ? '' : `, ${pruned} pruned by policy`}`,
  ].join('\n');
  if (faults.length === 0) return counts;
  const rows = faults.map((fault) => [fault.path, fault.result, fault.sha256, fault.actualSha256 ?? 'none']);
  return `${counts}\n${tableText(['file', 'result', 'Recorded', 'Actual'], rows)}`;
}

function trailText({ events, head, heads, faults }: TrailVerified): string {
  const counts = `audit trail: ${events} events read, up to ${head}; ${heads} digests that were kept of it compared`;
  if (faults.length === 0) return `${counts}; it is as it was written`;
  const rows = faults.map(({ no, what, fault }) => [String(no), what, fault]);
  return `${counts}\n${tableText(['event', 'result', 'what'], rows, { right: [0] })}`;
}
