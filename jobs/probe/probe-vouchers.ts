/** Whether the voucher of one known order is there, and how its file is written (U51). */
import { isJsonObject, member } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { listMember } from '../../src/platform/decode-members.ts';
import type { ListedDeposit } from './probe-deposits.ts';
import { judged, leftOpen } from './probe-finding.ts';
import type { Judged, Probing } from './probe-finding.ts';
import { isAccepted, saidBy, textOf } from './probe-line.ts';
import type { Answered } from './probe-line.ts';
import type { AskedBatch } from './probe-orders.ts';
import { counted } from '../../src/core/text.ts';

interface Known {
  listed: ListedDeposit | undefined;
  batch: AskedBatch | undefined;
  withdrawal: Answered | undefined;
}

/** One order is enough, and one answer: vouchers are large. */
export async function probeVoucher({ line, profile }: Probing, known: Known): Promise<Judged[]> {
  const asked = orderWithVoucher(known);
  const stripped = { u: 'U51', key: 'vouchers.stripDataUri', tried: 'get/transFiles of one known order' };
  if (asked === undefined) {
    const answer = 'no order that succeeded is known: give --account NO, --batch NO or --withdrawal NO';
    return [leftOpen(profile, { ...stripped, answer })];
  }
  const heard = await line.ask('get/transFiles', asked.biz);
  const subject = { ...stripped, tried: `get/transFiles of ${asked.what}` };
  if (!isAccepted(heard)) {
    return [leftOpen(profile, { ...subject, answer: `not there (yet): ${saidBy(heard)}` })];
  }
  const files = (listMember(heard.biz, 'fileList') ?? [])
    .filter(isJsonObject)
    .map((element) => textOf(member(element, 'file')))
    .filter((file) => file !== '');
  const form = typeof heard.biz['fileList'] === 'string' ? 'a JSON text' : 'an array';
  if (files.length === 0)
    return [leftOpen(profile, { ...subject, answer: `fileList is ${form} without a file` })];
  const isPrefixed = files.some((file) => /^data:/i.test(file));
  const answer = `${counted(files.length, 'file')}, fileList is ${form}`;
  const found = isPrefixed ? 'a prefix data:…;base64,' : 'Base64 without a prefix';
  const fits = profile.vouchers.stripDataUri || !isPrefixed;
  return [judged(profile, { ...subject, answer, found, fits, change: { value: true } })];
}

interface AskedVoucher {
  what: string;
  biz: JsonObject;
}

function orderWithVoucher({ listed, batch, withdrawal }: Known): AskedVoucher | undefined {
  if (listed !== undefined && listed.deposit.orderNo !== '') {
    return { what: 'a deposit', biz: { transType: '1', orderNo: listed.deposit.orderNo } };
  }
  const order = batch?.orders.find((one) => textOf(member(one, 'state')) === 'SUCCESS');
  const outOrderNo = order === undefined ? '' : textOf(member(order, 'outOrderNo'));
  if (outOrderNo !== '') return { what: 'a transfer order', biz: { transType: '3', outOrderNo } };
  const isPaid = withdrawal !== undefined && textOf(member(withdrawal.biz, 'state')) === 'SUCCESS';
  const own = isPaid ? textOf(member(withdrawal.biz, 'outOrderNo')) : '';
  return own === '' ? undefined : { what: 'a withdrawal', biz: { transType: '2', outOrderNo: own } };
}
