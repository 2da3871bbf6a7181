/** `acct/auditApplyResult`: what has become of an opening (OPN-17, OPN-18). */
import type { Call } from '../protocol/handler.ts';
import { noSuchApplication } from '../openings/application-index.ts';
import { wireOpening } from '../openings/application-wire.ts';
import { optionalText, requireText } from '../protocol/params.ts';
import type { WireObject } from '../protocol/wire.ts';

/** @throws Refused without reqNo, or outReqNo where it is needed (U13), and where that names another opening or none */
export function auditApplyResult({ world, biz, caller }: Call<'acct/auditApplyResult'>): WireObject {
  const reqNo = requireText(biz, 'reqNo', world.switches);
  const read = world.switches.resultNeedsOutReqNo ? requireText : optionalText;
  const outReqNo = read(biz, 'outReqNo', world.switches) ?? '';
  const opening = world.applications.opening(caller.credential.merchant, { reqNo });
  if (!opening || (outReqNo !== '' && outReqNo !== opening.outReqNo)) throw noSuchApplication();
  return wireOpening(world, opening, world.clock.nowMs());
}
