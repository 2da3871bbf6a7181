/** What a person may say of a break, and what is said of it then (docs/reconciliation.md 3.13). */
import { isSamePerson } from '../../src/core/config/config-people.ts';
import { yuanForPeople } from '../../src/core/fen.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import type { Day } from '../../src/core/time.ts';
import type { WorkedBreak } from '../../src/store/runs/breaks.ts';
import type { BreakWork, WorkAction } from '../../src/store/schema/schema.ts';

export type Saying =
  | { kind: 'assign'; to: string }
  | { kind: 'note'; text: string }
  /** Undefined: nothing is proposed any more. */
  | { kind: 'action'; action: WorkAction | undefined }
  | { kind: 'explain'; reason: string }
  | { kind: 'resolve'; reason: string }
  | { kind: 'write-off'; reason: string; expires: Day }
  | { kind: 'approve' };

export interface Speaker {
  by: string;
  today: Day;
}

/** An event of the break's life and what is said once it has happened; or why it cannot be said; or that it is so already. */
export type Said = { event: string; details: object; work: BreakWork } | { fault: string } | 'unchanged';

/** A break for which there is something new to say. */
export interface Change {
  found: WorkedBreak;
  event: string;
  details: object;
  work: BreakWork;
  /** As it is seen once that is said. */
  after: WorkedBreak;
}

export function changeOf(
  found: WorkedBreak,
  { event, details, work }: { event: string; details: object; work: BreakWork },
  { today }: Pick<Speaker, 'today'>,
): Change {
  const { class: itemClass, difference_fen: differenceFen } = found;
  const isProposed = awaitsApproval(work.writeOff, { class: itemClass, differenceFen, today });
  return {
    found,
    event,
    details,
    work,
    after: { ...found, work, work_status: work.status, is_proposed: isProposed },
  };
}

/** Whether it can still be approved, as `isProposed` in `src/store/runs/break-work.ts` asks the database. */
export function awaitsApproval(
  writeOff: BreakWork['writeOff'],
  of: Pick<BreakWork, 'class' | 'differenceFen'> & { today: Day },
): boolean {
  if (writeOff === null || writeOff.approvedBy !== null || writeOff.expires < of.today) return false;
  return writeOff.class === of.class && BigInt(writeOff.differenceFen) === BigInt(of.differenceFen);
}

export interface Weighed {
  changes: Change[];
  /** Those of which it is said already. */
  unchanged: number;
}

export function said(found: WorkedBreak, saying: Saying, speaker: Speaker): Said {
  if (found.status === 'closed' && saying.kind !== 'note') {
    return {
      fault: `${found.break_id} is closed since ${found.closed_day ?? ''}: nothing is to be said of it`,
    };
  }
  switch (saying.kind) {
    case 'assign':
      return assigned(found, saying.to, speaker);
    case 'note':
      if (found.work?.note === saying.text) return 'unchanged';
      return {
        event: 'noted',
        details: { text: saying.text },
        work: workAfter(found, speaker, { note: saying.text }),
      };
    case 'action':
      return planned(found, saying.action, speaker);
    case 'explain':
      return reasoned(found, { status: 'explained', reason: saying.reason }, speaker);
    case 'resolve':
      return reasoned(found, { status: 'resolved', reason: saying.reason }, speaker);
    case 'write-off':
      return proposed(found, saying, speaker);
    case 'approve':
      return approved(found, speaker);
  }
}

/** What was said before and still holds, with what is new. */
function workAfter(found: WorkedBreak, { today }: Speaker, changes: Partial<BreakWork>): BreakWork {
  const before = found.work ?? { owner: '', reason: '', note: '', day: today, writeOff: null, inForce: null };
  const status = changes.status ?? found.work_status;
  return {
    ...before,
    ...changes,
    status,
    day: status === found.work_status ? before.day : today,
    class: found.class,
    differenceFen: found.difference_fen,
  };
}

/** Who has something explained or written off may change; anything else is to be worked on from now on. */
function assigned(found: WorkedBreak, owner: string, speaker: Speaker): Said {
  const { work_status: before } = found;
  const status = before === 'explained' || before === 'written_off' ? before : 'assigned';
  if (found.work?.owner === owner && status === before) return 'unchanged';
  return { event: 'assigned', details: { to: owner }, work: workAfter(found, speaker, { status, owner }) };
}

function planned(found: WorkedBreak, action: WorkAction | undefined, speaker: Speaker): Said {
  if (found.work?.action === action) return 'unchanged';
  const { action: _before, ...work } = workAfter(found, speaker, {});
  return {
    event: 'action_proposed',
    details: { action: action ?? 'none' },
    work: action === undefined ? work : { ...work, action },
  };
}

function reasoned(
  found: WorkedBreak,
  { status, reason }: { status: 'explained' | 'resolved'; reason: string },
  speaker: Speaker,
): Said {
  const { work, work_status: before } = found;
  if (before === status && work?.reason === reason && work.writeOff === null) return 'unchanged';
  const after = workAfter(found, speaker, { status, reason, writeOff: null, inForce: null });
  // What is done again today is done anew: a run of today that finds the break has not seen it.
  return { event: status, details: { reason }, work: { ...after, day: speaker.today } };
}

function proposed(
  found: WorkedBreak,
  { reason, expires }: { reason: string; expires: Day },
  speaker: Speaker,
): Said {
  const { by } = speaker;
  const now = found.work?.writeOff;
  const isSame = found.is_proposed && now?.reason === reason && now.expires === expires;
  if (isSame && isSamePerson(now.proposedBy, by)) return 'unchanged';
  const work = workAfter(found, speaker, {
    inForce: found.work_status === 'written_off' ? (found.work?.inForce ?? now ?? null) : null,
    writeOff: {
      reason,
      expires,
      proposedBy: by,
      approvedBy: null,
      class: found.class,
      differenceFen: found.difference_fen,
    },
  });
  return { event: 'write_off_proposed', details: { reason, expires }, work };
}

function approved(found: WorkedBreak, speaker: Speaker): Said {
  const { break_id: id, is_proposed: isProposed, work_status: status } = found;
  const writeOff = found.work?.writeOff ?? null;
  if (writeOff === null) return { fault: `${id} has no write-off that awaits approval` };
  if (writeOff.approvedBy !== null) {
    const isDone = status === 'written_off' && isSamePerson(writeOff.approvedBy, speaker.by);
    return isDone
      ? 'unchanged'
      : { fault: `${id} was approved by ${maskPersonal(writeOff.approvedBy)} already` };
  }
  if (!isProposed)
    return { fault: `${id} ${whyNotProposed(found, writeOff, speaker.today)}: propose it anew` };
  if (isSamePerson(writeOff.proposedBy, speaker.by)) {
    return {
      fault: `${id} was proposed by ${maskPersonal(writeOff.proposedBy)}: another person approves it`,
    };
  }
  const { reason, expires, proposedBy } = writeOff;
  return {
    event: 'written_off',
    details: { reason, expires, proposedBy },
    work: workAfter(found, speaker, {
      status: 'written_off',
      reason,
      writeOff: { ...writeOff, approvedBy: speaker.by },
      inForce: null,
    }),
  };
}

function whyNotProposed(found: WorkedBreak, of: NonNullable<BreakWork['writeOff']>, today: Day): string {
  if (of.expires < today) return `was proposed until ${of.expires}, which is over`;
  const then = `${yuanForPeople(BigInt(of.differenceFen))} (${of.class})`;
  return `was proposed for ${then} and is ${yuanForPeople(found.difference_fen)} (${found.class}) by now`;
}
