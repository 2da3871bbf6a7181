/** `recon prune`: removes by policy what nothing needs any more, and says what stays and why. */
import { RETENTION, RETAINED_KINDS } from '../../src/core/config/config-retention.ts';
import type { RetainedKind } from '../../src/core/config/config-retention.ts';
import { WrongInput } from '../../src/core/errors.ts';
import type { Why } from '../../src/store/prune/evidence.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions, Outcome } from '../cli/command.ts';
import { tableText } from '../cli/table-text.ts';
import { prune } from './prune.ts';
import type { KindPruned, Pruned } from './prune.ts';
import { counted } from '../../src/core/text.ts';

export interface PruneOptions extends CommonOptions {
  dryRun?: boolean;
  kind?: RetainedKind[];
}

export function pruneCommand(options: PruneOptions): Promise<void> {
  const request = { kinds: options.kind ?? RETAINED_KINDS, isDry: options.dryRun === true };
  const needs = { platform: false, arguments: () => requireNow(options) };
  return withContext(options, needs, async (context) => outcomeOf(await prune(context, request)));
}

/** What a rehearsal finds old is not. */
function requireNow({ clock, dryRun }: PruneOptions): void {
  if (clock !== undefined && dryRun !== true)
    throw new WrongInput('prune removes what is old by now: --clock is for --dry-run');
}

function outcomeOf(pruned: Pruned): Outcome<Pruned> {
  return { status: 0, document: pruned, text: textOf(pruned) };
}

const WORDS: Readonly<Record<Why, string>> = {
  open_break: 'a break of it is open',
  settlement: 'a settlement, refund or order of it is not over, or was retried',
  signed_period: 'a day or month that is signed off rests on it',
  read_since: 'a later fact was read from the same answer',
  latest: 'it is the latest there is',
  in_force: 'the account list in force comes from it',
  not_told: 'somebody was not told of it',
  changed: 'it is not as it was recorded: recon verify, and look at it',
  not_ours: 'it is no regular file',
};

const NAMES: Readonly<Record<KindPruned['kind'], string>> = {
  answers: 'signed answers',
  versions: 'files of former versions of runs',
  bundles: 'files of former versions of bundles',
  aside: 'workbooks moved aside',
  inbox: 'done/ and failed/ of the inbox',
  alerts: 'alerts that were sent',
  leftovers: 'unfinished files of killed processes',
};

const REMOVED = 'removed; recon verify tells it from what is missing';

function textOf({ dryRun, finished, kinds }: Pruned): string {
  const rows = kinds.flatMap((kind) => [
    [kind.kind, NAMES[kind.kind], policyOf(kind), ...sumCells(kind)],
    ...kind.kept.map((kept) => ['', `  kept: ${WORDS[kept.why]}`, '', ...sumCells(kept)]),
  ]);
  const head = ['kind', 'what', 'goes', 'count', 'bytes', 'oldest', 'newest'];
  const table = tableText(head, rows, { right: [3, 4] });
  const ended = finished === 0 ? [] : [`ended what an earlier one had begun: ${counted(finished, 'file')}`];
  const isAny = kinds.some(({ count }) => count > 0);
  const said = dryRun ? 'nothing was removed (--dry-run)' : isAny ? REMOVED : 'nothing had to go';
  return [table, '', ...ended, said].join('\n');
}

function policyOf({ kind, days, before }: KindPruned): string {
  if (kind === 'leftovers') return 'after a day';
  return days === null ? `never (${RETENTION[kind]})` : `before ${before ?? ''} (${counted(days, 'day')})`;
}

function sumCells({ count, bytes, from, to }: Pick<KindPruned, 'count' | 'bytes' | 'from' | 'to'>): string[] {
  return [String(count), String(bytes), from ?? '', to ?? ''];
}
