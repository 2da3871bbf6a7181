/** The states of openings and changes: numbers that are known by a word, and all others, which are kept (OPN-18). */
import type { Profile } from '../core/profile/profile.ts';

export const OPENING_STATES = {
  1: 'processing',
  2: 'completed',
  3: 'rejected',
  5: 'pending_signing',
  7: 'pending_pre_review',
  8: 'pre_review_rejected',
  11: 'manual_review',
  100: 'queued',
} as const;

/** `unknown`: a state the document does not list; its number is kept beside the word (VER-03). */
export type OpeningStep = (typeof OPENING_STATES)[keyof typeof OPENING_STATES] | 'unknown';

const STEPS: ReadonlyMap<number, OpeningStep> = new Map(
  Object.entries(OPENING_STATES).map(([state, step]) => [Number(state), step]),
);

/** The word of a state; undefined where none is stated. */
export function openingStep(state: number | undefined): OpeningStep | undefined {
  return state === undefined ? undefined : (STEPS.get(state) ?? 'unknown');
}

/** Whether nothing more is expected of it; a state that is not known is never final (U11). */
export function isFinalOpening(state: number | undefined, { opening }: Pick<Profile, 'opening'>): boolean {
  return state !== undefined && opening.finalStates.includes(state);
}
