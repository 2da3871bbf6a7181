/**
 * Reads one push as it was received: who signed it, before anything of it is believed (SIG-11, EVT-07), and which
 * batch, opening or change it is about. Envelope and flat members are both accepted (U40); whatever is neither is a
 * push of unknown kind. What comes out is a hint: only a query is believed (U53).
 */
import { isJsonObject, jsonText, member, parseJson } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type { Profile } from '../core/profile/profile.ts';
import type { Credentials } from './credentials.ts';
import { textMember } from './decode-members.ts';
import { signStyle } from './envelope.ts';
import { piecesToSign } from './sign.ts';

export interface PushHint {
  kind: 'transfer' | 'opening' | 'change' | 'unknown';
  /** outBatchNo, or outReqNo of an opening or change; empty where it is not stated. */
  ownNo: string;
  /** batchNo, or reqNo. */
  platformNo: string;
  accountNo: string;
  /** The platform's word or number; empty where it is neither. */
  statedState: string;
  /** It carried a signature that covers what it says. */
  signed: boolean;
}

export interface PushRules {
  profile: Profile;
  credentials: Credentials;
}

/** The service's numbers have at most 40 characters; what is longer names nothing and must fit no index. */
const NUMBER_LENGTH_MAX = 64;
const STATE = /^\w{1,32}$/;

const UNREADABLE: PushHint = {
  kind: 'unknown',
  ownNo: '',
  platformNo: '',
  accountNo: '',
  statedState: '',
  signed: false,
};

/**
 * Takes any bytes; nothing is thrown for what they are.
 * @param push.contentType only tells whether a body that is no JSON is a form
 * @returns `forged` when it carries a signature that is wrong: nothing of it may be kept
 */
export function readPush(
  push: { body: Uint8Array; contentType: string },
  rules: PushRules,
): PushHint | 'forged' {
  const members = membersOf(push);
  if (members === undefined) return UNREADABLE;
  const proven = prove(members, rules);
  if (proven === 'forged') return 'forged';
  return { ...hintOf(businessOf(members)), signed: proven === 'signed' };
}

function membersOf({ body, contentType }: { body: Uint8Array; contentType: string }): JsonObject | undefined {
  const text = utf8Of(body);
  if (text === undefined) return undefined;
  const value = parsed(text);
  if (isJsonObject(value)) return value;
  return contentType.toLowerCase().startsWith('application/x-www-form-urlencoded') ? formOf(text) : undefined;
}

function utf8Of(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A name that comes twice says two things, of which a signature would cover one. */
function formOf(text: string): JsonObject | undefined {
  const pairs = [...new URLSearchParams(text)];
  const names = new Set(pairs.map(([name]) => name));
  return names.size === pairs.length ? Object.fromEntries(pairs) : undefined;
}

/** Over the members as received, like an answer's (U4); a sign that is no text cannot be right. */
function prove(members: JsonObject, { profile, credentials }: PushRules): 'signed' | 'unsigned' | 'forged' {
  const sign = member(members, 'sign');
  if (sign === undefined || sign === null || sign === '') return 'unsigned';
  const { response, exclude, dropEmpty } = profile.signing;
  const covered = response.fields === 'all' ? Object.keys(members) : response.fields;
  const names = covered.filter((name) => name !== 'sign' && !exclude.includes(name));
  const values = Object.fromEntries(names.map((name) => [name, signedValue(member(members, name))]));
  const text = piecesToSign(values, { names, dropEmpty });
  const style = signStyle({ profile, credentials, endpoint: 'division/query' });
  if (typeof sign !== 'string' || !credentials.verify(text, sign, style)) return 'forged';
  // A list in the profile that leaves bizData out makes signatures that prove nothing of it.
  const coversAll = response.fields === 'all';
  const coversBusiness = names.includes('bizData') && member(members, 'bizData') !== undefined;
  return coversAll || coversBusiness ? 'signed' : 'unsigned';
}

/** Texts as received; other types as the platform would have joined them. */
function signedValue(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : jsonText(value);
}

/** What is in the envelope, or the flat members themselves. */
function businessOf(members: JsonObject): JsonObject {
  const sealed = member(members, 'bizData');
  if (sealed === undefined || sealed === null) return members;
  const inner = typeof sealed === 'string' ? parsed(sealed) : sealed;
  return isJsonObject(inner) ? inner : {};
}

function hintOf(biz: JsonObject): Omit<PushHint, 'signed'> {
  const said = { accountNo: numberOf(biz, 'accountNo'), statedState: stateOf(biz) };
  const batch = { ownNo: numberOf(biz, 'outBatchNo'), platformNo: numberOf(biz, 'batchNo') };
  if (batch.ownNo !== '' || batch.platformNo !== '') return { kind: 'transfer', ...batch, ...said };
  const request = { ownNo: numberOf(biz, 'outReqNo'), platformNo: numberOf(biz, 'reqNo') };
  if (request.ownNo === '' && request.platformNo === '') return UNREADABLE;
  return { kind: isOpening(biz) ? 'opening' : 'change', ...request, ...said };
}

/** An opening always states the company's number (EVT-01), which the result of a change does not (CHG-18, U41). */
function isOpening(biz: JsonObject): boolean {
  return ['outReqNo', 'accountState', 'recordId'].some((name) => textMember(biz, name) !== undefined);
}

/** A word or number; whatever else is said in its place is not shown to anybody. */
function stateOf(biz: JsonObject): string {
  const text = textMember(biz, 'state') ?? '';
  return STATE.test(text) ? text : '';
}

/** Storable; empty where it is absent or too long to be a number. */
function numberOf(biz: JsonObject, name: string): string {
  const text = textMember(biz, name) ?? '';
  return text.length <= NUMBER_LENGTH_MAX ? text : '';
}
