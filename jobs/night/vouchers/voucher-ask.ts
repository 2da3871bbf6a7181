/**
 * Asks the platform for the voucher of one order and says what the answer is: files, none (yet), or no answer that
 * can be believed. Not available is not fatal (VCH-08); nothing here is thrown but what stops the run.
 */
import { OutcomeUnknown, WrongRequest } from '../../../src/core/errors.ts';
import { maskPersonal } from '../../../src/core/mask.ts';
import type { RefusalClass } from '../../../src/core/profile/refusals.ts';
import { storableText } from '../../../src/core/text.ts';
import { daysBetween } from '../../../src/core/time.ts';
import type { Day, Instant } from '../../../src/core/time.ts';
import type { Requests } from '../../../src/platform/contract.ts';
import type { Refused } from '../../../src/platform/outcome.ts';
import type { VoucherKind } from '../../../src/store/schema/schema.ts';
import type { DueVoucher } from '../../../src/store/vouchers/voucher-choice.ts';
import type { VoucherAnswer } from '../../../src/store/vouchers/voucher-save.ts';
import type { Context } from '../../context/context.ts';
import { isUnanswered, notAskable } from '../../context/unanswered.ts';
import type { Filing } from './voucher-filing.ts';

/** An order has a voucher or a few; a list without end must not keep the night. */
const FILES_MAX = 50;

/** transType (VCH-01); a settlement is tried as a withdrawal with the number of its transfer order (U51). */
const TRANS_TYPES = {
  deposit: '1',
  transfer: '3',
  withdrawal: '2',
  settlement: '2',
} as const satisfies Record<VoucherKind, string>;

export async function askVoucher(context: Context, unit: DueVoucher, filing: Filing): Promise<VoucherAnswer> {
  const { clock, zone } = context;
  try {
    const client = await context.platform();
    const outcome = await client.call('get/transFiles', requestOf(unit));
    const askedAt = clock.wall();
    if (outcome.kind === 'refused') return refusal({ unit, askedAt }, outcome, zone.dayOf(askedAt));
    const { files } = outcome.answer;
    if (files.length === 0) return none({ unit, askedAt }, 'the answer holds no file');
    if (files.length > FILES_MAX) {
      return none({ unit, askedAt }, `the answer holds ${files.length} files, more than ${FILES_MAX}`);
    }
    return { kind: 'files', unit, askedAt, files: await filing.file(files), reqId: outcome.reqId };
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    if (error instanceof WrongRequest) {
      return none(
        { unit, askedAt: clock.wall() },
        storableText(maskPersonal(notAskable(unit.number, error))),
      );
    }
    if (holdsNoFiles(error)) return none({ unit, askedAt: clock.wall() }, maskPersonal(error.message));
    return { kind: 'unanswered', unit, askedAt: clock.wall(), reason: maskPersonal(error.message) };
  }
}

/** How the decoder's error begins; one of the transport goes on with the HTTP status. */
const UNREADABLE_LIST = 'get/transFiles: unreadable answer: ';

/** The platform answered, and what it answered is no list of files: asking for others is not in vain. */
function holdsNoFiles(error: Error): boolean {
  return error instanceof OutcomeUnknown && error.message.startsWith(UNREADABLE_LIST);
}

/** The company's own number, or the platform's where it is the only one (VCH-02…04). */
function requestOf({ kind, number, orderNo }: DueVoucher): Requests['get/transFiles'] {
  const transType = TRANS_TYPES[kind];
  if (transType === '1') return { transType, orderNo };
  return number === orderNo ? { transType, orderNo } : { transType, outOrderNo: number };
}

interface Asked {
  unit: DueVoucher;
  askedAt: Instant;
}

function none(asked: Asked, reason: string): VoucherAnswer {
  return { kind: 'refused', ...asked, reason, isForGood: false };
}

/** These speak of the call and not of the voucher: nothing is known of it. */
const OF_THE_CALL: ReadonlySet<RefusalClass> = new Set(['AUTH', 'RATE_LIMIT', 'DUPLICATE']);
/** These will be said tomorrow as well of a settlement: no withdrawal goes by the number of a transfer order. */
const OF_THE_NUMBER: ReadonlySet<RefusalClass> = new Set(['NOT_FOUND', 'PARAM']);
/** Any other refusal of a settlement may mean that it is not ready yet; longer than that no voucher takes. */
const SETTLEMENT_DAYS = 3;

function refusal({ unit, askedAt }: Asked, refused: Refused, today: Day): VoucherAnswer {
  const reason = storableText(maskPersonal(`the platform refused: ${refused.code} ${refused.msg}`));
  if (OF_THE_CALL.has(refused.class)) return { kind: 'unanswered', unit, askedAt, reason };
  const days = daysBetween({ from: unit.firstAskedDay ?? today, to: today });
  const isSaidForGood = OF_THE_NUMBER.has(refused.class) || days >= SETTLEMENT_DAYS;
  return { kind: 'refused', unit, askedAt, reason, isForGood: unit.kind === 'settlement' && isSaidForGood };
}
