/** The switches of openings and changes. */
import { z } from 'zod';

import type { Profile } from '../../core/profile/profile.ts';

const delayMs = z
  .int()
  .min(0)
  .max(366 * 86_400_000);
const word = z.string().min(1).max(64);

export const openingSwitches = {
  /** U10, U13: what addApply and reviseApply answer. */
  addApplyState: z.literal([5, 7]),
  reviseApplyState: z.literal([5, 7]),
  /** U13: auditApplyResult needs outReqNo beside reqNo. */
  resultNeedsOutReqNo: z.boolean(),
  /** U20: an opening that was not reviewed before its confirmation is reviewed after it. */
  reviewAfterSigning: z.boolean(),
  /** OPN-15, CHG-17: what auditApply and changeConfirm answer. */
  auditApplyState: z.literal([1, 100]),
  changeConfirmState: z.literal([5, 7]),
  /** How long 7, 100, 1 and 11 last where no plan says it; 0: the result is there at once, null: no 11. */
  openingReviewMs: delayMs,
  openingQueueMs: delayMs,
  openingProcessMs: delayMs,
  openingManualMs: delayMs.nullable(),
  changeReviewMs: delayMs,
  changeQueueMs: delayMs,
  changeProcessMs: delayMs,
  /** U21: accountState of a new account. */
  openedAccountState: z.string().min(1).max(8),
  /** U12: the member that carries recordId. */
  recordIdName: word,
  /** U14: entType values an opening accepts. */
  openingEntTypes: z.array(z.enum(['01', '02', '03'])).max(3),
  /** U15. */
  requireLicense: z.boolean(),
  notReusedFlag: word,
  agentNameField: word,
  /** LIM-13: above it the reuse of an agent needs a reason. */
  agentUsesMax: z.int().min(0).max(1_000),
  /** CHG-13, U16: eleAcctType, address and entType are needed although they could be inherited. */
  changeStrict: z.boolean(),
  /** CHG-06, U16: modifyType 1 needs licenseNo and licenseAddress as well. */
  changeNeedsLicenseNo: z.boolean(),
  /** EVT-01, U58: accountNo of the push of a rejection. */
  rejectedAccountNo: z.enum(['empty', 'absent']),
  /** EVT-06, U41: results of changes are pushed, to this address or (null) to the notifyUrl of the opening. */
  pushChanges: z.boolean(),
  changePushUrl: z.url({ protocol: /^https?$/ }).nullable(),
};

export type OpeningSwitches = z.output<z.ZodObject<typeof openingSwitches>>;

export function defaultOpeningSwitches(profile: Profile): OpeningSwitches {
  const { emulator, opening, subject, change, notify } = profile;
  return {
    addApplyState: emulator.addApplyState,
    reviseApplyState: emulator.reviseApplyState,
    resultNeedsOutReqNo: false,
    reviewAfterSigning: false,
    auditApplyState: 100,
    changeConfirmState: 7,
    openingReviewMs: 0,
    openingQueueMs: 0,
    openingProcessMs: 0,
    openingManualMs: null,
    changeReviewMs: 0,
    changeQueueMs: 0,
    changeProcessMs: 0,
    openedAccountState: '1',
    recordIdName: opening.recordIdPaths[0] ?? 'recordId',
    openingEntTypes: [...opening.entTypes],
    requireLicense: subject.requireLicense,
    notReusedFlag: subject.notReusedFlag,
    agentNameField: subject.agentNameField,
    agentUsesMax: 5,
    changeStrict: change.strict,
    changeNeedsLicenseNo: true,
    rejectedAccountNo: 'empty',
    pushChanges: false,
    changePushUrl: notify.changeUrl,
  };
}
