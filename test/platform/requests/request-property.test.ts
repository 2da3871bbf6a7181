/** Any sound request has no fault, and any single change of the table has exactly its own (LIM, ENV-27). */
import { describe, expect, test } from 'vitest';
import { jsonText } from '../../../src/core/json.ts';
import { ENDPOINT_NAMES } from '../../../src/platform/contract.ts';
import { REQUESTS } from './request-arbitraries.ts';
import { MUTATIONS } from './request-mutations.ts';
import { faultsOf } from './request-samples.ts';
import type { Sample } from './request-samples.ts';
import { fc, runs } from '../../helpers/properties.ts';

/** Few of each: there are dozens of properties, and the tables beside hold the edges. */
const RUNS = { numRuns: runs(40) };

describe('a sound request', () => {
  test.each(ENDPOINT_NAMES)('%s has no fault', (endpoint) => {
    fc.assert(
      fc.property(REQUESTS[endpoint], (request) => {
        expect(faultsOf(endpoint, request)).toEqual([]);
      }),
      { numRuns: runs(150) },
    );
  });

  test('is judged alike before and after its amounts have travelled as JSON', () => {
    for (const endpoint of ENDPOINT_NAMES) {
      fc.assert(
        fc.property(REQUESTS[endpoint], (request) => {
          expect(faultsOf(endpoint, JSON.parse(jsonText(request)) as Sample)).toEqual([]);
        }),
        RUNS,
      );
    }
  });

  test('ENV-32: stays sound with members nobody knows', () => {
    const odd = fc.dictionary(fc.stringMatching(/^x_[a-z]{1,8}$/), fc.jsonValue());
    for (const endpoint of ENDPOINT_NAMES) {
      fc.assert(
        fc.property(REQUESTS[endpoint], odd, (request, more) => {
          expect(faultsOf(endpoint, { ...request, ...more })).toEqual([]);
        }),
        RUNS,
      );
    }
  });
});

test.each(MUTATIONS.map((mutation) => [mutation.endpoint, mutation.what, mutation] as const))(
  '%s with %s has exactly that fault',
  (endpoint, _what, { mutate, fault }) => {
    let tried = 0;
    fc.assert(
      fc.property(REQUESTS[endpoint], (request) => {
        const mutated = mutate(request);
        if (mutated === undefined) return;
        tried += 1;
        expect(faultsOf(endpoint, mutated)).toEqual([fault]);
      }),
      RUNS,
    );
    expect(tried).toBeGreaterThan(0);
  },
);

test('whatever is sent, the checks end in sentences and never in an error', () => {
  for (const endpoint of ENDPOINT_NAMES) {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        REQUESTS[endpoint],
        fc.jsonValue(),
        (odd, sound, value) => {
          const corrupt = Object.fromEntries(Object.keys(sound).map((name) => [name, value]));
          for (const request of [odd, corrupt, { ...sound, ...odd }]) {
            for (const fault of faultsOf(endpoint, request)) expect(fault).toMatch(/ \([A-Z0-9, -]+\)$/);
          }
        },
      ),
      RUNS,
    );
  }
});
