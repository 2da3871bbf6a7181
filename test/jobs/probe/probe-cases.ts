/** What the sandbox can be switched to, and what a probe must find then. */
import type { JsonObject } from '../../../src/core/json.ts';
import { readProfile } from '../../../src/core/profile/profile.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import type { SwitchesPatch } from '../../../src/sandbox/control/switches.ts';
import type { ProbedWith } from './probe-world.ts';

export interface ProbeCase {
  name: string;
  switches: SwitchesPatch;
  /** Beside the defaults. */
  given?: JsonObject;
  how?: ProbedWith;
  sandbox?: SandboxOptions;
  /** The key, or the question where it has none. */
  key: string;
  found: string;
  verdict: 'confirmed' | 'contradicted' | 'open';
  /** What the profile to save has beside what was given. */
  saved?: JsonObject;
}

const secrets = (apiKey: string): SwitchesPatch => ({
  secretNames: { apiKey: [apiKey], app: ['appSecret'] },
});

export const PROBE_CASES: readonly ProbeCase[] = [
  {
    name: 'U1: another documented name of the secret',
    switches: secrets('apiSecret'),
    key: 'signing.secretName.apiKey',
    found: 'apiSecret',
    verdict: 'contradicted',
    saved: { signing: { secretName: { apiKey: 'apiSecret' } } },
  },
  {
    name: 'U1: the bare secret',
    switches: secrets(''),
    key: 'signing.secretName.apiKey',
    found: '""',
    verdict: 'contradicted',
    saved: { signing: { secretName: { apiKey: '' } } },
  },
  {
    name: 'U6: vouchers under the other spelling of the credential',
    switches: { voucherKeyNames: ['APIkey'] },
    key: 'envelope.credentialNameByPath',
    found: 'APIkey',
    verdict: 'contradicted',
    saved: { envelope: { credentialNameByPath: { 'get/transFiles': 'APIkey' } } },
  },
  {
    name: 'U2: answers signed in lower case',
    switches: { md5Case: 'lower' },
    key: 'U2',
    found: 'lower',
    verdict: 'confirmed',
  },
  {
    name: 'U4: only bizData is signed',
    switches: { responseSignFields: ['bizData'] },
    key: 'signing.response.fields',
    found: '["bizData"]',
    verdict: 'contradicted',
    saved: { signing: { response: { fields: ['bizData'] } } },
  },
  {
    name: 'U4: some of the members are signed',
    switches: { responseSignFields: ['timestamp', 'code', 'bizData'] },
    key: 'signing.response.fields',
    found: '["bizData","code","timestamp"]',
    verdict: 'contradicted',
    saved: { signing: { response: { fields: ['bizData', 'code', 'timestamp'] } } },
  },
  {
    name: 'U4: no answer is signed, which auto allows',
    switches: { signAnswers: false },
    key: 'signing.requireResponseSign',
    found: 'not signed',
    verdict: 'confirmed',
  },
  {
    name: 'U4: no answer is signed, and signatures are demanded',
    switches: { signAnswers: false },
    given: { signing: { requireResponseSign: 'always' } },
    key: 'signing.requireResponseSign',
    found: 'not signed',
    verdict: 'contradicted',
    saved: { signing: { requireResponseSign: 'auto' } },
  },
  {
    name: 'U17: a refused request uses up its reqId',
    switches: { reqIdConsumedOnRefusal: 'always' },
    how: { isThorough: true },
    key: 'emulator.reqId.consumeOnReject',
    found: 'always',
    verdict: 'contradicted',
    saved: { emulator: { reqId: { consumeOnReject: 'always' } } },
  },
  {
    name: 'U18: a platform that lives in UTC',
    switches: {},
    sandbox: { profile: readProfile('{"service": {"timeZone": "UTC"}}', 'of the sandbox') },
    key: 'service.timeZone',
    found: 'UTC',
    verdict: 'contradicted',
    saved: { service: { timeZone: 'UTC' } },
  },
  {
    name: 'U18: a platform an hour further east',
    switches: {},
    sandbox: { profile: readProfile('{"service": {"timeZone": "Asia/Tokyo"}}', 'of the sandbox') },
    key: 'service.timeZone',
    found: 'Etc/GMT-9',
    verdict: 'contradicted',
    saved: { service: { timeZone: 'Etc/GMT-9' } },
  },
  {
    name: 'U19: ten seconds are too many',
    switches: { reqTimeInclusive: false },
    key: 'clock.tolerance',
    found: 'exclusive',
    verdict: 'contradicted',
    saved: { clock: { tolerance: 'exclusive' } },
  },
  {
    name: 'U22: an account cannot be asked for by its reqNo',
    switches: { queryInfoByReqNo: false },
    key: 'emulator.queryInfoByReqNo',
    found: 'false',
    verdict: 'contradicted',
    saved: { emulator: { queryInfoByReqNo: false } },
  },
  {
    name: 'U22: and the job asks by it',
    switches: { queryInfoByReqNo: false },
    given: { account: { queryBy: 'reqNo' }, emulator: { queryInfoByReqNo: false } },
    key: 'account.queryBy',
    found: 'accountNo',
    verdict: 'contradicted',
    saved: { account: { queryBy: 'accountNo' } },
  },
  {
    name: 'U24: deposits are listed under the electronic number',
    switches: { depositAccountField: 'eleAcctNo' },
    key: 'deposits.accountField',
    found: 'eleAcctNo',
    verdict: 'contradicted',
    saved: { deposits: { accountField: 'eleAcctNo' } },
  },
  {
    name: 'U24: deposits are listed under either number',
    switches: { depositAccountField: 'both' },
    key: 'deposits.accountField',
    found: 'both',
    verdict: 'confirmed',
  },
  {
    name: 'U27: the own number prevails',
    switches: { bothIds: 'own' },
    key: 'compat.bothIds',
    found: 'own',
    verdict: 'contradicted',
    saved: { compat: { bothIds: 'own' } },
  },
  {
    name: "U27: the platform's number prevails",
    switches: { bothIds: 'platform' },
    key: 'compat.bothIds',
    found: 'platform',
    verdict: 'contradicted',
    saved: { compat: { bothIds: 'platform' } },
  },
  {
    name: 'U28: types are strict',
    switches: { strictTypes: true },
    key: 'emulator.strictTypes',
    found: 'true',
    verdict: 'contradicted',
    saved: { emulator: { strictTypes: true } },
  },
  {
    name: 'U32: the payer as the table of transfers spells it',
    switches: { payerField: 'payerAcctNo' },
    key: 'compat.payerField',
    found: 'payerAcctNo',
    verdict: 'confirmed',
  },
  {
    name: 'U32: both spellings of the payer',
    switches: { payerField: 'both' },
    key: 'compat.payerField',
    found: 'payerAcctNo and payeyAcctNo',
    verdict: 'confirmed',
  },
  {
    name: 'U32: a spelling the profile does not read',
    switches: { payerField: 'payeyAcctNo' },
    given: { compat: { payerField: ['payerAcctNo'] } },
    key: 'compat.payerField',
    found: 'payeyAcctNo',
    verdict: 'contradicted',
    saved: { compat: { payerField: ['payerAcctNo', 'payeyAcctNo'] } },
  },
  {
    name: 'U44: the end date is not part of the listing',
    switches: { endInclusive: false },
    key: 'deposits.endInclusive',
    found: 'no',
    verdict: 'confirmed',
  },
  {
    name: 'U44: the end date is not part of the listing, and the job believes it is',
    switches: { endInclusive: false },
    given: { deposits: { endInclusive: 'yes' } },
    key: 'deposits.endInclusive',
    found: 'no',
    verdict: 'contradicted',
    saved: { deposits: { endInclusive: 'no' } },
  },
  {
    name: 'U45: the oldest deposit comes first',
    switches: { depositOrder: 'oldest' },
    key: 'emulator.depositOrder',
    found: 'oldest',
    verdict: 'contradicted',
    saved: { emulator: { depositOrder: 'oldest' } },
  },
  {
    name: 'U48: the fee of a withdrawal is called mchFee',
    switches: { withdrawFeeName: 'mchFee' },
    key: 'compat.feeNames',
    found: 'mchFee',
    verdict: 'confirmed',
  },
  {
    name: 'U48: the fee of a withdrawal has a name the profile does not read',
    switches: { withdrawFeeName: 'both' },
    given: { compat: { feeNames: ['mchFee'] } },
    key: 'compat.feeNames',
    found: 'fee and mchFee',
    verdict: 'contradicted',
    saved: { compat: { feeNames: ['mchFee', 'fee'] } },
  },
  {
    name: 'U51: a voucher that is not there yet',
    switches: { voucherNotReady: 1 },
    key: 'vouchers.stripDataUri',
    found: '',
    verdict: 'open',
  },
  {
    name: 'U59: amounts as texts',
    switches: { numbersAs: 'string' },
    key: 'U59',
    found: 'string',
    verdict: 'confirmed',
  },
];
