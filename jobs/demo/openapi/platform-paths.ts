/** The 17 endpoints as OpenAPI: envelopes, business data, refusals. */
import { ANSWER_MEMBERS, answerSchema } from '../../../src/platform/answer-members.ts';
import {
  CODE_SUCCESS,
  ENDPOINTS,
  ENDPOINT_NAMES,
  PATH_PREFIX,
  VERSION,
} from '../../../src/platform/contract.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { ENDPOINT_WORDS } from '../../../src/platform/endpoint-words.ts';
import type { CheckRules, Schema } from '../../../src/platform/requests/checks.ts';
import { jsonTextSchema } from '../../../src/platform/requests/json-text.ts';
import { requestSchema } from '../../../src/platform/requests/request-schema.ts';
import { REFUSAL_CODES } from '../../../src/sandbox/protocol/refusal.ts';

const JSON_TYPE = 'application/json';

export function platformPaths(): Schema {
  return Object.fromEntries(
    ENDPOINT_NAMES.map((endpoint) => [`${PATH_PREFIX}${ENDPOINTS[endpoint].path}`, pathOf(endpoint)]),
  );
}

export function platformSchemas(rules: CheckRules): Record<string, Schema> {
  const requests = ENDPOINT_NAMES.map((endpoint) => [requestName(endpoint), requestSchema(endpoint, rules)]);
  const tables = Object.values(ANSWER_MEMBERS);
  const answers = tables.map(({ name, members }) => [name, answerSchema(members)]);
  return {
    RequestEnvelope: requestEnvelope(rules.profile.signing.md5Case),
    AnswerEnvelope: ANSWER_ENVELOPE,
    Refusal: REFUSAL,
    ...(Object.fromEntries(requests) as Record<string, Schema>),
    ...(Object.fromEntries(answers) as Record<string, Schema>),
  };
}

/** `acct/addApply` is `AcctAddApplyRequest`. */
export function requestName(endpoint: EndpointName): string {
  return `${pascal(endpoint)}Request`;
}

function pascal(endpoint: string): string {
  return endpoint
    .split('/')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function pathOf(endpoint: EndpointName): Schema {
  const { path, effect } = ENDPOINTS[endpoint];
  const effectSaid =
    effect === 'read'
      ? 'Reads. May be repeated with a new reqId (ENV-29).'
      : 'Changes something. Without an answer its outcome is unknown: it is asked for and never sent again (ENV-22).';
  return {
    ...(path.includes('{') && { parameters: [CHANNEL_CODE] }),
    post: {
      operationId: `post${pascal(endpoint)}`,
      summary: ENDPOINT_WORDS[endpoint],
      description: effectSaid,
      tags: ['platform'],
      requestBody: { required: true, content: { [JSON_TYPE]: { schema: requestOf(endpoint) } } },
      responses: {
        '200': answered('success or a refusal', { oneOf: [successOf(endpoint), ref('Refusal')] }),
        '404': answered('no such path', ref('Refusal')),
        '405': answered('not a POST (ENV-01)', ref('Refusal')),
        '415': answered('not application/json in UTF-8 (ENV-02)', ref('Refusal')),
      },
    },
  };
}

function answered(description: string, schema: Schema): Schema {
  return { description, content: { [JSON_TYPE]: { schema } } };
}

const CHANNEL_CODE: Schema = {
  name: 'channel_code',
  in: 'path',
  required: true,
  description: 'the one channel code of the service (SMS-01)',
  schema: { type: 'string' },
};

/** `APIkey` is a spelling of the voucher page (ENV-07). */
function requestOf(endpoint: EndpointName): Schema {
  const names = ['apiKey', ...(endpoint === 'get/transFiles' ? ['APIkey'] : []), 'appId'];
  const bizData = jsonTextSchema(ref(requestName(endpoint)));
  return {
    allOf: [ref('RequestEnvelope')],
    type: 'object',
    properties: { bizData },
    anyOf: names.map((name) => ({ required: [name] })),
  };
}

function successOf(endpoint: EndpointName): Schema {
  const bizData = jsonTextSchema(ref(ANSWER_MEMBERS[endpoint].name));
  return {
    allOf: [ref('AnswerEnvelope')],
    type: 'object',
    properties: { code: { const: CODE_SUCCESS }, bizData },
    required: ['bizData'],
  };
}

function requestEnvelope(md5Case: 'upper' | 'lower'): Schema {
  return {
    type: 'object',
    description: 'Members of the envelope are text; business members live in bizData alone (ENV-31).',
    properties: {
      apiKey: { type: 'string', description: 'decides where both are there (ENV-05, ENV-06)' },
      APIkey: { type: 'string', description: 'a spelling of the voucher page alone (ENV-07)' },
      appId: { type: 'string', description: 'ENV-05' },
      signType: { enum: ['MD5', 'RSA2'], description: 'RSA2 goes with appId alone (ENV-10)' },
      sign: {
        type: 'string',
        minLength: 1,
        description: `MD5 in ${md5Case} case, or RSA2 in Base64 (ENV-09, SIG-01)`,
      },
      version: { const: VERSION, description: 'ENV-14' },
      reqTime: {
        type: 'string',
        pattern: String.raw`^\d{14}$`,
        description: 'yyyyMMddHHmmss in the time of the service, at most 10 seconds off (ENV-12, ENV-13)',
      },
      reqId: {
        type: 'string',
        minLength: 1,
        maxLength: 40,
        description: 'not used twice within 10 minutes (ENV-15, ENV-16)',
      },
      bizData: {
        type: 'string',
        contentMediaType: JSON_TYPE,
        description: 'JSON text of an object (ENV-11)',
      },
    },
    required: ['signType', 'sign', 'version', 'reqTime', 'reqId', 'bizData'],
  };
}

const ANSWER_ENVELOPE: Schema = {
  type: 'object',
  description: 'All text; read in the order code, sign, bizData, state (ENV-17, ENV-20).',
  properties: {
    code: { type: 'string', description: `${CODE_SUCCESS} is success, all else a refusal (ENV-18, ENV-23)` },
    msg: { type: 'string', description: 'ENV-17' },
    timestamp: { type: 'string', pattern: String.raw`^\d{14}$`, description: 'yyyyMMddHHmmss (ENV-17)' },
    signType: { type: 'string', description: 'ENV-17' },
    sign: { type: 'string', description: 'with the secret of the caller (ENV-17, SIG-10)' },
    bizData: { type: 'string', contentMediaType: JSON_TYPE, description: 'JSON text (ENV-19)' },
  },
  required: ['code', 'msg', 'timestamp'],
};

const REFUSAL: Schema = {
  allOf: [ref('AnswerEnvelope')],
  type: 'object',
  description:
    'Nothing has changed (ERR-06). Signed once it is known who asks. ' +
    'The document names no codes but that of success; these are the sandbox’s own (U42).',
  properties: {
    code: {
      not: { const: CODE_SUCCESS },
      description: Object.entries(REFUSAL_CODES)
        .map(([kind, code]) => `${code}: ${kind.toLowerCase().replaceAll('_', ' ')}`)
        .join('; '),
      examples: Object.values(REFUSAL_CODES),
    },
  },
};
