/** What goes over the wire is what the OpenAPI document says: requests, answers, refusals, and what is sent to the control surface. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDPOINTS, PATH_PREFIX } from '../../src/platform/contract.ts';
import { Bench } from '../conformance/bench.ts';
import { happyCalls } from '../conformance/happy-calls.ts';
import { overHttp } from '../conformance/wire.ts';
import type { Target, WireReply, WireRequest } from '../conformance/wire.ts';
import { closed } from '../schemas/answer-schemas.ts';
import { faultsWith } from './content-schemas.ts';
import type { Schemas } from './content-schemas.ts';
import { bodyOf, readOpenApi } from './document.ts';
import type { Operation } from './document.ts';

interface Exchange {
  request: WireRequest;
  reply: WireReply;
}

const document = readOpenApi();
const { schemas } = document.components;
const ENVELOPES = ['RequestEnvelope', 'AnswerEnvelope', 'Refusal'];
/** No answer may hold more than is named; envelopes are put together of two schemas each. */
const closedSchemas: Schemas = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [
    name,
    ENVELOPES.includes(name) || name.endsWith('Request') ? schema : closed(schema),
  ]),
);
const faultsBy = faultsWith(closedSchemas);
const exchanges: Exchange[] = [];
let target: Target;

beforeAll(async () => {
  target = await overHttp();
  const wire = async (request: WireRequest): Promise<WireReply> => {
    const reply = await target.wire(request);
    exchanges.push({ request, reply });
    return reply;
  };
  const bench = new Bench({ ...target, wire });
  await bench.seedAccounts();
  await happyCalls(bench);
  await bench.refuses('acct/queryInfo', { accountNo: 'nobody' });
  await bench.control('/clock', { advanceMs: 1_000 });
});
afterAll(async () => {
  await target[Symbol.asyncDispose]();
});

function operationOf({ method, path }: WireRequest): Operation {
  const known = path.replace(/(sendMsg\/).*$/, '$1{channel_code}').split('?', 1)[0] ?? '';
  const operation = document.paths[known]?.[method === 'GET' ? 'get' : 'post'];
  if (operation === undefined) throw new Error(`the document has no ${method} ${known}`);
  return operation;
}

function ofPlatform(): Exchange[] {
  return exchanges.filter(({ request }) => request.path.startsWith(PATH_PREFIX));
}

test('all 17 endpoints are called, and one refuses', () => {
  const called = new Set(ofPlatform().map(({ request }) => operationOf(request).operationId));
  expect(called.size).toBe(Object.keys(ENDPOINTS).length);
  const codes = ofPlatform().map(({ reply }) => (JSON.parse(reply.body) as { code: string }).code);
  expect(new Set(codes)).toEqual(new Set(['000000', '300001']));
});

test('every answer is what the document says, with no member beside', () => {
  const envelope = closed(schemas['AnswerEnvelope']);
  for (const { request, reply } of ofPlatform()) {
    const answer: unknown = JSON.parse(reply.body);
    const { operationId, responses } = operationOf(request);
    expect([operationId, ...faultsBy(bodyOf(responses[reply.status]), answer)]).toEqual([operationId]);
    expect([operationId, ...faultsBy(envelope, answer)]).toEqual([operationId]);
  }
});

test('every request is what the document says, those to the control surface too', () => {
  for (const { request } of exchanges.filter(({ request: { method } }) => method === 'POST')) {
    const { operationId, requestBody } = operationOf(request);
    expect([operationId, ...faultsBy(bodyOf(requestBody), JSON.parse(request.body))]).toEqual([operationId]);
  }
});

test('a member that is renamed, left out or of another type is none of the document’s', () => {
  const query = ofPlatform().find(({ request }) => operationOf(request).operationId === 'postDivisionQuery');
  const answer = JSON.parse(query?.reply.body ?? '') as Record<string, string>;
  const schema = bodyOf(document.paths[`${PATH_PREFIX}/division/query`]?.post?.responses['200']);
  const said = String(answer['bizData']);
  for (const [from, to] of [
    [/\\"amount\\"/, String.raw`\"amountFen\"`],
    [/\\"payeeAcctNo\\":\\"\d+\\",/, ''],
    [/\\"amount\\":(\d+)/, String.raw`\"amount\":\"$1\"`],
  ] as const) {
    const bizData = said.replace(from, to);
    expect(bizData).not.toBe(said);
    expect(faultsBy(schema, { ...answer, bizData })).not.toEqual([]);
  }
});
