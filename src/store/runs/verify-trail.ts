/**
 * The audit trail read from its first event to its last (docs/reconciliation.md 3.13): an event that is missing, is not
 * as it was written or stands where it did not stand is named, and so is a head that somebody kept and that the trail
 * never had.
 */
import type { DbOrTransaction } from '../schema/schema.ts';
import { verifyPruned } from '../prune/pruned.ts';
import { findTrailHead, headText } from './audit-trail.ts';
import type { TrailHead } from './audit-trail.ts';
import { NO_DIGEST, digestOfEvent } from './trail-digest.ts';

/** A head as somebody kept it: `128:3fa9…`, of the digest as much as they have. */
export interface KeptHead extends TrailHead {
  /** Who kept it: `nightly-2026-03-01-v1`, `--trail`. */
  keptBy: string;
}

export interface TrailFault {
  /** The place in the trail. */
  no: bigint;
  /** `missing`: no event is there · `altered`: it is not what its digest says · `moved`: it followed another event ·
   * `added`: the trail never had it · `head`: the digest kept of it is another. */
  what: 'missing' | 'altered' | 'moved' | 'added' | 'head';
  /** A sentence that names the event or who kept the head. */
  fault: string;
}

export interface TrailVerified {
  events: bigint;
  head: string;
  /** Heads that were compared. */
  heads: number;
  faults: TrailFault[];
}

const EVENTS_A_PIECE = 10_000;

/** Faults named; one that was found is enough to look, and a trail that was replaced has as many as it has events. */
const FAULTS_MAX = 100;

/** Reads the whole trail. @param papers heads that people kept, beside those that the runs and the trail itself did */
export async function verifyTrail(
  db: DbOrTransaction,
  papers: readonly KeptHead[] = [],
): Promise<TrailVerified> {
  const kept = [...(await keptHeads(db)), ...papers];
  const byNo = Map.groupBy(kept, ({ no }) => no);
  const faults: TrailFault[] = [];
  const add = (fault: TrailFault): void => {
    if (faults.length < FAULTS_MAX) faults.push(fault);
  };
  let last = { no: 0n, digest: NO_DIGEST, isWhole: true };
  let events = 0n;
  for (const row of await readBeforeFirst(db)) {
    add({ no: row.trail_no, what: 'added', fault: `${nameOf(row)} stands before the first event` });
  }
  compareHeads(byNo, last, add);
  for (;;) {
    const rows = await readPiece(db, last.no);
    if (rows.length === 0) break;
    for (const row of rows) {
      addMissing(last.no, row.trail_no, add);
      const follows = last.isWhole && row.trail_no === last.no + 1n ? last.digest : undefined;
      const fault = faultOf(row, follows);
      if (fault !== undefined) add(fault);
      last = { no: row.trail_no, digest: row.digest, isWhole: fault === undefined };
      compareHeads(byNo, last, add);
      events += 1n;
    }
  }
  const furthest = kept.reduce((no, head) => (head.no > no ? head.no : no), 0n);
  addMissing(last.no, furthest + 1n, add);
  addBeyond(await findTrailHead(db), last.no, add);
  for (const { no, isEventGone } of await verifyPruned(db)) {
    const what = isEventGone ? 'added' : 'altered';
    const why = isEventGone ? 'has no event that says so' : 'is not what was recorded with it';
    add({ no, what, fault: `what event ${no} pruned ${why}` });
  }
  return { events, head: headText(last), heads: kept.length, faults };
}

type Row = Awaited<ReturnType<typeof readPiece>>[number];

/** Numbers begin at 1. */
function readBeforeFirst(db: DbOrTransaction) {
  return db
    .selectFrom('break_event')
    .selectAll()
    .where('trail_no', '<', 1n)
    .orderBy('trail_no')
    .limit(FAULTS_MAX)
    .execute();
}

function readPiece(db: DbOrTransaction, after: bigint) {
  return db
    .selectFrom('break_event')
    .selectAll()
    .where('trail_no', '>', after)
    .orderBy('trail_no')
    .limit(EVENTS_A_PIECE)
    .execute();
}

/** The trail's own, and what each run kept. */
async function keptHeads(db: DbOrTransaction): Promise<KeptHead[]> {
  const own = await findTrailHead(db);
  const runs = await db
    .selectFrom('run')
    .select(['run_id', 'trail_no', 'trail_digest'])
    .where('trail_no', 'is not', null)
    .orderBy('run_id')
    .execute();
  return [
    { ...own, keptBy: 'the table audit_trail' },
    ...runs.map((run) => ({ no: run.trail_no ?? 0n, digest: run.trail_digest ?? '', keptBy: run.run_id })),
  ];
}

function nameOf(row: Row): string {
  return `event ${row.trail_no} (${row.event} of ${row.break_id ?? row.period ?? row.pruned ?? ''} by ${row.actor} at ${row.at})`;
}

function faultOf(row: Row, follows: string | undefined): TrailFault | undefined {
  const name = nameOf(row);
  const { trail_no: no, before_digest: before, break_id: breakId, event_no: eventNo, run_id: runId } = row;
  const { event, actor, at, details, work, period, pruned } = row;
  const covered = { no, before, breakId, period, pruned, eventNo, runId, event, actor, at, details, work };
  const isSame = digestOfEvent(covered) === row.digest;
  if (!isSame) return { no, what: 'altered', fault: `${name} is not as it was written` };
  if (follows === undefined || follows === before) return undefined;
  return { no, what: 'moved', fault: `${name} was written after another event than the one before it` };
}

/** Events and head are committed as one: a head read after the last event is never behind it. */
function addBeyond(own: TrailHead, lastNo: bigint, add: (fault: TrailFault) => void): void {
  if (lastNo <= own.no) return;
  const first = own.no + 1n;
  const which = first === lastNo ? `event ${first} stands` : `events ${first} to ${lastNo} stand`;
  add({ no: first, what: 'added', fault: `${which} behind the last event that the table audit_trail has` });
}

function addMissing(after: bigint, next: bigint, add: (fault: TrailFault) => void): void {
  if (next - after <= 1n) return;
  const [first, last] = [after + 1n, next - 1n];
  const fault = first === last ? `event ${first} is missing` : `events ${first} to ${last} are missing`;
  add({ no: first, what: 'missing', fault });
}

function compareHeads(
  byNo: ReadonlyMap<bigint, readonly KeptHead[]>,
  at: TrailHead,
  add: (fault: TrailFault) => void,
): void {
  for (const { digest, keptBy } of byNo.get(at.no) ?? []) {
    const isSame = digest === '' ? at.digest === '' : at.digest.startsWith(digest);
    if (isSame) continue;
    const fault = `event ${at.no} has the digest ${at.digest}; ${keptBy} kept ${digest}: the trail up to it was written anew`;
    add({ no: at.no, what: 'head', fault });
  }
}
