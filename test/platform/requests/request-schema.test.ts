/** The schema of a request is never stricter than its checks, and as strict wherever a schema can say it. */
import { describe, expect, test } from 'vitest';
import { jsonText } from '../../../src/core/json.ts';
import { ENDPOINT_NAMES } from '../../../src/platform/contract.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { requestSchema } from '../../../src/platform/requests/request-schema.ts';
import { faultsWith } from '../../openapi/content-schemas.ts';
import { REQUESTS } from './request-arbitraries.ts';
import { MUTATIONS } from './request-mutations.ts';
import { rulesOf } from './request-samples.ts';
import { fc, runs } from '../../helpers/properties.ts';

const faultsBy = faultsWith();
const SCHEMAS = new Map<EndpointName, unknown>(
  ENDPOINT_NAMES.map((endpoint) => [endpoint, JSON.parse(jsonText(requestSchema(endpoint, rulesOf())))]),
);

function faultsBySchema(endpoint: EndpointName, request: unknown): string[] {
  return faultsBy(SCHEMAS.get(endpoint), JSON.parse(jsonText(request)));
}

describe('a sound request', () => {
  test.each(ENDPOINT_NAMES)('%s is what its schema says', (endpoint) => {
    fc.assert(
      fc.property(REQUESTS[endpoint], (request) => {
        expect(faultsBySchema(endpoint, request)).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });
});

test('what the checks refuse the schema refuses too, but for what no schema can say', () => {
  const unsaid = MUTATIONS.filter(({ endpoint, mutate }) =>
    fc
      .sample(REQUESTS[endpoint], { seed: 1, numRuns: 20 })
      .map(mutate)
      .some((request) => request !== undefined && faultsBySchema(endpoint, request).length === 0),
  );
  expect(unsaid.map(({ endpoint, what }) => `${endpoint}: ${what}`)).toMatchInlineSnapshot(`
    [
      "acct/addApply: ifCode = "CH02"",
      "acct/addApply: notifyUrl = "https://localhost/n"",
      "acct/addApply: subject any: idCard1Img = "https://192.168.0.1/a"",
      "acct/changeApply: a type twice",
      "division/pay: order: {"amount":"5000001"}",
      "division/pay: order: {"extParam":"备备备备备备备备备备备"}",
      "query/deposit: startDate = "2026-03-02", endDate = "2026-03-01"",
      "query/deposit: startDate = "2026-03-01", endDate = "2026-04-02"",
      "order/settle: remark = "结结结结结结结结结结结"",
      "order/settle: remark = "***"",
    ]
  `);
});
