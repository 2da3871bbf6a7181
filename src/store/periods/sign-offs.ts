/** What people signed off, as the last event of each period in the audit trail says it (docs/reconciliation.md 3.14). */
import { sql } from 'kysely';
import type { Day, Instant } from '../../core/time.ts';
import type { DbOrTransaction, Verdict } from '../schema/schema.ts';
import { periodOf } from './period.ts';
import type { Period } from './period.ts';

/** `prepared`: one person did, and another has to approve it · `withdrawn`: it was taken back, with a reason. */
export type SignOffEvent = 'prepared' | 'signed_off' | 'withdrawn';

/** What an event of a period holds. */
export interface SignOffDetails {
  /** SHA-256 of the rows that are signed. */
  digest: string;
  /** The event that stored them. */
  rowsNo: number;
  /** Where the trail stood and the highest write number there was when they were read. */
  trailNo: number;
  writtenNo: number;
  preparedBy: string;
  /** The runs that are signed, and the verdict of the last one. */
  runs: string[];
  verdict: Verdict;
  /** How much stood open, and why it is signed all the same, or why the sign-off is taken back; empty: nothing did. */
  open: number;
  reason: string;
  /** SHA-256 of the points that stood open; not there in what an older version signed. */
  openDigest?: string;
}

export interface SignOff {
  period: Period;
  event: SignOffEvent;
  by: string;
  at: Instant;
  /** Its place in the audit trail, and its digest there. */
  no: bigint;
  eventDigest: string;
  details: SignOffDetails;
}

interface Row {
  period: string;
  event: SignOffEvent;
  actor: string;
  at: Instant;
  trail_no: bigint;
  digest: string;
  /** An event that was changed past recon may have anything else there. */
  details: SignOffDetails | string | number | boolean | null;
}

/** The last event of each period, up to that place of the trail where one is given; the period that ends last first. */
export async function listSignOffs(db: DbOrTransaction, upTo?: bigint | null): Promise<SignOff[]> {
  const { rows } = await sql<Row>`
    select distinct on (period) period, event, actor, at, trail_no, digest, details from break_event
    where period is not null and (${upTo ?? null}::bigint is null or trail_no <= ${upTo ?? null}::bigint)
    order by period, event_no desc`.execute(db);
  return rows.map(signOffOf).toSorted(latestFirst);
}

/** All that happened to one, oldest first. */
export async function listPeriodEvents(db: DbOrTransaction, period: string): Promise<SignOff[]> {
  const { rows } = await sql<Row>`
    select period, event, actor, at, trail_no, digest, details from break_event
    where period = ${period} order by event_no`.execute(db);
  return rows.map(signOffOf);
}

/** Undefined where nobody ever did anything about it. */
export async function findSignOff(db: DbOrTransaction, period: string): Promise<SignOff | undefined> {
  return (await listPeriodEvents(db, period)).at(-1);
}

function signOffOf({ period, event, actor, at, trail_no: no, digest, details }: Row): SignOff {
  const written = details as SignOffDetails;
  return { period: periodOf(period), event, by: actor, at, no, eventDigest: digest, details: written };
}

/** Of those that end on one day the month, which covers more, before the day. */
function latestFirst({ period: one }: SignOff, { period: other }: SignOff): number {
  const order = (first: Day, second: Day): number => (first < second ? -1 : first > second ? 1 : 0);
  return order(other.to, one.to) || order(one.from, other.from);
}
