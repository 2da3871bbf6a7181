/**
 * The client's own look at a request before it is sent: limits and conditions of the document, each fault with
 * the requirement it comes from. What only the platform can know (balances, states, what exists) is left to it.
 */
import type { JsonObject } from '../../core/json.ts';
import type { EndpointName } from '../contract.ts';
import type { CheckRules } from './checks.ts';
import { isLocalUrl } from './local-address.ts';
import { memberFaults, pairFaults } from './members.ts';
import { SHAPES } from './shapes.ts';
import { subjectWarnings } from './subject.ts';

export type { CheckRules } from './checks.ts';

/**
 * What is wrong with the business data of a request, a sentence each: which member, what, and which requirement
 * says so; empty when nothing is (ENV-24, ENV-27, LIM-03…15, and the members of each endpoint). Unknown members
 * pass (ENV-32). Amounts are JSON numbers or `bigint`; nothing personal is quoted.
 */
export function requestFaults(endpoint: EndpointName, request: object, rules: CheckRules): readonly string[] {
  const biz = request as JsonObject;
  const { members, pair, whole } = SHAPES[endpoint];
  return [
    ...(pair === undefined ? [] : pairFaults(biz, pair)),
    ...memberFaults(biz, members, { rules }),
    ...(whole === undefined ? [] : whole(biz, rules)),
  ];
}

/** What is odd and sent all the same (U14). */
export function requestWarnings(
  endpoint: EndpointName,
  request: object,
  rules: CheckRules,
): readonly string[] {
  return endpoint === 'acct/addApply' ? subjectWarnings(request as JsonObject, rules) : [];
}

/** Whether the platform's address lies on this machine or network, as a sandbox's does (OPN-F07). */
export function isLocalPlatform(baseUrl: string): boolean {
  const url = URL.parse(baseUrl);
  return url !== null && isLocalUrl(url);
}
