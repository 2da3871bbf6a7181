/**
 * `recon verify`: reads sealed days again through the platform and every archived file from the disk, and prints
 * Recorded / Actual / Difference. It changes no facts; what is wrong with a file is kept (docs/architecture.md 5.7).
 */
import path from 'node:path';
import { yuanForPeople } from '../../src/core/fen.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from '../cli/command.ts';
import { REPORTS } from '../night/publish/publish.ts';
import { tableText } from '../cli/table-text.ts';
import { verifyDays } from './verify-days.ts';
import type { Comparison, DaysVerified } from './verify-days.ts';
import { parseOpenRange } from './voucher-arguments.ts';
import type { DayRange } from '../context/day-arguments.ts';
import { verifyArchive } from '../night/vouchers/voucher-verify.ts';
import type { ArchiveVerified } from '../night/vouchers/voucher-verify.ts';

export interface VerifyOptions extends CommonOptions {
  from?: string | undefined;
  to?: string | undefined;
}

const EVERY_DAY: DayRange = { fromDay: '2000-01-01', toDay: '9999-12-31' };

export function verifyCommand(options: VerifyOptions): Promise<void> {
  const needs: CommandNeeds<DayRange | undefined> = {
    platform: true,
    arguments: ({ zone, clock }) => parseOpenRange(options, zone.dayOf(clock.wall())),
  };
  return withContext(options, needs, async (context, range) => {
    const archive = await verifyArchive(context, range);
    const days = await verifyDays(context, range ?? EVERY_DAY);
    return outcomeOf(days, archive);
  });
}

/** Whatever is not as it was recorded, or could not be looked at, is a failure. */
function outcomeOf(days: DaysVerified, archive: ArchiveVerified): Outcome {
  const isWhole = days.differences.length + days.unread.length + archive.faults.length === 0;
  const verified = { ...days, archive };
  return {
    status: isWhole ? 0 : 1,
    document: { schema: 1, verified },
    text: [daysText(days), archiveText(archive)].join('\n\n'),
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

function archiveText({ originals, bundles, reports, faults }: ArchiveVerified): string {
  const ofReports = faults.filter((fault) => fault.path.startsWith(`${REPORTS}${path.sep}`)).length;
  const counts = [
    `archive: ${originals} originals and ${bundles} bundles read, ${faults.length - ofReports} files not as recorded`,
    `reports: ${reports} workbooks, results and manifests read, ${ofReports} not as recorded`,
  ].join('\n');
  if (faults.length === 0) return counts;
  const rows = faults.map((fault) => [fault.path, fault.result, fault.sha256, fault.actualSha256 ?? 'none']);
  return `${counts}\n${tableText(['file', 'result', 'Recorded', 'Actual'], rows)}`;
}
