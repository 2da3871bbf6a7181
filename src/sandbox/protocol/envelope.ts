/**
 * The request envelope: who calls, whether the signature is right, whether the request is fresh (ENV-05…16,
 * SIG-01…15). The signature is checked over the received strings before anything else is looked at.
 */
import { isJsonObject, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { epochMs } from '../../core/time.ts';
import { VERSION } from '../../platform/contract.ts';
import type { EndpointName } from '../../platform/contract.ts';
import { md5Verify, piecesToSign, rsa2Verify } from '../../platform/sign.ts';
import type { SignType, TextToSign } from '../../platform/sign.ts';
import type { Caller, Credential } from './sandbox-keys.ts';
import { Refused } from './refusal.ts';
import type { World } from '../world/world.ts';

/** ENV-13. */
const REQ_TIME_TOLERANCE_MS = 10_000;
/** ENV-15. */
const REQ_ID_LENGTH_MAX = 40;

/** A request whose signature is right; nothing else about it has been checked. */
export interface SignedRequest {
  caller: Caller;
  members: JsonObject;
}

/**
 * Reads the envelope and checks its signature (SIG-12, SIG-13).
 * @throws Refused, which nobody can sign, because it is not known who asks
 */
export function verifySigned(world: World, endpoint: EndpointName, body: string): SignedRequest {
  const members = parseBody(body);
  const { credential, name } = credentialOf(world, endpoint, members);
  const signType = signTypeOf(credential, members);
  const sign = member(members, 'sign');
  if (typeof sign !== 'string' || sign === '') throw new Refused('SIGNATURE', '缺少签名 (sign is required)');
  if (typeof (member(members, 'bizData') ?? '') !== 'string') {
    throw new Refused('PARAMETER', '参数错误 (parameter bizData): it must be a JSON string');
  }
  const text = signedText(world, members, name);
  const secretName = matchingSecretName(world, { credential, signType, text, sign });
  if (secretName === undefined) {
    if (world.switches.reqIdConsumedOnRefusal === 'always') consumeReqId(world, credential, members);
    throw new Refused('SIGNATURE', '签名验证失败 (wrong signature)');
  }
  return { caller: { credential, signType, secretName }, members };
}

function parseBody(body: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refused('BODY', '请求格式错误 (the body is not JSON)');
  }
  if (!isJsonObject(parsed)) throw new Refused('BODY', '请求格式错误 (the body is not a JSON object)');
  return parsed;
}

/** `apiKey` decides where it is present (ENV-06); `APIkey` is a spelling of the voucher page (ENV-07, U6). */
function credentialOf(world: World, endpoint: EndpointName, members: JsonObject): NamedCredential {
  const keyNames = endpoint === 'get/transFiles' ? world.switches.voucherKeyNames : ['apiKey'];
  for (const name of [...keyNames, 'appId']) {
    const id = member(members, name) ?? '';
    if (id === '') continue;
    const mode = name === 'appId' ? 'appId' : 'apiKey';
    const credential = world.credentials.find((known) => known.mode === mode && known.id === id);
    if (!credential) throw new Refused('CREDENTIAL', `无效的 ${mode} (unknown ${mode})`);
    return { credential, name };
  }
  throw new Refused('CREDENTIAL', '缺少 apiKey 或 appId (apiKey or appId is required)');
}

interface NamedCredential {
  credential: Credential;
  /** As the member was spelled, which is how it is signed. */
  name: string;
}

function signTypeOf(credential: Credential, members: JsonObject): SignType {
  const signType = member(members, 'signType');
  if (signType === 'MD5' || (signType === 'RSA2' && credential.mode === 'appId')) return signType;
  const allowed = credential.mode === 'appId' ? 'MD5 or RSA2' : 'MD5';
  throw new Refused('SIGNATURE', `签名类型错误 (signType must be ${allowed})`);
}

