/**
 * One page of deposits (DEP-06, DEP-07). A record that cannot be read is set aside with its reason and never
 * blocks its page (P9, P16); a page whose total cannot be read is no page.
 */
import { createHash } from 'node:crypto';

import { isJsonObject, jsonText } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type { DepositPage, DepositRecord, UnreadableRecord } from './contract.ts';
import {
  aliasedNumber,
  countMember,
  fenMember,
  listMember,
  numberMember,
  shown,
  textMember,
  unreadableAnswer,
} from './decode-members.ts';
import type { Decoding, Reading } from './decode-members.ts';

const REFERENCE_DIGITS = 16;

const AMOUNT = ['amount'];
const REAL = ['realAmount'];

/** @throws OutcomeUnknown when total or depositList is not what it must be */
export function decodeDepositPage(biz: JsonObject, decoding: Decoding): DepositPage {
  const total = countMember(biz, 'total');
  if (total === undefined) {
    throw unreadableAnswer('query/deposit', `total is no whole number: ${shown(biz['total'])}`);
  }
  const list = listMember(biz, 'depositList');
  if (list === undefined) throw unreadableAnswer('query/deposit', 'depositList is no list');
  const deposits: DepositRecord[] = [];
  const unreadable: UnreadableRecord[] = [];
  for (const element of list) {
    const read = decodeDeposit(element, decoding);
    if ('reason' in read) unreadable.push(read);
    else deposits.push(read);
  }
  return {
    total,
    page: countMember(biz, 'page'),
    pageSize: countMember(biz, 'pageSize'),
    deposits,
    unreadable,
  };
}

/** The record, or why it is none. Amounts and the fee must be stated: an absent one is unknown, never zero. */
export function decodeDeposit(element: unknown, decoding: Decoding): DepositRecord | UnreadableRecord {
  if (!isJsonObject(element)) {
    return { reference: contentReference(element), depositedAt: undefined, reason: 'it is no object' };
  }
  const { profile, zone } = decoding;
  const number = numberMember(element, 'orderNo');
  const orderNo = number.value;
  const amount = fenMember(element, AMOUNT);
  const fee = fenMember(element, profile.compat.feeNames);
  const real = fenMember(element, REAL);
  const payer = aliasedNumber(element, profile.compat.payerField);
  const time = textMember(element, 'depositTime');
  const depositedAt = time === undefined ? undefined : zone.parseLocal(time);
  if (
    orderNo === undefined ||
    amount.value === undefined ||
    fee.value === undefined ||
    depositedAt === undefined ||
    real.fault !== undefined ||
    payer.fault !== undefined
  ) {
    const faults = [
      dueFault(number, 'orderNo'),
      dueFault(amount, 'amount'),
      dueFault(fee, profile.compat.feeNames.join(' or ')),
      real.fault,
      payer.fault,
      depositedAt === undefined ? `depositTime is no time: ${shown(time)}` : undefined,
    ];
    const reason = faults.filter((fault) => fault !== undefined).join('; ');
    return { reference: orderNo ?? contentReference(element), depositedAt, reason };
  }
  const text = (name: string): string => textMember(element, name) ?? '';
  return {
    orderNo,
    amountFen: amount.value,
    feeFen: fee.value,
    realFen: real.value,
    feeType: text('feeType'),
    payerAcctNo: payer.value ?? '',
    payerName: text('payerName'),
    payerBankNo: text('payerBankNo'),
    payeeAcctNo: text('payeeAcctNo'),
    payeeName: text('payeeName'),
    payeeBankNo: text('payeeBankNo'),
    remark: text('remark'),
    errCode: text('errCode'),
    depositedAt,
  };
}

function dueFault(reading: Reading<unknown>, name: string): string | undefined {
  return reading.fault ?? (reading.value === undefined ? `${name} is missing` : undefined);
}

/** A name for a record without a number that can be kept: the same in every reading, on whatever page it stands. */
function contentReference(element: unknown): string {
  const digest = createHash('sha256').update(jsonText(element), 'utf8').digest('hex');
  return `#${digest.slice(0, REFERENCE_DIGITS)}`;
}
