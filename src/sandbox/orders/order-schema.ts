/**
 * How orders are seeded and their outcomes planned: how the life of a transfer order, settlement, refund or
 * withdrawal goes, and what is shown of it. What is left out the switches decide.
 */
import { z } from 'zod';

import { fen, number, patch, text, time } from '../world/seed-schema.ts';

/** Ten years: nothing lasts longer. */
const SPAN_MS_MAX = 3_660 * 86_400_000;
const spanMs = z.int().min(0).max(SPAN_MS_MAX);
/** A state as the platform may say it, known or not. */
const word = z.string().min(1).max(64);
const feeType = z.enum(['ORDER', 'ACCOUNT']);

const course = {
  /** SUCCESS by default. PROCESSING stays so for ever; any other word is said, and holds the money. */
  state: word.optional(),
  /** How long it is under way before that. */
  delayMs: spanMs.optional(),
  /** The money comes back that long after the end, with the word FAIL (U49). */
  returnAfterMs: spanMs.optional(),
  /** The whole life instead: words, each so long after the beginning. */
  states: z
    .array(z.strictObject({ afterMs: spanMs, state: word, note: text.optional() }))
    .min(1)
    .max(50)
    .optional(),
};
const notes = { note: text.optional(), returnNote: text.optional() };
const fee = { feeFen: fen.optional(), feeType: feeType.optional() };
const showing = {
  /** From when it is found, by default from its submission, and from when no more. */
  visibleFrom: time.optional(),
  vanishesAt: time.optional(),
  /** What is shown instead of what is true, from the beginning and from certain instants on. */
  listed: z.strictObject(patch).optional(),
  changes: z
    .array(z.strictObject({ at: time, ...patch }))
    .max(100)
    .optional(),
};

/** The remarks are what settleRemark says. */
const settleTry = { ...course, ...fee, remark: text.optional(), returnRemark: text.optional() };
/** An automatic withdrawal, and what becomes of its retries, one after the other (STL-15). */
const settle = z.strictObject({
  ...settleTry,
  retries: z.array(z.strictObject(settleTry)).max(100).optional(),
});
const transferOutcome = {
  ...course,
  ...notes,
  ...fee,
  ...showing,
  /** Null: none, whatever the payee; by default one where the payee settles automatically. */
  settle: settle.nullable().optional(),
};
const withdrawalOutcome = { ...course, ...notes, ...fee, ...showing };
const refundOutcome = {
  /** REFUND by default; FAIL: it is rejected after its delay. */
  state: z.enum(['REFUND', 'FAIL']).optional(),
  /** How long it waits for confirmation. */
  delayMs: spanMs.optional(),
  note: text.optional(),
  /** The money goes back to the payee that long after, and refundAmount falls. */
  returnAfterMs: spanMs.optional(),
};

const planned = {
  /** How many it decides; null: all from now on. By default one. */
  times: z.int().min(1).max(1_000_000).nullable().default(1),
};

/** Decides what the next calls make, for one order, one account or any. */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('transfer'),
    ...planned,
    outOrderNo: number.optional(),
    payeeAcctNo: number.optional(),
    ...transferOutcome,
  }),
  z.strictObject({
    kind: z.literal('batch'),
    ...planned,
    outBatchNo: number.optional(),
    note: text.optional(),
    ...showing,
  }),
  z.strictObject({
    kind: z.literal('withdrawal'),
    ...planned,
    outOrderNo: number.optional(),
    acctNo: number.optional(),
    ...withdrawalOutcome,
  }),
  z.strictObject({
    kind: z.literal('refund'),
    ...planned,
    outOrderNo: number.optional(),
    payeeAcctNo: number.optional(),
    ...refundOutcome,
  }),
]);

/** A seeded order may say when it ends instead of how long it takes. */
const finalAt = { finalAt: time.optional() };

const seededOrder = z.strictObject({
  outOrderNo: number,
  orderNo: number.optional(),
  payeeAcctNo: number,
  amountFen: fen,
  body: text.default('货款'),
  extParam: text.default(''),
  ...finalAt,
  ...transferOutcome,
});

const seededRefund = z.strictObject({
  outOrderNo: number,
  at: time,
  /** A part of the order; by default all that is left of it. */
  amountFen: fen.optional(),
  ...refundOutcome,
});

/** More orders than the service takes in one batch, for those who want to see that. */
const SEEDED_ORDERS_MAX = 1_000;

export const transferSeedSchema = z.strictObject({
  outBatchNo: number,
  batchNo: number.optional(),
  payerAcctNo: number,
  submittedAt: time,
  extParam: text.default(''),
  note: text.default(''),
  /** Where its success is pushed to (EVT-04). */
  notifyUrl: text.optional(),
  orders: z.array(seededOrder).min(1).max(SEEDED_ORDERS_MAX),
  refunds: z.array(seededRefund).max(SEEDED_ORDERS_MAX).default([]),
  ...showing,
});

export const withdrawalSeedSchema = z.strictObject({
  outOrderNo: number,
  orderNo: number.optional(),
  acctNo: number,
  amountFen: fen,
  submittedAt: time,
  /** A bank account of the registry account; by default the bound one. */
  recvAcctNo: text.optional(),
  ...finalAt,
  ...withdrawalOutcome,
});

export type TransferSeed = z.input<typeof transferSeedSchema>;
export type WithdrawalSeed = z.input<typeof withdrawalSeedSchema>;
export type OutcomeSeed = z.input<typeof outcomeSchema>;

export type SeededTransfer = z.output<typeof transferSeedSchema>;
export type SeededWithdrawal = z.output<typeof withdrawalSeedSchema>;
export type Outcome = z.output<typeof outcomeSchema>;
export type OutcomeKind = Outcome['kind'];
export type OutcomeOf<K extends OutcomeKind> = Extract<Outcome, { kind: K }>;

/** What a plan or a seed says of an order, without how it is found. */
export type TransferOutcome = Omit<OutcomeOf<'transfer'>, 'kind' | 'times' | 'outOrderNo' | 'payeeAcctNo'>;
export type WithdrawalOutcome = Omit<OutcomeOf<'withdrawal'>, 'kind' | 'times' | 'outOrderNo' | 'acctNo'>;
export type RefundOutcome = Omit<OutcomeOf<'refund'>, 'kind' | 'times' | 'outOrderNo' | 'payeeAcctNo'>;
export type SettleOutcome = NonNullable<TransferOutcome['settle']>;
/** What becomes of one accepted retry. */
export type RetryOutcome = NonNullable<SettleOutcome['retries']>[number];
export type ShowingSeed = Pick<TransferOutcome, 'visibleFrom' | 'vanishesAt' | 'listed' | 'changes'>;
