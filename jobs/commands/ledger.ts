/** `recon ledger import`. */
import { addDays } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';
import { lookAlikeText } from '../../src/intake/booked-once.ts';
import { importLedger } from '../../src/intake/import-ledger.ts';
import type { LedgerImportResult } from '../../src/intake/import-ledger.ts';
import { LEDGER_LAYOUT } from '../../src/intake/read-ledger.ts';
import { isAnyStatedComplete } from '../../src/store/intake/ledger-complete.ts';
import { runJob } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Job, Outcome } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { parseInstantOption } from '../context/day-arguments.ts';
import { countingRows } from '../context/progress.ts';
import { importOutcome, requireTable } from './import-outcome.ts';

export interface LedgerImportOptions extends CommonOptions {
  source: string;
  replace?: boolean;
  force?: boolean;
  completeTo?: string;
}

/** A year that was mistyped would switch off for good what keeps a night from being proven without its books. */
const BEYOND_TODAY = [
  'note: that is yet to come, and until then no night waits for the books of its day; to take it back,',
  'import the file again with the --complete-to that is meant, and --replace',
];

/** What a person looks through; `--json` has more. */
const SHOWN_MAX = 20;

export function importLedgerCommand(file: string, options: LedgerImportOptions): Promise<void> {
  return runJob(options, importLedgerJob(file, options));
}

export function importLedgerJob(
  file: string,
  options: LedgerImportOptions,
): Job<Instant | undefined, LedgerImportResult> {
  const needs: CommandNeeds<Instant | undefined> = {
    platform: false,
    arguments: async ({ zone }) => {
      await requireTable(file, LEDGER_LAYOUT);
      const { completeTo } = options;
      return completeTo === undefined ? undefined : parseInstantOption('--complete-to', completeTo, zone);
    },
  };
  const work: ReturnType<typeof importLedgerJob>['work'] = async (context, completeTo) => {
    const { db, zone, clock, log, profile } = context;
    const request = {
      db,
      zone,
      clock,
      log,
      path: file,
      source: options.source,
      replace: options.replace === true,
      force: options.force === true,
      completeTo,
      adjustmentKind: profile.ledger.kinds.adjustment,
    };
    const bar = context.progress('ledger rows');
    const result = await countingRows(bar, (progress) => importLedger({ ...request, progress }));
    const outcome = outcomeOf(result);
    if (outcome.isRefusal === true) return outcome;
    const hint = await completeHint(context, completeTo);
    return { ...outcome, text: [outcome.text, ...hint].join('\n') };
  };
  return { needs, work };
}

/** How far the books are complete by what was stated, or that nights wait for somebody to state it. */
async function completeHint(
  { db, zone, clock, settings }: Pick<Context, 'db' | 'zone' | 'clock' | 'settings'>,
  completeTo: Instant | undefined,
): Promise<string[]> {
  if (completeTo !== undefined) {
    const stated = `stated complete to ${zone.localText(completeTo)}; a night that ends later is incomplete`;
    const tomorrow = zone.dayStart(addDays(zone.dayOf(clock.wall()), 1));
    return completeTo > tomorrow ? [stated, ...BEYOND_TODAY] : [stated];
  }
  const comesByItself = (settings.inbox ?? settings.books?.query) !== undefined;
  if (!comesByItself || (await isAnyStatedComplete(db))) return [];
  return [
    'note: no ledger states how far it is complete, so every night is incomplete (INTAKE_INBOX or',
    'LEDGER_DATABASE_URL is set); import the file again with --complete-to, the day after its last one',
  ];
}

function outcomeOf(result: LedgerImportResult): Outcome<LedgerImportResult> {
  const outcome = importOutcome('ledger', result);
  const { lookAlikes, lookAlikeCount } = result;
  if (lookAlikeCount === 0) return outcome;
  const verb = lookAlikeCount === 1 ? 'entry looks' : 'entries look';
  const isMore = lookAlikes.length > SHOWN_MAX;
  const lines = [
    `warning: ${lookAlikeCount} ${verb} like what the books have already; whatever is booked twice counts twice`,
    ...lookAlikes.slice(0, SHOWN_MAX).map((found) => `- ${lookAlikeText(found)}`),
    ...(isMore ? ['and more (--json lists a hundred)'] : []),
  ];
  return { ...outcome, text: [outcome.text, ...lines].join('\n') };
}
