/** `recon call --list`: the 17 endpoints, what each does, whether it changes something, and what it needs (ENV-04). */
import { ENDPOINTS, ENDPOINT_NAMES } from '../../src/platform/contract.ts';
import type { EndpointFacts, EndpointName } from '../../src/platform/contract.ts';
import { ENDPOINT_WORDS } from '../../src/platform/endpoint-words.ts';
import { SHAPES } from '../../src/platform/requests/shapes.ts';
import type { Outcome } from '../cli/command.ts';
import { tableText } from '../cli/table-text.ts';

const PUT_IN =
  'Put in where they are left out: ifCode and the reqNo of a code, as far as they follow from settings and profile; ' +
  'num, amount and currency of a transfer; the remark of a settlement.';

interface Listed {
  endpoint: EndpointName;
  effect: EndpointFacts['effect'];
  does: string;
  /** Members that must be there. */
  required: readonly string[];
  /** Two of which exactly one must be there. */
  oneOf: readonly string[];
  optional: readonly string[];
}

export function listEndpoints(): Outcome {
  const endpoints = ENDPOINT_NAMES.map(listed);
  const rows = endpoints.map(({ endpoint, effect, does, required, oneOf }) => [
    endpoint,
    effect,
    does,
    [...(oneOf.length === 0 ? [] : [oneOf.join('|')]), ...required].join(', '),
  ]);
  return {
    status: 0,
    document: { schema: 1, endpoints },
    text: `${tableText(['endpoint', 'effect', 'what it does', 'needs (a|b: exactly one)'], rows)}\n\n${PUT_IN}`,
  };
}

function listed(endpoint: EndpointName): Listed {
  const { members, pair } = SHAPES[endpoint];
  const oneOf: readonly string[] = pair?.names ?? [];
  const named = (isRequired: boolean): string[] =>
    members
      .filter((rule) => rule.isRequired === isRequired && !oneOf.includes(rule.name))
      .map(({ name }) => name);
  const { effect } = ENDPOINTS[endpoint];
  return { endpoint, effect, does: wordsOf(endpoint), required: named(true), oneOf, optional: named(false) };
}

function wordsOf(endpoint: EndpointName): string {
  const words = ENDPOINT_WORDS[endpoint];
  return endpoint === 'order/settle' ? `${words}, by the steps of recon settle` : words;
}
