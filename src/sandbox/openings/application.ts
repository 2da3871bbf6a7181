/** Openings and changes: what is true of them. Which account an opening made is decided when it is confirmed. */
import type { Caller } from '../protocol/sandbox-keys.ts';
import type { Account } from '../world/account.ts';
import { doneAtMs } from './application-life.ts';
import type { StateTurn } from './application-life.ts';
import type { ChangeDecision, OpeningDecision } from './decision-schema.ts';

/** SubjectInfo as the platform keeps it: the members that were given and are not empty. */
export type Subject = Readonly<Record<string, string>>;

export interface Opening {
  merchant: string;
  reqNo: string;
  outReqNo: string;
  /** 19 digits above 2^53 (OPN-25). */
  recordId: string;
  role: 'FQ' | 'JS';
  submittedAtMs: number;
  /** Of the last submission. */
  subject: Subject;
  /** Who asked for it; its pushes are signed for him. */
  caller: Caller;
  /** Empty: nothing is pushed (OPN-10). */
  notifyUrl: string;
  life: StateTurn[];
  /** What was planned for the submission that is under way. */
  decision: OpeningDecision | undefined;
  /** That submission has been through the pre-review. */
  reviewed: boolean;
  /** From when on it is there its `openedAtMs` says. */
  account: Account | undefined;
  changes: Change[];
}

export interface Change {
  opening: Opening;
  reqNo: string;
  outReqNo: string;
  submittedAtMs: number;
  modifyType: string;
  /** What replaces the subject's data once it is done. */
  replaced: Subject;
  life: StateTurn[];
  decision: ChangeDecision | undefined;
}

/** The subject's data at an instant: as it was opened, with every change that is done by then (CHG-13, CHG-20). */
export function subjectAt({ subject, changes }: Opening, ms: number): Subject {
  if (changes.length === 0) return subject;
  const done = changes.flatMap(({ life, replaced }) => {
    const atMs = doneAtMs(life);
    return atMs !== undefined && atMs <= ms ? [{ atMs, replaced }] : [];
  });
  done.sort((a, b) => a.atMs - b.atMs);
  return Object.assign({}, subject, ...done.map(({ replaced }) => replaced)) as Subject;
}

/** OPN-01: an enterprise is its licence number, an individual the identity card number. */
export function identityOf(subject: Subject): string {
  return (subject['entPerFlag'] === 'P' ? subject['idCardNo'] : subject['licenseNo']) ?? '';
}
