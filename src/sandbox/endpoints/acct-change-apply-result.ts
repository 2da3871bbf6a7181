/** `acct/changeApplyResult`: what has become of a change (CHG-18, CHG-19). */
import type { Call } from '../protocol/handler.ts';
import { applicationNoOf, noSuchApplication } from '../openings/application-index.ts';
import { wireChange } from '../openings/application-wire.ts';
import type { WireObject } from '../protocol/wire.ts';

/** @throws Refused without number, and for one the caller's changes do not have */
export function changeApplyResult({ world, biz, caller }: Call<'acct/changeApplyResult'>): WireObject {
  const { merchant } = caller.credential;
  const change = world.applications.change(merchant, applicationNoOf(biz, world.switches));
  if (!change) throw noSuchApplication();
  return wireChange(change, world.clock.nowMs());
}
