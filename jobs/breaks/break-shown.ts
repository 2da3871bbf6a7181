/** A break as commands show it: what the proof has of it, and what people say, masked. */
import { daysBetween } from '../../src/core/time.ts';
import type { ClearingCause, WorkAction, WorkStatus, WriteOff } from '../../src/store/schema/schema.ts';
import type { WorkedBreak } from '../../src/store/runs/breaks.ts';
import { breakFields } from '../night/publish/result-lists.ts';
import type { BreakBegun } from '../night/publish/result-lists.ts';
import type { SaidMask } from '../context/said-mask.ts';

type WriteOffShown = Pick<WriteOff, 'reason' | 'expires' | 'proposedBy' | 'approvedBy'>;

export interface BreakShown extends BreakBegun {
  /** What the proof says. */
  status: 'open' | 'closed';
  closedDay: string | null;
  clearedBy: string | null;
  clearedCause: ClearingCause | null;
  /** What people say, as it holds today. */
  workStatus: WorkStatus;
  owner: string;
  reason: string;
  note: string;
  /** What is proposed to be done about it; null: nothing is. */
  action: WorkAction | null;
  /** The last that was proposed; `approvedBy` null: it awaits approval where `proposed`. */
  writeOff: WriteOffShown | null;
  proposed: boolean;
  /** The approved one that is in force for as long as `writeOff` awaits approval. */
  inForce: WriteOffShown | null;
}

/** The age is that of the last run that saw it; nothing ages while nobody looks. */
export function shownOf(row: WorkedBreak, mask: SaidMask): BreakShown {
  const { work } = row;
  const writeOff = (one: WriteOff | null | undefined) => writeOffShown(one, mask);
  return {
    ...breakFields(row),
    ageDays: daysBetween({ from: row.first_day, to: row.last_day }),
    status: row.status,
    closedDay: row.closed_day,
    clearedBy: row.cleared_by,
    clearedCause: row.cleared_cause,
    workStatus: row.work_status,
    owner: mask(work?.owner ?? ''),
    reason: mask(work?.reason ?? ''),
    note: mask(work?.note ?? ''),
    action: work?.action ?? null,
    writeOff: writeOff(work?.writeOff),
    proposed: row.is_proposed,
    inForce: row.work_status === 'written_off' ? writeOff(work?.inForce) : null,
  };
}

function writeOffShown(writeOff: WriteOff | null | undefined, mask: SaidMask): WriteOffShown | null {
  if (writeOff === null || writeOff === undefined) return null;
  const { reason, expires, proposedBy, approvedBy } = writeOff;
  return {
    reason: mask(reason),
    expires,
    proposedBy: mask(proposedBy),
    approvedBy: approvedBy === null ? null : mask(approvedBy),
  };
}

/** In a table: what the proof has closed is closed, whatever was said of it. */
export function statusText(
  found: Pick<BreakShown, 'status' | 'workStatus' | 'proposed' | 'writeOff'>,
): string {
  if (found.status === 'closed') return 'closed';
  const name = found.workStatus.replaceAll('_', ' ');
  const awaits = found.writeOff !== null && found.writeOff.approvedBy === null && found.proposed;
  return awaits ? `${name}, write-off proposed` : name;
}
