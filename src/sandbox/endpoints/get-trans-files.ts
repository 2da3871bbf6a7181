/** `get/transFiles`: the vouchers of one order as PDF files (VCH-01…08, U51). */
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Call } from '../protocol/handler.ts';
import { numberAsked } from '../orders/numbers-asked.ts';
import type { OrderNumber } from '../orders/order-index.ts';
import { optionalText, requireText } from '../protocol/params.ts';
import { Refused, wrongParameter } from '../protocol/refusal.ts';
import { findSlip } from '../vouchers/find-slip.ts';
import type { FoundSlip } from '../vouchers/find-slip.ts';
import { voucherElements } from '../vouchers/elements.ts';
import type { TransType } from '../vouchers/slip.ts';
import { countAsk, takeVoucher } from '../vouchers/voucher-plan.ts';
import type { AskedOrder } from '../vouchers/voucher-plan.ts';
import type { PlannedVoucher } from '../vouchers/voucher-schema.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { World } from '../world/world.ts';

/** @throws Refused for wrong members, an order without a voucher, and one whose voucher is not there yet */
export function getTransFiles({ world, biz, caller }: Call<'get/transFiles'>): WireObject {
  const { merchant } = caller.credential;
  const transType = transTypeOf(world, biz);
  const found = findSlip(world, merchant, { transType, number: numberOf(world, biz, transType) });
  const asked = { transType, slip: found.slip };
  const draft = world.vouchers.draft();
  const planned = takeVoucher(draft, asked);
  requireReady(world, found, asked, planned);
  if (draft.keep()) world.readEffects++;
  return { fileList: voucherElements(world, { merchant, transType, slip: found.slip, planned }) };
}

/** VCH-01. Declared a string; a number passes only where types are not strict (U28). */
function transTypeOf(world: World, biz: JsonObject): TransType {
  const transType = requireText(biz, 'transType', world.switches);
  if (transType === '1' || transType === '2' || transType === '3') return transType;
  throw wrongParameter('transType', 'it must be "1", "2" or "3"');
}

/** A deposit is named by the platform's number alone (VCH-02), the others by either (VCH-03…05, U27). */
function numberOf(world: World, biz: JsonObject, transType: TransType): OrderNumber {
  const names = { own: 'outOrderNo', platform: 'orderNo' };
  if (transType !== '1') return numberAsked(world, biz, names);
  const isSent = (member(biz, names.own) ?? '') !== '';
  if (isSent && world.switches.depositOutOrderNo === 'refuse') {
    throw wrongParameter(names.own, 'it is not sent for transType 1');
  }
  const platform = optionalText(biz, names.platform, world.switches) ?? '';
  if (platform === '') throw wrongParameter(names.platform, 'it is required for transType 1');
  return { platform };
}

/** U51: what is not generated yet is refused, and given when it is asked for again later. */
function requireReady(
  world: World,
  { finalAtMs }: FoundSlip,
  asked: AskedOrder,
  planned: PlannedVoucher | undefined,
): void {
  const { voucherNotReady, voucherDelayMs } = world.switches;
  const { notReady = voucherNotReady, delayMs = voucherDelayMs } = planned ?? {};
  if (!isAskedTooEarly(world, asked, notReady) && world.clock.nowMs() >= finalAtMs + delayMs) return;
  throw new Refused('NOT_READY', '凭证尚未生成，请稍后再试 (the voucher is not generated yet)');
}

/** Asks count only while some are too early: reading leaves no trace otherwise. */
function isAskedTooEarly(world: World, asked: AskedOrder, notReady: number): boolean {
  if (notReady === 0) return false;
  world.readEffects++;
  return countAsk(world, asked) <= notReady;
}
