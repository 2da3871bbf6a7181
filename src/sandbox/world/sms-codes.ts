/**
 * SMS codes that have been sent (SMS-01…06): each is bound to its flow number, scene and receiver, and to the
 * opening or change it was asked for.
 */
import { Refused } from '../protocol/refusal.ts';
import type { SandboxClock } from './clock.ts';

export const SMS_SCENES = ['OPEN', 'MODIFY', 'WHITE_SET', 'REFUND'] as const;
export type SmsScene = (typeof SMS_SCENES)[number];

export interface SmsCode {
  smsFlowNo: string;
  smsCode: string;
  /** As it was asked for with (U8). */
  outReqNo: string;
  sceneType: SmsScene;
  merchant: string;
  /** The account whose owner received it; undefined when it was asked for with the channel code (U7). */
  accountNo: string | undefined;
  /** reqNo of the opening or change it is for; undefined when it is for none in particular (U7). */
  applicationNo: string | undefined;
  sentAtMs: number;
  used: boolean;
}

export class SmsCodes {
  readonly #codes = new Map<string, SmsCode>();

  add(code: SmsCode): void {
    this.#codes.set(code.smsFlowNo, code);
  }

  wasAsked(by: { merchant: string; outReqNo: string }): boolean {
    return this.list().some(({ merchant, outReqNo }) => merchant === by.merchant && outReqNo === by.outReqNo);
  }

  find(smsFlowNo: string): SmsCode | undefined {
    return this.#codes.get(smsFlowNo);
  }

  /** All that were sent, oldest first. */
  list(): readonly SmsCode[] {
    return [...this.#codes.values()];
  }
}

/**
 * The code that was sent for this purpose and may be used now; whoever uses it marks it (SMS-06, U55). Without
 * a scene any will do: the document has none for withdrawals.
 * @param sent the codes, and by which clock and for how long they may be used
 * @param by.accountNos of those it is used for
 * @param by.applicationNos the reqNos under which the opening or change may have been named
 * @throws Refused for an unknown flow number, a wrong, used or old code, one of another scene, account or application
 */
export function requireSmsCode(
  sent: { smsCodes: SmsCodes; clock: SandboxClock; switches: { smsTtlSeconds: number } },
  given: { smsFlowNo: string; smsCode: string },
  by: { merchant: string; sceneType?: SmsScene } & (
    { accountNos: readonly string[] } | { applicationNos: readonly string[] }
  ),
): SmsCode {
  const code = sent.smsCodes.find(given.smsFlowNo);
  if (code?.merchant !== by.merchant || code.smsCode !== given.smsCode || code.used) {
    throw new Refused('SMS', '验证码错误 (wrong smsCode or smsFlowNo)');
  }
  if (by.sceneType !== undefined && code.sceneType !== by.sceneType) {
    throw new Refused('SMS', `验证码场景不符 (the code was sent for ${code.sceneType})`);
  }
  if (!isFor(code, by)) throw new Refused('SMS', '验证码账户不符 (the code was sent to another account)');
  const ageMs = sent.clock.nowMs() - code.sentAtMs;
  if (ageMs < 0 || ageMs > sent.switches.smsTtlSeconds * 1_000) {
    throw new Refused('SMS', '验证码已过期 (the code has expired)');
  }
  return code;
}

/** One that was asked for with the channel code alone is for anyone. */
function isFor(
  { accountNo, applicationNo }: SmsCode,
  by: { accountNos: readonly string[] } | { applicationNos: readonly string[] },
): boolean {
  if (accountNo === undefined && applicationNo === undefined) return true;
  if ('accountNos' in by) return by.accountNos.every((no) => no === accountNo);
  return applicationNo !== undefined && by.applicationNos.includes(applicationNo);
}
