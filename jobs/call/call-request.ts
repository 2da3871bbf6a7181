/** Reads a call as people type it: completed, checked, and confirmed where it changes something (LIM, ENV-32). */
import { WrongInput } from '../../src/core/errors.ts';
import { randomIds } from '../../src/core/ids.ts';
import { jsonText } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { ENDPOINTS } from '../../src/platform/contract.ts';
import type { EndpointName } from '../../src/platform/contract.ts';
import { completeRequest } from '../../src/platform/requests/complete.ts';
import { withDefaults } from '../../src/platform/requests/completing.ts';
import {
  isLocalPlatform,
  requestFaults,
  requestWarnings,
} from '../../src/platform/requests/request-faults.ts';
import type { CheckRules } from '../../src/platform/requests/request-faults.ts';
import { settleRemark } from '../../src/platform/requests/settle-remark.ts';
import { readApproval } from '../cli/approve-option.ts';
import type { ApproveOptions, GivenApproval } from '../cli/approve-option.ts';
import { findEndpoint, parseData, readData, unknownEndpoint } from './call-input.ts';
import { parseSettleCall } from './call-settle.ts';
import { smsHint, smsLookUp } from './call-sms.ts';
import type { NumberLookUp } from './call-sms.ts';
import type { KnownSurroundings } from '../cli/command.ts';
import { maskedData } from '../cli/masked-data.ts';

export interface Typed {
  endpoint: string | undefined;
  json: string;
  /** `--yes` */
  isConfirmed: boolean;
  /** `--unchecked` */
  isUnchecked: boolean;
  /** `--approve` and `--by` */
  approval?: ApproveOptions;
}

export interface Call {
  endpoint: EndpointName;
  biz: JsonObject;
  isUnchecked: boolean;
  /** What was put in, for people; it holds nothing personal. */
  said: readonly string[];
  /** What is odd and sent all the same. */
  warnings: readonly string[];
  /** A number to be asked for before the call. */
  lookUp: NumberLookUp | undefined;
  /** Of the settlement that the call makes. */
  approve: GivenApproval | undefined;
}

/** @throws WrongInput naming everything that is wrong with the endpoint, the data and the confirmation */
export async function parseCall(typed: Typed, at: KnownSurroundings): Promise<Call> {
  if (typed.endpoint === undefined) {
    throw new WrongInput(
      'which endpoint? recon call --list shows them (recon call --help how they are called)',
    );
  }
  const endpoint = findEndpoint(typed.endpoint);
  const given = parseData(await readData(typed.json));
  const faults = [
    ...(endpoint === undefined ? [unknownEndpoint(typed.endpoint)] : []),
    ...(given === undefined ? ['the data is no JSON object, such as \'{"accountNo":"100001"}\''] : []),
  ];
  if (endpoint === undefined || given === undefined) throw wrongCall(faults);
  const { approve, faults: wrongApproval } = readApproval(typed.approval ?? {});
  if (approve !== undefined && endpoint !== 'order/settle')
    wrongApproval.push('--approve goes with order/settle only');
  faults.push(...wrongApproval);
  const call = { ...completed(endpoint, given, typed.isUnchecked, at), approve };
  faults.push(...callFaults(call, at));
  if (ENDPOINTS[endpoint].effect === 'change' && !typed.isConfirmed) {
    const sent = jsonText(maskedData(call.biz));
    faults.push(
      `${endpoint} changes something on the platform: it would send ${sent}; add --yes to really do it`,
    );
  }
  if (faults.length > 0) throw wrongCall(faults);
  return call;
}

function wrongCall(faults: readonly string[]): WrongInput {
  const [only, ...others] = faults;
  return only !== undefined && others.length === 0
    ? new WrongInput(only)
    : new WrongInput('wrong call:', faults);
}

function completed(
  endpoint: EndpointName,
  given: JsonObject,
  isUnchecked: boolean,
  { profile, settings }: KnownSurroundings,
): Omit<Call, 'approve'> {
  const plain = { endpoint, biz: given, isUnchecked, said: [], warnings: [], lookUp: undefined };
  if (isUnchecked) return plain;
  const rules = { profile, channelCode: settings?.channelCode, newNumber: () => randomIds().token() };
  const { request, said } = completeRequest(endpoint, given, rules);
  const lookUp = endpoint === 'acct/sendMsg' ? smsLookUp(request, profile) : undefined;
  const warnings = requestWarnings(endpoint, request, checkRules({ profile, settings }));
  return { ...plain, biz: request, said, warnings, lookUp };
}

/** Without settings nobody knows where the platform is, and what it cannot reach. */
function checkRules({ profile, settings }: Pick<KnownSurroundings, 'profile' | 'settings'>): CheckRules {
  const url = settings?.platform?.url;
  const isPlatformLocal = url === undefined || isLocalPlatform(url);
  return { profile, channelCode: settings?.channelCode, isPlatformLocal };
}

function callFaults(call: Omit<Call, 'approve'>, at: KnownSurroundings): readonly string[] {
  if (call.endpoint === 'order/settle') return settleFaults(call, at);
  if (call.isUnchecked || !at.profile.limits.checkRequests) return [];
  const biz = { ...call.biz, ...stillToCome(call) };
  const faults = requestFaults(call.endpoint, biz, checkRules(at));
  const hint = call.endpoint === 'acct/sendMsg' ? smsHint(biz, at.profile) : undefined;
  return hint === undefined
    ? faults
    : faults.map((fault) => (fault.startsWith('reqNo ') ? `${fault}: ${hint}` : fault));
}

/** What is put in once the rest is right cannot be wrong before: a number that is looked up, the sums of a batch. */
function stillToCome({ endpoint, biz, lookUp }: Omit<Call, 'approve'>): JsonObject {
  if (lookUp !== undefined) return { reqNo: 'looked-up' };
  if (endpoint !== 'division/pay') return {};
  return withDefaults(biz, { num: 1, amount: 1 }).request;
}

/** A settlement goes through the attempts of the night, whatever it is called with. */
function settleFaults(
  { biz, isUnchecked }: Omit<Call, 'approve'>,
  { profile }: KnownSurroundings,
): readonly string[] {
  const unchecked = isUnchecked
    ? ['order/settle cannot be sent --unchecked: it goes through the attempts of recon settle']
    : [];
  try {
    const { remark } = parseSettleCall(biz);
    const checked = settleRemark(profile, { attemptNo: 1, own: remark });
    const wrong = 'fault' in checked ? [`remark is not taken: ${checked.fault} (STL-03)`] : [];
    return [...unchecked, ...wrong];
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    return [...unchecked, ...error.faults];
  }
}
