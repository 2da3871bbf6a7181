/** The schema of the business data of a request, from the table its checks are made from. */
import type { EndpointName } from '../contract.ts';
import type { CheckRules, Schema } from './checks.ts';
import { membersSchema, pairSchema } from './members.ts';
import { SHAPES } from './shapes.ts';

/** Never stricter than the checks; what depends on sums, spans and other requests no schema can say. */
export function requestSchema(endpoint: EndpointName, rules: CheckRules): Schema {
  const { members, pair, wholeSchema } = SHAPES[endpoint];
  return {
    ...membersSchema(members, rules),
    ...(pair !== undefined && pairSchema(pair)),
    ...wholeSchema?.(rules),
  };
}
