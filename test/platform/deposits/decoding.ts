/** Decodes answers from JSON text, the way they come. */
import { parseJson } from '../../../src/core/json.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { Answers, EndpointName } from '../../../src/platform/contract.ts';
import { DECODERS } from '../../../src/platform/decode.ts';
import { profileOf, SHANGHAI } from '../platform-server.ts';

export function decode<K extends EndpointName>(endpoint: K, text: string, profile: object = {}): Answers[K] {
  const biz = parseJson(text);
  return DECODERS[endpoint](biz as JsonObject, { profile: profileOf(profile), zone: SHANGHAI });
}
