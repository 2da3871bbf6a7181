/**
 * What can be put into the sandbox: accounts, deposits, movements outside the interface. Amounts are fen, as
 * integers, strings of digits or `bigint`; times are `yyyy-MM-dd HH:mm:ss` in the service's zone or ISO 8601
 * with offset. The same schemas check the control surface and the scenarios.
 */
import { z } from 'zod';

import { parseFen, parseSignedFen } from '../../core/fen.ts';
import { WrongInput } from '../../core/errors.ts';
import { epochMs, parseOffsetInstant } from '../../core/time.ts';
import type { Zone } from '../../core/time.ts';
import { isLexeme } from './wire-patch.ts';

const FEN_FORMS = z.union([z.bigint(), z.int(), z.string()]);

function fenBy(parse: (text: string) => bigint | undefined, message: string) {
  return FEN_FORMS.transform((given, context) => {
    const fen = parse(String(given));
    if (fen !== undefined) return fen;
    context.addIssue({ code: 'custom', message, input: given });
    return z.NEVER;
  });
}

export const fen = fenBy(parseFen, 'must be whole fen from 0 to 10^15');
export const signedFen = fenBy(parseSignedFen, 'must be whole fen from -10^15 to 10^15');
export const text = z.string().max(200_000);
export const number = z.string().min(1).max(64);
export const time = z.string().max(40);

const bankCard = z.strictObject({
  bankAccountNo: text,
  bankAccountName: text,
  mobile: text.default(''),
  instBranchCode: text.default(''),
  accountType: z.enum(['E', 'P']).default('E'),
  whiteType: z.enum(['IN', 'OUT']).default('OUT'),
});

export const accountSchema = z.strictObject({
  accountNo: number,
  eleAcctNo: number.optional(),
  name: text.default('测试账户'),
  role: z.enum(['FQ', 'JS']).default('JS'),
  merchant: number.default('main'),
  subjectId: text.default(''),
  autoSettle: z.boolean().default(false),
  state: z.string().max(8).default('1'),
  /** What the account holds before everything else that is seeded. */
  balanceFen: fen.default(0n),
  frozenFen: fen.default(0n),
  bindCard: bankCard.optional(),
  whiteCards: z.array(bankCard).max(100).default([]),
  /** The whitelist of settlement cards (STL-04). */
  settleCards: z.array(bankCard).max(100).default([]),
  openReqNo: number.optional(),
  remark: text.default(''),
  paymentPassword: z.boolean().default(true),
  passwordFree: z.boolean().default(true),
  /** Each query of the account first moves its balance by so much, so many times (null: always). */
  drift: z.strictObject({ fen: signedFen, queries: z.int().min(0).nullable().default(null) }).optional(),
});

/** A JSON value that is written exactly so. */
export const rawJson = z
  .string()
  .max(1_000)
  .refine(isLexeme, 'must be a JSON value that is no list or object');

export const patch = {
  set: z.record(z.string().max(64), z.unknown()).optional(),
  raw: z.record(z.string().max(64), rawJson).optional(),
  remove: z.array(z.string().max(64)).max(20).optional(),
};

export const depositSchema = z.strictObject({
  payeeAcctNo: number,
  orderNo: number.optional(),
  amountFen: fen,
  feeFen: fen.default(0n),
  feeType: z.string().max(32).default('ORDER'),
  /** By default what the rule says: the amount less an ORDER fee. */
  realFen: fen.optional(),
  payerAcctNo: text.default(''),
  payerName: text.default('测试付款人'),
  payerBankNo: text.default(''),
  payeeBankNo: text.default(''),
  remark: text.default(''),
  errCode: text.default(''),
  depositTime: time,
  /** When the balance rises; by default at depositTime. */
  bookedAt: time.optional(),
  /** From when the record is listed; by default from bookedAt. */
  visibleFrom: time.optional(),
  /** From when it is listed no more. */
  vanishesAt: time.optional(),
  /** What is listed instead of what is true, from the beginning and from certain instants on. */
  listed: z.strictObject(patch).optional(),
  changes: z
    .array(z.strictObject({ at: time, ...patch }))
    .max(100)
    .default([]),
  /** What the balance rises by; by default amount less fee, as the bearer of the fee has it (U35). */
  creditedFen: signedFen.optional(),
  /** A deposit that failed is never listed and moves nothing (DEP-08). */
  failed: z.boolean().default(false),
});

export const movementSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('interest'), accountNo: number, amountFen: fen, at: time.optional() }),
  z.strictObject({ kind: z.literal('hidden_fee'), accountNo: number, amountFen: fen, at: time.optional() }),
  z.strictObject({
    kind: z.literal('adjustment'),
    accountNo: number,
    amountFen: signedFen,
    at: time.optional(),
  }),
  z.strictObject({ kind: z.literal('freeze'), accountNo: number, amountFen: fen, at: time.optional() }),
  z.strictObject({ kind: z.literal('unfreeze'), accountNo: number, amountFen: fen, at: time.optional() }),
  z.strictObject({
    kind: z.literal('replacement'),
    accountNo: number,
    toAccountNo: number,
    at: time.optional(),
  }),
  z.strictObject({
    kind: z.literal('state'),
    accountNo: number,
    state: z.string().min(1).max(8),
    at: time.optional(),
  }),
]);

export type AccountSeed = z.input<typeof accountSchema>;
export type DepositSeed = z.input<typeof depositSchema>;
export type MovementSeed = z.input<typeof movementSchema>;

/** Checks what was given. @throws WrongInput naming every fault by its place */
export function checked<S extends z.ZodType>(schema: S, given: unknown, what: string): z.output<S> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new WrongInput(
    `wrong ${what}:`,
    result.error.issues.map((issue) => `${issue.path.join('.') || what}: ${issue.message}`),
  );
}

/** @throws WrongInput when it is no time in one of the two forms */
export function timeMs(zone: Zone, given: string): number {
  const instant = parseOffsetInstant(given) ?? zone.parseLocal(given);
  if (instant === undefined) {
    throw new WrongInput(`"${given}" is no time: write yyyy-MM-dd HH:mm:ss or ISO 8601 with offset`);
  }
  return epochMs(instant);
}
