/** What `recon breaks import` changed and what it left, for people and for programs. */
import { tableText } from '../../cli/table-text.ts';
import type { SaidMask } from '../../context/said-mask.ts';
import { changesOf } from '../changes.ts';
import type { WeighedList } from './weigh-list.ts';
import { counted } from '../../../src/core/text.ts';

interface Of {
  dryRun: boolean;
  by: string;
  file: string;
  sha256: string;
  run: string;
  rows: number;
}

export function importDocument(
  { changes, taken, conflicts, unchanged }: WeighedList,
  of: Of,
  mask: SaidMask,
) {
  return {
    schema: 1,
    ...of,
    changed: new Set(changes.map(({ found }) => found.break_id)).size,
    unchanged,
    cells: taken,
    conflicts,
    changes: changes.map((change) => ({ ...changesOf(change, mask), event: change.event })),
  };
}

/** One line a cell; conflicts last, where they are seen. */
export function importText({ changes, taken, conflicts, unchanged }: WeighedList, of: Of): string {
  const changed = new Set(changes.map(({ found }) => found.break_id)).size;
  const verb = of.dryRun ? 'would change' : 'changed';
  const already = unchanged === 0 ? '' : `; ${counted(unchanged, 'is', 'are')} so already`;
  const left =
    conflicts.length === 0
      ? ''
      : `; ${counted(conflicts.length, 'cell conflicts and stays as it is', 'cells conflict and stay as they are')}`;
  const end =
    changed === 0
      ? `nothing to change${already}${left}`
      : `${verb} ${changed} of ${counted(of.rows, 'break')}, ${counted(taken.length, 'cell')}, as ${of.by}${already}${left}${of.dryRun ? '; nothing was written' : ''}`;
  return [...takenLines(taken), ...conflictLines(conflicts), end].join('\n');
}

function takenLines(taken: WeighedList['taken']): string[] {
  if (taken.length === 0) return [];
  const rows = taken.map(({ place, breakId, column, before, file }) => [
    place,
    breakId,
    column,
    before,
    file,
  ]);
  return [tableText(['cell', 'id', 'column', 'was', 'is'], rows)];
}

function conflictLines(conflicts: WeighedList['conflicts']): string[] {
  if (conflicts.length === 0) return [];
  const rows = conflicts.map(({ place, breakId, column, before, now, file, why }) => [
    place,
    breakId,
    column,
    before,
    now,
    file,
    why,
  ]);
  return ['', tableText(['conflict', 'id', 'column', 'was', 'is', 'file', 'because'], rows)];
}
