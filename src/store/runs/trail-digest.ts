/**
 * How an event of the audit trail is digested (docs/reconciliation.md 3.13): SHA-256 over canonical JSON, which is one
 * line without blanks, members sorted by name.
 */
import { createHash } from 'node:crypto';
import { jsonText } from '../../core/json.ts';
import type { Instant } from '../../core/time.ts';

/** The trail before its first event. */
export const NO_DIGEST = '';

/** All that a digest covers. */
export interface TrailEvent {
  /** Its place in the trail, from 1. */
  no: bigint;
  /** The digest of the event before it. */
  before: string;
  /** Null: it is of a period, or of what was pruned. */
  breakId: string | null;
  /** A day or a month; null or left out: it is of a break, and the digest has no such member. */
  period?: string | null;
  /** A kind of what was pruned; null or left out as above. */
  pruned?: string | null;
  eventNo: number;
  runId: string | null;
  event: string;
  actor: string;
  at: Instant;
  details: unknown;
  work: unknown;
}

/** Hex, in lower case. */
export function digestOfEvent({ period, pruned, ...event }: TrailEvent): string {
  const covered = {
    ...event,
    ...(typeof period === 'string' && { period }),
    ...(typeof pruned === 'string' && { pruned }),
  };
  return createHash('sha256').update(canonicalJson(covered)).digest('hex');
}

function canonicalJson(value: unknown): string {
  return jsonText(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, inner]) => [name, sorted(inner)]));
}
