/** The profile's keys that decide the numbers: deposits, balances, fees, settlements, refunds, vouchers. */
import { z } from 'zod';

import { fenAmount, group, leaf, pattern, whole, word, words } from './profile-leaf.ts';

const deposits = group({
  accountField: leaf(
    'U24',
    z.enum(['accountNo', 'eleAcctNo', 'both']).default('accountNo'),
    'Which number of an account the deposit listing is asked with; a wrong kind answers empty',
  ),
  endInclusive: leaf(
    'U44',
    z.enum(['unknown', 'yes', 'no']).default('unknown'),
    'Whether endDate is part of the answer; unknown: windows overlap by a day',
  ),
  lookbackDays: leaf('U44', whole(0, 31).default(7), 'Days that are asked again every night'),
  windowMonths: leaf('U44', z.literal(1).default(1), 'Months of a window; the service refuses more than one'),
  pageSize: leaf('U45', whole(1, 100).default(100), 'Records of a page'),
  verify: leaf(
    'U45',
    z.boolean().default(true),
    'A window counts only when its distinct records equal its total; false: it stands, and is unverified',
  ),
  maxRereads: leaf('U45', whole(0, 10).default(3), 'Readings of a window that moves, before it is halved'),
});

const snapshot = group({
  observedMinutes: leaf(
    '3.4',
    whole(0, 1_440).default(15),
    'A closing is observed when its snapshot lies at most that long after the cut, else derived',
  ),
});

const bracket = group({
  triesMax: leaf('3.4', whole(1, 20).default(5), 'Readings of a balance that moves, before it is unverified'),
});

const inflight = group({
  model: leaf(
    'U23',
    z.enum(['auto', 'frozen', 'debited']).default('auto'),
    'An amount in flight is frozen or already debited; auto: the model that fits each account exactly',
  ),
  unknownGraceMinutes: leaf(
    '3.5',
    whole(0, 10_080).default(30),
    'Time an order not found is given to appear',
  ),
});

const states = group({
  child: group({
    final: leaf(
      'U33',
      words().default(['SUCCESS', 'FAIL', 'CLOSE', 'REFUND']),
      'States of a transfer order that do not change any more',
    ),
    moved: leaf('U33', words().default(['SUCCESS', 'REFUND']), 'States of a transfer order that moved money'),
  }),
  childSuccessMeans: leaf(
    'U60',
    z.enum(['credited', 'settled']).default('credited'),
    'SUCCESS of a transfer order: the registry account was credited, or the bank was paid as well',
  ),
});

const account = group({
  activeStates: leaf('U21', words().default(['1']), 'accountState values in which money may be moved'),
  queryBy: leaf(
    'U22',
    z.enum(['accountNo', 'reqNo']).default('accountNo'),
    'The number a balance is asked with',
  ),
  replacement: leaf(
    'U31',
    z.enum(['report']).default('report'),
    'A payee account that was replaced is reported',
  ),
});

const division = group({
  payerRoles: leaf('U25', z.array(z.enum(['FQ', 'JS'])).default(['FQ']), 'Roles that may pay a transfer'),
});

const BEARERS = ['payer', 'payee', 'self', 'external'] as const;
const bearer = z.union([z.enum(BEARERS), z.templateLiteral(['acct:', z.string().min(1).max(64)])], {
  error: 'must be payer, payee, self, external or acct:<account number>',
});

const fees = group({
  bearer: group({
    transfer: leaf('U35', bearer.default('payer'), 'Who bears the ACCOUNT fee of a transfer order'),
    deposit: leaf('U35', bearer.default('payee'), 'Who bears the ACCOUNT fee of a deposit'),
    withdraw: leaf('U35', bearer.default('self'), 'Who bears the ACCOUNT fee of a withdrawal'),
    settle: leaf('U35', bearer.default('self'), 'Who bears the ACCOUNT fee of a settlement'),
  }),
  settle: leaf(
    'U37',
    z
      .strictObject({ feeType: z.enum(['ORDER', 'ACCOUNT']), feeFen: fenAmount })
      .nullable()
      .default(null),
    'Fee of a settlement that no answer shows; null: unknown, it stays unexplained',
  ),
});

const refund = group({
  onePayeePerCall: leaf(
    'U8',
    z.boolean().default(true),
    'One refund call names the orders of one payee only',
  ),
  feeReturned: leaf('U36', z.boolean().default(false), 'Whether a refund gives the fee back'),
  postBy: leaf(
    'U36',
    z.enum(['refundAmount', 'state']).default('refundAmount'),
    'A refund is known by the rise of refundAmount, or by the state of its order too; a refundAmount that is stated counts either way',
  ),
});

const SETTLE_WORDS = {
  SUCCESS: 'settled',
  FAIL: 'failed',
  FAILED: 'failed',
  INIT: 'inFlight',
  PROCESSING: 'inFlight',
} as const;
const settleMeaning = z.enum(['settled', 'failed', 'inFlight', 'none', 'unknown']);

/** The bytes a remark of order/settle may have, in UTF-8 (STL-03). */
export const REMARK_BYTES_MAX = 32;

/** What was never sent is counted too, so `settle.maxAttempts` bounds no number: the column does. */
const ATTEMPT_NO_MAX = 2_147_483_647;

function fitsRemark(template: string): boolean {
  const longest = template.replaceAll('{attempt}', String(ATTEMPT_NO_MAX));
  return Buffer.byteLength(longest, 'utf8') <= REMARK_BYTES_MAX;
}

