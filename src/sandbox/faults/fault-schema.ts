/**
 * The faults that can be played on calls (docs/reliability.md 1a, 1b). Each is a kind with its parameters and a
 * rule that says on which calls: those of a path, after skipping some, every k-th or the next n.
 */
import { z } from 'zod';

import { ENDPOINT_NAMES } from '../../platform/contract.ts';
import type { EndpointName } from '../../platform/contract.ts';
import { rawJson } from '../world/seed-schema.ts';

const ms = z.int().min(0).max(3_600_000);
const name = z.string().min(1).max(64);
const bytes = z.int().min(0).max(2_000_000_000);
const members = z.record(z.string().max(64), z.unknown());

const rule = {
  path: z.union([z.literal('*'), z.enum(ENDPOINT_NAMES as [EndpointName, ...EndpointName[]])]).default('*'),
  /** Only calls in whose body this stands, such as the number of an order. */
  about: name.optional(),
  /** Calls of the path that pass before the fault begins. */
  skip: z.int().min(0).default(0),
  /** How many calls it meets; null: all. Default: 1, or all when everyKth is given. */
  times: z.int().min(1).nullable().optional(),
  /** Of the calls that do not pass, only each k-th. */
  everyKth: z.int().min(1).default(1),
};

const fault = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.strictObject({ kind: z.literal(kind), ...rule, ...shape });

export const BODY_CONTENTS = [
  'html',
  'text',
  'empty',
  'null',
  'array',
  'number',
  'deep',
  'truncated',
] as const;
export const AMOUNT_FORMS = [
  'string',
  'exponent',
  'point',
  'fraction',
  'negative',
  'null',
  'empty',
  'blank',
  'boolean',
  'beyond_2_53',
  'beyond_limit',
] as const;
export const TEXT_FORMS = [
  'nul',
  'lone_surrogate',
  'fffe',
  'rtl',
  'long',
  'formula',
  'object',
  'control',
] as const;
export const TIME_FORMS = ['outside', 'impossible', 'empty', 'date_only', 'number'] as const;

const rowRule = {
  /** Which deposit of the page or order of the batch, from 0, or all; an answer without has one record, itself. */
  row: z.union([z.int().min(0).max(99), z.literal('all')]).default(0),
};

export const faultSchema = z.discriminatedUnion('kind', [
  fault('drop_before', {}),
  fault('drop_after', {}),
  fault('hold', { ms }),
  fault('delay', { ms }),
  fault('reset', {
    afterBytes: bytes.default(20),
    framing: z.enum(['length', 'chunked', 'close']).default('length'),
  }),
  fault('stall', { afterBytes: bytes.default(20) }),
  fault('drip', { bytesPerChunk: z.int().min(1).max(65_536).default(1), everyMs: ms.default(100) }),
  fault('flood', { bytes: bytes.default(300_000_000) }),
  fault('gzip', {}),
  fault('http_status', {
    status: z.int().min(201).max(599).default(500),
    retryAfter: z.string().max(64).optional(),
    content: z.enum(['html', 'json', 'empty', 'envelope']).default('json'),
    processed: z.boolean().default(true),
  }),
  fault('redirect', { status: z.literal([301, 302, 303, 307, 308]).default(307), to: z.string().max(500) }),
  fault('huge_headers', { bytes: z.int().min(1).max(1_000_000).default(100_000) }),
  fault('body', { content: z.enum(BODY_CONTENTS), contentType: z.string().max(100).optional() }),
  fault('twice', { answer: z.enum(['first', 'second']).default('second') }),
  fault('corrupt_biz_data', {}),
  fault('corrupt_sign', {}),
  fault('omit_sign', {}),
  fault('envelope', { set: members.default({}), remove: z.array(name).max(20).default([]) }),
  fault('biz_data_object', {}),
  fault('swapped', { between: z.tuple([name, name]) }),
  fault('duplicate_member', { member: name, value: z.unknown() }),
  fault('unmapped_code', {
    code: z.string().max(64).default('E77777'),
    msg: z.string().max(500).default('系统繁忙'),
  }),
  fault('too_frequent', {}),
  fault('empty_list', {}),
  fault('total', {
    by: z.int().min(-1_000_000).max(1_000_000).default(1),
    growing: z.boolean().default(false),
  }),
  fault('repeat_row', { ...rowRule }),
  fault('drop_row', { ...rowRule }),
  fault('record', {
    ...rowRule,
    set: members.default({}),
    raw: z.record(z.string().max(64), rawJson).default({}),
    remove: z.array(name).max(20).default([]),
  }),
  fault('rename_member', { ...rowRule, from: name, to: name }),
  fault('amount', { ...rowRule, member: name.optional(), form: z.enum(AMOUNT_FORMS) }),
  fault('text', { ...rowRule, member: name.optional(), form: z.enum(TEXT_FORMS) }),
  fault('time', { ...rowRule, form: z.enum(TIME_FORMS) }),
  fault('unknown_enum', { ...rowRule, value: z.unknown().default('XYZ') }),
]);

