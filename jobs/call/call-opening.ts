/** What the answer of an opening or a change means, in a line for people (OPN-18, OPN-25). */
import type { JsonObject } from '../../src/core/json.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import type { Zone } from '../../src/core/time.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import { DECODERS } from '../../src/platform/decode.ts';

/** Undefined for other endpoints, and where nothing is stated. */
export function openingLine(
  endpoint: EndpointName,
  answer: JsonObject,
  { profile, zone }: { profile: Profile; zone: Zone },
): string | undefined {
  switch (endpoint) {
    case 'acct/addApply':
    case 'acct/auditApply':
    case 'acct/auditApplyResult':
    case 'acct/reviseApply':
    case 'acct/changeApply':
    case 'acct/changeConfirm':
    case 'acct/changeApplyResult': {
      const { state, step, isFinal, recordId } = DECODERS[endpoint](answer, { profile, zone });
      const words = [
        ...(step === undefined ? [] : [`state ${state}: ${step.replaceAll('_', ' ')}`]),
        ...(isFinal ? ['final'] : []),
        ...(recordId === undefined ? [] : [`recordId ${recordId}`]),
      ];
      return words.length === 0 ? undefined : words.join(' · ');
    }
    case 'acct/sendMsg':
    case 'acct/queryInfo':
    case 'division/pay':
    case 'division/query':
    case 'division/refund':
    case 'account/withdraw':
    case 'account/queryWithdraw':
    case 'query/deposit':
    case 'get/transFiles':
    case 'order/settle':
      return undefined;
  }
}