const settle = group({
  stateMap: leaf(
    'U34',
    z
      .record(z.string().min(1).max(64), settleMeaning)
      .default({})
      .transform((own): Readonly<Record<string, z.infer<typeof settleMeaning>>> => ({
        ...SETTLE_WORDS,
        ...own,
      })),
    'What settleState words mean, added to the known ones; any other word is unknown and never retried',
  ),
  idKind: leaf('U37', z.enum(['child', 'withdrawal']).default('child'), 'Whose number order/settle is given'),
  amountRule: leaf(
    'U37',
    z.enum(['realAmount', 'amount']).default('realAmount'),
    'What of a transfer order its settlement pays out',
  ),
  feeRule: leaf(
    'U37',
    z.enum(['table', 'residual']).default('table'),
    'The invisible fee of a settlement: from fees.settle, or left as a named residual',
  ),
  remark: group({
    pattern: leaf(
      'U38',
      pattern.default('[A-Za-z0-9\\p{Script=Han} ]'),
      'A character of a remark that survives our own filter',
    ),
    template: leaf(
      'U38',
      z
        .string()
        .regex(/\S/, 'must not be empty')
        .refine(
          fitsRemark,
          `must have at most ${REMARK_BYTES_MAX} bytes, ${String(ATTEMPT_NO_MAX).length} of them for each {attempt}`,
        )
        .default('recon retry {attempt}'),
      'Remark of a settlement that is retried',
    ),
  }),
  maxAttempts: leaf('M5', whole(1, 10).default(3), 'Attempts of one settlement'),
  coolDownMinutes: leaf('M5', whole(0, 10_080).default(10), 'Time between two attempts'),
  maxPerRun: leaf('M5', whole(0, 100_000).default(100), 'Settlements retried in one service day'),
  maxFenPerRun: leaf(
    'M5',
    fenAmount.default(1_000_000_000n),
    'Sum of the settlements retried in one service day, in fen',
  ),
  breaker: group({
    orders: leaf(
      'M10',
      whole(0, 100_000).default(50),
      'Failed settlements above which an approval is needed',
    ),
    fen: leaf('M10', fenAmount.default(100_000_000n), 'Sum in fen above which an approval is needed'),
  }),
  viewLagSeconds: leaf(
    'U34',
    whole(0, 604_800).default(3_600),
    'How long queries may go on showing a settlement as failed after it was retried or paid',
  ),
  marginSeconds: leaf(
    '2.2',
    whole(0, 86_400).default(120),
    'Time for a late request to show, after its reqTime',
  ),
  allowRecvAcct: leaf('U52', z.literal(false).default(false), 'Another card is never chosen by the job'),
});

const withdraw = group({
  placement: leaf(
    'U48',
    z.enum(['bizData', 'channelExtra']).default('bizData'),
    'Where smsCode, smsFlowNo, recvAcctNo and recvAcctName of a withdrawal stand',
  ),
});

const recheck = group({
  withdrawDays: leaf(
    'U49',
    whole(0, 366).default(10),
    'Days a final withdrawal or settlement is asked again',
  ),
  batchDays: leaf('U49', whole(0, 366).default(90), 'Days a final batch is asked again, for late refunds'),
  batchSchedule: leaf(
    'U49',
    z.array(whole(1, 366)).max(60).default([1, 2, 3, 5, 8, 13, 21, 34, 55, 90]),
    'Ages in days at which a final batch is asked again, up to recheck.batchDays',
  ),
});

/** What a ledger file calls everything that is no adjustment. */
const OTHER_KINDS = new Set([
  'opening',
  'deposit',
  'transfer_in',
  'transfer_out',
  'withdrawal',
  'settlement',
  'refund_in',
  'refund_out',
  'fee',
]);

const ledger = group({
  kinds: group({
    adjustment: leaf(
      'U57',
      word()
        .refine((kind) => !OTHER_KINDS.has(kind), 'is the word of another kind of entries')
        .default('adjustment'),
      'Word in ledger files, beside adjustment, for the kind that may clear an unexplained difference',
    ),
  }),
});

const vouchers = group({
  retryDays: leaf('U51', whole(0, 366).default(30), 'Days a voucher that is not there yet is asked for'),
  autoWithdrawType: leaf(
    'U51',
    z.enum(['2', 'none']).default('2'),
    'transType tried for a settlement with the number of its transfer order',
  ),
  stripDataUri: leaf('U51', z.boolean().default(true), 'A prefix data:…;base64, is taken off'),
  perNight: leaf('U51', whole(0, 1_000_000).default(20_000), 'Vouchers asked for in one night'),
  minutes: leaf('U51', whole(1, 1_440).default(120), 'Time for vouchers in one night'),
  kinds: leaf(
    'U51',
    z
      .array(z.enum(['deposit', 'transfer', 'withdrawal', 'settlement']))
      .default(['deposit', 'transfer', 'withdrawal', 'settlement']),
    'Orders whose vouchers are archived',
  ),
});

export const moneyKeys = {
  company: group({
    name: leaf('workbook', z.string().max(200).default(''), 'Company printed in the workbook'),
  }),
  deposits,
  snapshot,
  bracket,
  inflight,
  agingDays: leaf('3.5', whole(0, 366).default(3), 'Days after which a timing item becomes a break'),
  states,
  account,
  division,
  fees,
  refund,
  settle,
  withdraw,
  recheck,
  ledger,
  vouchers,
};
