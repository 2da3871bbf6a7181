/**
 * Two readings of the same document, written apart: the client's checks and the sandbox's. What the client finds
 * sound the sandbox never refuses for its parameters; what the client refuses the sandbox refuses too, but for the
 * few things only a client is asked to look at.
 */
import { describe, expect, test } from 'vitest';
import { jsonText } from '../../../src/core/json.ts';
import { ENDPOINT_NAMES } from '../../../src/platform/contract.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { ask, sandboxAtNoon } from '../../sandbox/caller.ts';
import { REQUESTS } from './request-arbitraries.ts';
import { BOUNDARIES } from './request-boundaries.ts';
import { MUTATIONS } from './request-mutations.ts';
import { SAMPLES } from './request-samples.ts';
import type { Sample } from './request-samples.ts';
import { fc } from '../../helpers/properties.ts';

/** What the sandbox answers to a wrong parameter. */
const PARAMETER = '200001';

/** Asked of a fresh sandbox, whose channel code is another than that of the samples. */
function codeOf(endpoint: EndpointName, request: Sample): unknown {
  const path = endpoint === 'acct/sendMsg' ? `${endpoint}/SANDBOX` : endpoint;
  const { ifCode } = request;
  const own = ifCode === 'CH01' ? { ...request, ifCode: 'SANDBOX' } : request;
  return ask(sandboxAtNoon(), path, jsonText(own)).envelope['code'];
}

test.each(ENDPOINT_NAMES)('%s: a sound request is never refused for its parameters', (endpoint) => {
  for (const request of [SAMPLES[endpoint], ...fc.sample(REQUESTS[endpoint], 40)]) {
    expect(codeOf(endpoint, request), jsonText(request)).not.toBe(PARAMETER);
  }
});

/** The sandbox fetches nothing, so it reaches everything (OPN-F07). */
const CLIENT_ONLY = /must be reachable from outside/;

describe('what the client refuses the sandbox refuses too', () => {
  test.each(MUTATIONS.map((mutation) => [mutation.endpoint, mutation.what, mutation] as const))(
    '%s: %s',
    (endpoint, _what, { mutate, fault }) => {
      const wrong = fc
        .sample(REQUESTS[endpoint], 15)
        .map(mutate)
        .filter((request) => request !== undefined);
      for (const request of wrong) {
        const isTaken = codeOf(endpoint, request) === '000000';
        expect(isTaken, jsonText(request)).toBe(CLIENT_ONLY.test(fault));
      }
    },
  );

  test.each(BOUNDARIES.map((pair) => [pair.endpoint, pair.what, pair] as const))(
    '%s: of %s',
    (endpoint, _what, { taken, refused }) => {
      expect(codeOf(endpoint, taken)).not.toBe(PARAMETER);
      expect(codeOf(endpoint, refused)).not.toBe('000000');
    },
  );
});
