/**
 * The signed envelope around every call (ENV-05…19). A request's bizData is serialised exactly once, and
 * that very string is signed and sent (ENV-11, SIG-07).
 */
import { jsonText } from '../core/json.ts';
import type { Profile } from '../core/profile/profile.ts';
import { VERSION } from './contract.ts';
import type { EndpointName } from './contract.ts';
import type { Credentials, SignStyle } from './credentials.ts';
import { piecesToSign } from './sign.ts';

/** Whose envelope it is and by which rules it is signed. */
export interface EnvelopeRules {
  profile: Profile;
  credentials: Credentials;
  endpoint: EndpointName;
}

export interface RequestStamp {
  /** Never used before, at most 40 characters (ENV-15). */
  reqId: string;
  /** `yyyyMMddHHmmss` of the service's zone, taken at the send itself (ENV-12, ENV-13). */
  reqTime: string;
}

/**
 * The body of one request as text: credential, bizData, reqId, reqTime, signType, version and the signature
 * over them (SIG-01…09). Amounts (`bigint` fen) in `biz` become JSON integers.
 */
export function sealRequest(rules: EnvelopeRules, stamp: RequestStamp, biz: object): string {
  const { profile, credentials } = rules;
  const members = {
    [credentialName(rules)]: credentials.id,
    bizData: jsonText(biz),
    reqId: stamp.reqId,
    reqTime: stamp.reqTime,
    signType: credentials.signType,
    version: VERSION,
  };
  const { requestFields, exclude, dropEmpty } = profile.signing;
  const names = requestFields.filter((name) => !exclude.includes(name));
  const sign = credentials.sign(piecesToSign(members, { names, dropEmpty }), signStyle(rules));
  return jsonText({ ...members, sign });
}

/** apiKey may be spelled otherwise on single endpoints (`APIkey`, U6); appId never is. */
function credentialName({ profile, credentials, endpoint }: EnvelopeRules): string {
  if (credentials.field === 'appId') return 'appId';
  return profile.envelope.credentialNameByPath[endpoint] ?? 'apiKey';
}

/** The secret's name: of the endpoint where it has its own, else of the mode (SIG-05, U1). */
export function signStyle({ profile, credentials, endpoint }: EnvelopeRules): SignStyle {
  const { secretName, secretNameByPath, md5Case } = profile.signing;
  const usual = credentials.field === 'apiKey' ? secretName.apiKey : secretName.app;
  return { secretName: secretNameByPath[endpoint] ?? usual, md5Case };
}