export type Fault = z.output<typeof faultSchema>;
export type FaultKind = Fault['kind'];
export type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;
/** As a caller writes it: what has a default may be left out. */
export type FaultSeed = z.input<typeof faultSchema>;

/** What each kind does, for the table of the control surface. */
export const FAULT_NOTES: Readonly<Record<FaultKind, string>> = {
  drop_before: 'the connection is cut, nothing was processed (N5)',
  drop_after: 'processed, then the connection is cut (N5, ENV-22)',
  hold: 'the request waits in the network and is processed only after `ms` (N11)',
  delay: 'processed at once, answered after `ms` (N11)',
  reset: 'the body breaks off after `afterBytes`; `framing` length, chunked or close (N2)',
  stall: 'the body stops after `afterBytes`, the connection stays open (N4)',
  drip: '`bytesPerChunk` bytes every `everyMs` (N3)',
  flood: 'a body of `bytes` bytes (N14)',
  gzip: 'content-encoding gzip (N14)',
  http_status: '`status` with `content` html, json, empty or envelope; `retryAfter`; `processed` (N6)',
  redirect: '`status` 307 to the address `to` (N13)',
  huge_headers: 'headers of `bytes` bytes (N14)',
  body: 'status 200 and a body that is no envelope: `content` (N7)',
  twice: 'the request is delivered twice; `answer` first or second is returned (N12)',
  corrupt_biz_data: 'one character of bizData changed after signing (N8)',
  corrupt_sign: 'one character of sign changed (N8)',
  omit_sign: 'sign left out (N9)',
  envelope: 'members of the envelope `set` or `remove`d after signing (ENV-18)',
  biz_data_object: 'bizData as an object instead of a string (ENV-19)',
  swapped: 'who asks about one of the two numbers `between` gets the answer about the other, rightly signed',
  duplicate_member: 'bizData begins with another `member` of the same name (N10)',
  unmapped_code: 'refused with a code nobody knows (U42)',
  too_frequent: 'refused as too frequent (N18)',
  empty_list: 'an empty success (U24)',
  total: '`total` wrong `by` so many; `growing`: by more at each call (P1)',
  repeat_row: 'a record twice on the page (P2)',
  drop_row: 'a record missing on the page (P1)',
  record: 'members of a record `set`, set `raw` as JSON lexemes, or `remove`d (P7, P10, P11)',
  rename_member: 'a member spelled `to` instead of `from` (P11)',
  amount: 'an amount in another `form` (P9)',
  text: 'a text that is poison: `form` (P16)',
  time: 'depositTime in another `form` (P17)',
  unknown_enum:
    'feeType of a deposit, accountState, or state of an order with a `value` nobody knows (P7, P8)',
};
