/**
 * The sandbox's switches: every hypothesis about what the document leaves open can be played against the
 * job. Where the profile has a key for it, the profile gives the default; the rest are here alone.
 */
import { z } from 'zod';

import type { Profile } from '../../core/profile/profile.ts';
import { defaultOpeningSwitches, openingSwitches } from './switches-openings.ts';
import { defaultOrderSwitches, feeBearer, orderSwitches } from './switches-orders.ts';
import { DEFAULT_VOUCHER_SWITCHES, voucherSwitches } from '../vouchers/voucher-schema.ts';

const word = z.string().min(1).max(64);

export const switchesSchema = z.strictObject({
  /** U44: endDate is part of the listing. */
  endInclusive: z.boolean(),
  /** U45: unstable shuffles the whole listing anew for every call. */
  depositOrder: z.enum(['newest', 'oldest', 'unstable']),
  /** U24: which number of an account the listing knows. */
  depositAccountField: z.enum(['accountNo', 'eleAcctNo', 'both']),
  /** U35: who bears an ACCOUNT fee of a deposit. Applies to deposits seeded from then on. */
  depositFeeBearer: feeBearer,
  /** U44: how long after its booking a deposit becomes visible, for deposits that do not say it. */
  visibleDelayMs: z
    .int()
    .min(0)
    .max(366 * 86_400_000),
  /** How depositTime is written; the document says `yyyy-MM-dd HH:mm:ss`. */
  depositTimeForm: z.enum(['local', 'iso', 'compact', 'epochMs']),
  /** U59: amounts and counts as JSON numbers or as strings of digits. */
  numbersAs: z.enum(['number', 'string']),
  /** U4, SIG-10: answers carry a signature. */
  signAnswers: z.boolean(),
  /** U4: what the signature of an answer covers. */
  responseSignFields: z.union([z.literal('all'), z.array(word).min(1).max(20)]),
  /** U2: letter case of the MD5 signatures we send. */
  md5Case: z.enum(['upper', 'lower']),
  /** U1, SIG-05: names of the secret's pair that are accepted; empty is the bare secret. */
  secretNames: z.strictObject({
    apiKey: z.array(z.string().max(32)).min(1).max(8),
    app: z.array(z.string().max(32)).min(1).max(8),
  }),
  /** U19: a reqTime that is off by exactly ten seconds is accepted. */
  reqTimeInclusive: z.boolean(),
  /** U17. */
  reqIdScope: z.enum(['credential', 'global']),
  reqIdConsumedOnRefusal: z.enum(['verified', 'always', 'never']),
  /** U28: only the declared JSON types are accepted. */
  strictTypes: z.boolean(),
  /** U6: how get/transFiles may spell apiKey. */
  voucherKeyNames: z
    .array(z.enum(['apiKey', 'APIkey']))
    .min(1)
    .max(2),
  /** U22: acct/queryInfo takes a reqNo as well. */
  queryInfoByReqNo: z.boolean(),
  /** U23: what is frozen is part of the balance, or stands beside it. */
  balanceHoldsFrozen: z.boolean(),
  /** The listing adds this to `total`: a platform that counts wrongly. */
  totalOffset: z.int().min(-1_000_000).max(1_000_000),
  /** U24: accounts whose listing is an empty success whatever they received. */
  emptyListingOf: z.array(word).max(1_000),
  /** U47, N18: calls a second that are answered; more are refused as too frequent. Null: no limit. */
  callsPerSecondMax: z.int().min(1).max(1_000_000).nullable(),
  ...orderSwitches,
  ...openingSwitches,
  ...voucherSwitches,
});

export type SandboxSwitches = z.output<typeof switchesSchema>;

export const switchesPatchSchema = switchesSchema.partial();
/** Some of the switches; the others stay. */
export type SwitchesPatch = z.input<typeof switchesPatchSchema>;

export function defaultSwitches(profile: Profile): SandboxSwitches {
  const { emulator, signing } = profile;
  return {
    endInclusive: emulator.endInclusive,
    depositOrder: emulator.depositOrder,
    depositAccountField: emulator.depositAccountField,
    depositFeeBearer: profile.fees.bearer.deposit,
    visibleDelayMs: 0,
    depositTimeForm: 'local',
    numbersAs: 'number',
    signAnswers: emulator.signAnswers,
    responseSignFields: signing.response.fields === 'all' ? 'all' : [...signing.response.fields],
    md5Case: signing.md5Case,
    secretNames: {
      apiKey: secretNames(profile, ['appSecret', 'apiSecret', signing.secretName.apiKey]),
      app: secretNames(profile, ['appSecret', signing.secretName.app]),
    },
    reqTimeInclusive: profile.clock.tolerance === 'inclusive',
    reqIdScope: emulator.reqId.scope,
    reqIdConsumedOnRefusal: emulator.reqId.consumeOnReject,
    strictTypes: emulator.strictTypes,
    voucherKeyNames: ['apiKey', 'APIkey'],
    queryInfoByReqNo: emulator.queryInfoByReqNo,
    balanceHoldsFrozen: true,
    totalOffset: 0,
    emptyListingOf: [],
    callsPerSecondMax: null,
    ...defaultOrderSwitches(profile),
    ...defaultOpeningSwitches(profile),
    ...DEFAULT_VOUCHER_SWITCHES,
  };
}

/** The documented names, and those the profile says this platform uses. */
function secretNames(profile: Profile, names: readonly string[]): string[] {
  return [...new Set([...names, ...Object.values(profile.signing.secretNameByPath)])];
}