/** Only the credential that decides is part of the string (U5), and what is no string cannot be. */
function signedText(world: World, members: JsonObject, credentialName: string): TextToSign {
  const signed: Record<string, string> = {};
  for (const name of [credentialName, 'bizData', 'reqId', 'reqTime', 'signType', 'version']) {
    const value = member(members, name);
    if (typeof value === 'string') signed[name] = value;
  }
  const { requestFields, dropEmpty } = world.profile.signing;
  return piecesToSign(signed, { names: requestFields, dropEmpty });
}

function matchingSecretName(
  world: World,
  given: { credential: Credential; signType: SignType; text: TextToSign; sign: string },
): string | undefined {
  const { credential, signType, text, sign } = given;
  if (signType === 'RSA2') {
    const keys = world.rsa.keys();
    return keys && rsa2Verify(text, sign, keys.clientPublicKey) ? '' : undefined;
  }
  const names = world.switches.secretNames[credential.mode === 'apiKey' ? 'apiKey' : 'app'];
  const key = { secret: credential.secret, md5Case: world.switches.md5Case };
  return names.find((secretName) => md5Verify(text, sign, { ...key, secretName }));
}

/**
 * Checks that a signed request is fresh and well formed and uses up its reqId; gives its business data.
 * @throws Refused, which is signed for the caller
 */
export function admit(world: World, request: SignedRequest): JsonObject {
  const { members, caller } = request;
  const reqId = member(members, 'reqId');
  if (typeof reqId !== 'string' || reqId === '' || reqId.length > REQ_ID_LENGTH_MAX) {
    throw new Refused('PARAMETER', `参数错误 (parameter reqId): 1 to ${REQ_ID_LENGTH_MAX} characters`);
  }
  if (world.reqIds.isUsed(scopeOf(world, caller.credential), reqId, world.clock.nowMs())) {
    throw new Refused('REPLAY', 'reqId 重复 (duplicate reqId within 10 minutes)');
  }
  if (world.switches.reqIdConsumedOnRefusal !== 'never') consumeReqId(world, caller.credential, members);
  requireFreshReqTime(world, member(members, 'reqTime'));
  if (member(members, 'version') !== VERSION) {
    throw new Refused('PARAMETER', `参数错误 (parameter version): it must be ${VERSION}`);
  }
  return parseBizData(member(members, 'bizData'));
}

function requireFreshReqTime(world: World, reqTime: unknown): void {
  const instant = typeof reqTime === 'string' ? world.zone.parseCompact(reqTime) : undefined;
  if (instant === undefined) throw new Refused('TIME', '请求时间格式错误 (reqTime must be yyyyMMddHHmmss)');
  const offMs = Math.abs(epochMs(instant) - world.clock.nowMs());
  const accepted = world.switches.reqTimeInclusive
    ? offMs <= REQ_TIME_TOLERANCE_MS
    : offMs < REQ_TIME_TOLERANCE_MS;
  if (!accepted) throw new Refused('TIME', '请求时间超出允许范围 (reqTime is off by more than 10 seconds)');
}

function parseBizData(text: unknown): JsonObject {
  const wrong = (why: string): Refused => new Refused('PARAMETER', `参数错误 (parameter bizData): ${why}`);
  if (typeof text !== 'string') throw wrong('it is required');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw wrong('it is not JSON');
  }
  if (!isJsonObject(parsed)) throw wrong('it is not a JSON object');
  return parsed;
}

/** Within what a reqId is unique (U17). */
function scopeOf(world: World, credential: Credential): string {
  return world.switches.reqIdScope === 'global' ? '' : `${credential.mode}:${credential.id}`;
}

/** ENV-16, U17. */
export function consumeReqId(world: World, credential: Credential, members: JsonObject): void {
  const reqId = member(members, 'reqId');
  if (typeof reqId !== 'string') return;
  world.reqIds.consume(scopeOf(world, credential), reqId, world.clock.nowMs());
}
