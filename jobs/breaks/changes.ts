/** What a command changed of what is said of breaks, for people and for programs. */
import { yuanForPeople } from '../../src/core/fen.ts';
import { tableText } from '../cli/table-text.ts';
import type { SaidMask } from '../context/said-mask.ts';
import { shownOf, statusText } from './break-shown.ts';
import type { BreakShown } from './break-shown.ts';
import type { Change, Weighed } from './say.ts';

type SaidShown = Pick<
  BreakShown,
  'workStatus' | 'owner' | 'reason' | 'note' | 'action' | 'writeOff' | 'proposed' | 'inForce'
>;

/** A terminal shows this many; the document has all. */
const ROWS_SHOWN = 100;

export function changesOf(change: Change, mask: SaidMask) {
  const { found } = change;
  const { id, class: itemClass, accountNo, reference, differenceFen } = shownOf(found, mask);
  const { before, after } = beforeAndAfter(change, mask);
  return { id, class: itemClass, accountNo, reference, differenceFen, before, after };
}

function beforeAndAfter({ found, after }: Change, mask: SaidMask): { before: SaidShown; after: SaidShown } {
  return { before: saidShown(shownOf(found, mask)), after: saidShown(shownOf(after, mask)) };
}

function saidShown(shown: BreakShown): SaidShown {
  const { workStatus, owner, reason, note, action, writeOff, proposed, inForce } = shown;
  return { workStatus, owner, reason, note, action, writeOff, proposed, inForce };
}

export function changesText(
  { changes, unchanged }: Weighed,
  { dryRun, by, digest, mask }: { dryRun: boolean; by: string; digest: string | undefined; mask: SaidMask },
): string {
  const already = unchanged === 0 ? '' : `; ${unchanged} are so already`;
  const verb = dryRun ? 'would change' : 'changed';
  const sum = changes.reduce((fen, { found }) => fen + found.difference_fen, 0n);
  const end = `${verb} ${changes.length} (${yuanForPeople(sum)} net) as ${by}${already}${dryRun ? '; nothing was written' : ''}`;
  if (changes.length === 0) return `nothing to change${already}`;
  const rows = changes.slice(0, ROWS_SHOWN).map((change) => {
    const { found } = change;
    const { before, after } = beforeAndAfter(change, mask);
    const texts = [before, after].map((one) => statusText({ ...one, status: found.status }));
    return [
      found.break_id,
      found.class,
      found.account_no,
      yuanForPeople(found.difference_fen),
      ...texts,
      after.owner,
      whatIsSaid(change, after),
    ];
  });
  const head = ['id', 'class', 'account', 'difference', 'was', 'is', 'owner', 'said'];
  const more = changes.length > ROWS_SHOWN ? [`… and ${changes.length - ROWS_SHOWN} more`] : [];
  const next = dryRun && digest !== undefined ? [`to approve these and nothing else: --shown ${digest}`] : [];
  return [tableText(head, rows, { right: [3] }), ...more, end, ...next].join('\n');
}

function whatIsSaid({ event }: Change, { note, action, reason, writeOff, proposed }: SaidShown): string {
  if (event === 'noted') return note;
  if (event === 'action_proposed') return action ?? 'no action';
  if (writeOff === null) return reason;
  const text = `${writeOff.reason}; until ${writeOff.expires}`;
  // Who approves sees what is approved.
  if (event === 'written_off') return `${text}; proposed by ${writeOff.proposedBy}`;
  return proposed ? text : reason;
}
