/**
 * How the next openings and changes go, as it is planned: what becomes of them, how long each state lasts, what
 * the account is that they make. What is left out the switches decide.
 */
import { z } from 'zod';

import { number, text } from '../world/seed-schema.ts';

/** Ten years: nothing lasts longer. */
const SPAN_MS_MAX = 3_660 * 86_400_000;
export const spanMs = z.int().min(0).max(SPAN_MS_MAX);

/** After 2 nothing may come: an account that was opened stays so. */
const steps = z
  .array(z.strictObject({ afterMs: spanMs, state: z.int().min(0).max(999), remark: text.optional() }))
  .min(1)
  .max(50)
  .refine(
    (list) => list.every(({ state, afterMs }) => state !== 2 || isLast(list, afterMs)),
    'state 2 must be the last',
  );

function isLast(list: readonly { afterMs: number }[], afterMs: number): boolean {
  return list.filter((step) => step.afterMs >= afterMs).length === 1;
}

const course = {
  /** How many it decides; null: all from now on. By default one. */
  times: z.int().min(1).max(1_000_000).nullable().default(1),
  outReqNo: number.optional(),
  result: z.enum(['accepted', 'rejectedByReview', 'rejectedByChannel']).optional(),
  /** Why it is rejected. */
  remark: text.optional(),
  /** How long each of 7, 100 and 1 lasts. */
  reviewMs: spanMs.optional(),
  queueMs: spanMs.optional(),
  processMs: spanMs.optional(),
  /** Everything after the confirmation instead: states, each so long after it. */
  states: steps.optional(),
};

export const decisionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('opening'),
    ...course,
    subjectId: number.optional(),
    /** What the submission answers (U10, U13). */
    firstState: z.literal([5, 7]).optional(),
    /** How long 11 lasts; null: it does not come. */
    manualMs: spanMs.nullable().optional(),
    /** Of the account that is opened, and when a pending one is activated by itself (U21). */
    accountState: z.string().min(1).max(8).optional(),
    activatedAfterMs: spanMs.optional(),
    autoSettle: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('change'), ...course, recordId: number.optional() }),
]);

export type DecisionSeed = z.input<typeof decisionSchema>;
export type Decision = z.output<typeof decisionSchema>;
export type DecisionKind = Decision['kind'];
export type DecisionOf<K extends DecisionKind> = Extract<Decision, { kind: K }>;
export type OpeningDecision = DecisionOf<'opening'>;
export type ChangeDecision = DecisionOf<'change'>;
